"""How a judging process is started: directly, or from a nursery once one has paid for itself.

Both give a process with `stdin`, `stdout`, `terminate`, `kill` and `wait`; a nursery that is not
ready, or has died, holds nobody up.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from typing import IO, BinaryIO, Protocol

import msgspec

import grader
from grader.worker.nursery import MESSAGE_BYTES, READY, STATUS_BYTES, Birth

_STARTED_DIRECTLY = 4
"""A single grading has no more (`run.MOST_LANES`): only for others is a nursery worth its start."""
_ANSWER_SECONDS = 3.0
_NOBODY_KNOWS = 255
"""How a judging process ended whose nursery was ended: through no fault of a lab."""
_MOST_NURSERIES = 3
"""Where so many have died there is something in their way."""


class Process(Protocol):
    """A judging process, as `subprocess.Popen` has it."""

    stdin: IO[bytes] | None
    stdout: IO[bytes] | None

    def terminate(self) -> None: ...

    def kill(self) -> None: ...

    def wait(self, timeout: float | None = None) -> int:
        """Its exit status, or the negative number of the signal that ended it.

        Raises:
            subprocess.TimeoutExpired: it has not ended by then.
        """
        ...


def spawn(words: BinaryIO) -> Process:
    """Start a judging process.

    Args:
        words: gets what it says on stderr.
    """
    return _starting.spawn(words)


class Starting:
    """Counts starts, and keeps the nursery, which ends with this process.

    Args:
        directly: so many judging processes are started before there is one.
    """

    def __init__(self, directly: int = _STARTED_DIRECTLY) -> None:
        self._directly = directly
        self._lock = threading.Lock()
        self._count = 0
        self._nursery: _Nursery | None = None
        self._nurseries_left = _MOST_NURSERIES

    def spawn(self, words: BinaryIO) -> Process:
        """See `spawn`."""
        environment = _environment()
        with self._lock:
            self._count += 1
            process = None
            if self._count > self._directly and hasattr(os, "pidfd_open"):
                process = self._from_nursery(environment, words)
        if process is not None:
            return process
        return subprocess.Popen(
            [sys.executable, "-P", "-B", "-m", "grader.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=words,
            env=environment,
            start_new_session=os.name == "posix",
        )

    def _from_nursery(self, environment: dict[str, str], words: BinaryIO) -> Process | None:
        if self._nursery is not None and not self._nursery.is_alive():
            self._nursery = None
        try:
            if self._nursery is None and self._nurseries_left:
                self._nurseries_left -= 1
                self._nursery = _Nursery(environment)
            if self._nursery is None or not self._nursery.serves(environment):
                return None
            return self._nursery.give_birth(environment, words)
        except OSError:
            self._nursery = None  # what it has started goes on
            return None
        except BaseException:  # its answer may still come, and be taken for another's
            self._nursery = None
            raise


class _Nursery:
    """The driver's side of one."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._startup, self._ready = _of_startup(environment), False
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-P", "-B", "-m", "grader.worker.nursery", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                env=environment,
                start_new_session=True,
            )
        self._socket.settimeout(_ANSWER_SECONDS)
        atexit.register(self.close)

    def serves(self, environment: dict[str, str]) -> bool:
        """Whether it is ready, and its interpreter was started as one would be now."""
        return self._startup == _of_startup(environment) and self._is_ready()

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def _is_ready(self) -> bool:
        if not self._ready and _is_readable(self._socket.fileno(), 0):
            self._ready = self._socket.recv(len(READY)) == READY
        return self._ready

    def give_birth(self, environment: dict[str, str], words: BinaryIO) -> Process | None:
        """A judging process; None where it cannot be had."""
        as_bytes = {os.fsencode(name): os.fsencode(word) for name, word in environment.items()}
        birth = Birth(environment=as_bytes, cores=sorted(os.sched_getaffinity(0)))
        message = msgspec.msgpack.encode(birth)
        if len(message) > MESSAGE_BYTES:
            return None
        with contextlib.ExitStack() as theirs, contextlib.ExitStack() as ours:
            folder = os.open(".", os.O_PATH | os.O_DIRECTORY)
            theirs.callback(os.close, folder)
            stdin, our_stdin = _pipe(theirs, ours)
            our_stdout, stdout = _pipe(ours, theirs)
            our_status, status = _pipe(ours, theirs)
            given = [stdin, stdout, words.fileno(), folder, status]
            socket.send_fds(self._socket, [message], given)
            said, handles, _, _ = socket.recv_fds(self._socket, 1024, 1)
            if said != READY or not handles:
                return None
            ours.pop_all()
            return _Child(handles[0], our_stdin, our_stdout, our_status)

    def close(self) -> None:
        """End it, and whatever it has started."""
        self._socket.close()
        self._process.kill()
        self._process.wait()


class _Child:
    """A judging process that a nursery has forked."""

    def __init__(self, handle: int, stdin: int, stdout: int, status: int) -> None:
        self._handle, self._status = handle, os.fdopen(status, "rb", 0)
        self.stdin: IO[bytes] | None = os.fdopen(stdin, "wb")
        self.stdout: IO[bytes] | None = os.fdopen(stdout, "rb")
        self._code: int | None = None
        self._lock = threading.Lock()
        """One thread may kill it while another waits for it."""

    def terminate(self) -> None:
        self._send(signal.SIGTERM)

    def kill(self) -> None:
        self._send(signal.SIGKILL)

    def _send(self, number: signal.Signals) -> None:
        with self._lock:
            if self._code is None:
                with contextlib.suppress(ProcessLookupError):
                    signal.pidfd_send_signal(self._handle, number)

    def wait(self, timeout: float | None = None) -> int:
        if self._code is None:
            if not _is_readable(self._status.fileno(), timeout):
                raise subprocess.TimeoutExpired("grader.worker", timeout or 0.0)
            said = self._status.read(STATUS_BYTES)
            with self._lock:
                # Nothing is said where the nursery was killed, and this process with it.
                self._code = int.from_bytes(said, signed=True) if said else _NOBODY_KNOWS
                os.close(self._handle)
            self._status.close()
        return self._code


def _pipe(reads: contextlib.ExitStack, writes: contextlib.ExitStack) -> tuple[int, int]:
    """A pipe whose ends belong to these."""
    ends = os.pipe()
    for owner, end in zip((reads, writes), ends, strict=True):
        owner.callback(os.close, end)
    return ends


def _is_readable(descriptor: int, seconds: float | None) -> bool:
    """Whether there is something to read, or nobody who could write, within so many seconds."""
    poll = select.poll()  # `select` knows no descriptor above 1023
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(None if seconds is None else seconds * 1000))


def _environment() -> dict[str, str]:
    """So that it imports this very package, also from a checkout that is not installed."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(grader.__file__)))
    rest = os.environ.get("PYTHONPATH")
    path = root + (os.pathsep + rest if rest else "")
    return {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": path}


def _of_startup(environment: dict[str, str]) -> dict[str, str]:
    """The part of it that an interpreter reads only when it starts."""
    names = ("PYTHON", "LC_", "LANG", "LD_", "GLIBC_", "MALLOC_")
    return {name: value for name, value in environment.items() if name.startswith(names)}


_starting = Starting()
