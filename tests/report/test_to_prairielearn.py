"""What PrairieLearn reads: a score from 0 to 1, in a file that is never too large for it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from grader.model.report import GradeReport
from grader.model.verdict import Verdict
from grader.report.to_prairielearn import MAX_BYTES, to_prairielearn
from tests.report.hostile import forbidden_in, hostile_text
from tests.report.reports import counterexample, exchange, report, row
from tests.report.schemas import read_as

SCHEMA = "prairielearn-results"


def _graded(**more: object) -> GradeReport:
    rows = [row("edge/a"), row("edge/b"), row("edge/c"), row("edge/d", Verdict.CRASHED)]
    return report(*rows, **more)


def test_the_score_is_the_share_of_the_points() -> None:
    results = read_as(SCHEMA, to_prairielearn(_graded()))
    assert results["gradable"]
    assert results["score"] == 0.75
    assert [test["points"] for test in results["tests"]] == [2.5, 2.5, 2.5, 0.0]
    assert sum(test["max_points"] for test in results["tests"]) == 10.0
    assert results["tests"][3]["message"] == "crashed"


def test_a_practice_that_holds_throughout_is_worth_everything() -> None:
    practice = report(row("edge/a"), practice=True, out_of=100.0, public_out_of=2.5)
    assert read_as(SCHEMA, to_prairielearn(practice))["score"] == 1.0


def test_a_lab_without_points_gives_a_score_that_can_be_read() -> None:
    worthless = report(row("edge/a", points=0.0, out_of=0.0))
    assert read_as(SCHEMA, to_prairielearn(worthless))["score"] == 0.0


def test_an_incomplete_grading_is_not_gradable_and_has_neither_score_nor_points() -> None:
    rows = [row("edge/a"), row("edge/b", Verdict.JUDGE_ERROR, detail="raised", fault="grader")]
    results = read_as(SCHEMA, to_prairielearn(report(*rows)))
    assert results["gradable"] is False
    assert "There is no final score." in results["format_errors"][0]
    assert "The grader is at fault" in results["message"]
    assert not any({"points", "max_points"} & test.keys() for test in results["tests"])


@pytest.mark.parametrize(("letter", "count"), [("x", 3), ("漢", 150), ("\x1b", 60), ("x", 500)])
def test_long_texts_are_cut_and_every_row_is_still_there(letter: str, count: int) -> None:
    found = counterexample(exchange(letter * 20_000, letter * 20_000, stderr=letter * 20_000))
    more = {"detail": letter * 10_000, "counterexample": found}
    rows = (row(f"edge/{place}", Verdict.CRASHED, **more) for place in range(count))
    text = to_prairielearn(report(*rows))
    assert len(text.encode()) <= MAX_BYTES
    assert len(read_as(SCHEMA, text)["tests"]) == count


def test_the_size_is_kept_even_where_rows_have_to_be_left_out() -> None:
    text = to_prairielearn(report(*(row(f"edge/{place}") for place in range(12_000))))
    results = read_as(SCHEMA, text)
    assert len(text.encode()) <= MAX_BYTES
    assert "tests" not in results
    assert results["output"] == "and 12000 more"
    assert results["score"] == 1.0


@settings(deadline=None)
@given(hostile_text)
def test_hostile_text_stays_text_that_acts_on_nothing(text: str) -> None:
    """PrairieLearn turns escape sequences into HTML: none may be left."""
    found = counterexample(exchange(text, text, stderr=text))
    more = {"detail": text, "counterexample": found, "sentence": {"en": text}}
    rows = (row(f"edge/{text}{v}", v, **more) for v in (Verdict.CRASHED, Verdict.JUDGE_ERROR))
    written = to_prairielearn(report(*rows, problem=text))
    assert not forbidden_in(written)
    for test in read_as(SCHEMA, written)["tests"]:
        assert not forbidden_in("".join(map(str, test.values())))
