"""Fixed cases: an input, its right answer, and the first place where the program's differs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from grader.bundles.properties import generate
from grader.bundles.schemas import Judgement
from grader.errors import BundleError, SandboxError
from grader.judging.judge import Fault, answer_fault, case_fault, exchange, has_digest, judge
from grader.judging.results import counterexample, failed, graded, judge_error, unstable, used
from grader.judging.rows import Row
from grader.judging.runs import RUN_TWICE, Runs, looking_ahead, same_result
from grader.model.bundle import Bundle, Case
from grader.model.execution import Ending, RunOutcome
from grader.model.report import CaseResult, CheckResult
from grader.model.verdict import Verdict

_EXPECTED_SHOWN = 4_000


def grade_cases(
    pairs: Sequence[tuple[Row, Case]],
    bundle: Bundle,
    runs: Runs,
    reference: Runs | None,
    schema: Judgement,
) -> Iterator[CaseResult]:
    """Fixed cases in their order. The first few are run twice, to see that the program does not
    guess; the runs on the next ones have begun by then.

    Args:
        runs, reference: of the program, and of the reference solution where that is at hand.
        schema: what an answer looks like.
    """

    def foretell(numbered: tuple[int, tuple[Row, Case]]) -> None:
        case = numbered[1][1]
        if case.stdin is not None:
            runs.foretell(case.stdin)

    for place, (row, case) in looking_ahead(enumerate(pairs), foretell):
        if case.generator is None:
            grading = partial(_small, case, runs, schema, twice=place < RUN_TWICE)
        else:
            grading = partial(_large, case, bundle, runs, reference, schema)
        yield _graded(row, runs, grading)


def _graded(row: Row, runs: Runs, grading: Callable[[], CheckResult | None]) -> CaseResult:
    before = runs.usage
    try:
        failure = grading()
    except BundleError as error:
        return judge_error(row, "author", "this input could not be made", str(error))
    except SandboxError as error:
        return judge_error(row, "grader", str(error))
    return graded(row, [failure] if failure else [], used(before, runs.usage))


def _small(case: Case, runs: Runs, schema: Judgement, *, twice: bool) -> CheckResult | None:
    assert case.stdin is not None
    outcome = runs.run(case.stdin)
    if twice and outcome.ending is not Ending.OVER_TIME:
        second = runs.again(case.stdin)
        if not same_result(outcome, second):
            return unstable(case.stdin, None, second, outcome, 2)
    fault = case_fault(judge(outcome, runs.limits, schema), case.answer)
    if fault is None:
        return None
    text = json.dumps(case.answer)
    rest = "" if len(text) <= _EXPECTED_SHOWN else " …"
    shown = exchange(case.stdin, outcome)
    example = counterexample([shown], 1 + twice, expected=text[:_EXPECTED_SHOWN] + rest)
    return failed(fault, example)


def _large(
    case: Case, bundle: Bundle, runs: Runs, reference: Runs | None, schema: Judgement
) -> CheckResult | None:
    stdin = generate(bundle, case)
    outcome = runs.again(stdin)  # not remembered: it is large
    fault = _digest_fault(case, stdin, outcome, runs, reference, schema)
    if fault is None:
        return None
    shown = exchange(stdin, outcome, case.generator, case.seed)
    return failed(fault, counterexample([shown], 1))


def _digest_fault(
    case: Case,
    stdin: bytes,
    outcome: RunOutcome,
    runs: Runs,
    reference: Runs | None,
    schema: Judgement,
) -> Fault | None:
    """A large answer: its digest first, for validating 200,000 results takes seconds."""
    if has_digest(outcome, case.answer_sha256):
        return None
    judged = judge(outcome, runs.limits, schema)
    fault = answer_fault(judged, None)
    if fault:
        return fault
    if reference is not None:
        right = judge(reference.again(stdin), runs.limits, None)
        fault = case_fault(judged, right) if isinstance(right, dict) else None
    why = "the answer to this large input is not the right one (its digest differs)"
    return fault or Fault(verdict=Verdict.WRONG_ANSWER, detail=why)
