"""Makes entries of a class for the tests of this folder: what a test does not name is usual."""

from __future__ import annotations

from typing import Any

from grader.model.course import Entry, Override, State
from grader.model.report import GradeReport
from grader.model.verdict import Verdict
from tests.report.reports import report, row

OVERRIDE = Override(
    points=55.5, author="prof", reason="the network was down", at="2026-11-30T08:00:00Z"
)


def entry(student: str = "ada", graded: GradeReport | None = None, **more: Any) -> Entry:
    """A submission that is done; without a report, one in which a row of two fails."""
    graded = graded or report(
        row("edge/a"), row("edge/b", Verdict.WRONG_ANSWER, detail="kept 3, 2 reach p")
    )
    usual: dict[str, Any] = {
        "student": student,
        "problem": graded.problem,
        "path": f"{student}/mine.py",
        "digest": graded.submission.digest,
        "state": State.DONE,
        "tries": 1,
        "name": "Lovelace, Ada",
        "email": f"{student}@example.org",
        "submitted_at": "2026-11-28T23:59:00Z",
        "graded_at": "2026-11-29T12:00:03Z",
        "waited_seconds": 4.5,
        "graded_seconds": 3.25,
        "report": graded,
    }
    return Entry(**usual | more)


def waiting(student: str = "eve", **more: Any) -> Entry:
    """A submission that nobody has graded yet."""
    none = {"report": None, "tries": 0, "graded_at": None, "graded_seconds": None}
    return entry(student, **{"state": State.WAITING, **none, **more})


def given_up(student: str = "bob", **more: Any) -> Entry:
    """A submission whose grading failed three times, through no fault of the program."""
    failed = {"report": None, "tries": 3, "error": "the worker died", "graded_at": None}
    return entry(student, **{"state": State.JUDGE_ERROR, **failed, **more})


def incomplete(student: str = "cy", **more: Any) -> Entry:
    """A submission with a report in which a row could not be graded."""
    fault = {"detail": "check_sum raised", "fault": "author", "staff_detail": "line 9"}
    graded = report(row("edge/a"), row("edge/b", Verdict.JUDGE_ERROR, **fault))
    return entry(student, graded, **more)
