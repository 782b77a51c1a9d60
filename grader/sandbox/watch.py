"""One process from the fork to its end: first everything is recorded, judging is for others.

    what a child says on a pipe, in this order:
        T…    trouble: it could not be confined, and nothing was run
        O…    it has its order: the wall limit, and when it began
        R     ready: the program's first line is next
        M     the program ended for lack of memory (its own word: forging it gains nothing)

Standard library only: this module is loaded inside the sandbox's server.
"""

import os
import select
import signal
import struct
import time
from collections.abc import Callable
from typing import NoReturn

from grader.sandbox.confine import Plan
from grader.sandbox.program import OUT_OF_MEMORY
from grader.sandbox.protocol import HOW, UNKNOWN, Order, Tale
from grader.sandbox.waiting import LEAST_STEP_SECONDS, stretched, waited_seconds

_TROUBLE, _ORDERED, _READY = b"T", b"O", b"R"
_TIMES = struct.Struct("=dd")
_SCHEDULED = 2
"""A process's clock by its id (linux/posix-timers.h), as the CPU timer counts. What wait4 tells
leaves out the time that a hypervisor stole: a program killed at 20.0 s would show 18.2."""
NOTE = 3
"""The place of the pipe on which a child speaks, after its streams."""
Taken = tuple[Order, list[int]] | None
"""A child's order and its three streams, or None when there is nothing more to do."""


class Child:
    """One process from the fork to its end.

    Args:
        take: called in the child when it has withdrawn: gives its order and its three streams, or
            None when there is nothing more to do.
        become: called in the child last of all; never returns.
    """

    def __init__(
        self,
        plan: Plan,
        take: Callable[[], Taken],
        become: Callable[[], None],
    ) -> None:
        self._plan = plan
        self._ear, mouth = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            _live(plan, mouth, take, become)
        os.close(mouth)

    def watch(self) -> Tale | None:
        """Wait for the end, at most up to the wall limit; None if there was no order.

        What it waits for a core is not counted.
        """
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
        waited = self._wait(begun, wall_seconds)
        cpu_seconds = time.clock_gettime(~self._pid << 3 | _SCHEDULED)
        _, status, usage = os.wait4(self._pid, 0)
        wall = time.monotonic() - begun
        said += os.read(self._ear, 1024)
        said = said[1 + _TIMES.size :]
        if not said.startswith(_READY):
            return _trouble(said, status)
        return Tale(
            HOW.ended if waited is None else HOW.wall_limit,
            int(said.startswith(_READY + OUT_OF_MEMORY)),
            status,
            wall,
            cpu_seconds,
            max(0, (usage.ru_maxrss << 10) - self._plan.resident),
            UNKNOWN if waited is None else waited,
        )

    def _wait(self, begun: float, wall_seconds: float) -> float | None:
        """Wait until the child has ended by itself, or kill it.

        Returns:
            None when it ended by itself, else how long it had waited for a core, or `UNKNOWN`.
        """
        handle = os.pidfd_open(self._pid)
        try:
            poll = select.poll()
            poll.register(handle, select.POLLIN)
            deadline = begun + wall_seconds
            while not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
                # With what it waited before its order came: little, and in its favour.
                waited = waited_seconds(self._pid)
                later = begun + stretched(wall_seconds, waited)
                if later < deadline + LEAST_STEP_SECONDS:
                    signal.pidfd_send_signal(handle, signal.SIGKILL)
                    poll.poll()
                    return UNKNOWN if waited is None else waited
                deadline = later
            return None
        finally:
            os.close(handle)


def _trouble(said: bytes, status: int) -> Tale:
    text = said.removeprefix(_TROUBLE).decode(errors="replace")
    text = text or "a child died while it was set up"
    return Tale(HOW.not_started, 0, status, 0.0, 0.0, 0, trouble=text)


def _live(
    plan: Plan,
    mouth: int,
    take: Callable[[], Taken],
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
        mouth = NOTE
        plan.enter(order.cpu_seconds, order.memory_bytes, order.output_bytes)
        os.write(NOTE, _READY)
        become()
    except BaseException as error:  # noqa: BLE001 - it must reach the grader, whatever it is
        os.write(mouth, _TROUBLE + str(error).encode()[:500])
    finally:
        os._exit(1)
