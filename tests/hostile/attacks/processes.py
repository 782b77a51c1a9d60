"""Making processes, which could outlive the run, and undoing what holds this one."""

from tests.hostile.attacks.attack import EPERM, THROUGH, attack

_ENDLESS_THREADS = """
threading.stack_size(32768)
def bomb():
    while True:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
try:
    bomb()
except (RuntimeError, MemoryError):
    raise OSError(errno.EAGAIN, "no more threads")
"""

_MAKING = [
    ("fork", "if os.fork() == 0: os._exit(0)", THROUGH),
    (
        "fork twice and leave the session",
        "if os.fork() == 0:\n    os.setsid()\n    os.fork()\n    os._exit(0)",
        THROUGH,
    ),
    ("fork from a thread's system call", 'syscall("clone", signal.SIGCHLD, 0, 0, 0, 0)', None),
    # CLONE_VM without CLONE_THREAD: a process that shares this one's memory.
    ("clone with shared memory", 'syscall("clone", 0x100 | signal.SIGCHLD, 0, 0, 0, 0)', None),
    ("clone a thread into a namespace", 'syscall("clone", 0x10010900, 0, 0, 0, 0)', None),
    ("replace itself by a shell", 'os.execv("/bin/sh", ["sh", "-c", "echo through"])', THROUGH),
    (
        "replace itself by a descriptor",
        'os.execve(os.open("/usr/lib/os-release", os.O_RDONLY), ["sh"], {})',
        None,
    ),
    ("posix_spawn", 'os.posix_spawn("/bin/sh", ["sh", "-c", ":"], {})', THROUGH),
    ("subprocess", 'import subprocess\nsubprocess.run(["/bin/sh", "-c", ":"])', THROUGH),
]

_UNDOING = [
    ("delete its CPU timer", 'syscall("timer_delete", 0)'),
    ("set its CPU timer anew", 'syscall("timer_settime", 0, 0, struct.pack("4q", 0, 0, 0, 0), 0)'),
    ("outlive its parent", 'syscall("prctl", 1, 0, 0, 0, 0)'),
    ("hide from its owner", 'syscall("prctl", 4, 0, 0, 0, 0)'),
    (
        "raise its limits",
        'syscall("prlimit64", 0, resource.RLIMIT_CPU, struct.pack("QQ", 9999, 9999), 0)',
    ),
    ("leave its session", "os.setsid()"),
    ("become somebody else", "os.setuid(12345)"),
    ("add capabilities", 'syscall("capset", struct.pack("Ii", 0x20080522, 0), bytes(24))'),
    ("trace itself", 'syscall("ptrace", 0, 0, 0, 0)'),
]

ATTACKS = [
    *(attack(name, "seccomp", EPERM, body, control=control) for name, body, control in _MAKING),
    attack(
        "clone3", "seccomp", "stopped: ENOSYS", 'syscall("clone3", struct.pack("8Q", *[0] * 8), 64)'
    ),
    attack(
        "thread bomb",
        "rlimits",
        ("stopped: EAGAIN", "over_memory", "over_time"),
        _ENDLESS_THREADS,
        wall_seconds=1.0,
    ),
    *(attack(name, "seccomp", EPERM, body) for name, body in _UNDOING),
]
