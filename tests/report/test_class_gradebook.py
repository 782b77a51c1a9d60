"""Gradebooks: columns as nbgrader and Canvas know them, and no cell that is a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import pytest
from hypothesis import given, settings

from grader.errors import UsageError
from grader.model.course import Entry
from grader.report.to_gradebook import PROFILES, to_gradebook
from tests.report.entries import OVERRIDE, entry, given_up, incomplete, waiting
from tests.report.hostile import forbidden_in, hostile_text
from tests.report.reports import report, row

NBGRADER = (
    "assignment,duedate,timestamp,student_id,last_name,first_name,email,"
    "raw_score,late_submission_penalty,score,max_score"
)
_EVIL = ["=cmd|' /C calc'!A1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "＋1"]


def _rows(profile: str, *entries: Entry) -> list[dict[str, str]]:
    text = to_gradebook(entries, profile)
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def test_nbgraders_columns_are_those_of_its_own_export() -> None:
    assert to_gradebook([], "nbgrader") == NBGRADER + "\r\n"
    (line,) = _rows("nbgrader", entry())
    assert line == {
        "assignment": "top_p_sets",
        "duedate": "",
        "timestamp": "2026-11-28T23:59:00Z",
        "student_id": "ada",
        "last_name": "Lovelace",
        "first_name": "Ada",
        "email": "ada@example.org",
        "raw_score": "2.5",
        "late_submission_penalty": "0",
        "score": "2.5",
        "max_score": "100",
    }


def test_a_name_that_nobody_can_part_stays_whole() -> None:
    (line,) = _rows("nbgrader", entry(name="王小明"))
    assert (line["last_name"], line["first_name"]) == ("王小明", "")


@pytest.mark.parametrize("made", [waiting, given_up, incomplete])
def test_without_a_final_score_the_cells_for_numbers_are_empty(made: object) -> None:
    ungraded = made("eve")  # type: ignore[operator]
    (line,) = _rows("nbgrader", ungraded)
    assert (line["raw_score"], line["late_submission_penalty"], line["score"]) == ("", "", "")
    assert _rows("canvas", ungraded)[1]["top_p_sets"] == ""


@pytest.mark.parametrize("profile", ["nbgrader", "canvas"])
def test_points_given_by_hand_count(profile: str) -> None:
    lines = _rows(profile, given_up("bob", override=OVERRIDE))
    assert lines[-1]["score" if profile == "nbgrader" else "top_p_sets"] == "55.5"


def test_zero_points_are_a_score_and_no_empty_cell() -> None:
    nothing = entry("ada", report(row("edge/a", points=0.0)))
    assert _rows("nbgrader", nothing)[0]["score"] == "0"
    assert _rows("canvas", nothing)[1]["top_p_sets"] == "0"


def test_canvas_has_a_line_for_each_student_and_a_column_for_each_lab() -> None:
    other = report(row("edge/a"), problem="kv_sizing")
    lines = _rows("canvas", entry("ada"), entry("bob", other, name=""), entry("ada", other))
    columns = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "top_p_sets", "kv_sizing"]
    assert list(lines[0]) == columns
    assert list(lines[0].values()) == ["    Points Possible", "", "", "", "", "100", "100"]
    assert list(lines[1].values()) == ["Lovelace, Ada", "", "ada", "ada", "", "2.5", "2.5"]
    assert list(lines[2].values()) == ["bob", "", "bob", "bob", "", "", "2.5"]


def test_two_entries_for_one_lab_are_refused_where_only_one_can_stand() -> None:
    with pytest.raises(UsageError, match="ada has two entries for top_p_sets"):
        to_gradebook([entry("ada"), entry("ada")], "canvas")


def test_an_unknown_profile_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UsageError, match="nbgrader, canvas"):
        to_gradebook([], "moodle")


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("evil", _EVIL)
def test_no_text_is_a_formula(profile: str, evil: str) -> None:
    graded = report(row("edge/a"), problem=evil)
    text = to_gradebook([entry(evil, graded, name=f"{evil}, x", email=evil)], profile)
    for cell in (cell for line in csv.reader(io.StringIO(text, newline="")) for cell in line):
        assert not cell.startswith(tuple("=+-@\t\r\n＝＋－＠"))


def test_numbers_stay_numbers_also_below_zero() -> None:
    fine = type(OVERRIDE)(points=-5.0, author="prof", reason="copied", at="")
    (line,) = _rows("nbgrader", entry(override=fine))
    assert float(line["score"]) == -5.0


def test_points_are_never_rounded_up() -> None:
    (line,) = _rows("nbgrader", entry("ada", report(row("edge/a", points=99.999, out_of=100.0))))
    assert line["score"] == "99.99"


@pytest.mark.parametrize("profile", PROFILES)
def test_entries_are_read_once(profile: str) -> None:
    def once() -> Iterator[Entry]:
        yield entry("ada")
        yield entry("bob")

    assert "bob" in to_gradebook(once(), profile)


@settings(deadline=None)
@given(hostile_text)
def test_hostile_text_stays_in_its_cell(text: str) -> None:
    graded = report(row("edge/a"), problem="lab")
    hostile = entry(f"a{text}", graded, name=f'b,"{text}', email=f"c{text}")
    for profile in PROFILES:
        written = to_gradebook([hostile, entry("last", graded)], profile)
        assert not forbidden_in(written.replace("\r\n", "\n"))
        lines = list(csv.reader(io.StringIO(written, newline=""), strict=True))
        assert len({len(line) for line in lines}) == 1
        assert len(lines) == 3 + (profile == "canvas")
        assert "last" in lines[-1]
