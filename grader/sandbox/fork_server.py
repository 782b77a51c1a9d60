"""The grader's side of one fork server: starts it, sends it runs, and ends it.

Runs may be begun before the last one has ended; they end in the order in which they were begun.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grader
from grader.errors import SandboxError
from grader.model.execution import Ending, Limits, RunOutcome, Submission, Usage
from grader.sandbox import bubblewrap, protocol
from grader.sandbox.cgroup import ControlGroup
from grader.sandbox.identity import PrivateUser
from grader.sandbox.waiting import MOST_STRETCH

_PACKAGE = Path(grader.__file__).resolve().parent
_START_SECONDS = 120.0
"""For importing torch on a cold disk."""
_ANSWER_SLACK_SECONDS = 30.0
_CPU_TIMER_SLACK_SECONDS = 0.02
_ENVIRONMENT_KEPT = ("LD_LIBRARY_PATH", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
_THREAD_STACK_BYTES = 1 << 20
_BOOT = (
    "import sys; sys.path.insert(0, {root!r}); from grader.sandbox.server import start; "
    "sys.path.remove({root!r}); start()"
)


@dataclass(slots=True, eq=False)
class Begun:
    """A run that was begun: its limits, its files, and how it ended when that is known."""

    limits: Limits
    files: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    streams: list[int] = field(default_factory=list)
    tale: protocol.Tale | None = None


class ForkServer:
    """A running server for one program. A program that cannot be started is told by `hello`."""

    def __init__(
        self,
        submission: Submission,
        options: dict[str, Any],
        hash_seed: int,
        *,
        enclosed: bool,
        cgroup: Path | None = None,
    ) -> None:
        self._stack = contextlib.ExitStack()
        self._unfinished: list[Begun] = []
        self._group: ControlGroup | None = None
        self._machine_kills = _kills_for_memory()
        try:
            if cgroup is not None:
                with contextlib.suppress(OSError):
                    group = contextlib.closing(ControlGroup(cgroup))
                    self._group = self._stack.enter_context(group)
            self._start(submission, options, hash_seed, enclosed=enclosed)
        except BaseException:
            self.close()
            raise

    def _start(
        self, submission: Submission, options: dict[str, Any], hash_seed: int, *, enclosed: bool
    ) -> None:
        uid = None
        if os.geteuid() == 0:  # of its own: programs of two servers may run at the same time
            uid = self._stack.enter_context(contextlib.closing(PrivateUser())).uid
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket = self._stack.enter_context(ours)
        # The server makes it, if at all, and removes it, unless it is ended just then.
        self._scratch = os.path.join(tempfile.gettempdir(), f"grader-{uuid.uuid4()}")
        self._stack.callback(shutil.rmtree, self._scratch, ignore_errors=True)
        self._words = _memory_file(self._stack, "server-stderr")
        source = _memory_file(self._stack, "source")
        _write(source, submission.source)
        boot = _BOOT.format(root=str(_PACKAGE.parent))
        command = [sys.executable, "-P", "-s", "-B", "-c", boot, str(theirs.fileno()), str(source)]
        self._info = _memory_file(self._stack, "info") if enclosed else None
        if self._info is not None:
            command = bubblewrap.enclosed(command, _PACKAGE, self._info)
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._words,
                pass_fds=(theirs.fileno(), source, *filter(None, (self._info,))),
                env=self._environment(hash_seed),
                start_new_session=True,
                preexec_fn=functools.partial(_set_up, self._group),
            )
        self._stack.callback(self._end_process)
        # Not among the arguments, where every program could read them.
        with contextlib.suppress(OSError):  # it has ended already: why, is told instead of hello
            ours.send(json.dumps({**options, "uid": uid}).encode())

    @functools.cached_property
    def hello(self) -> dict[str, Any]:
        """What the server says when it is ready. It starts while this is not yet asked for.

        Raises:
            SandboxError: it could not be started.
        """
        message = self._receive(_START_SECONDS, protocol.HELLO_BYTES)
        try:
            hello: dict[str, Any] = json.loads(message)
            if not hello.keys() >= protocol.HELLO_KEYS:
                raise ValueError("no hello")
        except (ValueError, AttributeError, TypeError, RecursionError) as error:
            raise SandboxError("the sandbox's server does not say how it confines") from error
        return hello

    def _environment(self, hash_seed: int) -> dict[str, str]:
        kept = {name: os.environ[name] for name in _ENVIRONMENT_KEPT if name in os.environ}
        fixed = {
            "LANG": "C.UTF-8",
            "PYTHONIOENCODING": "utf-8:strict",
            "PYTHONHASHSEED": str(hash_seed),
            "HOME": "/",
            "TMPDIR": self._scratch,
            "TORCHINDUCTOR_CACHE_DIR": self._scratch,
        }
        return kept | fixed | dict.fromkeys(_THREADS, "1")

    def _end_process(self) -> None:
        # Of bubblewrap the first process inside: with it all others go, and the one outside waits
        # for it, so that not even a zombie is left to whoever adopts orphans.
        inner = bubblewrap.first_process(self._info) if self._info is not None else None
        if inner is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(inner, signal.SIGKILL)
        elif self._process.returncode is None:  # once it was waited for, its number is another's
            # Both processes of bubblewrap at once: the one inside would wait for ever for the one
            # outside to let it begin. (A session of its own: see `_start`.)
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def begin(self, stdin: bytes, limits: Limits) -> Begun:
        """Start the program, or let it wait behind the runs that were begun before.

        Raises:
            SandboxError: the server died.
        """
        if self.hello["through"]:
            raise SandboxError(f"not confined: {self.hello['through'][0]} got through")
        if self._group is not None:
            self._group.limit(limits.memory_bytes, limits.output_bytes)
        begun = Begun(limits)
        self._unfinished.append(begun)
        # Fresh ones: a program may leave flags on a descriptor for the next run to find.
        begun.streams += [_memory_file(begun.files, name) for name in ("stdin", "stdout", "stderr")]
        _write(begun.streams[0], stdin)
        every_seal = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW
        fcntl.fcntl(begun.streams[0], fcntl.F_ADD_SEALS, every_seal | fcntl.F_SEAL_WRITE)
        order = protocol.Order(
            limits.wall_seconds, limits.cpu_seconds, limits.memory_bytes, limits.output_bytes
        )
        try:
            socket.send_fds(self._socket, [order.pack()], begun.streams)
        except OSError as error:
            raise SandboxError(f"the sandbox's server is gone ({error})") from error
        return begun

    def finish(self, begun: Begun) -> RunOutcome:
        """Wait for the end of a run, and of those begun before it; once for each.

        Raises:
            SandboxError: the server died, does not answer, or could not confine the program.
        """
        for earlier in self._unfinished:  # they end in the order in which they were begun
            if begun.tale is not None:
                break
            earlier.tale = earlier.tale or self._tale(earlier.limits)
        if begun.tale is None:
            raise SandboxError("the sandbox's server was ended meanwhile")
        self._unfinished.remove(begun)
        with begun.files:
            if begun.tale.how == protocol.HOW.not_started:
                raise SandboxError(f"a program could not be confined: {begun.tale.trouble}")
            return self._outcome(begun.tale, begun.limits, begun.streams[1:])

    def _tale(self, limits: Limits) -> protocol.Tale:
        patience = limits.wall_seconds * MOST_STRETCH + _ANSWER_SLACK_SECONDS
        try:
            return protocol.Tale.unpack(self._receive(patience, protocol.TALE_BYTES))
        except ValueError as error:
            raise SandboxError("the sandbox's server does not tell how a run ended") from error

    def _receive(self, seconds: float, size: int) -> bytes:
        self._socket.settimeout(seconds)
        try:
            message = self._socket.recv(size)
        except ConnectionResetError:
            message = b""
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
        elif tale.out_of_memory or self._was_too_large(tale.status):
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

    def _was_too_large(self, status: int) -> bool:
        """Whether the kernel has ended a program because its server's group had too little memory.

        Raises:
            SandboxError: because something around it had: another run may fare better.
        """
        if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != signal.SIGKILL:
            return False
        before, self._machine_kills = self._machine_kills, _kills_for_memory()
        if self._group is not None and self._group.has_killed():
            return True
        if self._machine_kills > before:
            raise SandboxError("this machine ran out of memory, and a program was ended for it")
        return False

    @property
    def process_id(self) -> int:
        return self._process.pid

    @property
    def has_group(self) -> bool:
        """Whether it runs in a control group of its own."""
        return self._group is not None and self._group.holds_something()

    def close(self) -> None:
        """End the server; whatever it was running ends with it."""
        self._stack.close()
        while self._unfinished:
            self._unfinished.pop().files.close()


def _by_cpu_timer(tale: protocol.Tale, limits: Limits) -> bool:
    by_timer = os.WTERMSIG(tale.status) in (signal.SIGKILL, signal.SIGXCPU)
    return by_timer and tale.cpu_seconds >= limits.cpu_seconds - _CPU_TIMER_SLACK_SECONDS


def _kills_for_memory() -> int:
    """How many processes the kernel has ended for lack of memory since the machine was started."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/vmstat").read_text().splitlines():
            if line.startswith("oom_kill "):
                return int(line.split()[1])
    return 0


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


def _set_up(group: ControlGroup | None) -> None:
    """What a server inherits, and its children from it."""
    import resource

    if group is not None:
        group.join()
    with contextlib.suppress(OSError):  # where a machine has no memory left, they go first
        Path("/proc/self/oom_score_adj").write_text("1000")
    # RLIMIT_DATA counts the stacks of threads; the C library takes their size from here.
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    resource.setrlimit(resource.RLIMIT_STACK, (_THREAD_STACK_BYTES, hard))
