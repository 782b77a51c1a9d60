"""What a reference gave, kept in a file that several gradings share.

All submissions of a class meet the same inputs, up to what is shrunk: the reference needs to run
once on each. The file is of one engine on one machine and ends with it (see `course.engines`), so
that nothing in it can be stale. It is only ever a help: where it cannot be read or written, the
reference runs.
"""

from __future__ import annotations

import hashlib
import sqlite3
from pathlib import Path

import msgspec

from grader.model.execution import Ending, RunOutcome, RunRequest

_PATIENCE_SECONDS = 1.0
_MOST_PAGES = 1 << 14
"""64 MiB: what a large class meets while it shrinks must not fill the disk of its journal."""
_TABLE = "CREATE TABLE IF NOT EXISTS runs (key BLOB PRIMARY KEY, outcome BLOB) WITHOUT ROWID"


class Remembered:
    """Outcomes by what was run: the program, its limits and its input. Close it in the end.

    Args:
        place: the file; made when it is not there.
    """

    def __init__(self, place: Path) -> None:
        self._file: sqlite3.Connection | None = None
        self._is_full = False
        try:
            self._file = sqlite3.connect(place, timeout=_PATIENCE_SECONDS, isolation_level=None)
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = OFF")
            self._file.execute(f"PRAGMA max_page_count = {_MOST_PAGES}")
            self._file.execute(_TABLE)
        except sqlite3.Error:
            self.close()

    def recall(self, request: RunRequest) -> RunOutcome | None:
        """The outcome of an equal run, if it is known."""
        if self._file is None:
            return None
        try:
            query = "SELECT outcome FROM runs WHERE key = ?"
            found = self._file.execute(query, (_key(request),)).fetchone()
            return msgspec.msgpack.decode(found[0], type=RunOutcome) if found else None
        except (sqlite3.Error, msgspec.MsgspecError):
            return None

    def keep(self, request: RunRequest, outcome: RunOutcome) -> None:
        """Remember a run that ended by itself; another one might end otherwise the next time."""
        if self._file is None or self._is_full:
            return
        if (outcome.ending, outcome.status) != (Ending.EXITED, 0):
            return
        row = _key(request), msgspec.msgpack.encode(outcome)
        try:
            self._file.execute("INSERT OR IGNORE INTO runs VALUES (?, ?)", row)
        except sqlite3.Error:  # or the disk is; what is known goes on to help
            self._is_full = True

    def close(self) -> None:
        """Remember nothing more, and know nothing."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _key(request: RunRequest) -> bytes:
    words = msgspec.json.encode((request.submission.digest, request.limits))
    return hashlib.sha256(words + request.stdin).digest()
