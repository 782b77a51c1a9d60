"""The fork server: one fresh process per run of one program.

Theory of operation. The grader executes a bare Python that knows nothing but these few modules
(a fork of the grader itself would hold the expected answers in its memory), and hands it the
program's source. The server lets a confined child compile it, imports what the program imports
from a reviewed list, and forks a child ahead of time. The child gives up its rights
(`confine.Plan.withdraw`) and waits for the grader's order, which comes with stdin, stdout and
stderr; it sets the limits of the order, closes the kernel behind it (`Plan.enter`), and only then
becomes the program. The server waits on a descriptor of that one child, kills it at the wall
limit, reports, and forks the next one while the grader judges. It never runs a line of the
program, and it dies with the grader.

    what a child says on a pipe, in this order:
        T…    trouble: it could not be confined, and nothing was run
        O…    it has its order: the wall limit, and when it began
        R     ready: the program's first line is next
        M     the program ended for lack of memory (its own word: forging it gains nothing)

Standard library only, and as little of it as possible: every page of this process is copied into
every child. `start` is the entry.
"""

import ctypes
import gc
import json
import marshal
import os
import resource
import select
import signal
import socket
import struct
import sys
import time
from collections.abc import Callable
from typing import Any, NoReturn

from grader.sandbox import program
from grader.sandbox.confine import Plan, readable_paths
from grader.sandbox.protocol import HOW, OPTIONS_BYTES, Order, Tale

_TROUBLE, _ORDERED, _READY = b"T", b"O", b"R"
_TIMES = struct.Struct("=dd")
_SCHEDULED = 2
"""A process's clock by its id (linux/posix-timers.h), as the CPU timer counts. What wait4 tells
leaves out the time that a hypervisor stole: a program killed at 20.0 s would show 18.2."""
_NOTE = 3
"""The place of the pipe on which a child speaks, after its streams."""
_COMPILING = Order(10.0, 5.0, 512 << 20, 64 << 20)
_CANARY = Order(5.0, 2.0, 64 << 20, 1 << 16)


def main(channel: int, source: int) -> None:
    """Serve until the grader goes away.

    Args:
        channel: descriptor of the socket to the grader. Its first message is the options as JSON:
            `name` of the program, `machine`, `abi` of Landlock, `uid` to become or None, `secrets`
            (paths that a program must not be able to open).
        source: descriptor of a file with the program's source.
    """
    ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG
    _forget_the_grader()
    with socket.socket(fileno=channel) as grader:
        options = json.loads(grader.recv(OPTIONS_BYTES))
        server = _Server(grader, source, options)
        grader.send(json.dumps(server.hello(options)).encode())
        gc.collect()
        gc.freeze()
        server.serve()


