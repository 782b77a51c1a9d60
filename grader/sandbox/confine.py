"""How a forked child gives up every right it does not need, as a list of named steps.

`Plan` is made once by the server, before any program is there. Each child first calls `withdraw`
(all that can be done before its order comes), then `enter`, and then it is the program. The order
of the steps matters: the identity before PDEATHSIG (a change of identity clears it), seccomp last
(it refuses most of what the other steps do).
Standard library only: this module is loaded inside the sandbox's server.
"""

import ctypes
import os
import resource
import signal
import site
import struct
import sys
import sysconfig

from grader.sandbox import landlock
from grader.sandbox.seccomp import Filter
from grader.sandbox.syscalls import SYSCALLS

_SET_PDEATHSIG, _SET_DUMPABLE, _SET_KEEPCAPS, _SET_NO_NEW_PRIVS = 1, 4, 8, 38
_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH = 1, 2
_CAPABILITY_VERSION = 0x20080522
_PROCESS_CPU_CLOCK = 2

_ADDRESS_SPACE_SLACK = 4 << 30
"""RLIMIT_AS is only the backstop behind RLIMIT_DATA: torch reserves much that it never uses."""
_OPEN_FILES = 64
_THREADS = 256
_MAIN_STACK = 64 << 20

_SYSTEM_FOLDERS = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo")
_SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/localtime", "/sys/devices/system/cpu")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random", "/dev/full")

_libc = ctypes.CDLL(None, use_errno=True)
_syscall, _prctl = _libc.syscall, _libc.prctl


def _check(result: int, step: str) -> None:
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{step}: {os.strerror(code)}")


def interpreter_folders() -> list[str]:
    """What a program must be able to read: the library of this Python and its packages."""
    # Not sys.path: an editable install puts a whole checkout there, solutions and all.
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    paths = [*(sysconfig.get_path(name) for name in names), *site.getsitepackages()]
    if os.path.isdir(os.path.join(sys.base_prefix, "conda-meta")):
        paths.append(os.path.join(sys.base_prefix, "lib"))  # its libraries in C are there
    paths += user_site()
    return sorted({os.path.realpath(path) for path in paths if os.path.isdir(path)})


def user_site() -> list[str]:
    """Where `pip install --user` puts packages, if this interpreter looks there."""
    looks_there = site.ENABLE_USER_SITE and os.path.isdir(site.getusersitepackages())
    return [site.getusersitepackages()] if looks_there else []


def readable_paths() -> list[str]:
    """Every path below which a program may read; those that exist."""
    paths = [*interpreter_folders(), *_SYSTEM_FOLDERS, *_SYSTEM_FILES]
    return [path for path in paths if os.path.exists(path)]


def closed_to_others(path: str) -> bool:
    """Whether somebody else than the owner cannot get into a folder (a 0700 home above it)."""
    while path != "/":
        if not os.stat(path).st_mode & 0o001:
            return True
        path = os.path.dirname(path)
    return False


