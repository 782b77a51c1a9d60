"""The seam between a class's driver and whatever grades for it: orders in, outcomes out.

An engine knows nothing of the journal: what was tried, how often, and what counts is the driver's.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Protocol

from grader.errors import (
    BundleError,
    GraderError,
    LevelMissing,
    SandboxError,
    UsageError,
    WorkerError,
)
from grader.model.report import GradeReport
from grader.worker.job import Job
from grader.worker.lane import PackageMissing
from grader.worker.process import Workers
from grader.worker.run import Grading


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Grade one submission. `lab` is the digest of the lab that `job` names."""

    id: int
    job: Job
    lab: str
    seed_is_secret: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of an order: a report, or why there is none (or why it is not complete).

    `again` is whether another try could end otherwise: a process was lost, a machine failed.
    `everybody` is whether no submission of this lab can be graded here. `fault` says whose it is
    that there is no complete report: `author` of the lab, or `grader`. `seconds` are those of the
    grading, by the wall clock.
    """

    id: int
    seconds: float
    report: GradeReport | None = None
    error: str = ""
    again: bool = False
    everybody: bool = False
    fault: str = "grader"


class Engine(Protocol):
    """Grades several submissions at a time. Use it in a `with`: leaving it ends what it began."""

    @property
    def slots(self) -> int:
        """So many orders may be under way."""
        ...

    def begin(self, order: Order) -> None:
        """Take an order. It does not wait."""
        ...

    def next(self) -> Outcome:
        """Wait until an order has ended.

        Raises:
            UsageError: the engine itself cannot go on.
        """
        ...

    def __enter__(self) -> Engine: ...

    def __exit__(self, *_: object) -> None: ...


def carry_out(order: Order, workers: Workers) -> Outcome:
    """Grade one submission in a judging process of its own, here and now.

    Raises:
        Stopped: somebody called `workers.stop`.
    """
    began = time.perf_counter()
    grading = Grading(job=order.job, seed_is_secret=order.seed_is_secret, workers=workers)
    try:
        for _ in grading.rows():
            pass
        report = grading.report()
    except (BundleError, LevelMissing, UsageError, PackageMissing) as error:
        return _without(order, began, error, everybody=True)
    except (GraderError, OSError) as error:
        return _without(order, began, error, again=isinstance(error, _MACHINE))
    if report.practice and order.job.staff:
        return _without(order, began, _NOT_CONFINED, everybody=True)
    ungraded = [row for row in report.rows if row.fault]
    ours = any(row.fault == "grader" for row in ungraded)
    return Outcome(
        id=order.id,
        seconds=time.perf_counter() - began,
        report=report,
        error=f"{ungraded[0].id}: {ungraded[0].detail}" if ungraded else "",
        again=bool(grading.lost) or ours,
        fault="author" if ungraded and not ours else "grader",
    )


_MACHINE = (SandboxError, WorkerError, OSError)
_NOT_CONFINED = UsageError(
    "programs are not confined here (`grader doctor` says why), so that the rows of the staff took "
    "no part: --public grades for practice without them, --accept-weak with them"
)


def _without(
    order: Order, began: float, error: Exception, *, again: bool = False, everybody: bool = False
) -> Outcome:
    return Outcome(
        id=order.id,
        seconds=time.perf_counter() - began,
        error=str(error) or type(error).__name__,
        again=again,
        everybody=everybody,
        fault="author" if isinstance(error, BundleError) else "grader",
    )
