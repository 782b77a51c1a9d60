"""What a CI server reads: the program's faults are failures, the judge's are errors."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given, settings
from junitparser import Error, Failure, JUnitXml, Skipped

from grader.model.report import CheckResult, GradeReport, RowUsage
from grader.model.verdict import Verdict
from grader.report.to_junit import to_junit
from tests.report.hostile import forbidden_in, hostile_text
from tests.report.reports import SENTENCE, counterexample, exchange, report, row


def _report() -> GradeReport:
    return report(
        row("edge/answers", usage=RowUsage(runs=3, wall_seconds=1.5)),
        row(
            "edge/check_order",
            Verdict.WRONG_ANSWER,
            detail="kept 2",
            counterexample=counterexample(exchange("the input", "the output", stderr="a warning")),
            also=(CheckResult(verdict=Verdict.OVER_TIME, detail="more than 2 s"),),
        ),
        row(
            "edge/check_sum", Verdict.JUDGE_ERROR, detail="check_sum raised", staff_detail="line 9"
        ),
        row("scale/large", Verdict.SKIPPED, detail="not run: edge has to pass first"),
        row("scale/wide", Verdict.SKIPPED, detail="the budget was used up", graded=False),
    )


def test_junitparser_finds_every_row_under_its_group_with_its_kind_of_result() -> None:
    suites = JUnitXml.fromstring(to_junit(_report()).encode())
    found = {
        (suite.name, case.classname, case.name): [type(result) for result in case.result]
        for suite in suites
        for case in suite
    }
    assert found == {
        ("edge", "top_p_sets", "edge/answers"): [],
        ("edge", "top_p_sets", "edge/check_order"): [Failure],
        ("edge", "top_p_sets", "edge/check_sum"): [Error],
        ("scale", "top_p_sets", "scale/large"): [Skipped],
        ("scale", "top_p_sets", "scale/wide"): [Error],
    }


def test_the_totals_are_those_of_the_rows() -> None:
    root = ElementTree.fromstring(to_junit(_report()))
    assert root.attrib == {
        "name": "top_p_sets",
        "tests": "5",
        "failures": "1",
        "errors": "2",
        "skipped": "1",
        "time": "1.500",
    }
    assert root[1].attrib["skipped"] == "1"
    assert root[1].attrib["failures"] == "0"


def test_a_failure_says_what_must_hold_why_it_does_not_and_on_which_input() -> None:
    failure = ElementTree.fromstring(to_junit(_report())).find(".//failure")
    assert failure is not None
    assert failure.attrib == {"message": "kept 2", "type": "wrong_answer"}
    wanted = [SENTENCE["en"], "kept 2", "over_time: more than 2 s"]
    for text in [*wanted, "the input", "the output", "a warning"]:
        assert text in (failure.text or "")


def test_an_error_has_what_staff_need() -> None:
    error = ElementTree.fromstring(to_junit(_report())).find(".//error")
    assert error is not None
    assert error.attrib == {"message": "check_sum raised", "type": "judge_error"}
    assert "line 9" in (error.text or "")


def test_the_sentence_is_in_the_language_that_was_asked_for() -> None:
    chinese = to_junit(_report(), lang="zh")
    assert SENTENCE["zh"] in chinese
    assert SENTENCE["en"] not in chinese


def test_a_long_output_is_cut() -> None:
    found = counterexample(exchange(stdout="x" * 100_000))
    assert len(to_junit(report(row("edge/a", Verdict.WRONG_ANSWER, counterexample=found)))) < 10_000


@settings(deadline=None)
@given(hostile_text)
def test_hostile_text_gives_a_document_that_parses_and_hides_nothing(text: str) -> None:
    found = counterexample(exchange(text, text, stderr=text))
    verdicts = (Verdict.CRASHED, Verdict.JUDGE_ERROR, Verdict.SKIPPED)
    more = {"detail": text, "counterexample": found, "staff_detail": text, "sentence": {"en": text}}
    rows = (row(f"edge/{text}{verdict}", verdict, **more) for verdict in verdicts)
    xml = to_junit(report(*rows, problem=text))
    assert not forbidden_in(xml)
    assert len(list(JUnitXml.fromstring(xml.encode()))) == 1
