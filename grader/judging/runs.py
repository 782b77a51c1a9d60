"""The runs of one program within one group: counted, added up, and remembered by input.

Remembering is what keeps a search steady: a program that hovers at its time limit gives the same
outcome each time that Hypothesis comes back to an input, and coming back costs nothing.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from grader.judging.decode import Malformed, decode
from grader.judging.remembered import Remembered
from grader.model.execution import (
    Ending,
    Executor,
    Limits,
    Repeat,
    RunOutcome,
    RunRequest,
    Submission,
    Usage,
    begin,
)
from grader.model.report import RowUsage

MAX_TIMEOUTS = 3
"""A group ends after so many: each costs seconds, and a fourth tells a student nothing new."""

AHEAD = 2
"""So many runs are begun before the one whose outcome is looked at: the next can always go on."""

RUN_TWICE = 5
"""So many of a group's first cases, and of its first drawn inputs, are run twice: a program that
guesses gives two results on one of them."""

REMEMBERED_BYTES = 64 << 20
"""A group's outcomes are a few KiB each; only a program that floods its output ever meets this."""


Input = TypeVar("Input")


class OutOfAllowance(BaseException):
    """A search may run no new input any more; it passes through any check's own handlers."""


class Runs:
    """Runs one program under one group's limits.

    Args:
        notice: called after each fresh run with their number so far.
        shared: outcomes that other gradings have found, and will find here.
    """

    def __init__(
        self,
        executor: Executor,
        submission: Submission,
        limits: Limits,
        notice: Callable[[int], None] = lambda _: None,
        shared: Remembered | None = None,
    ) -> None:
        self._executor, self._submission, self.limits = executor, submission, limits
        self._notice, self._shared = notice, shared
        self._remembered: OrderedDict[bytes, RunOutcome] = OrderedDict()
        self._remembered_bytes = 0
        self._foretold: dict[bytes, Callable[[], RunOutcome]] = {}
        self._usage = Usage()
        self._repeats: list[Repeat] = []
        self.count = 0
        self.timeouts = 0
        self.allowance: int | None = None
        self.timeout_allowance: int | None = None

    @property
    def too_late(self) -> bool:
        """Whether so many runs ran out of time that the group ends."""
        return self.timeouts >= MAX_TIMEOUTS

    @property
    def usage(self) -> RowUsage:
        return RowUsage(
            runs=self.count,
            cpu_seconds=round(self._usage.cpu_seconds, 4),
            wall_seconds=round(self._usage.wall_seconds, 4),
            peak_memory_bytes=self._usage.peak_memory_bytes,
            repeated=len(self._repeats),
            calibration_seconds=max(
                (round(repeat.calibration_seconds, 5) for repeat in self._repeats), default=None
            ),
            factor=max((round(repeat.factor, 4) for repeat in self._repeats), default=1.0),
        )

    def allow(self, runs: int | None, timeouts: int | None = None) -> None:
        """From now on so many new inputs, and so many time-outs; None for any number."""
        self.allowance = None if runs is None else self.count + runs
        self.timeout_allowance = None if timeouts is None else self.timeouts + timeouts

    def foretell(self, stdin: bytes) -> None:
        """Begin the run of an input that will be asked for soon, while others judge the last one.

        Not once a run was over its time: the next ones would be as slow, and perhaps for nothing.

        Raises:
            SandboxError: our own fault, see `Executor.run`.
        """
        if self._known(stdin) is None and stdin not in self._foretold and not self.timeouts:
            self._foretold[stdin] = begin(self._executor, self._request(stdin))

    def run(self, stdin: bytes) -> RunOutcome:
        """The outcome for an input, from memory where it is known.

        Raises:
            OutOfAllowance: it is new, and no new run is allowed.
            SandboxError: our own fault, see `Executor.run`.
        """
        known = self._known(stdin)
        if known is not None:
            return known
        spent = self.allowance is not None and self.count >= self.allowance
        late = self.timeout_allowance is not None and self.timeouts >= self.timeout_allowance
        if spent or late:
            raise OutOfAllowance
        foretold = self._foretold.pop(stdin, None)
        outcome = self._counted(foretold()) if foretold else self.again(stdin)
        self._remember(stdin, outcome)
        if self._shared is not None:
            self._shared.keep(self._request(stdin), outcome)
        return outcome

    def again(self, stdin: bytes) -> RunOutcome:
        """A fresh run whatever is remembered."""
        return self._counted(self._executor.run(self._request(stdin)))

    def _known(self, stdin: bytes) -> RunOutcome | None:
        known = self._remembered.get(stdin)
        if known is None and self._shared is not None:
            known = self._shared.recall(self._request(stdin))
            if known is not None:
                self._remember(stdin, known)
        return known

    def _request(self, stdin: bytes) -> RunRequest:
        return RunRequest(submission=self._submission, stdin=stdin, limits=self.limits)

    def _counted(self, outcome: RunOutcome) -> RunOutcome:
        self.count += 1
        self.timeouts += outcome.ending is Ending.OVER_TIME
        self._usage += outcome.usage
        if outcome.repeat:
            self._usage += outcome.repeat.before
            self._repeats.append(outcome.repeat)
        self._notice(self.count)
        return outcome

    def _remember(self, stdin: bytes, outcome: RunOutcome) -> None:
        self._remembered[stdin] = outcome
        self._remembered_bytes += _size(stdin, outcome)
        while self._remembered_bytes > REMEMBERED_BYTES and len(self._remembered) > 1:
            self._remembered_bytes -= _size(*self._remembered.popitem(last=False))


def looking_ahead(inputs: Iterable[Input], foretell: Callable[[Input], None]) -> Iterator[Input]:
    """Inputs in their order, each when the next `AHEAD` have been foretold."""
    ahead: deque[Input] = deque()
    for an_input in inputs:
        foretell(an_input)
        ahead.append(an_input)
        if len(ahead) > AHEAD:
            yield ahead.popleft()
    yield from ahead


def _size(stdin: bytes, outcome: RunOutcome) -> int:
    return len(stdin) + len(outcome.stdout) + len(outcome.stderr)


def same_result(first: RunOutcome, second: RunOutcome) -> bool:
    """Whether two runs on one input agree: the same answer as JSON, or the same failure.

    A time-out agrees with everything: how long a run takes is not its answer.
    """
    if Ending.OVER_TIME in (first.ending, second.ending):
        return True
    if (first.ending, first.status) != (second.ending, second.status):
        return False
    try:
        return first.stdout == second.stdout or _value(first) == _value(second)
    except RecursionError:
        return True  # both are nested too deeply to be an answer


def _value(outcome: RunOutcome) -> object:
    try:
        value = decode(outcome.stdout)
    except Malformed:
        return outcome.stdout
    if value.get("ok") is False:
        return value.get("error")
    return value
