"""What holds for every export: nothing of the staff's in a student's view, no number too early."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable

import pytest

from grader.errors import UsageError
from grader.model.course import Entry, State
from grader.model.report import CheckResult, GradeReport
from grader.model.verdict import Verdict
from grader.report.class_summary import summarize
from grader.report.to_actions import step_summary, to_annotations
from grader.report.to_class_html import to_class_html
from grader.report.to_class_junit import to_class_junit
from grader.report.to_class_markdown import to_class_markdown
from grader.report.to_classroom50 import to_classroom50
from grader.report.to_gradebook import to_gradebook
from grader.report.to_gradescope import to_gradescope
from grader.report.to_jsonl import to_jsonl
from grader.report.to_prairielearn import to_prairielearn
from tests.report.classroom import WHERE
from tests.report.entries import entry
from tests.report.reports import counterexample, exchange, report, row

_SEED = 918273645
_CANARY = "canary-of-the-staff"
_POINTS = 13.37
_TOKEN = "0123456789abcdef"


def _annotations(graded: GradeReport) -> str:
    return to_annotations(graded, path="mine.py", lang="en", token=_TOKEN)


_OF_A_REPORT: dict[str, Callable[[GradeReport], str]] = {
    "gradescope": to_gradescope,
    "prairielearn": to_prairielearn,
    "classroom50": lambda graded: to_classroom50(graded, WHERE),
    "annotations": _annotations,
    "step summary": lambda graded: step_summary(graded, lang="zh"),
}
_OF_A_CLASS: dict[str, Callable[[Entry], str]] = {
    "jsonl": lambda one: "".join(to_jsonl([one], staff=False)),
    "junit": lambda one: "".join(to_class_junit([one], staff=False)),
    "nbgrader": lambda one: to_gradebook([one], "nbgrader"),
    "canvas": lambda one: to_gradebook([one], "canvas"),
}
_FOR_STAFF: dict[str, Callable[[Entry], str]] = {
    "markdown": lambda one: to_class_markdown(summarize([one])),
    "html": lambda one: to_class_html(summarize([one])),
}


def _official(*, complete: bool) -> GradeReport:
    """A report with a canary wherever something of the staff's can stand."""
    run = exchange(_CANARY, _CANARY, stderr=_CANARY)
    found = counterexample(run, run, expects=_CANARY, expected=_CANARY)
    other = CheckResult(verdict=Verdict.CRASHED, detail=_CANARY, counterexample=found)
    hidden = {"detail": _CANARY, "counterexample": found, "also": (other,), "staff_only": True}
    verdicts = [Verdict.WRONG_ANSWER, Verdict.CRASHED, Verdict.SKIPPED]
    verdicts += [] if complete else [Verdict.JUDGE_ERROR]
    return report(
        *(row(f"edge/hidden_{v}", v, staff_detail=_CANARY, **hidden) for v in verdicts),
        row("edge/public", Verdict.WRONG_ANSWER, detail="kept 3", staff_detail=_CANARY),
        seed=_SEED,
        seed_is_secret=True,
        staff_fingerprint=f"sha256:{_CANARY}",
    )


@pytest.mark.parametrize("name", _OF_A_REPORT)
@pytest.mark.parametrize("complete", [True, False])
def test_a_students_view_tells_nothing_of_the_staffs(name: str, complete: bool) -> None:
    official = _official(complete=complete)
    if name == "classroom50" and not complete:
        return
    shown = _OF_A_REPORT[name](official.for_students())
    assert _CANARY not in shown
    assert str(_SEED) not in shown
    assert "kept 3" in shown
    assert _CANARY in _OF_A_REPORT[name](official), "staff see it"


@pytest.mark.parametrize("name", _OF_A_CLASS)
@pytest.mark.parametrize("complete", [True, False])
def test_a_class_for_students_tells_nothing_of_the_staffs(name: str, complete: bool) -> None:
    shown = _OF_A_CLASS[name](entry("ada", _official(complete=complete), error=_CANARY))
    assert _CANARY not in shown
    assert str(_SEED) not in shown
    assert "ada" in shown


def _ungraded() -> GradeReport:
    """Points were earned, and they are not final."""
    fault = {"detail": "check raised", "fault": "author", "out_of": 0.0}
    return report(
        row("edge/a", points=_POINTS, out_of=_POINTS), row("edge/b", Verdict.JUDGE_ERROR, **fault)
    )


def _numbers(text: str) -> list[str]:
    """Where points that are not final, in any scale, stand in a text."""
    return re.findall(r"13\.37|1337|(?:score|points)\W{0,3}[:=]\W{0,2}\d", text)


@pytest.mark.parametrize("name", _OF_A_REPORT)
def test_no_export_writes_a_number_for_a_report_that_is_not_graded_completely(name: str) -> None:
    whole = dataclasses.replace(_ungraded(), graded_completely=True)
    assert _numbers(_OF_A_REPORT[name](whole)), "points that are final are written"
    try:
        shown = _OF_A_REPORT[name](_ungraded())
    except UsageError:
        assert name == "classroom50"
    else:
        assert not _numbers(shown)


@pytest.mark.parametrize("name", [*_OF_A_CLASS, *_FOR_STAFF])
def test_no_class_export_writes_a_number_for_an_entry_without_a_final_score(name: str) -> None:
    export = (_OF_A_CLASS | _FOR_STAFF)[name]
    final = entry("ada", dataclasses.replace(_ungraded(), graded_completely=True))
    assert _numbers(export(final)), "points that are final are written"
    shown = export(entry("ada", _ungraded(), state=State.DONE))
    if name == "jsonl":  # the report itself is in it, and says that it is not complete
        shown = shown.partition('"report": ')[0]
        assert '"points": null' in shown
    assert not _numbers(shown)
