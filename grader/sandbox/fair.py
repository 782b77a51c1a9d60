"""No verdict that the machine's other work has caused: who runs out of time runs once more, alone.

run ── in time ──────────────────────────────────────────────► outcome
 └──── over time ──► lock ──► calibrate ──► run, limits × factor ──► this outcome counts
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from grader.model.execution import (
    Ending,
    Executor,
    Limits,
    Repeat,
    RunOutcome,
    RunRequest,
    begin,
)
from grader.sandbox import pace
from grader.sandbox.alone import PLACE, alone

_ASLEEP = 0.1
"""A program that used less than this part of its CPU time, and waited for a core for less than this
part of its wall time, has slept: it was not the machine that made it late."""


class FairExecutor:
    """Runs programs on another executor, and repeats what ran out of time before it counts.

    Close it, or use it in a `with`.

    Args:
        executor: runs the programs.
        paced_seconds: `pace.calibrate` on the machine on which the limits were measured; None
            where that is not known.
        calibrate: how fast this machine is.
        place: the file of the machine-wide lock.
        close: ends what the executor has started.

    Attributes:
        once: runs without a second try, for those who measure.
    """

    def __init__(
        self,
        executor: Executor,
        *,
        paced_seconds: float | None = None,
        calibrate: Callable[[], float] = pace.calibrate,
        place: Path = PLACE,
        close: Callable[[], None] = lambda: None,
    ) -> None:
        self.once, self._paced_seconds = executor, paced_seconds
        self._calibrate, self._place = calibrate, place
        self.close = close

    def run(self, request: RunRequest) -> RunOutcome:
        """Run once, or twice; see `model.execution.Executor`."""
        return self._settled(request, self.once.run(request))

    def begin(self, request: RunRequest) -> Callable[[], RunOutcome]:
        """Begin a run; see `model.execution.RunsAhead`."""
        finish = begin(self.once, request)
        return lambda: self._settled(request, finish())

    def _settled(self, request: RunRequest, first: RunOutcome) -> RunOutcome:
        """The first outcome, or that of a second run where the first was over time."""
        if first.ending is not Ending.OVER_TIME or slept(first, request.limits):
            return first
        with alone(self._place) as is_alone:
            seconds = self._calibrate()
            factor = pace.factor(seconds, self._paced_seconds)
            limits = scaled(request.limits, factor)
            second = self.once.run(replace(request, limits=limits))
        repeat = Repeat(
            limits=limits,
            factor=factor,
            calibration_seconds=seconds,
            alone=is_alone,
            before=first.usage,
        )
        return replace(second, repeat=repeat)

    def __enter__(self) -> FairExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def slept(outcome: RunOutcome, limits: Limits) -> bool:
    """Whether the wall limit ended a program that did nothing and waited for no core.

    It would do nothing again: its wall time did not depend on what else the machine did. Where
    nobody can tell how long it waited, it gets its second run.
    """
    if outcome.waited_seconds is None:
        return False
    idle = outcome.usage.cpu_seconds < _ASLEEP * limits.cpu_seconds
    return idle and outcome.waited_seconds < _ASLEEP * limits.wall_seconds


def scaled(limits: Limits, factor: float) -> Limits:
    """The limits of a machine that is so much slower."""
    return replace(
        limits,
        wall_seconds=limits.wall_seconds * factor,
        cpu_seconds=limits.cpu_seconds * factor,
    )
