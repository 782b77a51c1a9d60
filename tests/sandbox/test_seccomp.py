"""The filter decides as reviewed, for every number of both machines, and the numbers are right.

The filter is run by a small emulator of classic BPF, so that both machines are tested on either.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import subprocess

import pytest

from grader.sandbox.seccomp import Instruction, build
from grader.sandbox.syscalls import AUDIT_ARCH, SYSCALLS
from tests.sandbox.generate_syscalls import table

ALLOW, KILL = 0x7FFF0000, 0x80000000
EPERM, ENOSYS = 0x50000 | errno.EPERM, 0x50000 | errno.ENOSYS
OWN_PID = 0xFFFF_FFF1
"""What stands for the process's own id in a filter that is not yet installed."""

ALWAYS_ALLOWED = set(
    """
    access alarm brk chdir clock_getres clock_gettime clock_nanosleep close dup dup2 dup3
    epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_wait eventfd eventfd2 exit exit_group
    faccessat faccessat2 fchdir fstat fstatfs ftruncate futex getcpu getcwd getdents getdents64
    getegid geteuid getgid getgroups getitimer getpgid getpgrp getpid getppid getpriority getrandom
    getrlimit getrusage getsid getsockname getsockopt gettid gettimeofday getuid lseek lstat
    madvise membarrier mprotect mremap munmap nanosleep newfstatat pause pipe pipe2 poll ppoll
    pread64 pselect6 pwrite64 read readlink readlinkat readv recvfrom restart_syscall rseq
    rt_sigaction rt_sigpending rt_sigprocmask rt_sigreturn rt_sigsuspend rt_sigtimedwait
    sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getparam
    sched_getscheduler sched_yield select set_robust_list set_tid_address setitimer shutdown
    sigaltstack stat statfs statx sysinfo time times umask uname write writev
    """.split()
)

SOMETIMES_ALLOWED: dict[str, list[tuple[dict[int, int], int]]] = {
    "mmap": [
        ({3: 0x22}, ALLOW),  # private, anonymous
        ({3: 0x02}, ALLOW),  # private, of a file
        ({3: 0x21}, EPERM),  # shared, anonymous
        ({3: 0x01}, EPERM),  # shared, of a file: of /dev/zero it is shared and anonymous
        ({3: 0x03}, EPERM),  # shared, validated
        ({3: 0x122}, EPERM),  # growing downwards
    ],
    "openat": [
        ({2: 0x80000}, ALLOW),
        ({2: 0x80241}, ALLOW),  # to write, created, truncated: that is Landlock's part
        ({2: 0x200}, EPERM),
        ({2: 0x203}, EPERM),
        ({2: 0x80200}, EPERM),
    ],
    "open": [({1: 0}, ALLOW), ({1: 0x200}, EPERM), ({1: 0x203}, EPERM)],
    "clone": [
        ({0: 0x3D0F00}, ALLOW),  # what the C library asks for a thread
        ({0: 17}, EPERM),
        ({0: 0x4111}, EPERM),  # vfork
        ({0: 0x10000}, EPERM),
        *(({0: 0x3D0F00 | 1 << bit}, EPERM) for bit in (17, 25, 26, 27, 28, 29, 30)),
    ],
    "clone3": [({}, ENOSYS)],
    "fcntl": [
        *(({1: command}, ALLOW) for command in (0, 1, 2, 3, 4, 1030, 1034)),
        # locks, F_SETOWN, F_SETSIG, F_SETOWN_EX, leases, notes, pipe sizes, seals
        *(({1: command}, EPERM) for command in (6, 7, 8, 10, 15, 37, 1024, 1026, 1031, 1033)),
    ],
    "ioctl": [({1: 0x5401}, ALLOW), ({1: 0x5421}, ALLOW), ({1: 0x5412}, EPERM)],
    "socketpair": [
        ({0: 1, 1: 0x80001}, ALLOW),
        ({0: 1, 1: 2}, EPERM),
        ({0: 1, 1: 5}, EPERM),
        ({0: 2, 1: 1}, EPERM),
    ],
    "sendto": [({4: 0}, ALLOW), ({4: 1}, EPERM), ({4: 1 << 32}, EPERM)],
    "kill": [({0: OWN_PID}, ALLOW), ({0: 0}, EPERM), ({0: 1}, EPERM), ({0: 2**64 - 1}, EPERM)],
    "tgkill": [({0: OWN_PID}, ALLOW), ({0: 1}, EPERM)],
    "prlimit64": [
        ({0: 0, 2: 0}, ALLOW),
        ({0: OWN_PID, 2: 0}, ALLOW),
        ({0: 0, 2: 4096}, EPERM),
        ({0: 0, 2: 1 << 40}, EPERM),
        ({0: 1, 2: 0}, EPERM),
    ],
    "prctl": [({0: 15}, ALLOW), ({0: 16}, ALLOW), *(({0: n}, EPERM) for n in (1, 4, 8, 22, 47))],
}

