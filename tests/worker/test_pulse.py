"""A worker whose program runs long is heard of, and one whose check hangs is not."""

from __future__ import annotations

import threading

from grader.model.execution import Limits, RunOutcome, RunRequest
from grader.worker.pulse import Pulse
from tests.conftest import FakeExecutor, outcome, submission

LIMITS = Limits(wall_seconds=1.0, cpu_seconds=1.0, memory_bytes=1 << 20, output_bytes=1 << 10)
REQUEST = RunRequest(submission=submission(), stdin=b"", limits=LIMITS)


def test_a_run_that_takes_long_is_told_of_now_and_then() -> None:
    told = threading.Semaphore(0)

    def long_run(_stdin: bytes) -> RunOutcome:
        for _ in range(3):
            told.acquire()
        return outcome(b"done")

    def notice(_group: str, _runs: int) -> None:
        told.release()

    with Pulse(FakeExecutor(long_run), notice, "normal", beat_seconds=0.001) as pulse:
        assert pulse.run(REQUEST).stdout == b"done"


def test_a_beat_repeats_what_was_noticed_last_and_only_while_a_program_runs() -> None:
    heard: list[tuple[str, int]] = []

    def run(_stdin: bytes) -> RunOutcome:
        pulse.beat()
        return outcome()

    pulse = Pulse(FakeExecutor(run), lambda group, runs: heard.append((group, runs)), "normal")
    pulse.beat()
    pulse.run(REQUEST)
    pulse.beat()
    assert heard == [("normal", 0)]
    pulse.notice("edge", 7)
    pulse.run(REQUEST)
    pulse.beat()
    assert heard[1:] == [("edge", 7), ("edge", 7)]
