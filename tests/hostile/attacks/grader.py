"""Reaching for the process that grades, and for what this one might have inherited from it."""

from tests.hostile.attacks.attack import EACCES, EPERM, THROUGH, attack

_BY_PROC = [
    ("environ", 'any_of(lambda pid: open(f"/proc/{pid}/environ").read(), given["victims"])'),
    ("cmdline", 'any_of(lambda pid: open(f"/proc/{pid}/cmdline").read(), given["victims"])'),
    ("mem", 'any_of(lambda pid: open(f"/proc/{pid}/mem", "rb").read(0), given["victims"])'),
    ("fd", 'any_of(lambda pid: os.listdir(f"/proc/{pid}/fd"), given["victims"])'),
]

# SIGCONT harms nobody, and a process that may send it to its victim may send others.
_SIGNALS = [
    ("kill", 'any_of(lambda pid: os.kill(pid, signal.SIGCONT), given["victims"])'),
    ("killpg", 'any_of(lambda pid: os.killpg(pid, signal.SIGCONT), given["victims"])'),
    ("tgkill", 'any_of(lambda p: syscall("tgkill", p, p, signal.SIGCONT), given["victims"])'),
    ("tkill", 'any_of(lambda pid: syscall("tkill", pid, signal.SIGCONT), given["victims"])'),
    (
        "sigqueue",
        'queued = struct.pack("=iii116x", signal.SIGCONT, 0, -1)\n'
        'any_of(lambda p: syscall("rt_sigqueueinfo", p, signal.SIGCONT, queued),\n'
        '       given["victims"])',
    ),
    (
        "pidfd_send_signal",
        "any_of(lambda pid: signal.pidfd_send_signal(os.pidfd_open(pid), signal.SIGCONT),\n"
        '       given["victims"])',
    ),
    (
        "F_SETOWN",
        'any_of(lambda pid: fcntl.fcntl(os.pipe()[0], fcntl.F_SETOWN, pid), given["victims"])',
    ),
]

_SETTINGS = [
    ("priority", 'any_of(lambda p: os.setpriority(os.PRIO_PROCESS, p, 19), given["victims"])'),
    ("processors", 'any_of(lambda pid: os.sched_setaffinity(pid, {0}), given["victims"])'),
    (
        "limits",
        'same = struct.pack("QQ", 0, 0)\n'
        'any_of(lambda p: syscall("prlimit64", p, resource.RLIMIT_CORE, same, 0),\n'
        '       given["victims"])',
    ),
]

_MEMORY = [
    ("ptrace", 'any_of(lambda pid: syscall("ptrace", 16, pid, 0, 0), given["victims"])'),
    (
        "process_vm_readv",
        "here = ctypes.create_string_buffer(8)\n"
        'place = struct.pack("QQ", ctypes.addressof(here), 8)\n'
        'any_of(lambda p: syscall("process_vm_readv", p, place, 1, place, 1, 0),\n'
        '       given["victims"])',
    ),
    (
        "pidfd_getfd",
        'any_of(lambda pid: syscall("pidfd_getfd", os.pidfd_open(pid), 1, 0), given["victims"])',
    ),
]

_SEARCH_OBJECTS = """
import gc
wanted = given["secret_reversed"][::-1]
def holds(thing, depth=0):
    if isinstance(thing, (str, bytes)):
        return wanted in (thing if isinstance(thing, str) else thing.decode("latin-1"))
    if depth < 2 and isinstance(thing, dict):
        return any(holds(value, depth + 1) for value in list(thing.values()))
    return isinstance(thing, (list, tuple)) and any(holds(item, 2) for item in thing)
own = (given, globals())
if not any(holds(thing) for thing in gc.get_objects() if all(thing is not o for o in own)):
    raise OSError(errno.ENOENT, "nothing")
"""

_INHERITED = """
def is_open(number):
    try:
        return os.fstat(number)
    except OSError:
        return None
streams_and_note = range(4)
if not any(is_open(number) for number in range(70000) if number not in streams_and_note):
    raise OSError(errno.EBADF, "nothing")
"""

ATTACKS = [
    *(
        attack(f"read the grader's {name}", "landlock", EACCES, body, control=THROUGH)
        for name, body in _BY_PROC
        if name != "mem"
    ),
    # Without confinement it is up to Yama whether these work.
    attack("read the grader's memory by path", "landlock", EACCES, dict(_BY_PROC)["mem"]),
    *(attack(f"take it by {name}", "seccomp", EPERM, body) for name, body in _MEMORY),
    *(
        attack(f"signal the grader by {name}", "seccomp", EPERM, body, control=THROUGH)
        for name, body in _SIGNALS
    ),
    attack("signal everybody", "seccomp", EPERM, "os.kill(-1, signal.SIGCONT)"),
    attack("signal its process group", "seccomp", EPERM, "os.kill(0, signal.SIGCONT)"),
    *(
        attack(f"change the grader's {name}", "seccomp", EPERM, body, control=THROUGH)
        for name, body in _SETTINGS
    ),
    attack("find a secret among all objects", "fresh server", "stopped: ENOENT", _SEARCH_OBJECTS),
    attack("use an inherited descriptor", "closed descriptors", "stopped: EBADF", _INHERITED),
    attack(
        "import the grader",
        "forgotten modules",
        "stopped: ENOENT",
        """
        try:
            import grader.judging.judge
        except (ImportError, PermissionError):
            raise OSError(errno.ENOENT, "nothing")
        """,
    ),
]
