"""What a report says of time, and that it says nothing of it where equal programs must be equal."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from grader.bundles.properties import Check
from grader.judging.author import AuthorFault, Checks
from grader.judging.judge import Fault, judge
from grader.judging.results import beside_reference
from grader.model.bundle import Bundle, Pace
from grader.model.execution import Ending, Limits, Repeat, RunOutcome, RunRequest, Usage
from grader.model.report import CaseResult, CheckResult, RowUsage, Timing
from grader.model.verdict import Verdict
from grader.sandbox.fair import FairExecutor
from tests.conftest import FakeExecutor, outcome
from tests.judging.test_grade import but, right, rows, twice

LIMITS = Limits(wall_seconds=8.0, cpu_seconds=2.0, memory_bytes=1 << 28, output_bytes=1 << 16)
LATE = outcome(ending=Ending.OVER_TIME, status=9, cpu_seconds=2.001)
AGAIN = replace(
    LATE,
    usage=Usage(wall_seconds=5.5, cpu_seconds=3.002),
    repeat=Repeat(
        limits=replace(LIMITS, wall_seconds=12.0, cpu_seconds=3.0),
        factor=1.5,
        calibration_seconds=0.03,
        alone=True,
        before=LATE.usage,
    ),
)
TIMING = Timing(
    cpu_seconds=3.002,
    wall_seconds=5.5,
    cpu_limit_seconds=3.0,
    wall_limit_seconds=12.0,
    factor=1.5,
    repeated=True,
    alone=True,
)


def fault(late: RunOutcome) -> Fault:
    found = judge(late, LIMITS, None)
    assert isinstance(found, Fault)
    return found


def test_a_time_out_tells_what_was_measured_in_the_second_run_and_the_limits_that_held() -> None:
    assert fault(AGAIN).timing == TIMING


def test_a_run_that_was_not_repeated_is_told_with_the_limits_of_the_lab() -> None:
    timing = fault(LATE).timing
    assert timing is not None
    assert (timing.cpu_limit_seconds, timing.wall_limit_seconds) == (2.0, 8.0)
    assert (timing.factor, timing.repeated, timing.alone) == (1.0, False, False)


def test_a_signal_without_a_name_is_a_crash_as_others_are() -> None:
    """A program may send itself a real-time signal."""
    ended = outcome(ending=Ending.SIGNALLED, status=40)
    assert fault(ended).detail.startswith("ended by signal 40; memory ")
    assert fault(replace(ended, status=11)).detail.startswith("ended by SIGSEGV; memory ")


def test_a_check_s_time_does_not_pass_while_the_program_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("grader.judging.author.CHECK_SECONDS", 0.2)
    checks = Checks()

    def check(run: Callable[[], None]) -> None:
        run()

    def slow_program() -> None:
        with checks.paused():
            time.sleep(0.4)

    def slow_check() -> None:
        with checks.paused():
            pass
        while True:
            pass

    called = Check(
        name="check_it",
        function=check,
        arguments=("run",),
        sentence={},
        groups=("normal",),
        staff_only=False,
    )
    checks.call(called, {"run": lambda: slow_program})
    with pytest.raises(AuthorFault, match="did not end within"):
        checks.call(called, {"run": lambda: slow_check})


def test_the_sentence_about_a_time_out_is_the_same_on_every_machine() -> None:
    assert fault(AGAIN).detail == fault(LATE).detail == "more than 2 s of CPU time"
    sleeper = replace(AGAIN, usage=Usage(wall_seconds=12.0, cpu_seconds=0.1))
    assert fault(sleeper).detail.startswith("no end after 8 s")


class FirstLate:
    """Every first run of an input is late, as on a machine with much else to do."""

    def __init__(self) -> None:
        self.runs: Counter[bytes] = Counter()

    def run(self, request: RunRequest) -> RunOutcome:
        self.runs[request.stdin] += 1
        return LATE if self.runs[request.stdin] % 2 else outcome(right(request.stdin))


def without_usage(results: dict[str, CaseResult]) -> list[CaseResult]:
    return [replace(row, usage=RowUsage()) for row in results.values()]


def test_a_right_program_on_a_busy_machine_gets_the_same_rows(
    double: Bundle, tmp_path: Path
) -> None:
    busy = FairExecutor(FirstLate(), calibrate=lambda: 0.02, place=tmp_path / "lock")
    results = rows(double, busy, examples=10)
    assert {row.verdict for row in results.values()} == {Verdict.ACCEPTED}
    assert without_usage(results) == without_usage(rows(double, right, examples=10))


def test_the_usage_tells_how_many_runs_were_repeated_and_how_slow_the_machine_was(
    double: Bundle, tmp_path: Path
) -> None:
    busy = FairExecutor(
        FirstLate(), paced_seconds=0.01, calibrate=lambda: 0.02, place=tmp_path / "lock"
    )
    usage = rows(double, busy, groups=("minimal",))["minimal/01-zero"].usage
    assert (usage.runs, usage.repeated) == (2, 2)
    assert (usage.calibration_seconds, usage.factor) == (0.02, 2.0)
    assert usage.cpu_seconds == pytest.approx(2 * (0.001 + LATE.usage.cpu_seconds))


def test_runs_in_time_are_no_reason_to_calibrate(double: Bundle) -> None:
    usages = [row.usage for row in rows(double, right, examples=10).values()]
    assert {(u.repeated, u.calibration_seconds, u.factor) for u in usages} == {(0, None, 1.0)}


def test_fixed_and_drawn_rows_carry_the_time_that_was_too_long_and_others_none(
    double: Bundle,
) -> None:
    def change(n: int) -> bytes | RunOutcome | None:
        return AGAIN if n == 0 or n > 1000 else twice(2 * n + 1) if n > 50 else None

    results = rows(double, FakeExecutor(but(change)))
    assert results["minimal/01-zero"].timing == TIMING
    assert results["normal/answers"].timing == TIMING
    wrong = results["normal/check_is_even"]
    assert (wrong.verdict, wrong.timing) == (Verdict.WRONG_ANSWER, None)


def late_row() -> CaseResult:
    other = CheckResult(verdict=Verdict.OVER_TIME, detail="", timing=TIMING)
    crash = CheckResult(verdict=Verdict.CRASHED, detail="")
    return CaseResult(
        id="normal/answers",
        verdict=Verdict.OVER_TIME,
        points=0.0,
        out_of=1.0,
        timing=TIMING,
        also=(other, crash),
    )


def test_the_time_of_the_reference_stands_beside_each_time_that_was_too_long() -> None:
    pace = Pace(calibration_seconds=0.02, reference_cpu_seconds={"normal": 0.3})
    found = beside_reference(late_row(), pace)
    with_reference = replace(TIMING, reference_cpu_seconds=0.3)
    assert found.timing == with_reference
    assert [other.timing for other in found.also] == [with_reference, None]


@pytest.mark.parametrize(
    "pace", [None, Pace(calibration_seconds=0.02, reference_cpu_seconds={"scale": 0.3})]
)
def test_a_reference_whose_time_is_not_known_is_not_made_up(pace: Pace | None) -> None:
    assert beside_reference(late_row(), pace) == late_row()


def test_students_do_not_see_the_times_of_rows_of_the_staff() -> None:
    hidden = replace(late_row(), staff_only=True).for_students()
    assert hidden.timing is None
    assert late_row().for_students().timing == TIMING