EVERY = [(machine, name) for machine in SYSCALLS for name in SYSCALLS[machine]]
ROWS = [
    pytest.param(machine, name, arguments, decision, id=f"{machine}-{name}-{arguments}")
    for machine in SYSCALLS
    for name, rows in SOMETIMES_ALLOWED.items()
    if name in SYSCALLS[machine]
    for arguments, decision in rows
]


def decide(program: list[Instruction], arch: int, number: int, arguments: dict[int, int]) -> int:
    """What the kernel would do with this call."""
    words = {0: number & 0xFFFFFFFF, 4: arch}
    for index in range(6):
        value = arguments.get(index, 0)
        words[16 + 8 * index], words[20 + 8 * index] = value & 0xFFFFFFFF, value >> 32
    accumulator, place = 0, 0
    while True:
        code, if_true, if_false, operand = program[place]
        place += 1
        match code:
            case 0x20:
                accumulator = words[operand]
            case 0x54:
                accumulator &= operand
            case 0x06:
                return operand
            case 0x05:
                place += operand
            case 0x15:
                place += if_true if accumulator == operand else if_false
            case 0x35:
                place += if_true if accumulator >= operand else if_false
            case _:
                raise AssertionError(f"an instruction that this filter never uses: {code:#x}")


FILTERS = {machine: build(machine) for machine in SYSCALLS}


def _decide(machine: str, number: int, arguments: dict[int, int]) -> int:
    return decide(FILTERS[machine], AUDIT_ARCH[machine], number, arguments)


@pytest.mark.parametrize("machine", SYSCALLS)
def test_what_is_always_allowed_is_the_reviewed_list(machine: str) -> None:
    all_ones = dict.fromkeys(range(6), 2**64 - 1)
    numbers = SYSCALLS[machine]
    allowed = {
        name
        for name, number in numbers.items()
        if _decide(machine, number, {}) == _decide(machine, number, all_ones) == ALLOW
    }
    assert allowed == ALWAYS_ALLOWED & set(numbers)


@pytest.mark.parametrize("machine", SYSCALLS)
def test_everything_else_is_refused_whatever_its_arguments(machine: str) -> None:
    named = {SYSCALLS[machine].get(name) for name in ALWAYS_ALLOWED | set(SOMETIMES_ALLOWED)}
    values = (0, 1, 2, 0x22, OWN_PID, 2**64 - 1)
    decisions = {
        _decide(machine, number, dict.fromkeys(range(6), value))
        for number in range(1024)
        if number not in named
        for value in values
    }
    assert decisions == {EPERM}


@pytest.mark.parametrize(("machine", "name", "arguments", "decision"), ROWS)
def test_a_call_with_conditions(
    machine: str, name: str, arguments: dict[int, int], decision: int
) -> None:
    assert _decide(machine, SYSCALLS[machine][name], arguments) == decision


@pytest.mark.parametrize("machine", SYSCALLS)
def test_a_call_in_a_foreign_architecture_kills(machine: str) -> None:
    i386, arm = 0x40000003, 0x40000028
    foreign = {i386, arm, *AUDIT_ARCH.values()} - {AUDIT_ARCH[machine]}
    assert {decide(FILTERS[machine], arch, 1, {}) for arch in foreign} == {KILL}


@pytest.mark.parametrize("machine", SYSCALLS)
@pytest.mark.parametrize("number", [0x40000000, 0x40000001, 0x40000000 + 512, 0xFFFFFFFF])
def test_an_x32_number_kills(machine: str, number: int) -> None:
    assert _decide(machine, number, {}) == KILL


@pytest.mark.parametrize("machine", SYSCALLS)
def test_the_filter_fits_into_the_kernel(machine: str) -> None:
    most_instructions, furthest_jump = 4096, 255
    assert len(FILTERS[machine]) <= most_instructions
    assert all(max(step[1:3]) <= furthest_jump for step in FILTERS[machine])


def _headers() -> dict[str, dict[str, int]]:
    """The tables that can be made on this machine: with gcc, and the headers of its kernel."""
    tables = {}
    for machine in SYSCALLS:
        try:
            tables[machine] = table(machine)
        except (OSError, subprocess.CalledProcessError):
            continue
    return tables


def test_the_numbers_are_those_of_the_kernel_headers() -> None:
    for machine, numbers in _headers().items():
        # Newer headers have more calls; none has ever got another number.
        common = numbers.keys() & SYSCALLS[machine].keys()
        assert {name: numbers[name] for name in common} == {
            name: SYSCALLS[machine][name] for name in common
        }
        assert len(common) > 250


def test_the_numbers_are_those_that_this_kernel_answers_to() -> None:
    number = SYSCALLS[platform.machine()]["getppid"]
    assert ctypes.CDLL(None).syscall(number) == os.getppid()
