"""A filter of system calls like the one that containers have by default.

It lets Landlock and seccomp through and refuses new namespaces, mounts and what only
administrators need. (moby's default profile allows a list and refuses the rest; of the rest only
what a grader or bubblewrap might want matters here.)
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct

from grader.sandbox.syscalls import AUDIT_ARCH, SYSCALLS

_REFUSED = """
    mount umount2 pivot_root unshare setns move_mount open_tree fsopen fsconfig fsmount
    keyctl add_key request_key bpf perf_event_open userfaultfd io_uring_setup io_uring_enter
    io_uring_register kexec_load open_by_handle_at acct reboot swapon swapoff init_module
""".split()
_NEW_NAMESPACES = 0x7E020000
_LOAD, _AND, _RETURN, _JUMP_EQUAL = 0x20, 0x54, 0x06, 0x15
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000


def restrict_like_docker() -> None:
    """Put this process, and all that it starts, under the filter."""
    numbers = SYSCALLS[platform.machine()]
    refused = {numbers[name]: errno.EPERM for name in _REFUSED if name in numbers}
    refuse(refused | {numbers["clone3"]: errno.ENOSYS}, clone=_NEW_NAMESPACES)


def refuse(calls: dict[int, int], *, clone: int = 0, prctl: int | None = None) -> None:
    """Put this process, and all that it starts, under a filter.

    Args:
        calls: number of a system call → the error that it gives from now on.
        clone: flags of `clone` that are refused.
        prctl: the operation of `prctl` that is refused.
    """
    machine = platform.machine()
    numbers = SYSCALLS[machine]
    allow, no = (_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _REFUSE | errno.EPERM)
    steps = [(_LOAD, 0, 0, 4), (_JUMP_EQUAL, 1, 0, AUDIT_ARCH[machine]), no, (_LOAD, 0, 0, 0)]
    for number, error in calls.items():
        steps += [(_JUMP_EQUAL, 0, 1, number), (_RETURN, 0, 0, _REFUSE | error)]
    if prctl is not None:
        steps += [(_JUMP_EQUAL, 0, 4, numbers["prctl"]), (_LOAD, 0, 0, 16)]
        steps += [(_JUMP_EQUAL, 0, 1, prctl), (_RETURN, 0, 0, _REFUSE | errno.EINVAL), allow]
    if clone:
        steps += [(_JUMP_EQUAL, 0, 4, numbers["clone"]), (_LOAD, 0, 0, 16), (_AND, 0, 0, clone)]
        steps += [(_JUMP_EQUAL, 1, 0, 0), no]
    steps += [allow]
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
    libc = ctypes.CDLL(None, use_errno=True)
    program = struct.pack("@HP", len(steps), ctypes.addressof(code))
    set_no_new_privs, set_seccomp, mode_filter = 38, 22, 2
    assert libc.prctl(set_no_new_privs, 1, 0, 0, 0) == 0
    assert libc.prctl(set_seccomp, mode_filter, program, 0, 0) == 0, ctypes.get_errno()