class Plan:
    """Everything that confinement needs, prepared once.

    Args:
        machine: `x86_64` or `aarch64`.
        abi: the version of Landlock to use, at most the kernel's.
        private_uid: the user to become, None to stay (also root, where it has no private
            user to give: then without its capabilities).
    """

    def __init__(self, machine: str, abi: int, private_uid: int | None) -> None:
        self._server = os.getpid()
        self._numbers = SYSCALLS[machine]
        self._filter = Filter(machine)
        devices = [path for path in _DEVICES if os.path.exists(path)]
        self._rules = landlock.ruleset(readable_paths(), devices, abi)
        self._uid = private_uid
        self._kept_capability = self._find_kept_capability()
        self.note_memory()

    def note_memory(self) -> None:
        """Take what the server uses now as the floor of every memory limit. After preloading."""
        with open("/proc/self/status", encoding="ascii") as status:
            fields = dict(line.split(":", 1) for line in status)
        kilobytes = {key: int(fields[key].split()[0]) for key in ("VmData", "VmSize", "VmRSS")}
        self._data, self._size = kilobytes["VmData"] << 10, kilobytes["VmSize"] << 10
        self.resident = kilobytes["VmRSS"] << 10

    def _find_kept_capability(self) -> int | None:
        """Root's interpreter may lie in a closed home: then a child keeps the right to *search*.

        Landlock still says what it may open; the capability is the smallest that root has here
        (Docker's default set lacks DAC_READ_SEARCH).
        """
        if self._uid is None or not any(map(closed_to_others, interpreter_folders())):
            return None
        with open("/proc/self/status", encoding="ascii") as status:
            held = next(int(line.split()[1], 16) for line in status if line.startswith("CapEff"))
        choices = (_CAP_DAC_READ_SEARCH, _CAP_DAC_OVERRIDE)
        return next((cap for cap in choices if held >> cap & 1), None)

    def withdraw(self) -> None:
        """Give up everything that does not depend on the run: done ahead, while nobody waits.

        Raises:
            OSError: a step was refused; its message begins with the step's name.
        """
        os.setsid()
        os.chdir("/")
        _lower(resource.RLIMIT_NOFILE, _OPEN_FILES)
        _lower(resource.RLIMIT_CORE, 0)
        _lower(resource.RLIMIT_STACK, _MAIN_STACK)
        if self._uid is not None:
            _lower(resource.RLIMIT_NPROC, _THREADS)  # it counts all of a user's: only a private one
            self._become(self._uid)
        elif os.geteuid() == 0:
            self._keep_capabilities(0)
        _check(_prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
        _check(_prctl(_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "pdeathsig")
        if os.getppid() != self._server:
            os._exit(1)  # the server died before PDEATHSIG could tell
        landlock.restrict(self._rules)

    def enter(self, cpu_seconds: float, memory_bytes: int, output_bytes: int) -> None:
        """Confine this process for good, with its streams in the places 0 to 3.

        Raises:
            OSError: a step was refused; its message begins with the step's name.
        """
        every = ctypes.c_uint(0xFFFFFFFF)  # the grader may have had thousands open
        _check(_syscall(self._numbers["close_range"], 4, every, 0), "close descriptors")
        # Only a backup behind the timer: it counts whole ticks, also those that a hypervisor stole
        # (22 s where the scheduler's clock says 17.9).
        _lower(resource.RLIMIT_CPU, 2 * int(cpu_seconds) + 2)
        _lower(resource.RLIMIT_DATA, self._data + memory_bytes)
        _lower(resource.RLIMIT_AS, self._size + 4 * memory_bytes + _ADDRESS_SPACE_SLACK)
        # One byte more, so that an output of just the limit can be told from one that is cut.
        _lower(resource.RLIMIT_FSIZE, output_bytes + 1)
        self._start_cpu_timer(cpu_seconds)
        self._filter.install()

    def _start_cpu_timer(self, cpu_seconds: float) -> None:
        """SIGKILL after so much CPU time of the whole process, exact to a few milliseconds."""
        event = struct.pack("=QiiQQQQQQ", 0, signal.SIGKILL, 0, 0, 0, 0, 0, 0, 0)
        timer = ctypes.c_int()
        create, settime = self._numbers["timer_create"], self._numbers["timer_settime"]
        made = _syscall(create, _PROCESS_CPU_CLOCK, event, ctypes.byref(timer))
        _check(made, "cpu timer")
        seconds = int(cpu_seconds)
        nanoseconds = int((cpu_seconds - seconds) * 1e9) or (0 if seconds else 1)
        value = struct.pack("=qqqq", 0, 0, seconds, nanoseconds)
        _check(_syscall(settime, timer, 0, value, None), "cpu timer")

    def _become(self, uid: int) -> None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        if self._kept_capability is not None:
            _check(_prctl(_SET_KEEPCAPS, 1, 0, 0, 0), "keepcaps")
        os.setresuid(uid, uid, uid)
        if self._kept_capability is not None:
            self._keep_capabilities(1 << self._kept_capability)
        # So that /proc/self (and with it /dev/stdin) belongs to the program again.
        _check(_prctl(_SET_DUMPABLE, 1, 0, 0, 0), "dumpable")

    def _keep_capabilities(self, kept: int) -> None:
        """These and no others, of the first 32."""
        header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
        sets = struct.pack("=IIIIII", kept, kept, 0, 0, 0, 0)
        _check(_syscall(self._numbers["capset"], header, sets), "capset")


def _lower(kind: int, wanted: int) -> None:
    """Set a limit for good; one that the grader itself inherited stays where it is lower."""
    hard = resource.getrlimit(kind)[1]
    value = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(kind, (value, value))
