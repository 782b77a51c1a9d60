"""The journal of a class: who handed in what, what is to be done, and the one report that counts.

    take_in ──► waiting ──begin──► with an engine ──done──► a report       (one commit)
                   ▲                    │
                   └──── failed ◄───────┘   three times: judge_error
                   └──── the driver died: nobody's fault, it waits again

Every method is one transaction. Reports are kept as the published JSON, compressed.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from grader.course import store
from grader.course.key import Setting
from grader.course.waiting import Queue, Todo
from grader.errors import UsageError


class Journal:
    """The journal of one run, for the process that writes it. Use `writing`.

    Args:
        clock: the time now, ISO 8601 in UTC; what is done first is known by order, not by it.
    """

    def __init__(self, folder: Path, database: sqlite3.Connection, clock: Callable[[], str]):
        self.folder, self.database, self.clock = folder, database, clock

    @contextlib.contextmanager
    def commit(self) -> Iterator[None]:
        """One transaction: all of it or nothing.

        Raises:
            JournalError: it cannot be written.
        """
        with store.explained(self.folder):
            self.database.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.database.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self.database.execute("ROLLBACK")
                raise

    def set_up(self, setting: Setting) -> None:
        """Keep how the class is graded; the same again on every later call.

        Raises:
            UsageError: it was another setting before.
        """
        with self.commit():
            known = self._fact("setting")
            text = setting.as_json()
            if known is None:
                self.database.execute("INSERT INTO facts VALUES ('setting', ?)", [text])
            elif known != text:
                was = Setting.from_json(known)
                raise UsageError(
                    f"{self.folder} was begun with {_differences(was, setting)}: give the same "
                    "again, or take another RUN"
                )

    def _fact(self, name: str) -> str | None:
        row = self.database.execute("SELECT value FROM facts WHERE name = ?", [name]).fetchone()
        return row[0] if row else None

    @property
    def setting(self) -> Setting | None:
        """How the class is graded; None before `set_up`."""
        text = self._fact("setting")
        return Setting.from_json(text) if text else None

    def known(self, key: str) -> int | None:
        """The newest complete result with a key, but for those that are only proposed."""
        row = self.database.execute(
            "SELECT id FROM results WHERE key = ? AND complete "
            "AND id NOT IN (SELECT result FROM proposals) ORDER BY id DESC",
            [key],
        ).fetchone()
        return row[0] if row else None

    def wait(self, submission: int, queue: Queue = Queue.GRADE) -> None:
        """Queue it; a report that counts goes on counting until another does, and one that was
        proposed does not matter any more."""
        self.forget_proposals(submission)
        self.database.execute(
            "UPDATE submissions SET todo = ?, begun = 0, tries = 0, interrupted = 0, error = '', "
            "fault = '' WHERE id = ?",
            [queue, submission],
        )

    def forget_proposals(self, submission: int | None = None) -> int:
        """Nobody will accept what was proposed, of one submission or of all; how many it was."""
        rows = self.database.execute(
            "SELECT submission, result FROM proposals WHERE ?1 IS NULL OR submission = ?1",
            [submission],
        ).fetchall()
        for proposed, result in rows:
            self.database.execute("DELETE FROM proposals WHERE submission = ?", [proposed])
            self.database.execute(
                "DELETE FROM results WHERE id = ?1 "
                "AND NOT EXISTS (SELECT 1 FROM submissions WHERE result = ?1)",
                [result],
            )
        return len(rows)

    def counts(self, submission: int) -> str | None:
        """The key of its report that counts; None where that is not complete or not there."""
        row = self.database.execute(
            "SELECT r.key FROM submissions s JOIN results r ON r.id = s.result "
            "WHERE s.id = ? AND r.complete",
            [submission],
        ).fetchone()
        return row[0] if row else None

    def nothing_to_do(self, submission: int) -> None:
        """What counts for it is what would be made."""
        self.database.execute(
            "UPDATE submissions SET todo = NULL, begun = 0, error = '', fault = '' "
            "WHERE id = ? AND todo IS NOT NULL",
            [submission],
        )

    def settle(self, submission: int, result: int, waited: float | None) -> None:
        """This result counts from now on; what is known already changes nothing."""
        self.database.execute(
            "UPDATE submissions SET waited_seconds = iif(result IS ?1, waited_seconds, ?2), "
            "result = ?1, key = (SELECT key FROM results WHERE id = ?1), todo = NULL, begun = 0, "
            "error = '', fault = '' WHERE id = ?3",
            [result, waited, submission],
        )

    def tell(self, submission: int, what: str, detail: str) -> None:
        """Note that something was done, and when."""
        self.database.execute(
            "INSERT INTO events (at, student, problem, what, detail) "
            "SELECT ?, student, problem, ?, ? FROM submissions WHERE id = ?",
            [self.clock(), what, detail, submission],
        )

    @property
    def problems(self) -> set[str]:
        """The labs that anything was handed in for."""
        with store.explained(self.folder):
            rows = self.database.execute("SELECT DISTINCT problem FROM submissions").fetchall()
        return {row[0] for row in rows}

    @property
    def not_taken(self) -> list[str]:
        """What `note_not_taken` has kept."""
        with store.explained(self.folder):
            lines: list[str] = json.loads(self._fact("not taken") or "[]")
        return lines

    def note_not_taken(self, lines: Iterable[str]) -> None:
        """Keep what was handed in and not understood, ambiguous or refused, line by line."""
        with self.commit():
            self.database.execute(
                "INSERT OR REPLACE INTO facts VALUES ('not taken', ?)", [json.dumps([*lines])]
            )

    def recover(self) -> int:
        """Let what a driver had begun when it died wait again; how many those were.

        That is no try: whoever ends a driver says nothing about a program. But those that were
        under way go last, lest one of them ends every driver.
        """
        with self.commit():
            return self.database.execute(
                "UPDATE submissions SET begun = 0, interrupted = interrupted + 1 WHERE begun"
            ).rowcount

    def waiting(self) -> list[Todo]:
        """What is to be graded, in order: what has failed or was interrupted comes last."""
        with store.explained(self.folder):
            rows = self.database.execute(
                "SELECT id, student, problem, digest, todo FROM submissions "
                "WHERE todo IS NOT NULL AND NOT begun ORDER BY tries, interrupted, id"
            ).fetchall()
        return [
            Todo(id=row[0], student=row[1], problem=row[2], digest=row[3], queue=Queue(row[4]))
            for row in rows
        ]

    def settle_if_known(self, todo: Todo, key: str) -> bool:
        """Whether an equal submission was graded meanwhile; then that report counts for it, too."""
        with self.commit():
            result = self.known(key)
            if result is not None:
                self.settle(todo.id, result, None)
        return result is not None

    def source(self, digest: str) -> bytes:
        """The bytes of a submission as they were read, whatever has become of its file."""
        with store.explained(self.folder):
            row = self.database.execute(
                "SELECT content FROM sources WHERE digest = ?", [digest]
            ).fetchone()
        return zlib.decompress(row[0])

    def begin(self, todo: Todo) -> None:
        """An engine takes it."""
        with self.commit():
            self.database.execute("UPDATE submissions SET begun = 1 WHERE id = ?", [todo.id])


def _differences(was: Setting, now: Setting) -> str:
    """What differs; a secret seed stays one."""
    secret = {"seed"} if was.seed_is_secret or now.seed_is_secret else set()
    return ", ".join(
        f"another {name}" if name in secret else f"{name} {value}, not {getattr(now, name)}"
        for name, value in asdict(was).items()
        if value != getattr(now, name)
    )


@contextlib.contextmanager
def writing(folder: Path, clock: Callable[[], str], *, create: bool = False) -> Iterator[Journal]:
    """The journal in a folder, with the lock that keeps a second writer out.

    Raises:
        UsageError: another process writes, or there is no journal and `create` is not set.
        JournalError: the folder cannot be used.
    """
    database, lock = store.open_to_write(folder, create=create)
    try:
        yield Journal(folder, database, clock)
    finally:
        with contextlib.suppress(sqlite3.Error):
            database.close()
        os.close(lock)
