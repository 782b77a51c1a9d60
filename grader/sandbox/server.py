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

Standard library only, and as little of it as possible: every page of this process is copied into
every child. `start` is the entry.
"""

import contextlib
import ctypes
import gc
import json
import marshal
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from typing import Any

from grader.sandbox import canary, program
from grader.sandbox.confine import Plan
from grader.sandbox.protocol import HOW, OPTIONS_BYTES, Order
from grader.sandbox.watch import NOTE, Child

_COMPILING = Order(10.0, 5.0, 512 << 20, 64 << 20)
_CANARY = Order(5.0, 2.0, 64 << 20, 1 << 16)


def main(channel: int, source: int) -> None:
    """Serve until the grader goes away.

    Args:
        channel: descriptor of the socket to the grader. Its first message is the options as JSON:
            `name` of the program, `machine`, `abi` of Landlock, `uid` to become or None, `secrets`
            (paths that a program must not be able to open), `namespaces` of the grader.
        source: descriptor of a file with the program's source.
    """
    _die_with_the_grader(signal.SIGKILL)
    _forget_the_grader()
    with socket.socket(fileno=channel) as grader:
        options = json.loads(grader.recv(OPTIONS_BYTES))
        server = _Server(grader, source, options)
        grader.send(json.dumps(server.hello(options)).encode())
        gc.collect()
        gc.freeze()
        server.serve()


def _die_with_the_grader(how: int) -> None:
    ctypes.CDLL(None).prctl(1, how, 0, 0, 0)  # PR_SET_PDEATHSIG


@contextlib.contextmanager
def _scratch() -> Iterator[None]:
    """TMPDIR exists for as long as a library needs it that writes while it is imported.

    The grader may be killed meanwhile; then this process lives on until it has tidied up, and ends
    when it finds nobody to tell that it is ready.
    """
    import shutil

    _die_with_the_grader(0)
    os.mkdir(os.environ["TMPDIR"], 0o700)
    try:
        yield
    finally:
        shutil.rmtree(os.environ["TMPDIR"], ignore_errors=True)
        _die_with_the_grader(signal.SIGKILL)


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

        result, _ = self._in_child(compile_it, _COMPILING)
        if result:
            self.program.code, names = marshal.loads(result)
            with _scratch() if "torch" in names else contextlib.nullcontext():
                program.preload(names)

    def hello(self, options: dict[str, Any]) -> dict[str, Any]:
        """What a canary found: which small attacks got through (none should), which secrets can be
        seen from outside, and what this server has in common with the grader."""
        secrets = [*options["secrets"], "/etc/passwd", "/proc/self/environ"]
        result, trouble = self._in_child(lambda: canary.attack(secrets, os.getppid()), _CANARY)
        lost: tuple[list[str], list[str]] = ([f"the canary did not come back ({trouble})"], [])
        through, seen = json.loads(result) if result else lost
        return {
            "through": through,
            "seen": [path for path in seen if path in options["secrets"]],
            "exposed": canary.exposed(options["secrets"]),
            "shared": canary.shared(options["namespaces"]),
        }

    def _in_child(self, action: Callable[[], None], order: Order) -> tuple[bytes, str]:
        """The output of our own function in a confined child; empty if that failed, and why."""
        output = os.memfd_create("output", os.MFD_CLOEXEC)
        nothing = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)

        def become() -> None:
            action()
            os._exit(0)

        child = Child(self.plan, lambda: (order, [nothing, output, nothing]), become)
        tale = child.watch()
        finished = tale is not None and tale.how == HOW.ended and tale.status == 0
        result = os.pread(output, os.fstat(output).st_size if finished else 0, 0)
        os.close(output)
        os.close(nothing)
        return result, (tale.trouble or f"status {tale.status}") if tale else "it is gone"

    def serve(self) -> None:
        """One run after another; the child of the next is forked before it is asked for."""
        while True:
            tale = Child(self.plan, self._take_order, self._become_program).watch()
            if tale is None:
                return  # the grader closed its end
            self.grader.send(tale.pack())

    def _take_order(self) -> tuple[Order, list[int]] | None:
        message, streams, _, _ = socket.recv_fds(self.grader, 64, 3)
        return (Order.unpack(message), streams) if message else None

    def _become_program(self) -> None:
        program.reseed()
        program.run(self.program, NOTE)


def start() -> None:
    """Entry of `python -c`: the arguments are two descriptors."""
    channel, source = sys.argv[1:]
    main(int(channel), int(source))
