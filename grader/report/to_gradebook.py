"""A class becomes a table of points in CSV, as nbgrader exports it and as Canvas imports it.

    nbgrader   a line for each submission
    canvas     a line for each student, a column for each lab, and one line with what labs are worth

A spreadsheet takes a text that begins with `=` for a formula; such a text gets a `'` before it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable

from grader.errors import UsageError
from grader.model.course import Entry
from grader.report.sections import OUT_OF, number
from grader.report.shown import visible

_FORMULA = tuple("=+-@\t\r\n＝＋－＠")
"""Spreadsheets read the wide forms like the others where those are how people type."""

_NBGRADER = (
    *("assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email"),
    *("raw_score", "late_submission_penalty", "score", "max_score"),
)
_CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")


def to_gradebook(entries: Iterable[Entry], profile: str) -> str:
    """The table as text; a file of it begins best with a byte order mark (`utf-8-sig`).

    A submission without a final score has empty cells for its numbers. Points that were given by
    hand count. The entries are read once, and no report of theirs is kept.

    Args:
        profile: one of `PROFILES`.

    Raises:
        UsageError: there is no such profile, or a student has two entries for a lab.
    """
    if profile not in PROFILES:
        raise UsageError(f"no gradebook {profile!r}: choose one of {', '.join(PROFILES)}")
    text = io.StringIO()
    writer = csv.writer(text)
    for line in PROFILES[profile](entries):
        writer.writerow(line)
    return text.getvalue()


def _nbgrader(entries: Iterable[Entry]) -> Iterable[Iterable[str]]:
    """There is no penalty: `score`, which is `raw_score` less that, is the same number."""
    yield _NBGRADER
    for entry in entries:
        last, first = _last_and_first(entry.name)
        who = (entry.student, last, first, entry.email)
        texts = (entry.problem, "", entry.submitted_at or "", *who)
        points = _number(entry.points)
        penalty = "0" if points else ""
        yield *map(_text, texts), points, penalty, points, str(OUT_OF)


def _canvas(entries: Iterable[Entry]) -> Iterable[Iterable[str]]:
    """Canvas looks for a student by either SIS column, and so stands in both what names one here.

    It creates an assignment for a column that it does not know, and sets what any is worth to what
    the second line says.
    """
    points: dict[str, dict[str, str]] = {}
    names: dict[str, str] = {}
    problems: dict[str, None] = {}
    for entry in entries:
        of_student = points.setdefault(entry.student, {})
        if entry.problem in of_student:
            raise UsageError(
                f"{visible(entry.student)} has two entries for {visible(entry.problem)}: "
                "keep the one that counts"
            )
        of_student[entry.problem] = _number(entry.points)
        names[entry.student] = names.get(entry.student) or entry.name
        problems[entry.problem] = None
    yield *_CANVAS, *map(_text, problems)
    yield "    Points Possible", "", "", "", "", *(str(OUT_OF) for _ in problems)
    for student, of_student in points.items():
        who = (names[student] or student, "", student, student, "")
        yield *map(_text, who), *(of_student.get(problem, "") for problem in problems)


PROFILES: dict[str, Callable[[Iterable[Entry]], Iterable[Iterable[str]]]] = {
    "nbgrader": _nbgrader,
    "canvas": _canvas,
}


def _last_and_first(name: str) -> tuple[str, str]:
    """`Lovelace, Ada` in two; any other name stays whole, as nobody can tell where to part it."""
    last, _, first = name.partition(",")
    return last.strip(), first.strip()


def _number(points: float | None) -> str:
    return "" if points is None else number(points)


def _text(text: str) -> str:
    """A cell that is text to every reader: escaped, and no formula."""
    return f"'{visible(text)}" if text.startswith(_FORMULA) else visible(text)
