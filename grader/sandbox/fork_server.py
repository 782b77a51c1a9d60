"""The grader's side of one fork server: starts it, sends it runs, and ends it.

Runs may be begun before the last one has ended; they end in the order in which they were begun.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shutil
import signal
import socket
import subprocess
import uuid
from pathlib import Path
from typing import Any

from grader.errors import SandboxError
from grader.model.execution import Limits, RunOutcome, Submission
from grader.sandbox import bubblewrap, protocol
from grader.sandbox.begun import Begun, memory_file, write
from grader.sandbox.cgroup import ControlGroup
from grader.sandbox.identity import PrivateUser, can_be_private
from grader.sandbox.launch import launch, temporary_folder
from grader.sandbox.waiting import MOST_STRETCH

_START_SECONDS = 120.0
"""For importing torch on a cold disk."""
_ANSWER_SLACK_SECONDS = 30.0


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
        except BaseException as error:
            self.close()
            if isinstance(error, OSError):
                raise SandboxError(f"the sandbox's server cannot be started ({error})") from error
            raise

    def _start(
        self, submission: Submission, options: dict[str, Any], hash_seed: int, *, enclosed: bool
    ) -> None:
        uid = None
        if can_be_private():  # of its own: programs of two servers may run at the same time
            uid = self._stack.enter_context(contextlib.closing(PrivateUser())).uid
        # The server makes it, if at all, and removes it, unless it is ended just then.
        scratch = os.path.join(temporary_folder(enclosed=enclosed), f"grader-{uuid.uuid4()}")
        self._stack.callback(shutil.rmtree, scratch, ignore_errors=True)
        self._words = memory_file(self._stack, "server-stderr")
        source = memory_file(self._stack, "source")
        write(source, submission.source)
        self._info = memory_file(self._stack, "info") if enclosed else None
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket = self._stack.enter_context(ours)
        with theirs:
            self._process = launch(
                theirs.fileno(),
                source,
                info=self._info,
                words=self._words,
                scratch=scratch,
                hash_seed=hash_seed,
                group=self._group,
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

    def _end_process(self) -> None:
        # Of bubblewrap the first process inside: with it all others go, and the one outside waits
        # for it, so that not even a zombie is left to whoever adopts orphans.
        if self._process.poll() is not None:
            return  # both numbers may be another's by now
        inner = bubblewrap.first_process(self._info) if self._info is not None else None
        if inner is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(inner, signal.SIGKILL)
        else:
            # Both processes of bubblewrap at once: the one inside would wait for ever for the one
            # outside to let it begin. (A session of its own: see `launch`.)
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def begin(self, stdin: bytes, limits: Limits) -> Begun:
        """Start the program, or let it wait behind the runs that were begun before.

        Raises:
            SandboxError: the server died, or nothing more can be opened here.
        """
        if self.hello["through"]:
            raise SandboxError(f"not confined: {self.hello['through'][0]} got through")
        if self._group is not None:
            self._group.limit(limits.memory_bytes, limits.output_bytes)
        begun = Begun(limits)
        self._unfinished.append(begun)
        order = protocol.Order(
            limits.wall_seconds, limits.cpu_seconds, limits.memory_bytes, limits.output_bytes
        )
        try:
            begun.open(stdin)
            socket.send_fds(self._socket, [order.pack()], begun.streams)
        except OSError as error:  # the server is gone, or no more files can be open here
            raise SandboxError(f"a run cannot be begun ({error})") from error
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
            return begun.outcome(self._was_too_large)

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
            begun = self._unfinished.pop()
            begun.tale = None  # its files are gone: who waits for it has to run it again
            begun.files.close()


def _kills_for_memory() -> int:
    """How many processes the kernel has ended for lack of memory since the machine was started."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/vmstat").read_text().splitlines():
            if line.startswith("oom_kill "):
                return int(line.split()[1])
    return 0
