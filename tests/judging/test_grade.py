"""The walk over the tiny lab `double`, with plain functions for programs."""

from __future__ import annotations

import json
import random
import resource
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from grader.bundles.properties import load_properties
from grader.errors import SandboxError
from grader.judging.grade import Walk, grade
from grader.judging.rows import plan
from grader.judging.runs import REMEMBERED_BYTES
from grader.model.bundle import Bundle
from grader.model.execution import Ending, RunOutcome, RunRequest
from grader.model.report import CaseResult
from grader.model.verdict import Verdict
from tests.conftest import FakeExecutor, outcome, submission

Program = Callable[[bytes], bytes | RunOutcome]


def right(stdin: bytes) -> bytes:
    try:
        given = json.loads(stdin)
    except ValueError:
        given = None
    if not isinstance(given, dict) or set(given) != {"n"} or type(given["n"]) is not int:
        return b'{"ok": false, "error": "malformed"}'
    if given["n"] < 0:
        return b'{"ok": false, "error": "negative"}'
    return json.dumps({"ok": True, "twice": 2 * given["n"]}).encode()


def number(stdin: bytes) -> int | None:
    """The number of a legal input."""
    try:
        given = json.loads(stdin)
    except ValueError:
        return None
    legal = isinstance(given, dict) and type(given.get("n")) is int and given["n"] >= 0
    return given["n"] if legal else None


def but(change: Callable[[int], bytes | RunOutcome | None]) -> Program:
    """The right program, except where `change` gives something else for a number."""

    def program(stdin: bytes) -> bytes | RunOutcome:
        n = number(stdin)
        changed = None if n is None else change(n)
        return right(stdin) if changed is None else changed

    return program


def twice(value: Any) -> bytes:
    return json.dumps({"ok": True, "twice": value}).encode()


def walk(bundle: Bundle, program: Program | Any, **options: Any) -> Walk:
    properties = load_properties(bundle)
    executor = program if hasattr(program, "run") else FakeExecutor(program)
    return Walk(
        bundle=bundle,
        properties=properties,
        plan=plan(bundle, properties, staff=bundle.staff is not None),
        submission=submission(),
        executor=executor,
        **{"seed": 0, **options},
    )


def rows(bundle: Bundle, program: Program | Any, **options: Any) -> dict[str, CaseResult]:
    return {row.id: row for row in grade(walk(bundle, program, **options))}


def test_a_right_program_earns_every_point_of_the_public_rows(double: Bundle) -> None:
    results = rows(double, right)
    assert {row.verdict for row in results.values()} == {Verdict.ACCEPTED}
    assert sum(row.points for row in results.values()) == pytest.approx(80)


def test_rows_come_in_the_order_of_the_plan(double: Bundle) -> None:
    assert list(rows(double, right)) == [
        "normal/01-worked-example",
        "normal/answers",
        "normal/check_is_even",
        "normal/check_halves",
        "normal/check_next",
        "minimal/01-zero",
        "failure/01-not-utf-8",
        "failure/answers",
        "failure/refuses_malformed",
        "failure/refuses_negative",
        "scale/01-many-digits",
    ]


def test_every_failing_check_comes_back_with_its_own_smallest_input(double: Bundle) -> None:
    results = rows(double, but(lambda n: twice(2 * n + max(0, n - 776))))
    even, next_ = results["normal/check_is_even"], results["normal/check_next"]
    assert even.counterexample is not None
    assert json.loads(even.counterexample.given) == {"n": 777}
    assert even.counterexample.fully_shrunk
    assert even.detail == "1555 is odd"
    assert next_.counterexample is not None
    assert json.loads(next_.counterexample.given) == {"n": 776}
    assert [json.loads(e.stdin) for e in next_.counterexample.exchanges] == [{"n": 777}, {"n": 776}]


