"""What Gradescope reads: a test for each row, and no score where none is final."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings

from grader.model.report import GradeReport
from grader.model.verdict import Verdict
from grader.report.to_gradescope import to_gradescope
from tests.report.hostile import forbidden_in, hostile_text
from tests.report.reports import GIVEN, SENTENCE, counterexample, exchange, report, row
from tests.report.schemas import read_as

SCHEMA = "gradescope-results"


def _graded() -> GradeReport:
    wrong = {"detail": "kept 3", "counterexample": counterexample(exchange(stdout="three\n"))}
    return report(
        row("minimal/one"),
        row("edge/check_order", Verdict.WRONG_ANSWER, **wrong),
        row("edge/hidden", Verdict.CRASHED, staff_only=True, detail="secret"),
        row("scale/large", Verdict.SKIPPED, detail="not run: edge has to pass first"),
    )


def _ungraded() -> GradeReport:
    fault = {"detail": "check_sum raised", "fault": "author"}
    return report(
        row("edge/a"),
        row("edge/b", Verdict.WRONG_ANSWER),
        row("edge/c", Verdict.JUDGE_ERROR, **fault),
    )


def test_each_row_is_a_test_with_its_points_and_they_add_up_to_the_score() -> None:
    results = read_as(SCHEMA, to_gradescope(_graded()))
    told = [(t["number"], t["name"], t["score"], t["status"]) for t in results["tests"]]
    assert told == [
        ("1.1", "minimal/one", 2.5, "passed"),
        ("2.1", "edge/check_order", 0.0, "failed"),
        ("2.2", "edge/hidden", 0.0, "failed"),
        ("3.1", "scale/large", 0.0, "failed"),
    ]
    assert results["score"] == sum(test["score"] for test in results["tests"])
    assert sum(test["max_score"] for test in results["tests"]) == 10.0


def test_a_failing_test_says_what_must_hold_and_on_which_input_it_does_not() -> None:
    results = read_as(SCHEMA, to_gradescope(_graded()))
    for text in ("wrong answer", SENTENCE["en"], GIVEN.strip(), "three", "kept 3"):
        assert text in results["tests"][1]["output"]
    assert "2.5 of 10 points" in results["output"]


def test_nothing_is_hidden_as_that_would_hide_the_total() -> None:
    text = to_gradescope(_graded().for_students())
    results = read_as(SCHEMA, text)
    assert {test["visibility"] for test in results["tests"]} == {results["visibility"]}
    assert results["visibility"] == "visible"
    assert results["stdout_visibility"] == "hidden"
    assert "secret" not in text


def test_no_text_is_rendered_as_html() -> None:
    """At the top the default would be, and a file's name or a detail may hold markup."""
    results = read_as(SCHEMA, to_gradescope(_graded()))
    formats = {results[f"{what}_format"] for what in ("output", "test_output", "test_name")}
    assert formats | {test["output_format"] for test in results["tests"]} == {"text"}


def test_an_incomplete_grading_has_no_score_anywhere_and_says_so_at_the_top() -> None:
    results = read_as(SCHEMA, to_gradescope(_ungraded()))
    assert "score" not in results
    assert not any({"score", "max_score"} & test.keys() for test in results["tests"])
    assert "There is no final score." in results["output"]
    assert "The lab is at fault" in results["output"]
    assert [test.get("status") for test in results["tests"]] == ["passed", "failed", None]


def test_a_part_of_a_lab_has_no_score_either() -> None:
    part = report(row("edge/a"), graded_completely=False)
    results = read_as(SCHEMA, to_gradescope(part))
    assert "score" not in json.dumps(results).replace("no final score", "")
    assert "Only a part of the lab was graded" in results["output"]


def test_the_words_are_in_the_language_that_was_asked_for() -> None:
    results = read_as(SCHEMA, to_gradescope(_graded(), lang="zh"))
    assert "答案错误" in results["tests"][1]["output"]
    assert SENTENCE["zh"] in results["tests"][1]["output"]


def test_a_long_output_is_cut_by_us_so_that_the_rest_can_be_read() -> None:
    found = counterexample(exchange("i" * 200_000, "o" * 200_000, stderr="e" * 200_000))
    text = to_gradescope(report(row("edge/a", Verdict.CRASHED, counterexample=found)))
    output = read_as(SCHEMA, text)["tests"][0]["output"]
    assert len(output) < 15_000
    assert "characters left out" in output


@settings(deadline=None)
@given(hostile_text)
def test_hostile_text_stays_text_that_acts_on_nothing(text: str) -> None:
    found = counterexample(exchange(text, text, stderr=text))
    more = {"detail": text, "counterexample": found, "sentence": {"en": text}}
    rows = (row(f"edge/{text}{v}", v, **more) for v in (Verdict.CRASHED, Verdict.JUDGE_ERROR))
    written = to_gradescope(report(*rows, problem=text))
    assert not forbidden_in(written)
    for test in read_as(SCHEMA, written)["tests"]:
        assert not forbidden_in(test["name"] + test["output"])


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_weak_sandbox_is_said_at_the_top(lang: str) -> None:
    weak = report(row("edge/a"))
    sandbox = type(weak.sandbox)(level="weak", layers={"seccomp": False, "landlock": True})
    results = read_as(SCHEMA, to_gradescope(report(row("edge/a"), sandbox=sandbox), lang=lang))
    assert "seccomp" in results["output"]
