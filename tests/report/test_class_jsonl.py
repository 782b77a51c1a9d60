"""The JSON Lines of a class: a line for each submission, read back as reports."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
from hypothesis import given, settings

from grader.model.course import Entry
from grader.model.verdict import Verdict
from grader.report.to_json import from_json, report_schema, to_json
from grader.report.to_jsonl import to_jsonl
from tests.report.entries import OVERRIDE, entry, given_up, incomplete, waiting
from tests.report.hostile import forbidden_in, hostile_text
from tests.report.reports import counterexample, exchange, report, row


def _lines(*entries: Entry, staff: bool = True) -> list[dict[str, Any]]:
    text = "".join(to_jsonl(entries, staff=staff))
    assert text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


def test_each_line_is_a_submission_with_the_report_that_is_published() -> None:
    ada, bob = entry("ada"), entry("bob")
    lines = _lines(ada, bob)
    assert [line["student"] for line in lines] == ["ada", "bob"]
    jsonschema.Draft202012Validator(report_schema()).validate(lines[0]["report"])
    assert ada.report is not None
    assert lines[0]["report"] == json.loads(to_json(ada.report))
    assert from_json(json.dumps(lines[0]["report"])) == ada.report


def test_when_it_was_handed_in_and_when_it_was_graded_stand_apart() -> None:
    (line,) = _lines(entry())
    assert (line["submitted_at"], line["waited_seconds"]) == ("2026-11-28T23:59:00Z", 4.5)
    assert (line["graded_at"], line["graded_seconds"]) == ("2026-11-29T12:00:03Z", 3.25)


def test_without_a_final_score_points_are_null() -> None:
    lines = _lines(waiting(), given_up(), incomplete(), entry())
    assert [line["points"] for line in lines] == [None, None, None, 2.5]
    assert [line["state"] for line in lines] == ["waiting", "judge_error", "done", "done"]
    assert lines[1]["error"] == "the worker died"
    assert lines[0]["report"] is None


def test_points_given_by_hand_count_and_say_whose_they_are() -> None:
    (line,) = _lines(incomplete(override=OVERRIDE))
    assert line["points"] == 55.5
    assert line["override"] == {
        "points": 55.5,
        "author": "prof",
        "reason": "the network was down",
        "at": "2026-11-30T08:00:00Z",
    }


def test_students_see_neither_the_machinery_nor_why_points_were_given() -> None:
    text = "".join(to_jsonl([given_up(override=OVERRIDE), incomplete()], staff=False))
    for secret in ("the worker died", "the network was down", "prof", "line 9"):
        assert secret not in text
    assert json.loads(text.splitlines()[0])["points"] == 55.5


def test_entries_are_read_one_by_one() -> None:
    def endless() -> Iterator[Entry]:
        while True:
            yield entry()

    lines = to_jsonl(endless(), staff=True)
    assert json.loads(next(lines)) == json.loads(next(lines))


@settings(deadline=None)
@given(hostile_text)
def test_hostile_text_is_kept_and_stays_on_one_line(text: str) -> None:
    found = counterexample(exchange(text, text, stderr=text))
    graded = report(row("edge/a", Verdict.CRASHED, detail=text, counterexample=found))
    (written,) = to_jsonl([entry(text, graded, name=text, path=text)], staff=True)
    assert not forbidden_in(written)
    assert written.count("\n") == 1
    value = json.loads(written)
    assert (value["student"], value["name"], value["path"]) == (text, text, text)
    assert value["report"]["groups"][0]["rows"][0]["detail"] == text
