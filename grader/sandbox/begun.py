"""One run from the grader's side: its files, and what it amounts to when it has ended."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, field

from grader.model.execution import Ending, Limits, RunOutcome, Usage
from grader.sandbox import protocol

_CPU_TIMER_SLACK_SECONDS = 0.02


@dataclass(slots=True, eq=False)
class Begun:
    """A run that was begun: its limits, its files, and how it ended when that is known."""

    limits: Limits
    files: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    streams: list[int] = field(default_factory=list)
    tale: protocol.Tale | None = None

    def open(self, stdin: bytes) -> None:
        """Its three streams. Fresh ones: a program may leave flags on a descriptor to be found."""
        self.streams += [memory_file(self.files, name) for name in ("stdin", "stdout", "stderr")]
        write(self.streams[0], stdin)
        every_seal = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW
        fcntl.fcntl(self.streams[0], fcntl.F_ADD_SEALS, every_seal | fcntl.F_SEAL_WRITE)

    def outcome(self, was_too_large: Callable[[int], bool]) -> RunOutcome:
        """What the run came to, once its tale is known.

        Args:
            was_too_large: whether the kernel has ended a process with this status for its size.
        """
        tale = self.tale
        assert tale is not None
        _, *outputs = self.streams
        sizes = [os.fstat(stream).st_size for stream in outputs]
        most = self.limits.output_bytes
        killed = os.WIFSIGNALED(tale.status)
        if tale.how == protocol.HOW.wall_limit or (killed and self._by_cpu_timer(tale)):
            ending = Ending.OVER_TIME
        elif max(sizes) > most:
            ending = Ending.OVER_OUTPUT
        elif tale.out_of_memory or was_too_large(tale.status):
            ending = Ending.OVER_MEMORY
        else:
            ending = Ending.SIGNALLED if killed else Ending.EXITED
        stdout, stderr = (
            os.pread(stream, min(size, most), 0) if size else b""
            for stream, size in zip(outputs, sizes, strict=True)
        )
        return RunOutcome(
            ending=ending,
            status=os.WTERMSIG(tale.status) if killed else os.WEXITSTATUS(tale.status),
            stdout=stdout,
            stderr=stderr,
            usage=Usage(
                wall_seconds=tale.wall_seconds,
                cpu_seconds=tale.cpu_seconds,
                peak_memory_bytes=tale.peak_memory_bytes,
            ),
            waited_seconds=None if tale.waited_seconds < 0 else tale.waited_seconds,
        )

    def _by_cpu_timer(self, tale: protocol.Tale) -> bool:
        by_timer = os.WTERMSIG(tale.status) in (signal.SIGKILL, signal.SIGXCPU)
        return by_timer and tale.cpu_seconds >= self.limits.cpu_seconds - _CPU_TIMER_SLACK_SECONDS


def memory_file(owner: contextlib.ExitStack, name: str) -> int:
    """The descriptor of an empty file in memory, which the owner closes."""
    descriptor = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    owner.callback(os.close, descriptor)
    return descriptor


def write(descriptor: int, content: bytes) -> None:
    """All of it, from the file's beginning."""
    done = 0
    while done < len(content):
        done += os.pwrite(descriptor, content[done:], done)
