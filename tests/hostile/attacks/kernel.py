"""Calls that no program needs and that have opened kernels before."""

from tests.hostile.attacks.attack import EPERM, THROUGH, attack

_NEVER = """
    io_uring_setup io_uring_enter io_uring_register userfaultfd bpf perf_event_open keyctl add_key
    request_key mount umount2 move_mount fsopen fsmount open_tree mount_setattr pivot_root chroot
    unshare setns init_module finit_module delete_module kexec_load acct swapon swapoff quotactl
    sethostname setdomainname settimeofday clock_settime adjtimex syslog vhangup personality
    name_to_handle_at open_by_handle_at fanotify_init inotify_init1 inotify_add_watch mq_open
    mq_unlink msgget semget shmget shmat seccomp kcmp process_madvise process_mrelease move_pages
    migrate_pages mbind remap_file_pages splice tee vmsplice sendfile copy_file_range io_setup
    ioprio_set sched_setscheduler sched_setattr setresuid setgroups setfsuid pidfd_open
    execveat openat2 fallocate mknodat fchownat landlock_restrict_self lookup_dcookie
""".split()

_TRY_ALL = f"""
for name in {" ".join(_NEVER)!r}.split():
    try:
        syscall(name, 0, 0, 0, 0, 0, 0)
    except OSError as error:
        if error.errno != errno.EPERM:
            raise OSError(error.errno, name)
    else:
        raise SystemExit(name)
raise OSError(errno.EPERM, "every one")
"""

_INT_80 = """
code = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, 7)
code.write(bytes.fromhex("b814000000" "cd80" "c3"))  # getpid by the calls of 32-bit programs
ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
"""

_X86_ONLY = [
    # Without 32-bit programs in the kernel, the instruction is a segmentation fault.
    attack("enter as a 32-bit program", "seccomp", ("signalled 31", "signalled 11"), _INT_80),
]

ATTACKS = [
    attack("ask for everything that nobody needs", "seccomp", EPERM, _TRY_ALL),
    attack("use x32 numbers", "seccomp", "signalled 31", "libc.syscall(0x40000000 | 39)"),
    attack(
        "use a negative number", "seccomp", ("signalled 31", "stopped: EPERM"), "libc.syscall(-5)"
    ),
    attack("watch files", "seccomp", EPERM, 'syscall("inotify_init1", 0)', control=THROUGH),
    attack("type into a terminal", "seccomp", EPERM, 'fcntl.ioctl(0, 0x5412, b"x")'),
    attack("make a user namespace", "seccomp", EPERM, 'syscall("unshare", 0x10000000)'),
]
