"""Everything that can go wrong and is not a student's answer, by whose fault it is.

    GraderError
    ├── UsageError      the person at the keyboard: a wrong name, a missing file
    ├── BundleError     the author of a lab: a broken problem.toml, case, schema or check
    ├── SandboxError    this program or this machine: the server died, a limit could not be set
    │   └── LevelMissing  this machine: it does not give the level that is demanded
    ├── WorkerError     this program: the judging process died or stopped answering
    ├── JournalError    this machine: the journal of a class cannot be written or read
    └── OutputError     this machine: a file cannot be written for want of room

What a *student's* program does wrong is never an exception: it is a `Verdict`.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class GraderError(Exception):
    """The root: `str(error)` says what happened, where, and what to do next."""


class UsageError(GraderError):
    """A command was called in a way that cannot work."""


class BundleError(GraderError):
    """A lab is broken: which file, which key in it, and why."""

    def __init__(self, path: Path | str, key: str, why: str) -> None:
        self.path, self.key, self.why = str(path), key, why
        super().__init__(f"{path}: {key}: {why}" if key else f"{path}: {why}")


class SandboxError(GraderError):
    """A program could not be run, through no fault of the program."""


class LevelMissing(SandboxError):
    """A level of the sandbox is demanded that this machine does not give: no program can be run."""


class WorkerError(GraderError):
    """The judging process failed, through no fault of the program that it judged.

    `fault` is `author` where it was killed or fell silent while it executed a lab's code, and
    `grader` where it ended with an error of its own.
    """

    def __init__(self, message: str, fault: str = "grader") -> None:
        self.fault = fault
        super().__init__(message)


class JournalError(GraderError):
    """The journal of a class cannot be written or read; what was committed before is kept."""


class OutputError(GraderError):
    """A file cannot be written, and no other name would help."""


_THE_MACHINE_S = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOMEM}
_THE_MACHINE_S |= {errno.EMFILE, errno.ENFILE}


def not_written(path: Path | str, error: OSError) -> OutputError | UsageError:
    """What to raise for a file that could not be written: a full disk is nobody's usage."""
    kind = OutputError if error.errno in _THE_MACHINE_S else UsageError
    return kind(f"{path} was not written: {error.strerror or error}")


@contextmanager
def writing_to(path: Path | str) -> Iterator[None]:
    """Around whatever writes a file that somebody has asked for.

    Raises:
        UsageError: it cannot be written there.
        OutputError: there is no room.
        BrokenPipeError: it is a pipe, and nobody reads from it any more.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise not_written(path, error) from error
