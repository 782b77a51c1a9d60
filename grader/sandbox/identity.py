"""A user id that nobody else has, for a grader that runs as root.

Each id is a lock: an abstract socket of that name, which the kernel drops with the process that
holds it, so that two graders never share an id and nothing is left behind.
"""

from __future__ import annotations

import functools
import itertools
import os
import socket

from grader.errors import SandboxError

_WIDE_FIRST, _NARROW_FIRST, _COUNT = 0x70000000, 61184, 4000
"""Far above every real user; or, where a container maps only 65,536 ids, above the usual ones."""

_CAP_KILL, _CAP_SETGID, _CAP_SETUID = 5, 6, 7
_NEEDED = 1 << _CAP_KILL | 1 << _CAP_SETGID | 1 << _CAP_SETUID


@functools.cache
def can_be_private() -> bool:
    """Whether a child may become such a user. Not every root can give one: containers drop
    capabilities, and the root of a user namespace may be the only user in it."""
    if os.geteuid() != 0:
        return False
    with open("/proc/self/status", encoding="ascii", errors="replace") as lines:
        held = next(int(line.split()[1], 16) for line in lines if line.startswith("CapEff"))
    with open("/proc/self/setgroups", encoding="ascii") as answer:
        may_set_groups = answer.read().strip() == "allow"
    return may_set_groups and held & _NEEDED == _NEEDED and _is_mapped(_NARROW_FIRST + _COUNT)


class PrivateUser:
    """Holds `uid` until it is closed. Ask `can_be_private` before.

    Raises:
        SandboxError: all ids are taken.
    """

    def __init__(self) -> None:
        first = _WIDE_FIRST if _is_mapped(_WIDE_FIRST) else _NARROW_FIRST
        offset = os.getpid()
        for step in itertools.islice(itertools.count(offset), _COUNT):
            uid = first + step % _COUNT
            lock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            try:
                lock.bind(f"\0inference-labs-grader-{uid}")
            except OSError:
                lock.close()
                continue
            self.uid, self._lock = uid, lock
            return
        raise SandboxError("no private user id is free; end the graders that run on this machine")

    def close(self) -> None:
        self._lock.close()


def _is_mapped(uid: int) -> bool:
    """Whether this user namespace knows the id (`/proc/self/uid_map`: inside, outside, count)."""
    with open("/proc/self/uid_map", encoding="ascii") as lines:
        ranges = [tuple(map(int, line.split())) for line in lines]
    return any(start <= uid < start + count for start, _, count in ranges)
