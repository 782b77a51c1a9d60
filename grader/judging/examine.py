"""What one row says of one drawn input: run the program, judge the result, apply the check.

What a check may do is `author`'s part; where inputs come from is `drawing`'s.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from grader.bundles.properties import Check
from grader.bundles.schemas import Judgement
from grader.judging.author import AuthorFault, Checks
from grader.judging.drawing import Drawn, as_stdin
from grader.judging.judge import (
    Fault,
    Judged,
    Refusal,
    answer_fault,
    clean,
    code_fault,
    exchange,
    judge,
)
from grader.judging.rows import Row
from grader.judging.runs import Runs
from grader.model.execution import RunOutcome
from grader.model.report import Exchange
from grader.model.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The program's result on one input, judged."""

    an_input: Drawn
    outcome: RunOutcome
    judged: Judged


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A row fails on an input: how, and the runs on other inputs that it was compared with."""

    fault: Fault
    compared: tuple[Exchange, ...] = ()


class _OtherRunFailed(BaseException):
    """The program failed on the further input that a metamorphic check wanted."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault


class _Wanted(BaseException):
    """Ends a check that was only asked which further input it wants."""

    def __init__(self, other: Any) -> None:
        self.other = other


class Examiner:
    """Applies rows to inputs.

    Args:
        runs: of the program under judgement.
        reference: of the reference solution, None where it is not at hand.
        schema: what an answer looks like.
        admits: the input schema; with it and a reference it is known which inputs are legal.
    """

    def __init__(
        self,
        runs: Runs,
        reference: Runs | None,
        schema: Judgement,
        admits: Judgement | None = None,
    ) -> None:
        self.runs, self._reference, self.schema = runs, reference, schema
        self._admits = admits
        self.checks = Checks()

    def look(self, an_input: Drawn) -> Look:
        """Run the program on an input (or remember that run) and judge the result, once."""
        outcome = self.runs.run(an_input.stdin)
        judged = judge(outcome, self.runs.limits, self.schema)
        return Look(an_input=an_input, outcome=outcome, judged=judged)

    def concerns(self, row: Row, an_input: Drawn) -> bool:
        """Whether the row is about inputs of this kind at all."""
        if row.check:
            return an_input.due is None
        return row.code in (None, an_input.due)

    def sees(self, row: Row, look: Look) -> bool:
        """Whether there is a result of the kind that the row can judge: an answer, a refusal."""
        if not self.concerns(row, look.an_input):
            return False
        kind = dict if row.check else Refusal if row.code else object
        return isinstance(look.judged, kind)

    def finding(self, row: Row, look: Look) -> Finding | None:
        """How the row fails on an input; None when it holds, or does not see it.

        Raises:
            AuthorFault: the check is broken.
            OutOfAllowance: it wants a run that is not allowed any more.
        """
        if not self.sees(row, look):
            return None
        judged = look.judged
        if row.check and isinstance(judged, dict):
            return self._apply(row.check, look.an_input, judged)
        if row.code and isinstance(judged, Refusal):
            fault = code_fault(judged, row.code)
        else:
            fault = answer_fault(judged, look.an_input.due)
        return Finding(fault=fault) if fault else None

    def _apply(self, check: Check, an_input: Drawn, answer: dict[str, Any]) -> Finding | None:
        compared: list[Exchange] = []
        available: dict[str, Callable[[], Any]] = {
            "given": lambda: an_input.given,
            "answer": lambda: answer,
            "run": lambda: lambda other: self._run_other(other, compared),
            "expected": lambda: self._expected(an_input.stdin),
        }
        try:
            self.checks.call(check, available)
        except AssertionError as error:
            fault = Fault(verdict=Verdict.WRONG_ANSWER, detail=clean(_message(error)))
        except _OtherRunFailed as error:
            fault = error.fault
        else:
            return None
        return Finding(fault=fault, compared=tuple(compared))

    @property
    def knows_what_is_legal(self) -> bool:
        return self._reference is not None and self._admits is not None

    def is_legal(self, an_input: Drawn) -> bool:
        """Whether the reference answers an input, or refuses it with the code that is due.

        Raises:
            SandboxError: our own fault.
        """
        assert self._reference is not None
        assert self._admits is not None
        if an_input.due is None and self._admits(an_input.given) is not None:
            return False  # known without a run
        judged = judge(self._reference.run(an_input.stdin), self._reference.limits, self.schema)
        if isinstance(judged, Refusal):
            return judged.code == an_input.due
        return isinstance(judged, dict) and an_input.due is None

    def foretell(self, an_input: Drawn, *, with_reference: bool) -> None:
        """Begin the run on an input that will be looked at soon, and the reference's.

        Raises:
            SandboxError: our own fault.
        """
        self.runs.foretell(an_input.stdin)
        if with_reference and self._reference and an_input.due is None:
            self._reference.foretell(an_input.stdin)

    def foretell_other(self, row: Row, look: Look) -> None:
        """Begin the run on the further input that a metamorphic check will want first, if any.

        Raises:
            SandboxError: our own fault.
        """
        if not (row.check and isinstance(look.judged, dict) and self.sees(row, look)):
            return

        def ask(other: Any) -> None:
            raise _Wanted(other)

        given, answer = look.an_input.given, look.judged
        available = {"given": lambda: given, "answer": lambda: answer, "run": lambda: ask}
        try:
            self.checks.call(row.check, available)
        except _Wanted as wanted:
            self.runs.foretell(as_stdin(wanted.other))
        except (AssertionError, AuthorFault):
            pass  # what it has to say it says when it is in earnest

    def _run_other(self, other: Any, compared: list[Exchange]) -> dict[str, Any]:
        stdin = as_stdin(other)
        with self.checks.paused():
            outcome = self.runs.run(stdin)
        compared.append(exchange(stdin, outcome))
        judged = judge(outcome, self.runs.limits, self.schema)
        fault = answer_fault(judged, None)
        if fault:
            where = f"on the input that it is compared with: {fault.detail}"
            raise _OtherRunFailed(replace(fault, detail=where))
        assert isinstance(judged, dict)
        return judged

    def _expected(self, stdin: bytes) -> dict[str, Any]:
        if self._reference is None:
            raise AuthorFault("a check wants the reference's answer, and there is no reference", "")
        outcome = self._reference.run(stdin)
        judged = judge(outcome, self._reference.limits, self.schema)
        if not isinstance(judged, dict):
            raise AuthorFault(f"the reference does not answer: {judged}", repr(stdin[:2000]))
        return judged


def _message(error: AssertionError) -> str:
    return str(error).strip()[:500] or "the property does not hold"
