"""A process that has loaded everything that judging needs but a lab, and forks judging processes.

driver ── Birth, with stdin, stdout, stderr, folder, pipe ► nursery
driver ◄─ a descriptor of the judging process (pidfd) ──── nursery ── fork ──► judging process
driver ◄─ its exit status, on the pipe ─────────────────── nursery

To load Hypothesis takes longer than everything else before the first run. The nursery never loads
a lab's code, so that each judging process begins like one that was started directly. It is told
by the end of its socket that the driver is gone, and its children end with it.
"""

from __future__ import annotations

import contextlib
import gc
import os
import random
import selectors
import signal
import socket
import sys
from collections.abc import Iterable

import msgspec

READY = b"ready"
MESSAGE_BYTES = 1 << 17
"""An environment that is larger than this is not sent."""
STATUS_BYTES = 4
_GIVEN = 5
"""So many descriptors come with a Birth."""


class Birth(msgspec.Struct, frozen=True, kw_only=True):
    """What a judging process gets from its driver, besides its streams."""

    environment: dict[bytes, bytes]
    cores: list[int]


def main(channel: int) -> None:
    """Serve until the driver goes away. Returns only in a judging process, where it begins."""
    import grader.worker.__main__
    import grader.worker.inside  # noqa: F401 - all that takes time

    os.close(os.pidfd_open(os.getpid()))  # a kernel that cannot give one gets no nursery
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=channel) as driver, selectors.DefaultSelector() as selector:
        driver.send(READY)
        selector.register(driver, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fileobj is not driver:
                    selector.unregister(key.fileobj)
                    _tell(key.fd, *key.data)
                elif _give_birth(driver, selector):
                    return


def _give_birth(driver: socket.socket, selector: selectors.BaseSelector) -> bool:
    """Fork a judging process for the driver; True in that process."""
    message, given, _, _ = socket.recv_fds(driver, MESSAGE_BYTES, _GIVEN)
    if not message:
        os._exit(0)  # what still judges ends with it
    nursery = os.getpid()
    try:
        if len(given) < _GIVEN:
            raise OSError("not every descriptor has arrived: too many are open here")
        child, handle = _fork()
    except OSError as error:
        _close(given)
        driver.send(str(error).encode())
        return False
    *streams, folder, pipe = given
    if child == 0:
        selector.close()
        driver.detach()
        _begin(msgspec.msgpack.decode(message, type=Birth), streams, folder, nursery)
        return True
    _close([*streams, folder])
    selector.register(handle, selectors.EVENT_READ, (child, pipe))
    socket.send_fds(driver, [READY], [handle])
    return False


def _fork() -> tuple[int, int]:
    """The child's number and a descriptor of it; (0, -1) in the child."""
    child = os.fork()
    if child == 0:
        return 0, -1
    try:
        return child, os.pidfd_open(child)
    except OSError:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise


def _close(descriptors: Iterable[int]) -> None:
    for one in descriptors:
        os.close(one)


def _begin(birth: Birth, streams: list[int], folder: int, nursery: int) -> None:
    """Become like a process that the driver has started itself."""
    from grader.worker.__main__ import die_with_parent  # the driver imports this module, too

    die_with_parent()
    if os.getppid() != nursery:
        os._exit(1)  # it died before it could be noticed
    os.setsid()
    for place, stream in enumerate(streams):
        os.dup2(stream, place)
    os.fchdir(folder)
    # Those of others, too. Not up to the limit, which may be a thousand million.
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2:
            with contextlib.suppress(OSError):
                os.close(int(name))
    with contextlib.suppress(OSError):
        os.sched_setaffinity(0, birth.cores)
    os.environ.clear()
    os.environb.update(birth.environment)
    random.seed()


def _tell(handle: int, child: int, pipe: int) -> None:
    """Say how a judging process has ended, to whoever still wants to know."""
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    with contextlib.suppress(OSError):
        os.write(pipe, code.to_bytes(STATUS_BYTES, signed=True))
    os.close(pipe)
    os.close(handle)


if __name__ == "__main__":
    main(int(sys.argv[1]))
    from grader.worker.__main__ import main as judge

    judge()
