"""Fixed cases: an input, its right answer, and the first place where the program's differs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from grader.bundles.properties import generate
from grader.bundles.schemas import Judgement
from grader.errors import BundleError, SandboxError
from grader.judging.judge import Fault, answer_fault, case_fault, exchange, has_digest, judge
from grader.judging.results import counterexample, failed, graded, judge_error, unstable, used
from grader.judging.rows import Row
from grader.judging.runs import Runs, same_result
from grader.model.bundle import Bundle, Case
from grader.model.execution import Ending, RunOutcome
from grader.model.report import CaseResult, CheckResult
from grader.model.verdict import Verdict

_EXPECTED_SHOWN = 4_000


class Inputs:
    """The stdin of a group's cases. A large one is made while the program runs on the one before.

    Use it in a `with`, so that no thread is left when the group ends.
    """

    def __init__(self, bundle: Bundle, cases: Sequence[Case]) -> None:
        self._bundle = bundle
        self._large = [case for case in cases if case.generator]
        self._pool = ThreadPoolExecutor(max_workers=1)
        self._ahead: dict[str, Future[bytes]] = {}

    def of(self, case: Case) -> bytes:
        """Raises BundleError where it cannot be generated."""
        if case.stdin is not None:
            return case.stdin
        self._start(case)
        stdin = self._ahead.pop(case.name).result()
        following = self._large[self._large.index(case) + 1 :]
        if following:
            self._start(following[0])
        return stdin

    def _start(self, case: Case) -> None:
        if case.name not in self._ahead:
            self._ahead[case.name] = self._pool.submit(generate, self._bundle, case)

    def __enter__(self) -> Inputs:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)


def grade_case(
    row: Row, case: Case, inputs: Inputs, runs: Runs, reference: Runs | None, schema: Judgement
) -> CaseResult:
    """One fixed case, run twice to see that the program does not guess (a large one once)."""
    before = runs.usage
    try:
        stdin = inputs.of(case)
        outcome = runs.again(stdin)
        if case.generator is None:
            second = outcome if outcome.ending is Ending.OVER_TIME else runs.again(stdin)
            if not same_result(outcome, second):
                failure = unstable(stdin, None, second, outcome, 2)
                return graded(row, [failure], used(before, runs.usage))
            fault = case_fault(judge(outcome, runs.limits, schema), case.answer)
        else:
            fault = _digest_fault(case, stdin, outcome, runs, reference, schema)
    except BundleError as error:
        return judge_error(row, "author", "this input could not be made", str(error))
    except SandboxError as error:
        return judge_error(row, "grader", str(error))
    failures = [_failure(case, stdin, outcome, fault)] if fault else []
    return graded(row, failures, used(before, runs.usage))


def _failure(case: Case, stdin: bytes, outcome: RunOutcome, fault: Fault) -> CheckResult:
    if case.generator is None:
        shown = exchange(stdin, outcome)
        text = json.dumps(case.answer)
        rest = "" if len(text) <= _EXPECTED_SHOWN else " …"
        example = counterexample([shown], 2, expected=text[:_EXPECTED_SHOWN] + rest)
    else:
        shown = exchange(stdin, outcome, case.generator, case.seed)
        example = counterexample([shown], 1)
    return failed(fault, example)


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
