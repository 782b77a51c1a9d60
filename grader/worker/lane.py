"""One of the workers that share a grading, from the parent's side: a thread that listens to it.

A worker that dies or falls silent costs the part that it was at, and a fresh one goes on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from grader.errors import (
    BundleError,
    GraderError,
    LevelMissing,
    SandboxError,
    UsageError,
    WorkerError,
)
from grader.model.verdict import Verdict, worst
from grader.worker.job import Failed, Job, Opened, Progress, Result, Turn, TurnOver
from grader.worker.process import BudgetUsedUp, Stopped, Worker, Workers
from grader.worker.turns import Turns

OPENING_SECONDS = 180.0
"""Loading a lab, and importing torch from a cold disk before the first run."""

SILENCE_SECONDS = 90.0
"""On top of the longest run: reading and checking the largest answer takes a tenth of it."""


class PackageMissing(GraderError):
    """The lab needs a package that is not installed; nothing was graded."""


@dataclass(frozen=True, slots=True)
class Lost:
    """A judging process was lost: at which rows, and why."""

    rows: tuple[str, ...]
    error: WorkerError


@dataclass(frozen=True, slots=True)
class Over:
    """A lane has ended, perhaps because it was late, or with an error that ends the grading."""

    error: Exception | None = None
    late: bool = False


Heard = Opened | Progress | Result | Lost | Over


class Lane:
    """Grades with one worker at a time. Call `begin`, then `start`; in the end, `stop` and `end`.

    Args:
        job: what to grade.
        workers: starts the judging processes.
        turns: hands out what there is to grade; other lanes take from it too.
        say: called, in the lane's thread, with all that is heard; `Over` comes last.
    """

    def __init__(
        self, job: Job, workers: Workers, turns: Turns, say: Callable[[Heard], None]
    ) -> None:
        self._job, self._workers, self._turns, self._say = job, workers, turns, say
        self._lock = threading.Lock()
        self._worker: Worker | None = None
        self._ended = False
        self._deadline: float | None = None
        self._thread = threading.Thread(target=self._go, daemon=True)

    def begin(self) -> None:
        """Start a judging process, which loads the lab meanwhile.

        Raises:
            Stopped: `stop` was called, or `workers.stop`.
        """
        with self._lock:
            if self._ended:
                raise Stopped
            self._worker = self._workers.start(self._job)

    def start(self, deadline: float | None) -> None:
        """Begin to listen; up to the deadline, on the monotonic clock."""
        self._deadline = deadline
        self._thread.start()

    def stop(self) -> None:
        """End the judging process, if it is still at work."""
        self._turns.close()
        with self._lock:
            self._ended = True
            worker = self._worker
        if worker is not None and not worker.ended:
            worker.stop()

    def end(self) -> None:
        """Wait for the thread; after `stop`."""
        worker = self._worker
        if self._thread.ident is not None:
            self._thread.join()
        elif worker is not None:
            worker.__exit__()

    def _go(self) -> None:
        try:
            while self._goes_on():
                self.begin()
        except BudgetUsedUp:
            self._turns.close()
            self._say(Over(late=True))
        except Exception as error:  # noqa: BLE001 - raised where the rows are taken
            self._say(Over(error))
        else:
            self._say(Over())

    def _goes_on(self) -> bool:
        """With one worker as far as it gets; whether it was lost and another one should follow."""
        assert self._worker is not None
        turn: Turn | None = None
        try:
            with self._worker as worker:
                silence = self._open(worker)
                while turn := self._turns.take():
                    worker.take(turn)
                    self._turns.settle(turn, passed=self._listen(worker, silence))
                worker.no_more_turns()
                worker.hear(silence, self._deadline)  # Done
            return False
        except WorkerError as error:
            self._say(Lost(turn.rows if turn else (), error))
            if turn is None:
                return False  # the next one would fare as ill
            self._turns.settle(turn, passed=False)
            return True

    def _open(self, worker: Worker) -> float:
        """For how long this worker may be silent, once the lab is open."""
        event = worker.hear(OPENING_SECONDS, self._deadline)
        if isinstance(event, Failed):
            raise error_of(event)
        assert isinstance(event, Opened)
        self._say(event)
        self._turns.plan(event.groups)
        return SILENCE_SECONDS + event.longest_run_seconds

    def _listen(self, worker: Worker, silence: float) -> bool:
        """Pass on what is heard of one part; whether it has passed."""
        verdicts = []
        while not isinstance(event := worker.hear(silence, self._deadline), TurnOver):
            if isinstance(event, Failed):
                raise error_of(event)
            assert isinstance(event, Progress | Result)
            if isinstance(event, Result):
                verdicts.append(event.row.verdict)
            self._say(event)
        return worst(verdicts) is Verdict.ACCEPTED


def error_of(event: Failed) -> GraderError:
    """What a worker could not do, as the error that it was there."""
    if event.fault == "bundle":
        return BundleError(event.path, event.key, event.message)
    if event.fault == "packages":
        return PackageMissing(event.message)
    kinds = {"level": LevelMissing, "sandbox": SandboxError}
    return kinds.get(event.fault, UsageError)(event.message)
