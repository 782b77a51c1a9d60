"""A seccomp filter as a list of what a program may ask of the kernel; all else is EPERM.

The filter is classic BPF over `struct seccomp_data` (linux/seccomp.h): number at offset 0,
architecture at 4, argument i at 16 + 8·i. A binary search over the numbers ends in one of:

    read …   ALLOW                      a call that is always allowed
    mmap     flags … ? ALLOW : EPERM    a call with conditions on its arguments
    fork …   EPERM                      everything else

Not for hiding data (that is Landlock's part) but for closing the kernel: no process creation,
no sockets, no signals to others, nothing that RLIMIT_DATA does not count.
Standard library only: this module is loaded inside the sandbox's server.
"""

import ctypes
import errno
import os
import struct
import sys

from grader.sandbox.syscalls import AUDIT_ARCH, SYSCALLS

_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_JUMP, _JUMP_EQUAL, _JUMP_AT_LEAST = 0x05, 0x15, 0x35
_ALLOW, _KILL, _REFUSE = 0x7FFF0000, 0x80000000, 0x00050000
_X32_BIT = 0x40000000
_OWN_PID = 0xFFFF_FFF1
"""Stands in the program for the process's own id until `Filter.install` knows it."""

Instruction = tuple[int, int, int, int]
Condition = list[Instruction]


def _refuse(number: int) -> Instruction:
    return (_RETURN, 0, 0, _REFUSE | number)


def _low(argument: int) -> Instruction:
    return (_LOAD, 0, 0, 16 + 8 * argument)


def _one_of(argument: int, *values: int) -> Condition:
    """The low half of an argument is one of these."""
    last = len(values) - 1
    tests = [(_JUMP_EQUAL, last - i + 1, 0, value) for i, value in enumerate(values)]
    return [_low(argument), *tests, _refuse(errno.EPERM)]


def _zero(argument: int) -> Condition:
    """All 64 bits of an argument are 0 (a null pointer)."""
    high = (_LOAD, 0, 0, 16 + 8 * argument + 4)
    return [*_one_of(argument, 0), high, (_JUMP_EQUAL, 1, 0, 0), _refuse(errno.EPERM)]


def _masked(argument: int, mask: int, value: int) -> Condition:
    """argument & mask == value."""
    test = [(_AND, 0, 0, mask), (_JUMP_EQUAL, 1, 0, value), _refuse(errno.EPERM)]
    return [_low(argument), *test]


def _not_masked(argument: int, mask: int, value: int) -> Condition:
    """argument & mask != value."""
    test = [(_AND, 0, 0, mask), (_JUMP_EQUAL, 0, 1, value), _refuse(errno.EPERM)]
    return [_low(argument), *test]


def _no_silent_truncation(argument: int) -> list[Condition]:
    both = _O_ACCMODE | _O_TRUNC
    return [_not_masked(argument, both, _O_TRUNC), _not_masked(argument, both, both)]


_FREE = """
    read write munmap brk close fstat newfstatat lseek rt_sigaction rt_sigprocmask futex stat
    lstat statx mprotect madvise mremap pread64 pwrite64 readv writev exit exit_group
    rt_sigreturn sigaltstack getrandom gettid getpid set_robust_list rseq set_tid_address
    sched_yield sched_getaffinity getcpu clock_gettime clock_getres clock_nanosleep nanosleep
    gettimeofday time times getrusage getdents64 getdents readlink readlinkat access faccessat
    faccessat2 getcwd chdir fchdir ftruncate dup dup2 dup3 pipe pipe2 poll ppoll select pselect6
    epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait eventfd eventfd2 recvfrom
    shutdown getsockname getsockopt getppid getuid geteuid getgid getegid getgroups getpgrp
    getpgid getsid umask uname sysinfo getrlimit alarm setitimer getitimer pause rt_sigsuspend
    rt_sigpending rt_sigtimedwait restart_syscall getpriority sched_getparam sched_getscheduler
    sched_get_priority_max sched_get_priority_min statfs fstatfs membarrier
""".split()

_MAP_TYPE, _MAP_PRIVATE, _MAP_GROWSDOWN = 0xF, 0x2, 0x100
_O_ACCMODE, _O_TRUNC = 0x3, 0x200
_CLONE_THREAD_AND_VM, _CLONE_NEW_NAMESPACES = 0x10100, 0x7E020000
_FCNTL = (0, 1, 2, 3, 4, 1030, 1034)  # DUPFD GETFD SETFD GETFL SETFL DUPFD_CLOEXEC GET_SEALS
_IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # is it a terminal; FIO…; FIONBIO
_SOCK_STREAM_IN_TYPE = (0xF, 1)
_PR_NAME = (15, 16)

