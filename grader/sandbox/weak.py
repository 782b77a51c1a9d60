"""Level `weak`: a plain subprocess per run, where this machine cannot confine programs.

For practice only. It keeps the time limits and the size of the output everywhere, the rest with
rlimits where there are any; it hides no file and forbids no call. Works without `resource`,
`fcntl` and `pwd` (Windows has none of them).
"""

from __future__ import annotations

import contextlib
import importlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from grader.errors import SandboxError
from grader.model.execution import Ending, Limits, RunOutcome, RunRequest, Usage
from grader.sandbox.waiting import stretched, waited_seconds

_POLL_SECONDS = 0.002
_BACKOFF = 1.2
_SLOWEST_POLL_SECONDS = 0.02


def _optional(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


class WeakExecutor:
    """Runs programs as plain subprocesses. Close it, or use it in a `with`."""

    def __init__(self, *, hash_seed: int = 0) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="grader-weak-")
        # GRADER_SECRET_SEED, for one, is none of the program's business.
        public = {name: v for name, v in os.environ.items() if not name.startswith("GRADER_")}
        fixed = {"PYTHONIOENCODING": "utf-8:strict", "PYTHONHASHSEED": str(hash_seed)}
        self._environment = public | fixed

    def run(self, request: RunRequest) -> RunOutcome:
        """Run once; see `model.execution.Executor`."""
        folder = Path(self._folder.name)
        program = folder / request.submission.name
        try:
            program.write_bytes(request.submission.source)
            with (
                tempfile.TemporaryFile(dir=folder) as stdin,
                tempfile.TemporaryFile(dir=folder) as stdout,
                tempfile.TemporaryFile(dir=folder) as stderr,
            ):
                stdin.write(request.stdin)
                stdin.seek(0)
                return self._run(program, request.limits, stdin, stdout, stderr)
        except OSError as error:
            raise SandboxError(f"a program could not be started: {error}") from error

    def _run(
        self, program: Path, limits: Limits, stdin: IO[bytes], stdout: IO[bytes], stderr: IO[bytes]
    ) -> RunOutcome:
        begun = time.monotonic()
        process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-B", str(program)],  # what is installed for one user is found
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            cwd=program.parent,
            env=self._environment,
            start_new_session=os.name == "posix",
            preexec_fn=_limiter(limits),
        )
        try:
            watch = _Watch(process, limits, begun, (stdout, stderr))
            watch.wait()
        finally:
            _end(process)
        return watch.outcome()

    def close(self) -> None:
        self._folder.cleanup()

    def __enter__(self) -> WeakExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Watch:
    """One process from start to end: first everything is recorded, then it is told."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        limits: Limits,
        begun: float,
        outputs: tuple[IO[bytes], IO[bytes]],
    ) -> None:
        self._process, self._limits, self._begun, self._outputs = process, limits, begun, outputs
        self._status: int | None = None
        self._usage = Usage()
        self._late = False
        self._allowed = limits.wall_seconds
        self._waited: float | None = None

    def wait(self) -> None:
        pause = _POLL_SECONDS
        while not self._ended():
            self._late = self._is_late(time.monotonic() - self._begun)
            if self._late:
                _kill(self._process)
                self._ended(block=True)  # what it used is told at its end
            if self._late or self._flooded():
                return
            time.sleep(pause)
            pause = min(pause * _BACKOFF, _SLOWEST_POLL_SECONDS)

    def _is_late(self, seconds: float) -> bool:
        """Whether the wall limit is reached, not counting what it waited for a core."""
        if seconds > self._allowed:
            self._waited = waited_seconds(self._process.pid)
            self._allowed = stretched(self._limits.wall_seconds, self._waited)
        return seconds > self._allowed

    def _ended(self, *, block: bool = False) -> bool:
        wait4 = getattr(os, "wait4", None)
        if wait4 is None:
            self._status = self._process.poll()
        else:
            pid, status, used = wait4(self._process.pid, 0 if block else os.WNOHANG)
            if pid:
                self._status = os.waitstatus_to_exitcode(status)
                self._process.returncode = self._status
                per_unit = 1 if sys.platform == "darwin" else 1024
                self._usage = Usage(
                    cpu_seconds=used.ru_utime + used.ru_stime,
                    peak_memory_bytes=used.ru_maxrss * per_unit,
                )
        return self._status is not None

    def _flooded(self) -> bool:
        sizes = [os.fstat(output.fileno()).st_size for output in self._outputs]
        return max(sizes) > self._limits.output_bytes

    def outcome(self) -> RunOutcome:
        limits, status = self._limits, self._status
        used_cpu = self._usage.cpu_seconds >= limits.cpu_seconds
        signalled = status is not None and status < 0
        if self._late or (signalled and used_cpu):
            ending = Ending.OVER_TIME
        elif self._flooded():
            ending = Ending.OVER_OUTPUT
        else:
            ending = Ending.SIGNALLED if signalled else Ending.EXITED
        stdout, stderr = (_content(output, limits.output_bytes) for output in self._outputs)
        if ending is Ending.EXITED and status and b"\nMemoryError" in b"\n" + stderr[-500:]:
            ending = Ending.OVER_MEMORY
        return RunOutcome(
            ending=ending,
            status=abs(status or 0),
            stdout=stdout,
            stderr=stderr,
            usage=Usage(wall_seconds=time.monotonic() - self._begun) + self._usage,
            waited_seconds=self._waited if self._late else None,
        )


def _content(output: IO[bytes], most: int) -> bytes:
    output.seek(0)
    return output.read(most)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill what is left of a process, and of its group, and wait for it."""
    _kill(process)
    if process.returncode is None:
        process.wait()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process with its group: only this program started it."""
    killpg = getattr(os, "killpg", None)
    with contextlib.suppress(OSError):
        if killpg is not None:
            killpg(process.pid, 9)
        else:
            process.kill()


def _limiter(limits: Limits) -> Callable[[], None] | None:
    """A function for the child that sets the limits this system knows."""
    resource = _optional("resource")
    if resource is None or os.name != "posix":
        return None
    cpu = int(limits.cpu_seconds) + 1
    wanted = {
        "RLIMIT_CPU": cpu,
        "RLIMIT_FSIZE": limits.output_bytes + 1,
        "RLIMIT_CORE": 0,
        "RLIMIT_DATA": limits.memory_bytes + (64 << 20),
    }
    kinds = {getattr(resource, name): value for name, value in wanted.items()}

    def limit() -> None:
        for kind, value in kinds.items():
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(kind, (value, value))

    return limit
