"""The parent's side of judging: start a worker, listen, and survive whatever becomes of it.

A worker that dies or falls silent costs the rows of the group that it was at (`judge_error`);
a fresh one goes on with the rest. When the budget is used up, the rest is reported as not graded.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import grader
from grader.errors import BundleError, GraderError, SandboxError, UsageError, WorkerError
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
from grader.worker.process import BudgetUsedUp, Worker, Workers

OPENING_SECONDS = 180.0
"""Loading a lab, and importing torch from a cold disk before the first run."""

SILENCE_SECONDS = 90.0
"""On top of the longest run: reading and checking the largest answer takes a tenth of it."""


_FEW_RUNS = 4
"""A variant may meet all cases of `scale` before there is something to tell."""


class PackageMissing(GraderError):
    """The lab needs a package that is not installed; nothing was graded."""


class NothingGraded(GraderError):
    """The budget was used up before the first row; nobody is at fault."""


@dataclass(slots=True)
class Grading:
    """One grading as it happens. Iterate over `rows()`, then take `report()`.

    Args:
        job: what to grade.
        budget: seconds after which the rest is left ungraded; None for no limit.
        on_progress: called with a group's name and its runs so far.
        workers: starts the judging processes; several gradings may share it.

    Attributes:
        opened: the lab and the sandbox, as the first judging process has told.
        lost: how many judging processes died or fell silent.
    """

    job: Job
    budget: float | None = None
    seed_is_secret: bool = False
    on_progress: Callable[[str, int], None] = lambda _group, _runs: None
    workers: Workers = field(default_factory=Workers)
    opened: Opened | None = None
    lost: int = 0
    _begun: Worker | None = None
    _results: list[CaseResult] | None = None
    _started: str = ""
    _group: str = ""

    def begin(self) -> None:
        """Start the judging process; `rows` does so itself, but later."""
        self._begun = self.workers.start(self.job)

    def rows(self) -> Iterator[CaseResult]:
        """Every row, as soon as it is known.

        Raises:
            BundleError, SandboxError, UsageError, PackageMissing: nothing can be graded.
            WorkerError: the judging process died before it had opened the lab.
        """
        self._started = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        self._results = []
        deadline = None if self.budget is None else time.monotonic() + self.budget
        while True:
            rest: Iterable[CaseResult]
            try:
                yield from self._listen(deadline)
                return
            except BudgetUsedUp:
                rest, finished = self._not_graded(), True
            except WorkerError as error:
                if self.opened is None:
                    raise
                self.lost += 1
                rest, finished = self._lost(str(error), error.fault), False
            for row in rest:
                self._results.append(row)
                yield row
            if finished or not self._left():
                return

    def _listen(self, deadline: float | None) -> Iterator[CaseResult]:
        assert self._results is not None
        done = {row.id: row.verdict for row in self._results}
        begun, self._begun = self._begun, None
        with begun or self.workers.start(replace(self.job, done=done)) as worker:
            silence = OPENING_SECONDS
            while True:
                event = worker.hear(silence, deadline)
                if isinstance(event, Opened):
                    silence = SILENCE_SECONDS + event.longest_run_seconds
                    self.opened = self.opened or event
                elif isinstance(event, Progress):
                    self._group = event.group
                    self.on_progress(event.group, event.runs)
                elif isinstance(event, Result):
                    self._group = event.row.group
                    self._results.append(event.row)
                    yield event.row
                elif isinstance(event, Failed):
                    raise _error(event)
                else:
                    return

    def _left(self) -> list[PlannedRow]:
        assert self.opened is not None and self._results is not None
        known = {row.id for row in self._results}
        chosen = self.job.groups
        return [
            row
            for row in self.opened.rows
            if row.id not in known and (not chosen or row.id.partition("/")[0] in chosen)
        ]

    def _lost(self, why: str, fault: str) -> list[CaseResult]:
        """The rows of the group during which a worker was lost; at least one, to get on."""
        left = self._left()
        group = self._group if any(_in(row, self._group) for row in left) else None
        group = group or (left[0].id.partition("/")[0] if left else "")
        return [_ungraded(row, why, fault) for row in left if _in(row, group)]

    def _not_graded(self) -> list[CaseResult]:
        if self.opened is None:
            raise NothingGraded(f"nothing was graded: the budget of {self.budget:g} s is used up")
        why = f"not graded: the budget of {self.budget:g} s was used up"
        return [_ungraded(row, why) for row in self._left()]

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
                raise _error(event)
            elif isinstance(event, Done):
                return


def _in(row: PlannedRow, group: str) -> bool:
    return row.id.startswith(f"{group}/")


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


def _error(event: Failed) -> GraderError:
    if event.fault == "bundle":
        return BundleError(event.path, event.key, event.message)
    if event.fault == "packages":
        return PackageMissing(event.message)
    return (SandboxError if event.fault == "sandbox" else UsageError)(event.message)
