"""What people do to a journal by hand: grade again, accept or drop proposals, give points.

Everything is noted with its time, and a report that counts goes on counting until another does.
"""

from __future__ import annotations

from grader.course.journal import Journal
from grader.course.waiting import Queue
from grader.course.which import Which, check_names
from grader.errors import UsageError


def queue_again(journal: Journal, which: Which, queue: Queue) -> int:
    """Let submissions be graded again, whatever is known of them; how many.

    Those that wait for their first grading, or changed since, wait for that.

    Raises:
        JournalError: the journal cannot be written.
    """
    return _queue(journal, which, queue, "s.todo IS NOT 'grade'")


def retry(journal: Journal, which: Which) -> int:
    """Let those that were given up be tried again; how many.

    Raises:
        JournalError: the journal cannot be written.
    """
    given_up = "s.todo IS NULL AND (s.result IS NULL OR NOT r.complete)"
    return _queue(journal, which, Queue.AGAIN, given_up)


def _queue(journal: Journal, which: Which, queue: Queue, also: str) -> int:
    check_names(journal.folder, journal.database, which)
    condition, values = which.as_sql()
    with journal.commit():
        rows = journal.database.execute(
            "SELECT s.id FROM submissions s LEFT JOIN results r ON r.id = s.result "
            f"WHERE {condition} AND {also}",
            values,
        ).fetchall()
        for (submission,) in rows:
            journal.wait(submission, queue)
            journal.tell(submission, "queued", queue)
    return len(rows)


def accept_proposals(journal: Journal) -> int:
    """Let the proposed reports count; how many.

    Raises:
        UsageError: some of them have not been made yet.
        JournalError: the journal cannot be written.
    """
    if any(todo.queue is Queue.PROPOSE for todo in journal.waiting()):
        raise UsageError(
            "not everything has been graded again yet: give `regrade --diff` once more before"
        )
    with journal.commit():
        rows = journal.database.execute("SELECT * FROM proposals").fetchall()
        for submission, result, waited in rows:
            journal.tell(submission, "replaced", "by the report that was proposed")
            journal.settle(submission, result, waited)
        journal.database.execute("DELETE FROM proposals")
    return len(rows)


def drop_proposals(journal: Journal) -> int:
    """Forget them, those that wait to be made, and why others could not be made; how many.

    Raises:
        JournalError: the journal cannot be written.
    """
    with journal.commit():
        waiting = journal.database.execute(
            "UPDATE submissions SET todo = NULL, begun = 0 WHERE todo = ?", [Queue.PROPOSE]
        ).rowcount
        failed = journal.database.execute(
            "UPDATE submissions SET error = '', fault = '' WHERE todo IS NULL AND error != '' "
            "AND (SELECT complete FROM results WHERE id = submissions.result)"
        ).rowcount
        return waiting + failed + journal.forget_proposals()


def override(
    journal: Journal, student: str, problem: str, points: float | None, *, author: str, reason: str
) -> None:
    """Give points by hand, or take them back (None).

    Raises:
        UsageError: there is no such submission.
        JournalError: the journal cannot be written.
    """
    with journal.commit():
        known = journal.database.execute(
            "SELECT id FROM submissions WHERE student = ? AND problem = ?", [student, problem]
        ).fetchone()
        if known is None:
            raise UsageError(f"{student} has no submission for {problem} in {journal.folder}")
        if points is None and not _given(journal, student, problem):
            raise UsageError(f"{student} has no points by hand for {problem}: nothing to undo")
        journal.database.execute(
            "INSERT INTO overrides (student, problem, points, author, reason, at) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            [student, problem, points, author, reason, journal.clock()],
        )
        what = "override taken back" if points is None else f"override: {points:g} points"
        journal.tell(known[0], what, f"{author}: {reason}")


def _given(journal: Journal, student: str, problem: str) -> bool:
    row = journal.database.execute(
        "SELECT points FROM overrides WHERE student = ? AND problem = ? ORDER BY id DESC",
        [student, problem],
    ).fetchone()
    return row is not None and row[0] is not None
