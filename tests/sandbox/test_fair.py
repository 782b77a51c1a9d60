"""What the machine's other work has caused is no verdict."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader.model.execution import Ending, RunOutcome, Usage
from grader.sandbox import pace
from grader.sandbox.alone import PLACE, alone
from grader.sandbox.fair import FairExecutor
from grader.sandbox.levels import open_executor
from grader.sandbox.waiting import MOST_STRETCH, longest_wait, stretched, waited_seconds
from tests.conftest import FakeExecutor, outcome
from tests.sandbox.conftest import LIMITS, Run, request

LATE = outcome(ending=Ending.OVER_TIME, status=9, cpu_seconds=LIMITS.cpu_seconds)
FINE = outcome(b"42\n")
SLEPT = replace(LATE, usage=Usage(wall_seconds=LIMITS.wall_seconds, cpu_seconds=0.01))
REQUEST = request("pass")


def giving(*outcomes: RunOutcome) -> FakeExecutor:
    """An executor that gives one of these after another."""
    left = iter(outcomes)
    return FakeExecutor(lambda _: next(left))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "alone.lock"


def fair(executor: FakeExecutor, place: Path, *, measured: float = 0.02) -> FairExecutor:
    return FairExecutor(executor, paced_seconds=0.02, calibrate=lambda: measured, place=place)


def test_a_run_in_time_is_not_repeated(place: Path) -> None:
    executor = giving(FINE)
    assert fair(executor, place).run(REQUEST) == FINE
    assert not place.exists()


def test_over_time_once_and_then_fine_is_fine(place: Path) -> None:
    executor = giving(LATE, FINE)
    found = fair(executor, place).run(REQUEST)
    assert (found.ending, found.stdout, found.usage) == (Ending.EXITED, b"42\n", FINE.usage)
    assert found.repeat is not None
    assert found.repeat.before == LATE.usage
    assert found.repeat.alone


def test_over_time_twice_is_over_time(place: Path) -> None:
    executor = giving(LATE, LATE)
    assert fair(executor, place).run(REQUEST).ending is Ending.OVER_TIME
    assert len(executor.requests) == 2


@pytest.mark.parametrize(
    ("measured", "factor"), [(0.05, 2.5), (0.02, 1.0), (0.001, 1.0), (99.0, pace.MOST_FACTOR)]
)
def test_the_second_run_has_the_limits_of_a_machine_that_is_so_slow(
    place: Path, measured: float, factor: float
) -> None:
    executor = giving(LATE, LATE)
    found = fair(executor, place, measured=measured).run(REQUEST)
    first, second = executor.requests
    assert first == REQUEST
    limits = replace(LIMITS, cpu_seconds=10.0 * factor, wall_seconds=20.0 * factor)
    assert second == replace(REQUEST, limits=limits)
    assert found.repeat is not None
    assert (found.repeat.limits, found.repeat.factor) == (limits, factor)
    assert found.repeat.calibration_seconds == measured


def test_without_a_pace_of_the_lab_its_limits_stand(place: Path) -> None:
    executor = giving(LATE, LATE)
    FairExecutor(executor, calibrate=lambda: 99.0, place=place).run(REQUEST)
    assert executor.requests == [REQUEST, REQUEST]


def test_who_slept_and_waited_for_no_core_is_not_run_again(place: Path) -> None:
    sleeper = replace(SLEPT, waited_seconds=0.01)
    assert fair(giving(sleeper), place).run(REQUEST) == sleeper


@pytest.mark.parametrize(
    "first",
    [
        replace(SLEPT, waited_seconds=3 * LIMITS.wall_seconds),
        replace(SLEPT, waited_seconds=None),
        replace(LATE, waited_seconds=0.01),
    ],
    ids=["it waited for a core", "nobody knows how long it waited", "it used its CPU time"],
)
def test_who_ran_into_the_wall_limit_otherwise_is_run_again(place: Path, first: RunOutcome) -> None:
    assert fair(giving(first, FINE), place).run(REQUEST).stdout == b"42\n"


def test_the_calibration_and_the_second_run_are_under_the_lock(place: Path) -> None:
    free: list[bool] = []

    def look() -> None:
        with alone(place, wait_seconds=0) as held:
            free.append(held)

    def run(_stdin: bytes) -> RunOutcome:
        look()
        return LATE

    def calibrate() -> float:
        look()
        return 1.0

    FairExecutor(FakeExecutor(run), calibrate=calibrate, place=place).run(REQUEST)
    look()
    assert free == [True, False, False, True]


HOLDER = """
import pathlib, sys
from grader.sandbox.alone import alone
with alone(pathlib.Path(sys.argv[1])) as held:
    print(held, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(place: Path) -> Iterator[Callable[[], None]]:
    """Another process holds the lock, until this is called."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(place)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == b"True\n"
        yield lambda: process.communicate()[0]


def test_the_lock_keeps_other_processes_out_until_it_is_given_back(
    place: Path, holder: Callable[[], None]
) -> None:
    with alone(place, wait_seconds=0) as held:
        assert not held
    holder()
    with alone(place, wait_seconds=0) as held:
        assert held


def test_the_lock_goes_with_a_process_that_is_killed(place: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(place)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == b"True\n"
        process.kill()
    with alone(place, wait_seconds=0) as held:
        assert held


def test_every_user_may_take_the_lock_whoever_made_it(place: Path) -> None:
    old = os.umask(0o077)
    try:
        with alone(place) as held:
            assert held
    finally:
        os.umask(old)
    assert place.stat().st_mode & 0o777 == 0o666


def _folder(place: Path) -> None:
    place.mkdir()


def _link(place: Path) -> None:
    place.symlink_to(place.parent / "victim")


def _pipe(place: Path) -> None:
    os.mkfifo(place)


@pytest.mark.parametrize("obstacle", [_folder, _link, _pipe])
def test_where_the_lock_cannot_be_opened_the_second_run_takes_place_without(
    place: Path, obstacle: Callable[[Path], None]
) -> None:
    obstacle(place)
    found = fair(giving(LATE, FINE), place).run(REQUEST)
    assert found.stdout == b"42\n"
    assert found.repeat is not None
    assert not found.repeat.alone
    assert not (place.parent / "victim").exists()


def test_the_lock_is_at_one_place_for_all_whatever_their_tmpdir(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "from grader.sandbox.alone import PLACE; print(PLACE, end='')"
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    words = [sys.executable, "-c", code]
    told = subprocess.run(words, stdout=subprocess.PIPE, check=True, text=True)
    assert told.stdout == str(PLACE) == "/tmp/grader-alone.lock"


def test_the_calibration_is_a_time() -> None:
    assert pace.calibrate() > 0


SCHEDSTAT = "{ran} {waited} 27\n"


def test_a_process_waited_as_long_as_the_thread_that_waited_longest() -> None:
    texts = [SCHEDSTAT.format(ran=9_000_000_000, waited=w) for w in (5, 1_500_000_000, 80)]
    assert longest_wait(texts) == 1.5


@pytest.mark.parametrize("texts", [[], [""], ["0 x 0\n"], ["17\n"]])
def test_where_the_kernel_tells_nothing_the_wait_is_not_known(texts: list[str]) -> None:
    assert longest_wait(texts) is None


def test_the_wall_limit_grows_by_the_wait_and_not_for_ever() -> None:
    assert stretched(8.0, None) == 8.0
    assert stretched(8.0, 1.5) == 9.5
    assert stretched(8.0, 1e6) == 8.0 * MOST_STRETCH


def test_the_kernel_tells_of_a_process_that_is_there_and_not_of_one_that_is_not() -> None:
    here = waited_seconds(os.getpid())
    assert here is not None
    assert here >= 0
    assert waited_seconds(2**22 + 1) is None


SLEEP = "import time; time.sleep(600)"
SHORT = replace(LIMITS, wall_seconds=0.2)


def test_a_sleeper_still_ends_at_its_wall_limit_and_what_it_waited_is_told(run: Run) -> None:
    found = run(SLEEP, limits=SHORT)
    assert found.ending is Ending.OVER_TIME
    assert found.waited_seconds is not None
    assert found.waited_seconds < MOST_STRETCH * SHORT.wall_seconds


@pytest.mark.parametrize("level", ["standard", "weak"])
def test_every_level_repeats_what_used_up_its_cpu_time(level: str) -> None:
    loop = request("while True: pass", limits=replace(LIMITS, cpu_seconds=0.1))
    with open_executor(loop.submission, level=level).executor as executor:
        found = executor.run(loop)
    assert found.ending is Ending.OVER_TIME
    assert found.repeat is not None
    assert found.repeat.limits == loop.limits
    assert found.repeat.before != Usage()


def test_a_sleeper_at_level_weak_is_not_run_again() -> None:
    sleeper = request(SLEEP, limits=replace(LIMITS, wall_seconds=1.0))
    with open_executor(sleeper.submission, level="weak").executor as executor:
        found = executor.run(sleeper)
    assert (found.ending, found.repeat) == (Ending.OVER_TIME, None)
    assert found.usage.cpu_seconds > 0
