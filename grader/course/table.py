"""What a journal says, for those who only read it: the class's table, line by line.

A line is decoded when it is asked for: a thousand reports never lie in memory together.
"""

from __future__ import annotations

import contextlib
import json
import shlex
import sqlite3
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.course import store
from grader.course.waiting import Queue
from grader.course.which import Which, check_names
from grader.errors import JournalError, UsageError
from grader.model.course import Entry, Override, State, Submitted
from grader.model.report import GradeReport
from grader.report.shown import visible
from grader.report.to_json import from_json

_AS_THEY_STAND = (
    *("student", "problem", "path", "tries", "error", "fault", "name", "email", "submitted_at"),
    *("graded_at", "waited_seconds", "graded_seconds"),
)

_LINE = """
SELECT s.student, s.problem, s.path, s.digest, s.tries, s.fault, s.name, s.email, s.submitted_at,
       iif(s.todo = 'propose', '', s.error) AS error,  -- of a try that is not the last
       s.waited_seconds, s.todo, r.complete, r.graded_at, r.graded_seconds, {report},
       o.points, o.author, o.reason, o.at
FROM submissions s
LEFT JOIN results r ON r.id = {result}
LEFT JOIN overrides o ON o.id = (
    SELECT max(id) FROM overrides WHERE student = s.student AND problem = s.problem)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """A report that counts, and the one that was proposed in its place."""

    now: Entry
    proposed: Entry


class Table:
    """A journal to read from. Use `reading`.

    Args:
        folder: the run's, for messages.
    """

    def __init__(self, folder: Path, database: sqlite3.Connection) -> None:
        self.folder, self._database = folder, database

    def entries(self, which: Which | None = None, *, reports: bool = True) -> Iterator[Entry]:
        """One line for each submission, by problem and student.

        Args:
            which: some of them; None for all.
            reports: without them a line is cheap.

        Raises:
            JournalError: the journal cannot be read, or is damaged.
        """
        condition, values = (which or Which()).as_sql()
        line = _LINE.format(report="r.report" if reports else "NULL AS report", result="s.result")
        with store.explained(self.folder):
            query = f"{line} WHERE {condition} ORDER BY s.problem, s.student"
            for row in self._database.execute(query, values):
                yield self._entry(row)

    def check_names(self, which: Which) -> None:
        """See that every student and lab that was named is there; see `journal.check_names`."""
        check_names(self.folder, self._database, which)

    @property
    def not_taken(self) -> list[str]:
        """What was handed in and not understood, ambiguous or refused, line by line."""
        found: list[str] = self._fact("not taken") or []
        return found

    @property
    def is_practice(self) -> bool:
        """Whether it was graded without the rows of the staff."""
        setting = self._fact("setting")
        return bool(setting and setting["public"])

    def _fact(self, name: str) -> Any:
        with store.explained(self.folder):
            row = self._database.execute(
                "SELECT value FROM facts WHERE name = ?", [name]
            ).fetchone()
        return json.loads(row[0]) if row else None

    @property
    def kept_aside(self) -> tuple[int, int]:
        """Of `regrade --diff`: how many reports nobody has accepted, and how many are to come."""
        with store.explained(self.folder):
            row = self._database.execute(
                "SELECT (SELECT count(*) FROM proposals), "
                "(SELECT count(*) FROM submissions WHERE todo = ?)",
                [Queue.PROPOSE],
            ).fetchone()
        return row[0], row[1]

    def submitted(self, which: Which) -> Iterator[Submitted]:
        """The programs themselves, as they were read.

        Raises:
            JournalError: see `entries`.
        """
        condition, values = which.as_sql()
        query = (
            "SELECT s.*, c.content FROM submissions s JOIN sources c ON c.digest = s.digest "
            f"LEFT JOIN results r ON r.id = s.result WHERE {condition} "
            "ORDER BY s.problem, s.student"
        )
        same = ("student", "problem", "path", "submitted_at", "name", "email")
        with store.explained(self.folder):
            for row in self._database.execute(query, values):
                source = zlib.decompress(row["content"])
                yield Submitted(source=source, **{name: row[name] for name in same})

    def proposals(self) -> Iterator[Replacement]:
        """What `regrade --diff` has graded and nobody has accepted yet.

        Raises:
            JournalError: see `entries`.
        """
        join = "JOIN proposals p ON p.submission = s.id ORDER BY s.problem, s.student"
        now = _LINE.format(report="r.report", result="s.result")
        proposed = _LINE.format(report="r.report", result="p.result").replace(
            "LEFT JOIN results", "JOIN proposals p ON p.submission = s.id LEFT JOIN results"
        )
        with store.explained(self.folder):
            old = self._database.execute(f"{now} {join}")
            new = self._database.execute(f"{proposed} ORDER BY s.problem, s.student")
            for first, second in zip(old, new, strict=True):
                yield Replacement(now=self._entry(first), proposed=self._entry(second))

    def _entry(self, row: sqlite3.Row) -> Entry:
        given = None
        if row["points"] is not None:
            given = Override(
                points=row["points"], author=row["author"], reason=row["reason"], at=row["at"]
            )
        return Entry(
            **{name: row[name] for name in _AS_THEY_STAND},
            digest=f"sha256:{row['digest']}",
            state=_state(row),
            report=self._report(row),
            override=given,
        )

    def _report(self, row: sqlite3.Row) -> GradeReport | None:
        if row["report"] is None:
            return None
        try:
            return from_json(zlib.decompress(row["report"]))
        except (zlib.error, UsageError) as error:
            student, problem = row["student"], row["problem"]
            raise JournalError(
                f"{self.folder}: the report of {visible(student)} for {problem} is damaged; grade "
                f"it again: grader class regrade {self.folder} --problem {problem} --student "
                f"{shlex.quote(visible(student))}"
            ) from error


def _state(row: sqlite3.Row) -> State:
    if row["todo"] in (Queue.GRADE, Queue.AGAIN):
        return State.WAITING
    return State.DONE if row["complete"] else State.JUDGE_ERROR


@contextlib.contextmanager
def reading(folder: Path) -> Iterator[Table]:
    """The table of a run, also while another process grades it.

    Raises:
        UsageError: there is no run in this folder.
        JournalError: it cannot be read.
    """
    database = store.open_to_read(folder)
    database.row_factory = sqlite3.Row
    with contextlib.closing(database):
        yield Table(folder, database)
