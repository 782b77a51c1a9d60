"""What a judging process does: load the lab, open the sandbox, grade, one event after another."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis

from grader.bundles.load import load_bundle
from grader.bundles.properties import load_properties
from grader.judging.grade import Walk, grade
from grader.judging.ground import Ground
from grader.judging.hunt import try_out
from grader.judging.probe import probe
from grader.judging.replay import replay
from grader.judging.results import beside_reference
from grader.judging.rows import Row, plan
from grader.judging.score import points
from grader.judging.survey import survey
from grader.model.bundle import Bundle
from grader.model.execution import Submission
from grader.sandbox import levels
from grader.worker.job import (
    Done,
    Event,
    Failed,
    Failing,
    Job,
    Opened,
    PlannedRow,
    Probed,
    Result,
    Surveyed,
    Task,
    Tried,
)
from grader.worker.pulse import Pulse


def events(
    job: Job,
    submission: Submission,
    opening: levels.Opening,
    notice: Callable[[str, int], None],
) -> Iterator[Event]:
    """Do a job.

    Raises:
        BundleError, SandboxError, UsageError: nothing can be graded.
    """
    staff = Path(job.staff) if job.staff else None
    bundle = load_bundle(Path(job.problem), staff)
    missing = [name for name in bundle.needs_packages if not importlib.util.find_spec(name)]
    if missing:
        extra = f"pip install 'inference-labs[{missing[0]}]'"
        yield Failed(fault="packages", message=f"this lab needs {missing[0]}: {extra}")
        return
    properties = load_properties(bundle)
    paced_seconds = bundle.pace.calibration_seconds if bundle.pace else None
    opened = opening.finish(paced_seconds=paced_seconds)
    weak = opened.containment.level == "weak"
    with_staff = bundle.staff is not None and (not weak or job.accept_weak)
    rows = plan(bundle, properties, staff=with_staff)
    yield _opened(bundle, opened, rows, practice=not with_staff)
    pulse = Pulse(opened.executor, notice, next(iter(rows)))
    walk = Walk(
        bundle=bundle,
        properties=properties,
        plan=rows,
        submission=submission,
        executor=pulse,
        seed=job.seed,
        examples=job.examples,
        groups=job.groups,
        done=job.done,
        sparing=weak,
        shrink=job.shrink,
    )
    with pulse:
        yield from _TASKS[job.task](job, walk, pulse.notice)
    yield Done()


Notice = Callable[[str, int], None]


def _grade(_job: Job, walk: Walk, notice: Notice) -> Iterator[Event]:
    for row in grade(walk, notice):
        yield Result(row=beside_reference(row, walk.bundle.pace))


def _replay(job: Job, walk: Walk, _notice: Notice) -> Iterator[Event]:
    assert job.replay is not None
    yield Result(row=beside_reference(replay(walk, job.replay), walk.bundle.pace))


def _probe(_job: Job, walk: Walk, _notice: Notice) -> Iterator[Event]:
    for flaw in probe(walk):
        yield Probed(group=flaw.group, name=flaw.name, detail=flaw.detail, trace=flaw.trace)


def _hunt(job: Job, walk: Walk, notice: Notice) -> Iterator[Event]:
    grounds = _grounds(walk, notice)
    for variant in job.variants:
        trial = try_out(grounds, Submission(name=job.name, source=variant.source))
        hit = trial.hit
        yield Tried(
            name=variant.name,
            row=hit.row if hit else None,
            verdict=hit.verdict if hit else None,
            detail=hit.detail if hit else "",
            unnoticed=trial.unnoticed,
        )


def _survey(job: Job, walk: Walk, notice: Notice) -> Iterator[Event]:
    grounds = _grounds(walk, notice)
    for variant in job.variants:
        program = Submission(name=job.name, source=variant.source)
        hits = survey(grounds, program, variant.predicted)
        failing = tuple(
            Failing(row=h.row, verdict=h.verdict, detail=h.detail, staff_only=h.staff_only)
            for h in hits
        )
        yield Surveyed(name=variant.name, failing=failing)


def _grounds(walk: Walk, notice: Notice) -> list[Ground]:
    groups = [g for g in walk.bundle.groups if not walk.groups or g.name in walk.groups]
    return [Ground(walk, group, notice) for group in groups]


_TASKS = {
    Task.GRADE: _grade,
    Task.REPLAY: _replay,
    Task.PROBE: _probe,
    Task.HUNT: _hunt,
    Task.SURVEY: _survey,
}


def _opened(
    bundle: Bundle, opened: levels.Opened, rows: dict[str, tuple[Row, ...]], *, practice: bool
) -> Opened:
    every = [row for group in rows.values() for row in group]
    return Opened(
        slug=bundle.slug,
        fingerprint=bundle.fingerprint,
        staff_fingerprint=None if practice else bundle.staff_fingerprint,
        practice=practice,
        public_out_of=points(row.out_of for row in every if not row.staff_only),
        level=opened.containment.level,
        layers=opened.containment.layers,
        why_not_better=opened.why,
        longest_run_seconds=max(group.limits.wall_seconds for group in bundle.groups),
        hypothesis_version=hypothesis.__version__,
        rows=tuple(
            PlannedRow(
                id=row.id, out_of=row.out_of, sentence=row.sentence, staff_only=row.staff_only
            )
            for row in every
        ),
    )
