"""Reading and changing files that belong to others."""

from tests.hostile.attacks.attack import EACCES, EPERM, THROUGH, attack

_READING = [
    ("read the reference by its path", 'open(given["staff"]).read()'),
    ("read the reference through a relative path", 'open("../.." + given["staff"]).read()'),
    ("read the reference through /proc/self/root", 'open("/proc/self/root" + given["staff"])'),
    ("list the staff folder", 'os.listdir(given["folder"])'),
    ("list the root folder", 'os.listdir("/")'),
    ("read the accounts", 'open("/etc/passwd").read()'),
    ("read its own environment block", 'open("/proc/self/environ").read()'),
    ("write to its own memory by path", 'open("/proc/self/mem", "r+b").read(0)'),
]

_WRITING = [
    ("overwrite a staff file", 'open(given["staff"], "r+").write("#")'),
    ("append to a staff file", 'open(given["staff"], "a").write("#")'),
    (
        "write to every folder that is often writable",
        'any_of(lambda path: open(path, "w"), given["litter"])',
    ),
    (
        "make a file without a name",
        "any_of(lambda path: os.open(os.path.dirname(path), os.O_TMPFILE | os.O_RDWR),\n"
        '       given["litter"])',
    ),
]

_CHANGING = [
    ("truncate by opening to read", 'os.open(given["staff"], os.O_RDONLY | os.O_TRUNC)'),
    # The fourth access mode, "neither": Landlock before ABI 3 has nothing to refuse then.
    ("truncate by opening for neither", 'os.open(given["staff"], os.O_ACCMODE | os.O_TRUNC)'),
    ("truncate by path", 'os.truncate(given["staff"], 0)'),
    ("touch", 'os.utime(given["staff"])'),
    ("change the mode", 'os.chmod(given["staff"], 0o777)'),
    ("make a hard link", 'os.link(given["staff"], given["litter"][-1])'),
    ("make a symbolic link", 'os.symlink("/etc/passwd", given["litter"][-1])'),
    ("make a fifo", 'os.mkfifo(given["litter"][-1])'),
    ("make a folder", 'os.mkdir(given["litter"][-1])'),
    ("rename", 'os.rename(given["staff"], given["litter"][-1])'),
    ("set an attribute", 'os.setxattr(given["folder"], "user.x", b"1")'),
]

ATTACKS = [
    *(attack(name, "landlock", EACCES, body, control=THROUGH) for name, body in _READING),
    *(attack(name, "landlock", EACCES, body, control=THROUGH) for name, body in _WRITING),
    *(attack(name, "seccomp", EPERM, body, control=THROUGH) for name, body in _CHANGING),
    attack(
        "unlink",
        "seccomp",
        EPERM,
        'open(given["litter"][-1], "w") if not given["confined"] else None\n'
        'os.unlink(given["litter"][-1] if not given["confined"] else given["staff"])',
        control=THROUGH,
    ),
]
