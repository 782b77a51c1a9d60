"""A judging process: started, listened to, and ended, whatever it does in between."""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time

import grader
from grader.errors import WorkerError
from grader.worker.job import AnyEvent, Job, decode_event, encode


class BudgetUsedUp(Exception):
    """The time for the whole grading is over."""


class Worker:
    """A judging process and a thread that reads what it says."""

    def __init__(self, job: Job) -> None:
        self._stack = contextlib.ExitStack()
        self._events: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        folder = self._stack.enter_context(
            tempfile.TemporaryDirectory(prefix="grader-", ignore_cleanup_errors=True)
        )
        self._words = self._stack.enter_context(tempfile.TemporaryFile(dir=folder))  # noqa: SIM115
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-B", "-m", "grader.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._words,
            env={**os.environ, "PYTHONHASHSEED": "0", "TMPDIR": folder, **_import_path()},
            start_new_session=os.name == "posix",
        )
        self._stack.callback(self._end)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.write(encode(job) + b"\n")
            self._process.stdin.close()

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
        """
        left = silence if deadline is None else min(silence, deadline - time.monotonic())
        try:
            line = self._events.get(timeout=max(0.0, left))
        except queue.Empty:
            if deadline is not None and time.monotonic() >= deadline:
                raise BudgetUsedUp from None
            raise WorkerError(
                f"the judging process said nothing for {silence:g} s: a check of this lab hangs",
                fault="author",
            ) from None
        if not line:
            status = self._process.wait()
            self._words.seek(0)
            last = self._words.read()[-2000:].decode(errors="replace").strip().splitlines()
            words = f": {last[-1]}" if last else ""
            killed = "author" if status < 0 else "grader"
            raise WorkerError(f"the judging process ended with status {status}{words}", killed)
        event: AnyEvent = decode_event(line)
        return event

    def _end(self) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()


def _import_path() -> dict[str, str]:
    """So that the worker imports this very package, also from a checkout that is not installed."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(grader.__file__)))
    rest = os.environ.get("PYTHONPATH")
    return {"PYTHONPATH": root + (os.pathsep + rest if rest else "")}
