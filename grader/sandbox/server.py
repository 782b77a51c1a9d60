"""The fork server: one fresh process per run of one program.

Theory of operation. The grader executes a bare Python that knows nothing but these few modules
(a fork of the grader itself would hold the expected answers in its memory), and hands it the
program's source. The server lets a confined child compile it, imports what the program imports
from a reviewed list, and then waits. For every order that comes it forks; the child takes stdin,
stdout and stderr from the grader, gives up its rights (`confine.Plan.enter`), says "ready" on a
pipe, and only then becomes the program. The server waits on a descriptor of that one child, kills
it at the wall limit, and reports. It never runs a line of the program, and it dies with the grader.

    ready pipe:  (trouble)          the child could not be confined: nothing was run
                 R                  the program's first line is next
                 R M                … and it ended for lack of memory: its own word

Standard library only, and as little of it as possible: every page of this process is copied into
every child. `main(socket, source, options)` is the entry.
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
import sys
import time
from typing import Any, NoReturn

from grader.sandbox import landlock, program
from grader.sandbox.confine import Plan, readable_paths
from grader.sandbox.protocol import HOW, Order, Tale

_READY = b"R"
_NOTE = 3
"""Where a child says that it is ready, and later that it ran out of memory."""
_COMPILING = Order(10.0, 5.0, 512 << 20, 64 << 20)
_CANARY = Order(5.0, 2.0, 64 << 20, 1 << 16)


def main(channel: int, source: int, options: dict[str, Any]) -> None:
    """Serve until the grader goes away.

    Args:
        channel: descriptor of the socket to the grader.
        source: descriptor of a file with the program's source.
        options: `name` of the program, `machine`, `abi` of Landlock, `uid` to become or None,
            `secrets`: paths that a program must not be able to open.
    """
    ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG
    _forget_the_grader()
    with socket.socket(fileno=channel) as grader:
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

    def _in_child(self, action: Any, order: Order) -> bytes:
        """The output of our own function in a confined child; empty if that failed."""
        output = os.memfd_create("output", os.MFD_CLOEXEC)
        nothing = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)

        def become() -> NoReturn:
            try:
                action()
            finally:
                os._exit(0)

        tale = self._run(order, [nothing, output, nothing], become)
        size = os.fstat(output).st_size if tale.how == HOW.ended and tale.status == 0 else 0
        result = os.pread(output, size, 0)
        os.close(output)
        os.close(nothing)
        return result

    def serve(self) -> None:
        while True:
            message, streams, _, _ = socket.recv_fds(self.grader, 64, 3)
            if not message:
                return  # the grader closed its end
            tale = self._run(Order.unpack(message), streams, self._become_program)
            for stream in streams:
                os.close(stream)
            self.grader.send(tale.pack())

    def _become_program(self) -> NoReturn:
        program.reseed()
        program.run(self.program, _NOTE)

    def _run(self, order: Order, streams: list[int], become: Any) -> Tale:
        ready, note = os.pipe()
        begun = time.monotonic()
        child = os.fork()
        if child == 0:
            self._enter(order, streams, note, become)
        os.close(note)
        try:
            return self._watch(child, ready, order, begun)
        finally:
            os.close(ready)

    def _enter(self, order: Order, streams: list[int], note: int, become: Any) -> NoReturn:
        try:
            for place, stream in enumerate((*streams, note)):
                os.dup2(stream, place)
            self.plan.enter(order.cpu_seconds, order.memory_bytes, order.output_bytes)
            os.write(_NOTE, _READY)
        except BaseException as error:  # noqa: BLE001 - it must reach the grader, whatever it is
            os.write(_NOTE, str(error).encode()[:500])
        else:
            become()
        finally:
            os._exit(1)  # whatever happens, a child never goes on as a server

    def _watch(self, child: int, ready: int, order: Order, begun: float) -> Tale:
        """Wait for the child, at most up to the wall limit; then tell what became of it."""
        handle = os.pidfd_open(child)
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        left = begun + order.wall_seconds - time.monotonic()
        in_time = poll.poll(max(0.0, left) * 1000)
        if not in_time:
            signal.pidfd_send_signal(handle, signal.SIGKILL)
        _, status, usage = os.wait4(child, 0)
        wall = time.monotonic() - begun
        os.close(handle)
        said = os.read(ready, 512)
        if not said.startswith(_READY):
            trouble = said.decode(errors="replace") or "the child died while it was set up"
            return Tale(HOW.not_started, 0, status, wall, 0.0, 0, trouble)
        peak = max(0, (usage.ru_maxrss << 10) - self.plan.resident)
        return Tale(
            HOW.ended if in_time else HOW.wall_limit,
            int(said.startswith(_READY + program.OUT_OF_MEMORY)),
            status,
            wall,
            usage.ru_utime + usage.ru_stime,
            peak,
        )


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
    """Entry of `python -c`: the arguments are two descriptors and the options as JSON."""
    channel, source, options = sys.argv[1:]
    sys.argv = [""]
    main(int(channel), int(source), json.loads(options))
