"""Submissions come into a journal: what is new, changed or stale waits for its grading."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256

from grader.course.journal import Journal
from grader.course.waiting import Queue
from grader.model.course import Submitted


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What came of reading the submissions: how many are new, changed, as they were.

    `stale` were graded with something that has changed since (a lab, this program); `cached` were
    not graded because an equal submission had been.
    """

    new: int = 0
    changed: int = 0
    same: int = 0
    stale: int = 0
    cached: int = 0


def take_in(
    journal: Journal, submitted: Iterable[Submitted], key_of: Callable[[str, str], str]
) -> Taken:
    """Add submissions; those that are new, changed or stale wait for their grading.

    Args:
        key_of: what a result depends on, from a lab's slug and a submission's digest.

    Raises:
        JournalError: the journal cannot be written.
    """
    counts = dict.fromkeys(Taken.__slots__, 0)
    with journal.commit():
        for one in submitted:
            digest = sha256(one.source).hexdigest()
            kind, submission = _add(journal, one, digest)
            counts[kind] += 1
            key = key_of(one.problem, digest)
            if _is_to_be_graded_again(journal, submission):
                continue  # somebody wants that, whatever is known
            if kind == "same" and journal.counts(submission) == key:
                # Another result of an equal program is no reason to replace this one. (It may wait
                # all the same: something had changed, and was put back before it was graded.)
                journal.nothing_to_do(submission)
                continue
            result = journal.known(key)
            if result is not None:
                counts["cached"] += kind != "same"
                journal.settle(submission, result, None)
            elif kind == "same" and _is_stale(journal, submission, key):
                counts["same"] -= 1
                counts["stale"] += 1
                journal.wait(submission)
    return Taken(**counts)


def _add(journal: Journal, one: Submitted, digest: str) -> tuple[str, int]:
    known = journal.database.execute(
        "SELECT id, digest FROM submissions WHERE student = ? AND problem = ?",
        [one.student, one.problem],
    ).fetchone()
    journal.database.execute(
        "INSERT OR IGNORE INTO sources VALUES (?, ?)", [digest, zlib.compress(one.source)]
    )
    told = [one.path, digest, one.name, one.email, one.submitted_at]
    if known is None:
        cursor = journal.database.execute(
            "INSERT INTO submissions (path, digest, name, email, submitted_at, student, "
            "problem, todo) VALUES (?, ?, ?, ?, ?, ?, ?, 'grade')",
            [*told, one.student, one.problem],
        )
        assert cursor.lastrowid is not None
        return "new", cursor.lastrowid
    journal.database.execute(
        "UPDATE submissions SET path = ?, digest = ?, name = ?, email = ?, submitted_at = ? "
        "WHERE id = ?",
        [*told, known[0]],
    )
    if known[1] == digest:
        return "same", known[0]
    journal.wait(known[0])
    journal.tell(known[0], "changed", f"{known[1]} to {digest}")
    return "changed", known[0]


def _is_to_be_graded_again(journal: Journal, submission: int) -> bool:
    row = journal.database.execute("SELECT todo FROM submissions WHERE id = ?", [submission])
    return row.fetchone()[0] in (Queue.AGAIN, Queue.PROPOSE)


def _is_stale(journal: Journal, submission: int, key: str) -> bool:
    """Whether its last grading, perhaps one that failed, depended on something else."""
    row = journal.database.execute(
        "SELECT key FROM submissions WHERE id = ? AND todo IS NULL", [submission]
    ).fetchone()
    return row is not None and row[0] != key
