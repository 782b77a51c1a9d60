"""The grader's side of the sandbox: starts fork servers and sends them runs.

One server serves one program; a `SandboxExecutor` keeps the few that a grading needs (the
submission's, the reference's). A run that fails through our own fault is tried once more on a
fresh server.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections import OrderedDict
from pathlib import Path
from typing import Any

import grader
from grader.errors import SandboxError
from grader.model.execution import Ending, Limits, RunOutcome, RunRequest, Submission, Usage
from grader.sandbox import protocol
from grader.sandbox.identity import PrivateUser
from grader.sandbox.waiting import MOST_STRETCH

_START_SECONDS = 120.0
"""For importing torch on a cold disk."""
_ANSWER_SLACK_SECONDS = 30.0
_SERVERS_KEPT = 3
_CPU_TIMER_SLACK_SECONDS = 0.02
_ENVIRONMENT_KEPT = ("LD_LIBRARY_PATH", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
_THREAD_STACK_BYTES = 1 << 20
_BOOT = (
    "import sys; sys.path.insert(0, {root!r}); from grader.sandbox.server import start; "
    "sys.path.remove({root!r}); start()"
)


class ForkServer:
    """A running server for one program. A program that cannot be started is told by `hello`."""

    def __init__(self, submission: Submission, options: dict[str, Any], hash_seed: int) -> None:
        self._stack = contextlib.ExitStack()
        try:
            self._start(submission, options, hash_seed)
        except BaseException:
            self.close()
            raise

    def _start(self, submission: Submission, options: dict[str, Any], hash_seed: int) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket = self._stack.enter_context(ours)
        self._scratch = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="grader-"))
        self._words = _memory_file(self._stack, "server-stderr")
        source = _memory_file(self._stack, "source")
        _write(source, submission.source)
        arguments = [str(theirs.fileno()), str(source)]
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-P", "-s", "-B", "-c", _BOOT.format(root=_root()), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._words,
                pass_fds=(theirs.fileno(), source),
                env=self._environment(hash_seed),
                start_new_session=True,
                preexec_fn=_small_thread_stacks,
            )
        self._stack.callback(self._end_process)
        # Not among the arguments, where every program could read them.
        ours.send(json.dumps(options).encode())

    @functools.cached_property
    def hello(self) -> dict[str, Any]:
        """What the server says when it is ready. It starts while this is not yet asked for.

        Raises:
            SandboxError: it could not be started.
        """
        message: dict[str, Any] = json.loads(self._receive(_START_SECONDS, protocol.HELLO_BYTES))
        return message

    def _environment(self, hash_seed: int) -> dict[str, str]:
        kept = {name: os.environ[name] for name in _ENVIRONMENT_KEPT if name in os.environ}
        fixed = {
            "LANG": "C.UTF-8",
            "PYTHONIOENCODING": "utf-8:strict",
            "PYTHONHASHSEED": str(hash_seed),
            "HOME": "/",
            "TORCHINDUCTOR_CACHE_DIR": self._scratch,
            "TMPDIR": self._scratch,
        }
        return kept | fixed | dict.fromkeys(_THREADS, "1")

    def _end_process(self) -> None:
        self._process.kill()
        self._process.wait()

    def run(self, stdin: bytes, limits: Limits) -> RunOutcome:
        """Run the program once.

        Raises:
            SandboxError: the server died, does not answer, or could not confine the program.
        """
        with contextlib.ExitStack() as files:
            # Fresh ones: a program may leave flags on a descriptor for the next run to find.
            streams = [_memory_file(files, name) for name in ("stdin", "stdout", "stderr")]
            _write(streams[0], stdin)
            every_seal = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW
            fcntl.fcntl(streams[0], fcntl.F_ADD_SEALS, every_seal | fcntl.F_SEAL_WRITE)
            return self._outcome(self._tale(streams, limits), limits, streams[1:])

    def _tale(self, streams: list[int], limits: Limits) -> protocol.Tale:
        if self.hello["through"]:
            raise SandboxError(f"not confined: {self.hello['through'][0]} got through")
        order = protocol.Order(
            limits.wall_seconds, limits.cpu_seconds, limits.memory_bytes, limits.output_bytes
        )
        try:
            socket.send_fds(self._socket, [order.pack()], streams)
        except OSError as error:
            raise SandboxError(f"the sandbox's server is gone ({error})") from error
        patience = limits.wall_seconds * MOST_STRETCH + _ANSWER_SLACK_SECONDS
        tale = protocol.Tale.unpack(self._receive(patience, protocol.TALE_BYTES))
        if tale.how == protocol.HOW.not_started:
            raise SandboxError(f"a program could not be confined: {tale.trouble}")
        return tale

    def _receive(self, seconds: float, size: int) -> bytes:
        self._socket.settimeout(seconds)
        try:
            message = self._socket.recv(size)
        except OSError as error:
            raise SandboxError(f"the sandbox's server does not answer ({error})") from error
        if not message:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(5)
            words = os.pread(self._words, 4000, 0).decode(errors="replace").strip()
            status = self._process.returncode
            raise SandboxError(f"the sandbox's server ended with status {status}: {words}")
        return message

    def _outcome(self, tale: protocol.Tale, limits: Limits, streams: list[int]) -> RunOutcome:
        sizes = [os.fstat(stream).st_size for stream in streams]
        most = limits.output_bytes
        killed = os.WIFSIGNALED(tale.status)
        if tale.how == protocol.HOW.wall_limit or (killed and _by_cpu_timer(tale, limits)):
            ending = Ending.OVER_TIME
        elif max(sizes) > most:
            ending = Ending.OVER_OUTPUT
        elif tale.out_of_memory:
            ending = Ending.OVER_MEMORY
        else:
            ending = Ending.SIGNALLED if killed else Ending.EXITED
        return RunOutcome(
            ending=ending,
            status=os.WTERMSIG(tale.status) if killed else os.WEXITSTATUS(tale.status),
            stdout=_read(streams[0], min(sizes[0], most)),
            stderr=_read(streams[1], min(sizes[1], most)),
            usage=Usage(
                wall_seconds=tale.wall_seconds,
                cpu_seconds=tale.cpu_seconds,
                peak_memory_bytes=tale.peak_memory_bytes,
            ),
            waited_seconds=None if tale.waited_seconds < 0 else tale.waited_seconds,
        )

    @property
    def process_id(self) -> int:
        return self._process.pid

    def close(self) -> None:
        """End the server; whatever it was running ends with it."""
        self._stack.close()


class SandboxExecutor:
    """Runs programs confined, each on a server of its own. Close it, or use it in a `with`."""

    def __init__(
        self, *, machine: str, abi: int, secrets: tuple[Path, ...] = (), hash_seed: int = 0
    ) -> None:
        self._options = {"machine": machine, "abi": abi, "secrets": [str(s) for s in secrets]}
        self._hash_seed = hash_seed
        self._servers: OrderedDict[str, ForkServer] = OrderedDict()
        self._user = PrivateUser() if os.geteuid() == 0 else None

    @property
    def has_private_user(self) -> bool:
        return self._user is not None

    def run(self, request: RunRequest) -> RunOutcome:
        """Run once; see `model.execution.Executor`."""
        try:
            return self._run(request)
        except SandboxError:
            return self._run(request)

    def _run(self, request: RunRequest) -> RunOutcome:
        try:
            return self.server(request.submission).run(request.stdin, request.limits)
        except BaseException:
            # Also when interrupted: the answer would still come, and be taken for the next run's.
            self._drop(request.submission.digest)
            raise

    def server(self, submission: Submission) -> ForkServer:
        """The server of a program, started when it is first needed."""
        key = submission.digest
        if key not in self._servers:
            if len(self._servers) >= _SERVERS_KEPT:
                self._drop(next(iter(self._servers)))
            uid = self._user.uid if self._user else None
            options = {**self._options, "name": submission.name, "uid": uid}
            self._servers[key] = ForkServer(submission, options, self._hash_seed)
        self._servers.move_to_end(key)
        return self._servers[key]

    def _drop(self, key: str) -> None:
        server = self._servers.pop(key, None)
        if server is not None:
            server.close()

    def close(self) -> None:
        for key in list(self._servers):
            self._drop(key)
        if self._user:
            self._user.close()

    def __enter__(self) -> SandboxExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _by_cpu_timer(tale: protocol.Tale, limits: Limits) -> bool:
    by_timer = os.WTERMSIG(tale.status) in (signal.SIGKILL, signal.SIGXCPU)
    return by_timer and tale.cpu_seconds >= limits.cpu_seconds - _CPU_TIMER_SLACK_SECONDS


def _memory_file(owner: contextlib.ExitStack, name: str) -> int:
    descriptor = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    owner.callback(os.close, descriptor)
    return descriptor


def _write(descriptor: int, content: bytes) -> None:
    done = 0
    while done < len(content):
        done += os.pwrite(descriptor, content[done:], done)


def _read(descriptor: int, size: int) -> bytes:
    return os.pread(descriptor, size, 0) if size else b""


def _root() -> str:
    """The folder that holds this package, so that the server can import its three modules."""
    return str(Path(grader.__file__).resolve().parent.parent)


def _small_thread_stacks() -> None:
    """RLIMIT_DATA counts the stacks of threads; the C library takes their size from here."""
    import resource

    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    resource.setrlimit(resource.RLIMIT_STACK, (_THREAD_STACK_BYTES, hard))