_CONDITIONS: dict[str, list[Condition]] = {
    # Memory that RLIMIT_DATA does not count: shared maps, of /dev/zero too, and growing stacks.
    "mmap": [
        _masked(3, _MAP_TYPE, _MAP_PRIVATE),
        _masked(3, _MAP_GROWSDOWN, 0),
    ],
    # To read, or for "neither" (access mode 3), O_TRUNC truncates unseen by Landlock before ABI 3.
    "openat": _no_silent_truncation(2),
    "open": _no_silent_truncation(1),
    # Threads, never processes.
    "clone": [
        _masked(0, _CLONE_THREAD_AND_VM, _CLONE_THREAD_AND_VM),
        _masked(0, _CLONE_NEW_NAMESPACES, 0),
    ],
    # No F_SETOWN or F_SETSIG (signals to others), no locks, no leases; no terminals.
    "fcntl": [_one_of(1, *_FCNTL)],
    "ioctl": [_one_of(1, *_IOCTL)],
    # asyncio's wake-up pair, without an address that would reach another socket.
    "socketpair": [_one_of(0, 1), _masked(1, *_SOCK_STREAM_IN_TYPE)],
    "sendto": [_zero(4)],
    # Signals to oneself; reading one's own limits; a thread's name.
    "kill": [_one_of(0, _OWN_PID)],
    "tgkill": [_one_of(0, _OWN_PID)],
    "prlimit64": [_one_of(0, 0, _OWN_PID), _zero(2)],
    "prctl": [_one_of(0, *_PR_NAME)],
}


def build(machine: str) -> list[Instruction]:
    """The whole filter for one machine (`x86_64` or `aarch64`), before the process id is known."""
    numbers = SYSCALLS[machine]
    head: list[Instruction] = [
        (_LOAD, 0, 0, 4),
        (_JUMP_EQUAL, 1, 0, AUDIT_ARCH[machine]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),
    ]
    blocks = {numbers[name]: [(_RETURN, 0, 0, _ALLOW)] for name in _FREE if name in numbers}
    for name, conditions in _CONDITIONS.items():
        if name in numbers:  # aarch64 has no open, dup2 …: the C library does not call them
            steps = [step for condition in conditions for step in condition]
            blocks[numbers[name]] = [*steps, (_RETURN, 0, 0, _ALLOW)]
    # glibc tries clone3 first and falls back to clone only on ENOSYS.
    blocks[numbers["clone3"]] = [_refuse(errno.ENOSYS)]
    return head + _tree(_segments(blocks))


Segment = tuple[int, list[Instruction]]


def _segments(blocks: dict[int, list[Instruction]]) -> list[Segment]:
    """(first number, what to do) for runs of numbers with the same block, from 0 upwards."""
    segments: list[Segment] = []
    refused = [_refuse(errno.EPERM)]
    for number in range(max(blocks) + 1):
        block = blocks.get(number, refused)
        if not segments or segments[-1][1] != block:
            segments.append((number, block))
    kill = [(_RETURN, 0, 0, _KILL)]
    return [*segments, (max(blocks) + 1, refused), (_X32_BIT, kill)]


def _tree(segments: list[Segment]) -> list[Instruction]:
    """Binary search: a filter is emulated for every number when it is installed, so depth costs."""
    if len(segments) == 1:
        return segments[0][1]
    middle = len(segments) // 2
    below, above = _tree(segments[:middle]), _tree(segments[middle:])
    pivot = segments[middle][0]
    return [(_JUMP_AT_LEAST, 0, 1, pivot), (_JUMP, 0, 0, len(below)), *below, *above]


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


class Filter:
    """A filter ready to be installed: built once, completed with the process id in each child."""

    def __init__(self, machine: str) -> None:
        steps = build(machine)
        raw = b"".join(struct.pack("=HBBI", *step) for step in steps)
        self._bytes = bytearray(raw)
        self._pid_places = [8 * i + 4 for i, step in enumerate(steps) if step[3] == _OWN_PID]
        first = ctypes.c_char.from_buffer(self._bytes)
        self._program = _Program(len(steps), ctypes.addressof(first))
        self._prctl = ctypes.CDLL(None, use_errno=True).prctl

    def install(self) -> None:
        """Confine the calling thread for good. `no_new_privs` must be set.

        Raises:
            OSError: the kernel refuses (no seccomp, or no_new_privs is missing).
        """
        own = os.getpid().to_bytes(4, sys.byteorder)
        for place in self._pid_places:
            self._bytes[place : place + 4] = own
        set_seccomp, mode_filter = 22, 2
        if self._prctl(set_seccomp, mode_filter, ctypes.byref(self._program), 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "seccomp filter refused")
