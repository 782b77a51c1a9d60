"""What a judging process does: load the lab, open the sandbox, grade, one event after another."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis

from grader.bundles.load import load_bundle
from grader.bundles.properties import load_properties
from grader.judging.grade import Walk, grade
from grader.judging.replay import replay
from grader.judging.rows import Row, plan
from grader.judging.score import points
from grader.model.bundle import Bundle
from grader.model.execution import Submission
from grader.sandbox import levels
from grader.worker.job import Done, Event, Failed, Job, Opened, PlannedRow, Result


def events(
    job: Job,
    submission: Submission,
    opening: levels.Opening,
    notice: Callable[[str, int], None],
) -> Iterator[Event]:
    """Grade a job.

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
    opened = opening.finish()
    weak = opened.containment.level == "weak"
    with_staff = bundle.staff is not None and (not weak or job.accept_weak)
    rows = plan(bundle, properties, staff=with_staff)
    yield _opened(bundle, opened, rows, practice=not with_staff)
    walk = Walk(
        bundle=bundle,
        properties=properties,
        plan=rows,
        submission=submission,
        executor=opened.executor,
        seed=job.seed,
        examples=job.examples,
        groups=job.groups,
        done=job.done,
        sparing=weak,
    )
    for result in [replay(walk, job.replay)] if job.replay else grade(walk, notice):
        yield Result(row=result)
    yield Done()


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
