"""Some submissions of a class, as a person names them."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from grader.course import store
from grader.errors import UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class Which:
    """Some submissions of a class; an empty field means any."""

    problems: tuple[str, ...] = ()
    students: tuple[str, ...] = ()
    verdicts: tuple[str, ...] = ()

    def as_sql(self) -> tuple[str, list[str]]:
        """A condition on `s` (submissions) and `r` (the result that counts), and its values."""
        parts: list[str] = ["1"]
        values: list[str] = []
        for column, wanted in (
            ("s.problem", self.problems),
            ("s.student", self.students),
            ("r.verdict", self.verdicts),
        ):
            if wanted:
                parts.append(f"{column} IN ({','.join('?' * len(wanted))})")
                values += wanted
        return " AND ".join(parts), values


def check_names(folder: Path, database: sqlite3.Connection, which: Which) -> None:
    """See that there is a submission of every student and for every lab that was named.

    Raises:
        UsageError: of one of them there is none.
        JournalError: the journal cannot be read.
    """
    for column, names in (("student", which.students), ("problem", which.problems)):
        for name in names:
            with store.explained(folder):
                found = database.execute(
                    f"SELECT 1 FROM submissions WHERE {column} = ?", [name]
                ).fetchone()
            if found is None:
                raise UsageError(f"{folder} has no submission with the {column} {name!r}")
