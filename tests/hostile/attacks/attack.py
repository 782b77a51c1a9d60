"""What an attack is, and the program that runs most of them."""

import textwrap
from dataclasses import dataclass

THROUGH = "through"
EPERM, EACCES = "stopped: EPERM", "stopped: EACCES"

STRIKER = """\
import atexit, ctypes, errno, fcntl, json, mmap, os, re, resource, signal, socket, struct, sys
import threading, time

given = json.load(sys.stdin)
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def syscall(name, *arguments):
    longs = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result = libc.syscall(given["numbers"][name], *longs)
    if result < 0:
        raise OSError(ctypes.get_errno(), name)
    return result


def any_of(action, targets):
    for target in targets:
        try:
            return action(target)
        except OSError as error:
            last = error
    raise last


try:
    exec(given["attack"])
    said = "through"
except OSError as error:
    said = "stopped: " + errno.errorcode[error.errno]
print(said)
"""
"""Runs the attack that its stdin brings: so that one server can serve a whole table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """One row. `outcomes`: any of these is harmless; more than one where the kernel may choose."""

    name: str
    layer: str
    outcomes: tuple[str, ...]
    program: bytes
    source: str = ""
    control: str | None = None
    wall_seconds: float = 3.0


def attack(
    name: str,
    layer: str,
    outcome: str | tuple[str, ...],
    source: str,
    *,
    control: str | None = None,
    wall_seconds: float = 3.0,
) -> Attack:
    """A row whose source is run by the striker."""
    return Attack(
        name=name,
        layer=layer,
        outcomes=(outcome,) if isinstance(outcome, str) else outcome,
        program=STRIKER.encode(),
        source=textwrap.dedent(source),
        control=control,
        wall_seconds=wall_seconds,
    )


def whole_program(name: str, layer: str, outcome: str | tuple[str, ...], program: bytes) -> Attack:
    """A row whose source is used as it stands."""
    outcomes = (outcome,) if isinstance(outcome, str) else outcome
    return Attack(name=name, layer=layer, outcomes=outcomes, program=program)
