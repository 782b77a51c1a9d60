"""What one row says of one drawn input: run the program, judge the result, apply the check.

A check is the author's code and judges what a student's program printed; it gets a few seconds
and may raise AssertionError. Anything else that it raises is the author's fault.
"""

from __future__ import annotations

import json
import signal
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from grader.bundles.properties import REFUSING_GROUP, Check
from grader.bundles.schemas import Judgement
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

CHECK_SECONDS = 10.0
"""A check of 300 small examples takes milliseconds; one that takes this long hangs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """An input: the bytes sent, the value they stand for, the refusal that is due (or None)."""

    stdin: bytes
    given: Any
    due: str | None = None

    @property
    def size(self) -> tuple[int, bytes]:
        """Orders inputs: the shorter one is the better counterexample."""
        return len(self.stdin), self.stdin


def drawn(group: str, value: Any) -> Drawn:
    """What a strategy drew, as an input. The failure group draws pairs (stdin, code)."""
    given, due = value if group == REFUSING_GROUP else (value, None)
    if isinstance(given, bytes):
        stdin = given
    elif isinstance(given, str):
        stdin = given.encode()
    else:
        stdin = as_stdin(given)
    return Drawn(stdin=stdin, given=given, due=due)


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


class AuthorFault(BaseException):
    """A check failed in a way that is not the student's; `trace` is for the author."""

    def __init__(self, detail: str, trace: str) -> None:
        self.detail, self.trace = detail, trace
        super().__init__(detail)


class _OtherRunFailed(BaseException):
    """The program failed on the further input that a metamorphic check wanted."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault


class _Wanted(BaseException):
    """Ends a check that was only asked which further input it wants."""

    def __init__(self, other: Any) -> None:
        self.other = other


class _TooSlow(BaseException):
    """A check used up its time."""


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
        self._alarm = _Alarm()

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
            self.apply(check, available)
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
            self.apply(row.check, available)
        except _Wanted as wanted:
            self.runs.foretell(as_stdin(wanted.other))
        except (AssertionError, AuthorFault):
            pass  # what it has to say it says when it is in earnest

    def apply(self, check: Check, available: dict[str, Callable[[], Any]]) -> None:
        """Call a check with those of the available arguments that it names.

        Raises:
            AssertionError: it says that the property does not hold.
            AuthorFault: it raised anything else, or did not end.
        """
        try:
            arguments = {name: available[name]() for name in check.arguments}
            with self._alarm:
                check.function(**arguments)
        except AssertionError:
            raise
        except _TooSlow as error:
            why = f"{check.name} did not end within {CHECK_SECONDS:g} s"
            raise AuthorFault(why, traceback.format_exc()) from error
        except (Exception, SystemExit) as error:
            why = f"{check.name} raised {type(error).__name__}"
            raise AuthorFault(why, clean(traceback.format_exc())) from error

    def _run_other(self, other: Any, compared: list[Exchange]) -> dict[str, Any]:
        stdin = as_stdin(other)
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


def as_stdin(value: Any) -> bytes:
    """A value that was drawn, as it is sent."""
    return json.dumps(value).encode() + b"\n"


def _message(error: AssertionError) -> str:
    return str(error).strip()[:500] or "the property does not hold"


class _Alarm:
    """Interrupts Python code that takes too long; what hangs inside C, the parent process ends.

    Arming costs a microsecond, so that every check on every input can have it.
    """

    def __init__(self) -> None:
        self._set = getattr(signal, "setitimer", None)
        self._armed = False
        if self._set is None or threading.current_thread() is not threading.main_thread():
            self._set = None
            return
        signal.signal(signal.SIGALRM, self._interrupt)

    def _interrupt(self, *_: object) -> None:
        if self._armed:
            raise _TooSlow

    def __enter__(self) -> None:
        if self._set is not None:
            self._armed = True
            self._set(signal.ITIMER_REAL, CHECK_SECONDS)

    def __exit__(self, *_: object) -> None:
        self._armed = False
        if self._set is not None:
            self._set(signal.ITIMER_REAL, 0)
