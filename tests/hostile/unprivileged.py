"""Becoming an ordinary user in a child process, for tests that were started by root.

The right to *search* folders is kept, as an ambient capability: the interpreter may lie in a
closed home.
"""

import ctypes
import os
import struct

_NOBODY = 65534
_CAP_DAC_READ_SEARCH = 2
_CAPABILITY_VERSION = 0x20080522
_PR_SET_KEEPCAPS, _PR_SET_DUMPABLE, _PR_CAP_AMBIENT, _AMBIENT_RAISE = 8, 4, 47, 2


def drop_privileges() -> None:
    """For `preexec_fn`. Does nothing where there are no privileges to drop."""
    if os.geteuid() != 0:
        return
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_KEEPCAPS, 1, 0, 0, 0)
    os.setgroups([])
    os.setresgid(_NOBODY, _NOBODY, _NOBODY)
    os.setresuid(_NOBODY, _NOBODY, _NOBODY)
    kept = 1 << _CAP_DAC_READ_SEARCH
    header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
    libc.capset(header, struct.pack("=IIIIII", kept, kept, kept, 0, 0, 0))
    libc.prctl(_PR_CAP_AMBIENT, _AMBIENT_RAISE, _CAP_DAC_READ_SEARCH, 0, 0)