def test_a_crash_a_wrong_answer_and_a_time_out_are_each_reported(double: Bundle) -> None:
    def change(n: int) -> bytes | RunOutcome | None:
        if n >= 500 and n % 2 == 0:
            return outcome(status=1, stderr=b"ZeroDivisionError: division by zero")
        if n > 900_000:
            return outcome(ending=Ending.OVER_TIME, status=9, cpu_seconds=1.0)
        return twice(2 * n + 1) if n % 2 else None

    results = rows(double, but(change), examples=300)
    answers = results["normal/answers"]
    kinds = {answers.verdict, *(failure.verdict for failure in answers.also)}
    assert kinds == {Verdict.CRASHED, Verdict.OVER_TIME}
    assert answers.verdict is Verdict.OVER_TIME
    crash = next(f for f in answers.also if f.verdict is Verdict.CRASHED)
    assert crash.counterexample is not None
    assert json.loads(crash.counterexample.given) == {"n": 500}
    assert results["normal/check_is_even"].verdict is Verdict.WRONG_ANSWER


def test_a_rare_crash_does_not_hide_a_common_wrong_answer(double: Bundle) -> None:
    def change(n: int) -> bytes | RunOutcome | None:
        return outcome(status=1) if n == 0 else twice(2 * n + 1)

    results = rows(double, but(change))
    assert results["normal/check_is_even"].verdict is Verdict.WRONG_ANSWER
    assert results["normal/answers"].verdict is Verdict.CRASHED


def test_three_time_outs_end_the_search_of_a_group(double: Bundle) -> None:
    late = outcome(ending=Ending.OVER_TIME, status=9, cpu_seconds=1.0)
    executor = FakeExecutor(but(lambda n: late if n != 21 else None))
    results = rows(double, executor)
    assert results["normal/answers"].verdict is Verdict.OVER_TIME
    assert results["normal/check_halves"].verdict is Verdict.SKIPPED
    late_runs = sum(number(request.stdin) not in (None, 0, 21) for request in executor.requests)
    assert late_runs <= 12


def test_a_program_that_guesses_is_named_as_such(double: Bundle) -> None:
    calls = iter(range(10**9))
    results = rows(double, but(lambda n: twice(2 * n + next(calls))))
    row = results["normal/answers"]
    assert row.verdict is Verdict.WRONG_ANSWER
    assert row.detail.startswith("not deterministic")
    assert row.counterexample is not None
    first, second = row.counterexample.exchanges
    assert first.stdin == second.stdin
    assert first.stdout != second.stdout


def test_another_order_of_keys_is_the_same_answer(double: Bundle) -> None:
    forms = iter([b'{"ok": true, "twice": %d}', b'{"twice": %d,\n"ok": true}'] * 10**6)
    assert rows(double, but(lambda n: next(forms) % (2 * n)))["normal/answers"].verdict is (
        Verdict.ACCEPTED
    )


def test_a_program_that_hovers_at_its_limit_does_not_make_the_search_flaky(double: Bundle) -> None:
    late = outcome(ending=Ending.OVER_TIME, status=9, cpu_seconds=1.0)
    chance = random.Random(0)
    results = rows(double, but(lambda n: late if n > 5000 and chance.random() < 0.3 else None))
    assert results["normal/answers"].verdict is Verdict.OVER_TIME


def test_the_same_seed_gives_the_same_rows_and_another_seed_draws_others(double: Bundle) -> None:
    def drawn(seed: int) -> list[bytes]:
        executor = FakeExecutor(right)
        rows(double, executor, seed=seed)
        return [request.stdin for request in executor.requests]

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)


def test_the_report_does_not_depend_on_the_run(double: Bundle) -> None:
    wrong = but(lambda n: twice(2 * n + 1) if n > 50 else None)
    assert rows(double, wrong) == rows(double, wrong)


def test_a_table_of_the_public_cases_earns_next_to_nothing(double: Bundle) -> None:
    table = {
        case.stdin: json.dumps(case.answer).encode()
        for group in double.groups
        for case in group.cases
        if case.stdin is not None
    }
    results = rows(double, lambda stdin: table.get(stdin, b"{}"))
    earned = {row.id for row in results.values() if row.points}
    assert earned == {"normal/01-worked-example", "minimal/01-zero", "failure/01-not-utf-8"}


@pytest.mark.parametrize("printed", [b"", b"{}", b'{"ok": false, "error": "malformed"}'])
def test_a_program_that_does_not_read_its_input_earns_little(
    double: Bundle, printed: bytes
) -> None:
    results = rows(double, lambda _stdin: printed)
    assert sum(row.points for row in results.values() if row.group != "failure") == 0
    assert results["normal/check_halves"].verdict is Verdict.SKIPPED


