"""Runs of parts of a class become one: every submission with the report that counts there."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path

from grader.course import store
from grader.course.journal import Journal
from grader.course.key import Setting
from grader.errors import UsageError
from grader.report.shown import visible

_SUBMISSION = (
    *("student", "problem", "path", "digest", "name", "email", "submitted_at", "todo", "tries"),
    *("interrupted", "error", "fault", "key", "waited_seconds"),
)
_RESULT = ("key", "complete", "verdict", "points", "report", "graded_at", "graded_seconds")


def merge(journal: Journal, run: Path) -> int:
    """Take in all that another run knows, in one commit; how many submissions it has.

    A submission that both have must be the same, and graded by at most one of them or with the
    same result: which of two results counts is not ours to choose.

    Raises:
        UsageError: the runs contradict each other, or were graded with another setting.
        JournalError: one of them cannot be read or written.
    """
    if run.resolve() == journal.folder.resolve():
        raise UsageError(f"{run} cannot be merged into itself: name another folder with --out")
    with contextlib.closing(store.open_to_read(run)) as other:
        other.row_factory = sqlite3.Row
        with store.explained(run):
            known = other.execute("SELECT value FROM facts WHERE name = 'setting'").fetchone()
            aside = other.execute("SELECT value FROM facts WHERE name = 'not taken'").fetchone()
            lines = other.execute("SELECT * FROM submissions ORDER BY id").fetchall()
        if known is None:
            raise UsageError(f"{run} has no submissions")
        journal.set_up(Setting.from_json(known[0]))
        with journal.commit(), store.explained(run):
            for line in lines:
                _take(journal, other, line, run)
            _take_overrides(journal, other, run)
        if aside is not None:  # of shards, each tells of the whole class
            journal.note_not_taken(dict.fromkeys([*journal.not_taken, *json.loads(aside[0])]))
    return len(lines)


def _take(journal: Journal, other: sqlite3.Connection, line: sqlite3.Row, run: Path) -> None:
    database = journal.database
    mine = database.execute(
        "SELECT s.id, s.digest, s.todo, r.key FROM submissions s LEFT JOIN results r "
        "ON r.id = s.result AND r.complete WHERE s.student = ? AND s.problem = ?",
        [line["student"], line["problem"]],
    ).fetchone()
    result = other.execute("SELECT * FROM results WHERE id = ?", [line["result"]]).fetchone()
    if mine is None:
        source = other.execute("SELECT * FROM sources WHERE digest = ?", [line["digest"]])
        database.execute("INSERT OR IGNORE INTO sources VALUES (?, ?)", tuple(source.fetchone()))
        names = ", ".join(_SUBMISSION)
        counts = _kept(journal, result) if result is not None else None
        database.execute(
            f"INSERT INTO submissions ({names}, result) "
            f"VALUES ({', '.join('?' * len(_SUBMISSION))}, ?)",
            [*(line[name] for name in _SUBMISSION), counts],
        )
        return
    submission, digest, todo, key = mine
    who = visible(f"{line['student']} {line['problem']}")
    if digest != line["digest"]:
        raise UsageError(f"{run}: {who} handed in another file there: merge runs of one class")
    if result is None or not result["complete"] or line["todo"] is not None:
        return
    if key is not None and todo is None and key != result["key"]:
        raise UsageError(f"{run}: {who} was graded there, too, with another lab or grader")
    if key is None or todo is not None:
        journal.settle(submission, _kept(journal, result), line["waited_seconds"])


def _kept(journal: Journal, result: sqlite3.Row) -> int:
    names = ", ".join(_RESULT)
    cursor = journal.database.execute(
        f"INSERT INTO results ({names}) VALUES ({', '.join('?' * len(_RESULT))})",
        [result[name] for name in _RESULT],
    )
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def _take_overrides(journal: Journal, other: sqlite3.Connection, run: Path) -> None:
    """Points by hand: one of the two histories must go on from the other."""
    mine, theirs = _histories(journal.database), _histories(other)
    for (student, problem), lines in theirs.items():
        known = mine.get((student, problem), [])
        if lines == known[: len(lines)]:
            continue
        if known != lines[: len(known)]:
            raise UsageError(
                f"{run}: {visible(student)} has other points by hand for {problem} there: merge "
                "runs in which only one has given any"
            )
        for line in lines[len(known) :]:
            journal.database.execute(
                "INSERT INTO overrides (points, author, reason, at, student, problem) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                [*line, student, problem],
            )


def _histories(database: sqlite3.Connection) -> dict[tuple[str, str], list[tuple[object, ...]]]:
    found: dict[tuple[str, str], list[tuple[object, ...]]] = {}
    columns = "student, problem, points, author, reason, at"
    for student, problem, *line in database.execute(f"SELECT {columns} FROM overrides ORDER BY id"):
        found.setdefault((student, problem), []).append(tuple(line))
    return found
