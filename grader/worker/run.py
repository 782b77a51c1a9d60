"""The parent's side of judging: start workers, listen, and survive whatever becomes of them.

They share the work (`worker.turns`), each with a thread that listens to it (`worker.lane`). One
that dies or falls silent costs the rows that it was at (`judge_error`); a fresh one goes on. When
the budget is used up, the rest is reported as not graded.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from queue import SimpleQueue

import grader
from grader.errors import GraderError, WorkerError
from grader.judging.score import fold_groups, overall, points, total_usage
from grader.model.execution import Submission
from grader.model.report import (
    SCHEMA_VERSION,
    CaseResult,
    GradedFile,
    GradeReport,
    SandboxReport,
)
from grader.model.verdict import Verdict
from grader.worker.job import (
    Done,
    Failed,
    Job,
    Opened,
    PlannedRow,
    Probed,
    Progress,
    Result,
    Surveyed,
    Tried,
)
from grader.worker.lane import OPENING_SECONDS, SILENCE_SECONDS, Heard, Lane, Lost, error_of
from grader.worker.process import Workers
from grader.worker.turns import Turns

MOST_LANES = 4
"""A lab has five groups, and one of them waits for another."""

_FEW_RUNS = 4
"""A variant may meet all cases of `scale` before there is something to tell."""


class NothingGraded(GraderError):
    """The budget was used up before the first row; nobody is at fault."""


@dataclass(slots=True)
class Grading:
    """One grading as it happens. Iterate over `rows()`, then take `report()`.

    Args:
        job: what to grade.
        jobs: so many judging processes share its groups, `MOST_LANES` at most.
        budget: seconds after which the rest is left ungraded; None for no limit.
        on_progress: called with a group's name and its runs so far.
        workers: starts the judging processes; several gradings may share it.

    Attributes:
        opened: the lab and the sandbox, as the first judging process has told.
        lost: how many judging processes died or fell silent.
    """

    job: Job
    jobs: int = 1
    budget: float | None = None
    seed_is_secret: bool = False
    on_progress: Callable[[str, int], None] = lambda _group, _runs: None
    workers: Workers = field(default_factory=Workers)
    opened: Opened | None = None
    lost: int = 0
    _lanes: list[Lane] = field(default_factory=list)
    _heard: SimpleQueue[Heard] = field(default_factory=SimpleQueue)
    _results: list[CaseResult] | None = None
    _started: str = ""

    def begin(self) -> None:
        """Start the judging processes; `rows` does so itself, but later."""
        turns = Turns()
        count = min(self.jobs, len(self.job.groups) or MOST_LANES)
        self._lanes = [Lane(self.job, self.workers, turns, self._heard.put) for _ in range(count)]
        for lane in self._lanes:
            lane.begin()

    def rows(self) -> Iterator[CaseResult]:
        """Every row, as soon as it is known; those of one group in order.

        Raises:
            BundleError, SandboxError, UsageError, PackageMissing: nothing can be graded.
            WorkerError: no judging process has opened the lab before it died.
            NothingGraded: the budget was used up before.
        """
        self._started = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        self._results = []
        deadline = None if self.budget is None else time.monotonic() + self.budget
        try:
            if not self._lanes:
                self.begin()
            for lane in self._lanes:
                lane.start(deadline)
            for row in self._listen():
                self._results.append(row)
                yield row
        finally:
            for lane in self._lanes:
                lane.stop()
            for lane in self._lanes:
                lane.end()

    def _listen(self) -> Iterator[CaseResult]:
        at_work, late = len(self._lanes), False
        loss: WorkerError | None = None
        while at_work:
            event = self._heard.get()
            if isinstance(event, Opened):
                self.opened = self.opened or event
            elif isinstance(event, Progress):
                self.on_progress(event.group, event.runs)
            elif isinstance(event, Result):
                yield event.row
            elif isinstance(event, Lost):
                self.lost += 1
                loss = event.error
                lost = [row for row in self._left() if row.id in event.rows] if event.rows else []
                yield from (_ungraded(row, str(loss), loss.fault) for row in lost)
            elif event.error:
                raise event.error
            else:
                at_work -= 1
                late = late or event.late
        yield from self._not_graded(loss, late=late)

    def _not_graded(self, loss: WorkerError | None, *, late: bool) -> Iterator[CaseResult]:
        """The rows that nobody came to."""
        if self.opened is None and loss and not late:
            raise loss
        if self.opened is None:
            raise NothingGraded(f"nothing was graded: the budget of {self.budget:g} s is used up")
        for row in self._left():
            if late:
                yield _ungraded(row, f"not graded: the budget of {self.budget:g} s was used up")
            elif loss:
                yield _ungraded(row, str(loss), loss.fault)

    def _left(self) -> list[PlannedRow]:
        assert self.opened is not None and self._results is not None
        known = {row.id for row in self._results}
        due = {row for group in self.opened.groups for part in group.parts for row in part}
        return [row for row in self.opened.rows if row.id in due - known]

    def report(self) -> GradeReport:
        """The fold of all rows. Call it when `rows()` is exhausted."""
        assert self.opened is not None and self._results is not None
        opened, rows = self.opened, self._results
        planned = {row.id: place for place, row in enumerate(opened.rows)}
        rows = sorted(rows, key=lambda row: planned[row.id])
        submission = Submission(name=self.job.name, source=self.job.source)
        return GradeReport(
            schema_version=SCHEMA_VERSION,
            grader_version=grader.__version__,
            python_version=platform.python_version(),
            hypothesis_version=opened.hypothesis_version,
            libraries=opened.libraries,
            problem=opened.slug,
            fingerprint=opened.fingerprint,
            staff_fingerprint=opened.staff_fingerprint,
            submission=GradedFile(name=submission.name, digest=submission.digest),
            seed=self.job.seed,
            seed_is_secret=self.seed_is_secret,
            examples=self.job.examples,
            sandbox=SandboxReport(level=opened.level, layers=opened.layers),
            verdict=overall(rows),
            points=points(row.points for row in rows),
            out_of=100.0,
            practice=opened.practice,
            public_out_of=opened.public_out_of,
            graded_completely=len(rows) == len(opened.rows) and all(row.graded for row in rows),
            groups=fold_groups(rows),
            usage=total_usage(rows),
            started_at=self._started,
        )


def listen(workers: Workers, job: Job) -> Iterator[Probed | Tried | Surveyed]:
    """What a worker finds in a task that is no grading.

    Raises:
        BundleError, SandboxError, UsageError, PackageMissing: it cannot be done.
        WorkerError: the judging process was lost.
    """
    with workers.start(job) as worker:
        silence = OPENING_SECONDS
        while True:
            event = worker.hear(silence, None)
            if isinstance(event, Opened):
                silence = SILENCE_SECONDS + _FEW_RUNS * event.longest_run_seconds
            elif isinstance(event, Probed | Tried | Surveyed):
                yield event
            elif isinstance(event, Failed):
                raise error_of(event)
            elif isinstance(event, Done):
                return


def _ungraded(row: PlannedRow, why: str, fault: str | None = None) -> CaseResult:
    return CaseResult(
        id=row.id,
        verdict=Verdict.JUDGE_ERROR if fault else Verdict.SKIPPED,
        points=0.0,
        out_of=row.out_of,
        sentence=row.sentence,
        detail=why,
        staff_only=row.staff_only,
        graded=False,
        fault=fault,
    )