def test_a_check_that_saw_no_answer_is_skipped_and_earns_nothing(double: Bundle) -> None:
    row = rows(double, lambda _: outcome(status=1))["normal/check_halves"]
    assert (row.verdict, row.points, row.graded) == (Verdict.SKIPPED, 0.0, True)


def test_refusing_with_another_code_fails_the_row_of_that_code_only(double: Bundle) -> None:
    def program(stdin: bytes) -> bytes:
        return right(stdin).replace(b"negative", b"below_zero")

    results = rows(double, program)
    assert results["failure/refuses_negative"].verdict is Verdict.WRONG_ANSWER
    assert results["failure/refuses_negative"].counterexample is not None
    assert results["failure/refuses_negative"].counterexample.expects == "negative"
    assert results["failure/refuses_malformed"].verdict is Verdict.ACCEPTED
    assert results["failure/answers"].verdict is Verdict.ACCEPTED


def test_a_group_waits_until_the_one_before_it_has_passed(double: Bundle) -> None:
    results = rows(double, but(lambda n: twice(1)))
    assert results["scale/01-many-digits"].verdict is Verdict.SKIPPED
    assert "normal" in results["scale/01-many-digits"].detail


def test_a_chosen_group_is_graded_although_it_comes_after_another(double: Bundle) -> None:
    results = rows(double, right, groups=("scale",))
    assert [row.verdict for row in results.values()] == [Verdict.ACCEPTED]


def test_a_wrong_large_answer_is_told_by_its_digest(double: Bundle) -> None:
    results = rows(double, but(lambda n: twice(2 * n + 2)), groups=("scale",))
    row = results["scale/01-many-digits"]
    assert row.verdict is Verdict.WRONG_ANSWER
    assert "digest" in row.detail
    assert row.counterexample is not None
    assert row.counterexample.exchanges[0].generator == "many_digits"


def test_without_a_sandbox_a_group_ends_at_its_first_failing_row(double: Bundle) -> None:
    executor = FakeExecutor(but(lambda n: twice(1)))
    results = rows(double, executor, sparing=True, groups=("normal",))
    assert results["normal/01-worked-example"].verdict is Verdict.WRONG_ANSWER
    assert {row.verdict for row in list(results.values())[1:]} == {Verdict.SKIPPED}
    assert len(executor.requests) == 2


class Failing:
    """An executor that fails after some runs, as a broken sandbox would."""

    def __init__(self, runs: int) -> None:
        self.left = runs

    def run(self, request: RunRequest) -> RunOutcome:
        self.left -= 1
        if self.left < 0:
            raise SandboxError("the server is gone")
        return outcome(right(request.stdin))


def test_a_fault_of_ours_is_a_judge_error_and_never_the_student_s(double: Bundle) -> None:
    results = rows(double, Failing(runs=10))
    lost = [row for row in results.values() if row.verdict is Verdict.JUDGE_ERROR]
    assert lost
    assert all(row.fault == "grader" and not row.graded and row.points == 0 for row in lost)
    assert not any(row.verdict.is_failure for row in results.values())


def test_a_staff_row_counts_and_its_check_sees_the_reference(double_for_staff: Bundle) -> None:
    results = rows(double_for_staff, right)
    assert results["normal/check_reference"].staff_only
    assert sum(row.points for row in results.values()) == pytest.approx(100)


def test_a_reference_that_does_not_answer_is_the_author_s_fault(double_for_staff: Bundle) -> None:
    silent = submission("", "reference.py")
    bundle = replace(double_for_staff, reference=silent)

    class ByProgram:
        def run(self, request: RunRequest) -> RunOutcome:
            return outcome() if request.submission is silent else outcome(right(request.stdin))

    row = rows(bundle, ByProgram())["normal/check_reference"]
    assert (row.verdict, row.fault) == (Verdict.JUDGE_ERROR, "author")


def test_memory_does_not_grow_with_the_number_of_runs(double: Bundle) -> None:
    flood = b'{"ok": true, "twice": %d' + b" " * 200_000 + b"}"
    walked = walk(double, but(lambda n: flood % (2 * n)), groups=("normal",), examples=1000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    verdicts = [row.verdict for row in grade(walked)]
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10
    assert set(verdicts) == {Verdict.ACCEPTED}
    assert grown < 2 * REMEMBERED_BYTES  # 2,000 outputs of 200 kB are 400 MB
