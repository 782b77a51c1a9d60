"""One lock for the whole machine: who holds it is the only grader here that repeats a run.

It is a lock on a file that is never written, at one place for all: TMPDIR differs from process to
process. Where there can be no such lock, the repeat takes place without.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

try:
    import fcntl
except ImportError:  # Windows
    fcntl: Any = None  # type: ignore[no-redef]

PLACE = Path("/tmp/grader-alone.lock")  # noqa: S108 - opened without following links, never written

WAIT_SECONDS = 300.0
"""Longer than a repeat of the largest lab takes. Then the other has died oddly, or does not mean
well, and a grading must get on."""

_POLL_SECONDS = 0.02


@contextlib.contextmanager
def alone(place: Path = PLACE, wait_seconds: float = WAIT_SECONDS) -> Iterator[bool]:
    """Hold the lock, or go on without it: gives whether it is held."""
    descriptor = _opened(place) if fcntl else None
    if descriptor is None:
        yield False
        return
    try:
        yield _locked(descriptor, time.monotonic() + wait_seconds)
    finally:
        os.close(descriptor)  # and with it the lock goes


def _opened(place: Path) -> int | None:
    """The file, made if need be; None if something else stands in its place."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with contextlib.suppress(OSError):
        _make(place)
        descriptor = os.open(place, flags)
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            return descriptor
        os.close(descriptor)
    return None


def _make(place: Path) -> None:
    """For every user, whatever the umask. Apart from opening it: in a folder that all may write,
    kernels refuse to open another user's file with the wish to make it."""
    with contextlib.suppress(FileExistsError):
        descriptor = os.open(place, os.O_RDONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        os.fchmod(descriptor, 0o666)
        os.close(descriptor)


def _locked(descriptor: int, deadline: float) -> bool:
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(_POLL_SECONDS)
        except OSError:
            return False  # a file system without locks
        else:
            return True
