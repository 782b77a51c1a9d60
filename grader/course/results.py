"""What came of a grading goes into a journal: a report, another try, or that it was given up.

Each is one commit.
"""

from __future__ import annotations

import zlib

from grader.course.journal import Journal
from grader.course.waiting import Queue, Todo
from grader.model.report import GradeReport
from grader.report.to_json import to_json

MAX_TRIES = 3
"""A grading that fails once may have met a full memory; one that fails three times goes on so."""


def done(
    journal: Journal, todo: Todo, key: str, report: GradeReport, *, waited: float, graded: float
) -> None:
    """It has its report; times in seconds."""
    with journal.commit():
        _done(journal, todo, _keep(journal, key, report, graded), waited)


def _done(journal: Journal, todo: Todo, result: int, waited: float) -> None:
    if todo.queue is not Queue.PROPOSE:
        journal.settle(todo.id, result, waited)
        return
    journal.forget_proposals(todo.id)
    journal.database.execute("INSERT INTO proposals VALUES (?, ?, ?)", [todo.id, result, waited])
    journal.database.execute(
        "UPDATE submissions SET todo = NULL, begun = 0, error = '' WHERE id = ?", [todo.id]
    )


def _keep(journal: Journal, key: str, report: GradeReport, graded: float) -> int:
    cursor = journal.database.execute(
        "INSERT INTO results (key, complete, verdict, points, report, graded_at, "
        "graded_seconds) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            key,
            report.graded_completely,
            report.verdict,
            report.points,
            zlib.compress(to_json(report).encode()),
            journal.clock(),
            graded,
        ],
    )
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def failed(
    journal: Journal,
    todo: Todo,
    why: str,
    *,
    key: str = "",
    report: GradeReport | None = None,
    waited: float = 0.0,
    graded: float = 0.0,
    again: bool = True,
    fault: str = "grader",
) -> bool:
    """Its grading failed through no fault of the program; whether it waits for another try.

    Given up, something new, changed or stale has no points. What was only to be graded again
    keeps the complete report that it has.

    Args:
        report: what is known of its rows all the same.
        again: False where another try would end in the same way.
        fault: `grader` or `author`.
    """
    with journal.commit():
        journal.database.execute(
            "UPDATE submissions SET begun = 0, tries = tries + 1, error = ? WHERE id = ?",
            [why, todo.id],
        )
        tries = journal.database.execute(
            "SELECT tries FROM submissions WHERE id = ?", [todo.id]
        ).fetchone()[0]
        journal.tell(todo.id, "failed", why)
        if again and tries < MAX_TRIES:
            return True
        if todo.queue is Queue.GRADE or journal.counts(todo.id) is None:
            _give_up(journal, todo, key, report, waited, graded)
        journal.database.execute(
            "UPDATE submissions SET todo = NULL, error = ?, fault = ? WHERE id = ?",
            [why, fault, todo.id],
        )
        return False


def _give_up(
    journal: Journal, todo: Todo, key: str, report: GradeReport | None, waited: float, graded: float
) -> None:
    """What is known of its rows, if anything, is all that there is of it.

    A report of another program, or with another lab, is none of it any more.
    """
    result = _keep(journal, key, report, graded) if report is not None else None
    journal.database.execute(
        "UPDATE submissions SET result = iif(?1, ?2, coalesce(?2, result)), key = ?3, "
        "waited_seconds = ?4 WHERE id = ?5",
        [todo.queue is Queue.GRADE, result, key or None, waited, todo.id],
    )
