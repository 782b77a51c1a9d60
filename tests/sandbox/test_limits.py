"""Each limit acts where it stands, and the outcome names the one that acted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.model.execution import Ending
from tests.sandbox.conftest import LIMITS, Run

SMALL = replace(LIMITS, output_bytes=1000)
PRINT = "import sys; sys.{}.write('x' * int(sys.stdin.read()))"


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_output_of_just_the_limit_is_fine(run: Run, stream: str) -> None:
    outcome = run(PRINT.format(stream), b"1000", SMALL)
    assert (outcome.ending, outcome.status) == (Ending.EXITED, 0)
    assert getattr(outcome, stream) == b"x" * 1000


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_output_of_one_byte_more_is_too_much_and_cut(run: Run, stream: str) -> None:
    outcome = run(PRINT.format(stream), b"1001", SMALL)
    assert outcome.ending is Ending.OVER_OUTPUT
    assert getattr(outcome, stream) == b"x" * 1000


def test_the_cpu_limit_acts_on_time_that_is_used(run: Run) -> None:
    outcome = run("while True: pass", limits=replace(LIMITS, cpu_seconds=0.2))
    assert outcome.ending is Ending.OVER_TIME
    assert 0.18 <= outcome.usage.cpu_seconds < LIMITS.wall_seconds


def test_the_wall_limit_ends_a_sleeper(run: Run) -> None:
    outcome = run("import time; time.sleep(600)", limits=replace(LIMITS, wall_seconds=0.2))
    assert outcome.ending is Ending.OVER_TIME
    assert outcome.usage.cpu_seconds < 0.2


def test_a_program_that_kills_itself_is_not_over_time(run: Run) -> None:
    outcome = run("import os; os.kill(os.getpid(), 9)")
    assert (outcome.ending, outcome.status) == (Ending.SIGNALLED, 9)


def test_memory_within_the_limit_can_be_used(run: Run) -> None:
    outcome = run("x = bytearray(200 << 20)")
    assert outcome.ending is Ending.EXITED
    assert outcome.status == 0
    assert 190 << 20 < outcome.usage.peak_memory_bytes < 256 << 20


def test_memory_beyond_the_limit_is_named(run: Run) -> None:
    outcome = run("x = bytearray(300 << 20)")
    assert outcome.ending is Ending.OVER_MEMORY
    assert outcome.stderr.endswith(b"MemoryError\n")


def test_a_memory_error_that_is_caught_is_no_ending(run: Run) -> None:
    outcome = run("""
        try:
            x = bytearray(300 << 20)
        except MemoryError:
            print("went on")
    """)
    assert (outcome.ending, outcome.stdout) == (Ending.EXITED, b"went on\n")


def test_numpy_does_not_count_against_the_memory_of_a_program(run: Run) -> None:
    source = "import numpy; x = bytearray(30 << 20)"
    outcome = run(source, limits=replace(LIMITS, memory_bytes=40 << 20))
    assert (outcome.ending, outcome.status) == (Ending.EXITED, 0)
