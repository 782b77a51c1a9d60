"""Becoming an ordinary user in a child process, for tests that were started by root.

The interpreter may lie in a closed home, /root for instance. Either the right to *search* folders
is kept, as an ambient capability; or, for bubblewrap, which wants no capabilities, the child gets
a view of its own in which that home is open and has nothing but the interpreter in it.
"""

import ctypes
import os
import struct
import sys
import tempfile
from pathlib import Path

_NOBODY = 65534
_CAP_DAC_READ_SEARCH = 2
_CAPABILITY_VERSION = 0x20080522
_PR_CAPBSET_DROP = 24
_PR_SET_KEEPCAPS, _PR_SET_DUMPABLE, _PR_CAP_AMBIENT, _AMBIENT_RAISE = 8, 4, 47, 2


_CLONE_NEWNS, _MS_BIND, _MS_REC, _MS_PRIVATE = 0x20000, 4096, 16384, 1 << 18
_libc = ctypes.CDLL(None, use_errno=True)


def open_the_way(place: Path) -> None:
    """Let others into a folder, and into those above it that belong to the same user."""
    for folder in (place, *place.parents):
        if folder.owner() == place.owner() and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o055)


def become_ordinary() -> None:
    """For `preexec_fn`. Does nothing where there are no privileges to drop."""
    if os.geteuid() == 0:
        _open_closed_homes()
        _become_nobody()
        # A change of user makes /proc/self root's, until the next exec; bubblewrap reads it.
        _libc.prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0)


def _become_nobody() -> None:
    os.setgroups([])
    os.setresgid(_NOBODY, _NOBODY, _NOBODY)
    os.setresuid(_NOBODY, _NOBODY, _NOBODY)


def mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    words = [text.encode() if text is not None else None for text in (source, target, kind)]
    if _libc.mount(*words, flags, data.encode() if data else None) != 0:
        raise OSError(ctypes.get_errno(), f"mount {target}")


def own_mounts() -> None:
    """Mounts from now on are seen by this process, and what it starts, alone."""
    if _libc.unshare(_CLONE_NEWNS) != 0:
        raise OSError(ctypes.get_errno(), "unshare")
    mount("none", "/", None, _MS_REC | _MS_PRIVATE)


def _open_closed_homes() -> None:
    """Lay an open, empty folder over each closed one above the interpreter, in a view of its own,
    and bind into it what lay on the way."""
    own_mounts()
    for wanted in (os.path.realpath(sys.executable), sys.prefix, sys.base_prefix):
        above = [*reversed(Path(wanted).parents)]
        closed = next((path for path in above if not path.stat().st_mode & 0o001), None)
        if closed is None:
            continue
        way = closed / Path(wanted).relative_to(closed).parts[0]
        aside = tempfile.mkdtemp(prefix="aside-", dir="/var/tmp")
        mount(str(way), aside, None, _MS_BIND | _MS_REC)
        mount("tmpfs", str(closed), "tmpfs", 0, "mode=755")
        way.mkdir()
        mount(aside, str(way), None, _MS_BIND | _MS_REC)
        _libc.umount2(aside.encode(), 2)
        os.rmdir(aside)


def become_powerless() -> None:
    """For `preexec_fn`: still root, but with no capability left, as some containers have it."""
    capability = 0
    while _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) == 0:
        capability += 1


def drop_privileges() -> None:
    """For `preexec_fn`. Does nothing where there are no privileges to drop."""
    if os.geteuid() != 0:
        return
    libc = _libc
    libc.prctl(_PR_SET_KEEPCAPS, 1, 0, 0, 0)
    _become_nobody()
    kept = 1 << _CAP_DAC_READ_SEARCH
    header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
    libc.capset(header, struct.pack("=IIIIII", kept, kept, kept, 0, 0, 0))
    libc.prctl(_PR_CAP_AMBIENT, _AMBIENT_RAISE, _CAP_DAC_READ_SEARCH, 0, 0)
