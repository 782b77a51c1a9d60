"""A judging process: started, listened to, and ended, whatever it does in between."""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import threading
import time

from grader.errors import UsageError, WorkerError
from grader.worker.job import IN_TURNS, AnyEvent, Done, Failed, Job, Turn, decode_event, encode
from grader.worker.spawn import spawn

_LAST_SECONDS = 10.0
_AFTER_A_STOP_SECONDS = 0.5
_TIDYING_SECONDS = 2.0
"""At level weak it ends its program and removes its folder; elsewhere it just ends."""
_WORDS_BYTES = 2000


class BudgetUsedUp(Exception):
    """The time for the whole grading is over."""


class Stopped(Exception):
    """The worker was ended by `Workers.stop`, or not even started."""


class _Words:
    """What a process says on stderr: the end of it is kept, and nothing goes to a disk, which it
    might fill and where it would stay behind.

    A `with` around the start of the process: it writes to `file`.
    """

    def __init__(self) -> None:
        reads, writes = os.pipe()
        self.file = os.fdopen(writes, "wb")
        self._thread = threading.Thread(target=self._keep, args=[reads], daemon=True)
        self._kept = b""

    def _keep(self, reads: int) -> None:
        with os.fdopen(reads, "rb", 0) as said:
            while more := said.read(1 << 16):
                self._kept = (self._kept + more)[-_WORDS_BYTES:]

    def last_line(self) -> str:
        """Once the process has ended; empty if it said nothing."""
        self._thread.join(_LAST_SECONDS)
        lines = self._kept.decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else ""

    def __enter__(self) -> _Words:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()
        self._thread.start()


class Worker:
    """A judging process and a thread that reads what it says."""

    def __init__(self, job: Job) -> None:
        message = _encoded(job)
        self.ended = self._stopped = self._said_all = False
        self._stack = contextlib.ExitStack()
        self._events: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        with _Words() as self._words:
            self._process = spawn(self._words.file)
        self._stack.callback(self._end)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._send(message)
        if job.task not in IN_TURNS:
            self.no_more_turns()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._events.put(line)
        self._events.put(b"")

    def hear(self, silence: float, deadline: float | None) -> AnyEvent:
        """The next event.

        Raises:
            WorkerError: the worker died, or said nothing for `silence` seconds.
            BudgetUsedUp: the deadline has passed.
            Stopped: somebody called `stop`.
        """
        left = silence if deadline is None else min(silence, deadline - time.monotonic())
        line = self._next(left)
        if line is None and deadline is not None and time.monotonic() >= deadline:
            raise BudgetUsedUp
        # Whoever has stopped us (Ctrl-Z) has stopped the reader, too: it may have something.
        line = self._next(_AFTER_A_STOP_SECONDS) if line is None else line
        if line is None:
            raise WorkerError(
                f"the judging process said nothing for {silence:g} s: a check of this lab hangs",
                fault="author",
            )
        is_cut_off = not line.endswith(b"\n")
        if is_cut_off and self._stopped:
            raise Stopped
        if is_cut_off:
            status = self._process.wait()
            last = self._words.last_line()
            words = f": {last}" if last else ""
            killed = "author" if status < 0 else "grader"
            raise WorkerError(f"the judging process ended with status {status}{words}", killed)
        event: AnyEvent = decode_event(line)
        self._said_all = isinstance(event, Done | Failed)
        return event

    def _next(self, seconds: float) -> bytes | None:
        try:
            return self._events.get(timeout=max(0.0, seconds))
        except queue.Empty:
            return None

    def take(self, turn: Turn) -> None:
        """Have it grade a group."""
        self._send(encode(turn))

    def no_more_turns(self) -> None:
        """It is done, and ends."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def _send(self, message: bytes) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # it is dead: `hear` will say so
            self._process.stdin.write(message + b"\n")
            self._process.stdin.flush()

    def stop(self) -> None:
        """End it from another thread; who listens to it gets `Stopped`."""
        self._stopped = True
        self._process.terminate()
        last_resort = threading.Timer(_TIDYING_SECONDS, self._process.kill)
        last_resort.daemon = True
        try:
            last_resort.start()
        except RuntimeError:  # no more threads
            self._process.kill()

    def _end(self) -> None:
        self.ended = True
        if self._said_all:  # it ends what it has started, and then itself
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_LAST_SECONDS)
        self._process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_TIDYING_SECONDS)
        self._process.kill()
        self._process.wait()
        self.no_more_turns()
        self._reader.join()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()


def _encoded(job: Job) -> bytes:
    try:
        return encode(job)
    except UnicodeEncodeError as error:
        raise UsageError(
            f"{error.object!r} is not UTF-8: rename the file, or the folder that it is in"
        ) from error


class Workers:
    """The workers of several threads, which an interruption ends all at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._all: list[Worker] = []
        self._stopped = False

    def start(self, job: Job) -> Worker:
        """A worker, for a `with`.

        Raises:
            Stopped: `stop` was called.
        """
        with self._lock:
            if self._stopped:
                raise Stopped
            self._all = [worker for worker in self._all if not worker.ended]
            self._all.append(worker := Worker(job))
            return worker

    def stop(self) -> None:
        """End all workers and start no other; who listens to one gets `Stopped`."""
        with self._lock:
            self._stopped = True
            for worker in self._all:
                worker.stop()
