"""A student's view tells nothing that is the staff's, in whatever way it is written."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grader.model.report import CheckResult, GradeReport
from grader.model.verdict import Verdict
from grader.report.to_json import to_json
from grader.report.to_junit import to_junit
from tests.report.consoles import printed
from tests.report.reports import counterexample, exchange, report, row

_SEED = 918273645
_CANARY = "canary-of-the-staff"
_RENDERERS: dict[str, Callable[[GradeReport], str]] = {
    "terminal, en": printed,
    "terminal, zh": lambda a_report: printed(a_report, lang="zh"),
    "json": to_json,
    "junit": to_junit,
}


def _official() -> GradeReport:
    """A report with a canary wherever something of the staff's can stand."""
    run = exchange(_CANARY, _CANARY, stderr=_CANARY)
    found = counterexample(run, run, expects=_CANARY, expected=_CANARY)
    other = CheckResult(verdict=Verdict.CRASHED, detail=_CANARY, counterexample=found)
    hidden = {"detail": _CANARY, "counterexample": found, "also": (other,), "staff_only": True}
    verdicts = (Verdict.WRONG_ANSWER, Verdict.CRASHED, Verdict.JUDGE_ERROR, Verdict.SKIPPED)
    return report(
        *(row(f"edge/hidden_{v}", v, staff_detail=_CANARY, **hidden) for v in verdicts),
        row("edge/public", Verdict.JUDGE_ERROR, detail="check raised", staff_detail=_CANARY),
        seed=_SEED,
        seed_is_secret=True,
        staff_fingerprint=f"sha256:{_CANARY}",
    )


@pytest.mark.parametrize("name", _RENDERERS)
def test_neither_the_secret_seed_nor_an_input_of_the_staff_is_told(name: str) -> None:
    shown = _RENDERERS[name](_official().for_students())
    assert _CANARY not in shown
    assert str(_SEED) not in shown
    assert "edge/hidden_wrong_answer" in shown


@pytest.mark.parametrize("name", _RENDERERS)
def test_staff_see_what_students_do_not(name: str) -> None:
    assert _CANARY in _RENDERERS[name](_official())
