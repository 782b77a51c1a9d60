"""Which files a program may open: Landlock (linux/landlock.h), as two calls.

Everything is refused but reading below a few folders. From ABI 4 on TCP is refused as well,
from ABI 6 on signals and abstract sockets that leave the sandbox.
Standard library only: this module is loaded inside the sandbox's server.
"""

import ctypes
import fcntl
import os
import stat
import struct
from collections.abc import Iterable

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446  # the same numbers on every architecture
_WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 1, 1 << 2, 1 << 3
_RULE_PATH_BENEATH = 1
_VERSION_FLAG = 1
_ABOVE_THE_STREAMS = 16
"""A child puts its streams in the places 0 to 3, over whatever is there."""

_FILE_RIGHTS_BY_ABI = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
_TCP, _TCP_ABI = 0b11, 4
_SCOPES, _SCOPES_ABI = 0b11, 6

_syscall = ctypes.CDLL(None, use_errno=True).syscall


def _call(number: int, *arguments: object) -> int:
    result: int = _syscall(number, *arguments)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"landlock: {os.strerror(code)}")
    return result


def abi() -> int:
    """The version that the kernel has, 0 where it has none."""
    try:
        return _call(_CREATE, None, 0, _VERSION_FLAG)
    except OSError:
        return 0


def ruleset(folders: Iterable[str], devices: Iterable[str], version: int) -> int:
    """A descriptor of rules: read below `folders`, read and write `devices`, nothing else.

    Raises:
        OSError: the kernel has no Landlock, or a folder cannot be opened.
    """
    rights = sum(bits for since, bits in _FILE_RIGHTS_BY_ABI.items() if since <= version)
    tcp = _TCP if version >= _TCP_ABI else 0
    scopes = _SCOPES if version >= _SCOPES_ABI else 0
    size = 24 if version >= _SCOPES_ABI else 16 if version >= _TCP_ABI else 8
    attributes = struct.pack("=QQQ", rights, tcp, scopes)[:size]
    rules = _call(_CREATE, attributes, ctypes.c_size_t(size), 0)
    for path in folders:
        _allow(rules, path, _READ_FILE, _READ_DIR)
    for path in devices:
        _allow(rules, path, _READ_FILE | _WRITE_FILE, 0)
    out_of_the_way = fcntl.fcntl(rules, fcntl.F_DUPFD_CLOEXEC, _ABOVE_THE_STREAMS)
    os.close(rules)
    return out_of_the_way


def _allow(rules: int, path: str, on_files: int, on_folders: int) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        rights = on_files | on_folders if is_folder else on_files
        beneath = struct.pack("=Qi", rights, descriptor)
        _call(_ADD_RULE, rules, _RULE_PATH_BENEATH, beneath, 0)
    finally:
        os.close(descriptor)


def restrict(rules: int) -> None:
    """Put the calling thread under the rules for good. `no_new_privs` must be set."""
    _call(_RESTRICT, rules, 0)
