"""What Classroom 50 reads: integers, no other keys, and nothing at all without a final score."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings

from grader.errors import UsageError
from grader.model.verdict import Verdict
from grader.report.to_classroom50 import Classroom, to_classroom50
from tests.report.classroom import ENVIRON, WHERE
from tests.report.hostile import forbidden_in, hostile_text
from tests.report.reports import counterexample, exchange, report, row
from tests.report.schemas import read_as

SCHEMA = "classroom50-result"


def test_the_result_says_where_it_belongs_and_when_it_was_graded() -> None:
    result = read_as(SCHEMA, to_classroom50(report(row("edge/a")), WHERE))
    assert (result["classroom"], result["assignment"], result["owner"]) == (
        "cs-principles",
        "top-p",
        "ada",
    )
    assert result["submission"] == ENVIRON["SUBMISSION_TAG"]
    assert result["graded_at"] == result["datetime"] == "2026-11-29T12:00:00Z"


def test_a_known_time_of_submission_is_told_apart_from_the_grading() -> None:
    where = dataclasses.replace(WHERE, submitted_at="2026-11-28T23:59:00Z")
    result = read_as(SCHEMA, to_classroom50(report(row("edge/a")), where))
    assert result["datetime"] == "2026-11-28T23:59:00Z"
    assert result["graded_at"] == "2026-11-29T12:00:00Z"


def test_a_point_is_a_hundred_and_the_rows_add_up_to_the_total() -> None:
    rows = [row("edge/a"), row("edge/b", Verdict.WRONG_ANSWER), row("edge/c", Verdict.SKIPPED)]
    result = read_as(SCHEMA, to_classroom50(report(*rows), WHERE))
    told = [(t["test-name"], t["passed"], t["score"], t["max-score"]) for t in result["tests"]]
    assert told == [
        ("edge/a", True, 250, 250),
        ("edge/b", False, 0, 250),
        ("edge/c", False, 0, 250),
    ]
    assert (result["score"], result["max-score"]) == (250, 750)


@pytest.mark.parametrize("count", [1, 3, 7, 23, 46, 200])
def test_shares_that_are_no_integers_still_add_up_to_a_hundred_points(count: int) -> None:
    share = 100 / count
    rows = [row(f"edge/{place}", points=share, out_of=share) for place in range(count)]
    result = read_as(SCHEMA, to_classroom50(report(*rows), WHERE))
    assert result["score"] == result["max-score"] == 10_000
    assert all(test["score"] == test["max-score"] for test in result["tests"])
    failing = [row("edge/x", Verdict.CRASHED, out_of=share), *rows[1:]]
    result = read_as(SCHEMA, to_classroom50(report(*failing), WHERE))
    assert result["score"] == sum(t["score"] for t in result["tests"]) <= 10_000 - int(share)


@pytest.mark.parametrize(
    "incomplete",
    [
        report(row("edge/a"), row("edge/b", Verdict.JUDGE_ERROR)),
        report(row("edge/a"), graded_completely=False),
    ],
)
def test_without_a_final_score_there_is_no_result_that_could_be_taken_for_one(
    incomplete: object,
) -> None:
    with pytest.raises(UsageError, match=r"no final score.*grade again"):
        to_classroom50(incomplete, WHERE)  # type: ignore[arg-type]


def test_missing_variables_are_all_named_at_once() -> None:
    with pytest.raises(
        UsageError, match=r"CLASSROOM, ASSIGNMENT, OWNER, SUBMISSION_TAG, COMMIT_URL"
    ):
        Classroom.from_environment({"ASSIGNMENT": ""})


def test_what_the_runner_does_not_set_is_taken_from_what_it_sets() -> None:
    some = {k: v for k, v in ENVIRON.items() if k not in ("OWNER", "REVIEW_URL", "ASSIGNMENT_TYPE")}
    where = Classroom.from_environment(some | {"USERNAME": "bob"})
    assert where.owner == "bob"
    assert where.review == ENVIRON["COMMIT_URL"]
    assert where.assignment_type == "individual"


@pytest.mark.parametrize(
    ("name", "value"), [("ASSIGNMENT_TYPE", "solo"), ("SUBMISSION_TAG", "v1.0")]
)
def test_values_that_would_be_refused_later_are_refused_now(name: str, value: str) -> None:
    with pytest.raises(UsageError, match=f"{name} is '{value}'"):
        Classroom.from_environment(ENVIRON | {name: value})


@settings(deadline=None)
@given(hostile_text)
def test_hostile_text_stays_text_that_acts_on_nothing(text: str) -> None:
    found = counterexample(exchange(text, text, stderr=text))
    more = {"detail": text, "counterexample": found, "sentence": {"en": text}}
    written = to_classroom50(report(row(f"edge/{text}", Verdict.CRASHED, **more)), WHERE)
    assert not forbidden_in(written)
    assert not forbidden_in(read_as(SCHEMA, written)["tests"][0]["output"])
