"""The file that a journal is: opened for one writer at a time, or to be read; errors explained.

RUN/journal.sqlite   WAL, synced at every commit: what was committed is there after a power cut
RUN/lock             held by the one process that writes; the system frees it when that dies
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from grader.errors import JournalError, UsageError

FILE, LOCK = "journal.sqlite", "lock"
VERSION = 1

_BUSY_SECONDS = 30.0


@contextlib.contextmanager
def explained(folder: Path) -> Iterator[None]:
    """Tells what a database error means for the person at the keyboard.

    Raises:
        JournalError: instead of `sqlite3.Error` and `OSError`.
    """
    try:
        yield
    except (sqlite3.ProgrammingError, sqlite3.IntegrityError):
        raise  # our own mistake, which must not be taken for the machine's
    except sqlite3.DatabaseError as error:
        raise JournalError(f"{folder / FILE}: {error}; {_advice(str(error))}") from error
    except OSError as error:
        raise JournalError(
            f"{folder} cannot be used: {error.strerror or error}; "
            "what was graded before is kept; mend this, and run the command again"
        ) from error


def _advice(error: str) -> str:
    if "full" in error:
        return "free some space and run the command again: what was committed is kept"
    if "readonly" in error or "unable to open" in error:
        return "the folder must be writable"
    if "not a database" in error or "malformed" in error:
        return "it is damaged: take a copy of it, and start with another RUN"
    return "what was committed is kept: run the command again"


def open_to_write(folder: Path, *, create: bool) -> tuple[sqlite3.Connection, int]:
    """The database and the lock's file descriptor, which is to be closed last.

    Raises:
        UsageError: another process writes, or there is no journal and `create` is not set.
        JournalError: the folder cannot be used.
    """
    if not create and not (folder / FILE).is_file():
        raise UsageError(f"{folder} has no run: `grader class run SUBMISSIONS --out {folder}`")
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file: name a folder for the run")
    with explained(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = _lock(folder / LOCK, folder)
        try:
            if not (folder / FILE).exists():
                _make(folder)
            database = _connect(folder / FILE)
            try:
                _check_version(database, folder)
                database.execute("PRAGMA foreign_keys = ON")
            except BaseException:
                database.close()
                raise
        except BaseException:
            os.close(lock)
            raise
        return database, lock


def _lock(path: Path, folder: Path) -> int:
    try:
        import fcntl
    except ImportError:
        raise UsageError("a class can be graded on Linux and macOS only") from None
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.read(descriptor, 20).decode(errors="replace").strip()
        os.close(descriptor)
        raise UsageError(
            f"another grader{f' (process {holder})' if holder else ''} is at work on {folder}: "
            "wait for it, or stop it and run this command again"
        ) from None
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
    return descriptor


def _connect(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(
        path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    return database


def _make(folder: Path) -> None:
    """The journal appears whole or not at all: a file without tables is never a young journal."""
    unfinished = folder / f"{FILE}.new"
    for suffix in ("", "-wal", "-shm"):
        unfinished.with_name(unfinished.name + suffix).unlink(missing_ok=True)
    script = resources.files(__package__).joinpath("journal.sql").read_text(encoding="utf-8")
    with contextlib.closing(_connect(unfinished)) as database:
        database.executescript(f"BEGIN IMMEDIATE;{script};PRAGMA user_version = {VERSION};COMMIT;")
    os.replace(unfinished, folder / FILE)


def _check_version(database: sqlite3.Connection, folder: Path) -> None:
    version = database.execute("PRAGMA user_version").fetchone()[0]
    if version == VERSION:
        return
    path = folder / FILE
    if version == 0:
        raise UsageError(f"{path} is no journal of a run, or was emptied: take another RUN")
    raise UsageError(
        f"{path} was written by another version of this program (format {version}, this one has "
        f"{VERSION}): continue with that version, or take another RUN"
    )


def _is_still(folder: Path) -> bool:
    """Whether all of it is in the one file, and nobody can write: a WAL has what is newest."""
    log = folder / f"{FILE}-wal"
    return not os.access(folder, os.W_OK) and not (log.exists() and log.stat().st_size)


def open_to_read(folder: Path) -> sqlite3.Connection:
    """The database as it is now, also while another process writes, and on read-only media.

    Raises:
        UsageError: there is none.
        JournalError: it cannot be read.
    """
    path = folder / FILE
    if not path.is_file():
        raise UsageError(f"{folder} has no run: `grader class run SUBMISSIONS --out {folder}`")
    with explained(folder):
        mode = "immutable=1" if _is_still(folder) else "mode=ro"
        database = sqlite3.connect(
            f"{path.resolve().as_uri()}?{mode}", uri=True, timeout=_BUSY_SECONDS
        )
        try:
            _check_version(database, folder)
        except BaseException:
            database.close()
            raise
        return database