def _forget_the_grader() -> None:
    """Let no program find modules of the grader, which it could not import by itself."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "grader"]:
        del sys.modules[name]
    # The main thread may grow its stack; threads have the little one that was set before exec.
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    resource.setrlimit(resource.RLIMIT_STACK, (hard, hard))


class _Server:
    def __init__(self, grader: socket.socket, source: int, options: dict[str, Any]) -> None:
        self.grader = grader
        with open(source, "rb") as file:
            self.program = program.Source(options["name"], file.read())
        self.plan = Plan(options["machine"], options["abi"], options["uid"])
        self._prepare()
        self.plan.note_memory()

    def _prepare(self) -> None:
        """Compile the program and import its modules, if a confined child finds that it can."""

        def compile_it() -> None:
            with open(1, "wb", closefd=False) as out:
                out.write(program.compiled(self.program.source, self.program.name))

        result = self._in_child(compile_it, _COMPILING)
        if result:
            self.program.code, names = marshal.loads(result)
            program.preload(names)

    def hello(self, options: dict[str, Any]) -> dict[str, Any]:
        """What a canary found: which small attacks got through. None should."""
        secrets = [*options["secrets"], "/etc/passwd", "/proc/self/environ"]
        result = self._in_child(lambda: _attack(secrets, os.getppid()), _CANARY)
        return {
            "through": json.loads(result) if result else ["the canary did not come back"],
            "exposed": _exposed(options["secrets"]),
        }

    def _in_child(self, action: Callable[[], None], order: Order) -> bytes:
        """The output of our own function in a confined child; empty if that failed."""
        output = os.memfd_create("output", os.MFD_CLOEXEC)
        nothing = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)

        def become() -> None:
            action()
            os._exit(0)

        child = _Child(self.plan, lambda: (order, [nothing, output, nothing]), become)
        tale = child.watch()
        finished = tale is not None and tale.how == HOW.ended and tale.status == 0
        result = os.pread(output, os.fstat(output).st_size if finished else 0, 0)
        os.close(output)
        os.close(nothing)
        return result

    def serve(self) -> None:
        """One run after another; the child of the next is forked before it is asked for."""
        while True:
            tale = _Child(self.plan, self._take_order, self._become_program).watch()
            if tale is None:
                return  # the grader closed its end
            self.grader.send(tale.pack())

    def _take_order(self) -> tuple[Order, list[int]] | None:
        message, streams, _, _ = socket.recv_fds(self.grader, 64, 3)
        return (Order.unpack(message), streams) if message else None

    def _become_program(self) -> None:
        program.reseed()
        program.run(self.program, _NOTE)


class _Child:
    """One process from the fork to its end.

    Args:
        take: called in the child when it has withdrawn: gives its order and its three streams, or
            None when there is nothing more to do.
        become: called in the child last of all; never returns.
    """

    def __init__(
        self,
        plan: Plan,
        take: Callable[[], tuple[Order, list[int]] | None],
        become: Callable[[], None],
    ) -> None:
        self._plan = plan
        self._ear, mouth = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            _live(plan, mouth, take, become)
        os.close(mouth)

    def watch(self) -> Tale | None:
        """Wait for the end, at most up to the wall limit; None if there was no order."""
        try:
            return self._watch()
        finally:
            os.close(self._ear)

    def _watch(self) -> Tale | None:
        said = os.read(self._ear, 1024)
        times = said[1 : 1 + _TIMES.size]
        if not said.startswith(_ORDERED):
            _, status = os.waitpid(self._pid, 0)
            if not said and status == 0:
                return None
            return _trouble(said, status)
        wall_seconds, begun = _TIMES.unpack(times)
        in_time = self._wait_until(begun + wall_seconds)
        cpu_seconds = time.clock_gettime(~self._pid << 3 | _SCHEDULED)
        _, status, usage = os.wait4(self._pid, 0)
        wall = time.monotonic() - begun
        said += os.read(self._ear, 1024)
        said = said[1 + _TIMES.size :]
        if not said.startswith(_READY):
            return _trouble(said, status)
        return Tale(
            HOW.ended if in_time else HOW.wall_limit,
            int(said.startswith(_READY + program.OUT_OF_MEMORY)),
            status,
            wall,
            cpu_seconds,
            max(0, (usage.ru_maxrss << 10) - self._plan.resident),
        )

    def _wait_until(self, deadline: float) -> bool:
        """Wait until the child has ended: whether it did so before the deadline, or was killed."""
        handle = os.pidfd_open(self._pid)
        try:
            poll = select.poll()
            poll.register(handle, select.POLLIN)
            in_time = bool(poll.poll(max(0.0, deadline - time.monotonic()) * 1000))
            if not in_time:
                signal.pidfd_send_signal(handle, signal.SIGKILL)
                poll.poll()
            return in_time
        finally:
            os.close(handle)


def _trouble(said: bytes, status: int) -> Tale:
    text = said.removeprefix(_TROUBLE).decode(errors="replace")
    return Tale(HOW.not_started, 0, status, 0.0, 0.0, 0, text or "a child died while it was set up")


def _live(
    plan: Plan,
    mouth: int,
    take: Callable[[], tuple[Order, list[int]] | None],
    become: Callable[[], None],
) -> NoReturn:
    """A child's whole life. Whatever happens, it never goes on as a server."""
    try:
        plan.withdraw()
        taken = take()
        if taken is None:
            os._exit(0)
        order, streams = taken
        os.write(mouth, _ORDERED + _TIMES.pack(order.wall_seconds, time.monotonic()))
        for place, stream in enumerate((*streams, mouth)):
            os.dup2(stream, place)
        mouth = _NOTE
        plan.enter(order.cpu_seconds, order.memory_bytes, order.output_bytes)
        os.write(_NOTE, _READY)
        become()
    except BaseException as error:  # noqa: BLE001 - it must reach the grader, whatever it is
        os.write(mouth, _TROUBLE + str(error).encode()[:500])
    finally:
        os._exit(1)


def _exposed(secrets: list[str]) -> list[str]:
    """Secrets that lie below a folder that every program may read: no sandbox can help there."""
    folders = [path + "/" for path in readable_paths()]
    return [s for s in secrets if any((os.path.realpath(s) + "/").startswith(f) for f in folders)]


def _attack(secrets: list[str], server: int) -> None:
    """Small attacks, tried in a confined child; prints the names of those that got through."""
    through = []

    def attempt(name: str, action: Any) -> None:
        try:
            action()
        except OSError:
            return
        through.append(name)

    for path in secrets:
        attempt(f"open {path}", lambda path=path: os.close(os.open(path, os.O_RDONLY)))
    attempt("write /tmp", lambda: os.open("/tmp", os.O_TMPFILE | os.O_RDWR, 0o600))
    attempt("fork", lambda: os.fork() or os._exit(0))
    attempt("exec", lambda: os.execv("/bin/true", ["true"]))
    attempt("socket", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM))
    attempt("signal the server", lambda: os.kill(server, 0))
    os.write(1, json.dumps(through).encode())


def start() -> None:
    """Entry of `python -c`: the arguments are two descriptors."""
    channel, source = sys.argv[1:]
    main(int(channel), int(source))
