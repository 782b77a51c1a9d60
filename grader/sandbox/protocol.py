"""What the grader and its fork server say to each other: fixed-size messages, no text to parse.

    grader                                   server
      │ ─────────── Options (JSON) ──────────► │   once
      │ ◄──────────── Hello (JSON) ─────────── │   once: how programs are confined, or why not
      │ ── Order + stdin, stdout, stderr ────► │   three descriptors ride along (SCM_RIGHTS)
      │ ◄──────────────── Tale ─────────────── │   how the process ended and what it used

The socket is SOCK_SEQPACKET: one message is one packet, nothing is ever half read.
Standard library only: this module is loaded inside the sandbox's server.
"""

import struct
from typing import NamedTuple

OPTIONS_BYTES = HELLO_BYTES = 65536
TALE_BYTES = 1024
HELLO_KEYS = {"through", "seen", "exposed", "shared"}

_ORDER = struct.Struct("<ddqq")
_TALE = struct.Struct("<BBiddqd")
TALE_LEAST_BYTES = _TALE.size


class Order(NamedTuple):
    """Run the program once within these limits."""

    wall_seconds: float
    cpu_seconds: float
    memory_bytes: int
    output_bytes: int

    def pack(self) -> bytes:
        return _ORDER.pack(*self)

    @classmethod
    def unpack(cls, message: bytes) -> "Order":
        return cls(*_ORDER.unpack(message))


class How(NamedTuple):
    """The kinds of tale, as numbers on the wire."""

    ended: int = 0
    wall_limit: int = 1
    not_started: int = 2


HOW = How()


UNKNOWN = -1.0
"""Of a time that nobody could tell."""


class Tale(NamedTuple):
    """What became of one run. `status` is as `os.waitpid` gives it.

    `out_of_memory` is the child's own word for it (an uncaught MemoryError); `waited_seconds` is
    how long a program that the wall limit ended had waited for a core, else `UNKNOWN`; `trouble`
    is the reason why the program could not be started (`how` is then `not_started`).
    """

    how: int
    out_of_memory: int
    status: int
    wall_seconds: float
    cpu_seconds: float
    peak_memory_bytes: int
    waited_seconds: float = UNKNOWN
    trouble: str = ""

    def pack(self) -> bytes:
        return _TALE.pack(*self[:-1]) + self.trouble.encode()[: TALE_BYTES - _TALE.size]

    @classmethod
    def unpack(cls, message: bytes) -> "Tale":
        """Raises ValueError where it is no tale."""
        if len(message) < TALE_LEAST_BYTES or message[0] not in HOW:
            raise ValueError("no tale")
        trouble = message[_TALE.size :].decode(errors="replace")
        how, memory, status, wall, cpu, peak, waited = _TALE.unpack(message[: _TALE.size])
        return cls(how, memory, status, wall, cpu, peak, waited, trouble)
