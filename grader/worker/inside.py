"""What a judging process does: load the lab, open the sandbox, grade, one event after another."""

from __future__ import annotations

import contextlib
import importlib.util
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import hypothesis

from grader.bundles.load import load_bundle
from grader.bundles.properties import load_properties
from grader.judging.grade import Walk, chosen, grade_part, holds_up, parts
from grader.judging.ground import Ground
from grader.judging.hunt import try_out
from grader.judging.probe import probe
from grader.judging.remembered import Remembered
from grader.judging.replay import replay
from grader.judging.results import beside_reference
from grader.judging.rows import plan
from grader.judging.score import points
from grader.judging.survey import survey
from grader.model.execution import Submission
from grader.sandbox import levels
from grader.sandbox.libraries import versions
from grader.worker.job import (
    Done,
    Event,
    Failed,
    Failing,
    Job,
    Opened,
    PlannedGroup,
    PlannedRow,
    Probed,
    Result,
    Surveyed,
    Task,
    Tried,
    Turn,
    TurnOver,
)
from grader.worker.pulse import Pulse


def events(
    job: Job,
    submission: Submission,
    opening: levels.Opening,
    notice: Callable[[str, int], None],
    turns: Iterable[Turn],
) -> Iterator[Event]:
    """Do a job. `turns` say what to grade, one after another.

    Raises:
        BundleError, SandboxError, UsageError: nothing can be graded.
    """
    staff = Path(job.staff) if job.staff else None
    bundle = load_bundle(Path(job.problem), staff)
    missing = [name for name in bundle.needs_packages if not importlib.util.find_spec(name)]
    if missing:
        extra = f"pip install '.[{missing[0]}]' where the grader comes from"
        yield Failed(fault="packages", message=f"this lab needs {missing[0]}: {extra}")
        return
    properties = load_properties(bundle)
    paced_seconds = bundle.pace.calibration_seconds if bundle.pace else None
    opened = opening.finish(paced_seconds=paced_seconds)
    weak = opened.containment.level == "weak"
    with_staff = bundle.staff is not None and (not weak or job.accept_weak)
    rows = plan(bundle, properties, staff=with_staff)
    pulse = Pulse(opened.executor, notice, next(iter(rows)))
    shared = Remembered(Path(job.shared)) if job.shared else None
    walk = Walk(
        bundle=bundle,
        properties=properties,
        plan=rows,
        submission=submission,
        executor=pulse,
        seed=job.seed,
        examples=job.examples,
        groups=job.groups,
        sparing=weak,
        shrink=job.shrink,
        shared=shared,
    )
    yield _opened(walk, opened, _planned(job, walk), practice=not with_staff)
    with pulse, contextlib.closing(shared) if shared else contextlib.nullcontext():
        if job.task in _TASKS:
            yield from _TASKS[job.task](job, walk, pulse.notice)
        else:
            yield from _in_turns(job, walk, pulse.notice, turns)
    yield Done()


Notice = Callable[[str, int], None]


def _in_turns(job: Job, walk: Walk, notice: Notice, turns: Iterable[Turn]) -> Iterator[Event]:
    groups = {group.name: group for group in chosen(walk)}
    for turn in turns:
        if job.replay:
            results = iter([replay(walk, job.replay)])
        else:
            rows = tuple(row for row in walk.plan[turn.group] if row.id in turn.rows)
            results = grade_part(walk, groups[turn.group], rows, turn.passed, notice)
        for row in results:
            yield Result(row=beside_reference(row, walk.bundle.pace))
        yield TurnOver()


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
    return [Ground(walk, group, notice) for group in chosen(walk)]


_TASKS = {
    Task.PROBE: _probe,
    Task.HUNT: _hunt,
    Task.SURVEY: _survey,
}


def _planned(job: Job, walk: Walk) -> tuple[PlannedGroup, ...]:
    if job.replay:
        group = job.replay.row.partition("/")[0]
        return (PlannedGroup(name=group, after=(), parts=((job.replay.row,),)),)
    return tuple(
        PlannedGroup(
            name=group.name,
            after=holds_up(walk, group),
            parts=tuple(tuple(row.id for row in part) for part in parts(walk, group)),
        )
        for group in chosen(walk)
    )


def _opened(
    walk: Walk, opened: levels.Opened, planned: tuple[PlannedGroup, ...], *, practice: bool
) -> Opened:
    bundle = walk.bundle
    every = [row for group in walk.plan.values() for row in group]
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
        libraries=versions(),
        rows=tuple(
            PlannedRow(
                id=row.id, out_of=row.out_of, sentence=row.sentence, staff_only=row.staff_only
            )
            for row in every
        ),
        groups=planned,
    )
