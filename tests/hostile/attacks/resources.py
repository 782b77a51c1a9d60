"""Using more than the limits: time, memory, output, descriptors.

None of these is tried without confinement: a machine would suffer.
"""

from tests.hostile.attacks.attack import EPERM, attack

_TIME = [
    (
        "burn CPU with every signal ignored",
        "for number in set(signal.valid_signals()) - {signal.SIGKILL, signal.SIGSTOP}:\n"
        "    signal.signal(number, signal.SIG_IGN)\n"
        "while True: pass",
    ),
    ("burn CPU in two threads", "threading.Thread(target=spin).start()\nspin()"),
    ("match a catastrophic pattern", 're.match("(a+)+$", "a" * 40 + "b")'),
    ("compute a huge integer", "print(len(str(7 ** 10 ** 8)))"),
]

_WAITING = [
    ("sleep", "time.sleep(60)"),
    ("stop itself", "os.kill(os.getpid(), signal.SIGSTOP)"),
    ("hang when it exits", "atexit.register(time.sleep, 60)"),
    ("hang in a thread", "threading.Thread(target=time.sleep, args=(60,)).start()"),
    (
        "end only its first thread",
        'threading.Thread(target=time.sleep, args=(60,)).start()\nsyscall("exit", 0)',
    ),
    ("fill the pipe on which it was started", 'os.write(3, b"x" * 100000)'),
]

_OUTPUT = [
    ("flood stdout", 'while True: os.write(1, b"x" * 4096)'),
    ("flood stderr", 'while True: os.write(2, b"x" * 4096)'),
    (
        "flood stdout and die of it",
        'signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\nwhile True: os.write(1, b"x" * 4096)',
    ),
    ("print one byte too many by stretching", 'os.ftruncate(1, given["output_bytes"] + 1)'),
]

_SHARED = "mmap.mmap({}, 1 << 30, mmap.MAP_SHARED)"
_MAP = 'syscall("mmap", 0, 1 << 30, {protection}, {flags}, -1, 0)'

_UNCOUNTED = [
    ("share anonymous memory", _SHARED.format(-1)),
    # A shared map of /dev/zero is anonymous shared memory by another name.
    ("share pages of /dev/zero", _SHARED.format('os.open("/dev/zero", os.O_RDWR)')),
    (
        "share pages of /dev/zero that it only reads",
        'zero = os.open("/dev/zero", os.O_RDONLY)\n'
        "mmap.mmap(zero, 1 << 30, mmap.MAP_SHARED, mmap.PROT_READ)",
    ),
    ("map a stack that grows", _MAP.format(protection=3, flags=0x122)),
    ("make a file in memory", 'os.memfd_create("x")'),
    ("make a secret file in memory", 'syscall("memfd_secret", 0)'),
    ("make System V shared memory", 'syscall("shmget", 0, 1 << 30, 0o1600)'),
    ("grow a pipe", "fcntl.fcntl(os.pipe()[1], 1031, 1 << 20)"),
    ("lock a file", "fcntl.lockf(1, fcntl.LOCK_EX)"),
    ("lock memory", 'syscall("mlockall", 1)'),
]

_COUNTED = [
    ("map private memory", _MAP.format(protection=3, flags=0x22)),
    (
        "reserve memory, then make it writable",
        "place = " + _MAP.format(protection=0, flags=0x22) + "\n"
        'syscall("mprotect", place, 1 << 30, 3)',
    ),
    ("reserve more than there can be", _MAP.format(protection=0, flags=0x22).replace("30", "44")),
    (
        "grow a map by moving it",
        "place = " + _MAP.format(protection=3, flags=0x22).replace("30", "20") + "\n"
        'syscall("mremap", place, 1 << 20, 1 << 30, 1, 0)',
    ),
]

_SPIN = "def spin():\n    while True: pass\n"

ATTACKS = [
    *(attack(name, "CPU timer", "over_time", _SPIN + body) for name, body in _TIME),
    *(attack(name, "wall limit", "over_time", body, wall_seconds=0.5) for name, body in _WAITING),
    *(attack(name, "rlimits", "over_output", body) for name, body in _OUTPUT),
    attack("make a sparse file", "rlimits", "stopped: EFBIG", "os.ftruncate(1, 1 << 40)"),
    attack("write into a far place", "rlimits", "stopped: EFBIG", 'os.pwrite(1, b"x", 1 << 40)'),
    attack(
        "build a huge list", "rlimits", "over_memory", "[bytearray(1 << 20) for _ in range(4096)]"
    ),
    attack("build a huge string", "rlimits", "over_memory", '"x" * (1 << 30)'),
    *(attack(name, "rlimits", "stopped: ENOMEM", body) for name, body in _COUNTED),
    *(attack(name, "seccomp", EPERM, body) for name, body in _UNCOUNTED),
    attack("open everything", "rlimits", "stopped: EMFILE", "while True: os.pipe()"),
    attack(
        "close its streams",
        "descriptors of the grader",
        "exited 0",
        "os.closerange(0, 64)\nos._exit(0)",
    ),
]
