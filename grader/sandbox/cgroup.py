"""A control group for each server, where a cgroup of version 2 was delegated to the grader.

    the delegated group          the controllers memory and pids are on for what lies below
      ├─ grader                  whatever was in the delegated group, the grader with it: version 2
      │                          lets no process stay where controllers are on below
      └─ server-UUID             a fork server and all that it starts: limited together, ended at
                                 once, removed; locked by the judging process that made it

It limits what the other layers cannot count (pages of files and of the kernel, threads of an
ordinary user), and what a killed grader leaves is ended by the next one. No level depends on it,
and where a group cannot be made or limited, the server runs without.

https://docs.kernel.org/admin-guide/cgroup-v2.html, https://systemd.io/CGROUP_DELEGATION
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import signal
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

OWN = "grader"
_SERVER = "server"
_NEEDED = ("memory", "pids")
_MOST_TASKS = 300
"""256 threads of a program, the server, bubblewrap, and a child that waits."""
_SLACK_BYTES = 64 << 20
_MOST_MOVES = 100
_REMOVAL_SECONDS, _SWEEP_SECONDS = 5.0, 0.2


class NotDelegated(Exception):
    """There is no group that the grader may use; the message says why."""


def own_group() -> Path:
    """The folder of the group in which this process is.

    Raises:
        NotDelegated: no cgroup of version 2 is mounted here.
    """
    try:
        lines = _text(Path("/proc/self/cgroup")).splitlines()
        mounts = [line.split() for line in _text(Path("/proc/self/mountinfo")).splitlines()]
    except OSError as error:
        raise NotDelegated(f"/proc does not tell of cgroups ({error})") from None
    inside = [line.removeprefix("0::") for line in lines if line.startswith("0::")]
    # ID PARENT DEVICE ROOT WHERE OPTIONS … - TYPE …; proc(5)
    places = [words[3:5] for words in mounts if words[words.index("-") + 1] == "cgroup2"]
    if not inside or not places:
        raise NotDelegated("no cgroup of version 2 is mounted")
    root, place = places[-1]
    below = os.path.relpath(inside[0], root)
    if below.startswith(".."):
        raise NotDelegated("the grader's own cgroup is not mounted")
    return Path(place, below)


def delegated() -> Path:
    """The group that the grader may divide, made ready for it.

    Raises:
        NotDelegated: there is none.
    """
    group = own_group()
    if group.name == OWN:
        group = group.parent  # another grader has made it ready, or this one
    controllers = _words(group / "cgroup.controllers")
    missing = [name for name in _NEEDED if name not in controllers]
    if missing:
        raise NotDelegated(f"the grader's cgroup has no controller {' and '.join(missing)}")
    if not _is_handed_over(group):
        raise NotDelegated("the grader's cgroup is not delegated")
    try:
        _make_room(group)
    except OSError as error:
        raise NotDelegated(f"the grader's cgroup cannot be divided ({error})") from None
    sweep(group)
    return group


def _is_handed_over(group: Path) -> bool:
    """Whether its manager leaves the group to us, as systemd says by an attribute. That root may
    write everywhere says nothing."""
    files = ("", "cgroup.procs", "cgroup.subtree_control")
    if not all(os.access(group / name, os.W_OK) for name in files):
        return False
    for name in ("user.delegate", "trusted.delegate"):
        with contextlib.suppress(OSError):
            if os.getxattr(group, name) == b"1":
                return True
    return False


def _make_room(group: Path) -> None:
    """Move the processes of a group down, so that controllers may be on below it."""
    if set(_NEEDED) <= set(_words(group / "cgroup.subtree_control")):
        return
    (group / OWN).mkdir(exist_ok=True)
    for _ in range(_MOST_MOVES):  # meanwhile there may be new ones
        for process in _words(group / "cgroup.procs"):
            with contextlib.suppress(ProcessLookupError):
                _write(group / OWN / "cgroup.procs", process)
        try:
            _write(group / "cgroup.subtree_control", " ".join(f"+{name}" for name in _NEEDED))
        except OSError as error:
            if error.errno != errno.EBUSY:
                raise
        else:
            return
    raise OSError(errno.EBUSY, "new processes come faster than they can be moved")


def sweep(group: Path) -> None:
    """End and remove what graders have left that were killed: nobody holds its lock any more."""
    with contextlib.suppress(OSError), _locked(group):
        for left in group.glob(f"{_SERVER}-*"):
            with contextlib.suppress(BlockingIOError), _locked(left, fcntl.LOCK_NB):
                _remove(left, _SWEEP_SECONDS)


@contextlib.contextmanager
def _locked(folder: Path, how: int = 0) -> Iterator[None]:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | how)
        yield
    finally:
        os.close(descriptor)


class ControlGroup:
    """The group of one server.

    Args:
        within: what `delegated` gave.

    Raises:
        OSError: it cannot be made.
    """

    def __init__(self, within: Path) -> None:
        self.folder = within / f"{_SERVER}-{uuid.uuid4()}"
        with contextlib.ExitStack() as stack, _locked(within):
            self.folder.mkdir()
            stack.callback(_remove, self.folder, _REMOVAL_SECONDS)
            self._lock = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
            stack.callback(os.close, self._lock)
            fcntl.flock(self._lock, fcntl.LOCK_EX)
            if "pids" in _words(self.folder / "cgroup.controllers"):
                _write(self.folder / "pids.max", str(_MOST_TASKS))
            with contextlib.suppress(OSError):  # without swap there is no such file
                _write(self.folder / "memory.swap.max", "0")
            self._stack = stack.pop_all()
        self._limits: tuple[int, int] = (0, 0)
        self._base: int | None = None
        self._kills = self._own_kills = 0

    def join(self) -> None:
        """Put the calling process into the group; called between fork and exec.

        Whether that worked is asked later, by `holds_something`.
        """
        with contextlib.suppress(OSError):
            _write(self.folder / "cgroup.procs", "0")

    def holds_something(self) -> bool:
        return bool(_words(self.folder / "cgroup.procs"))

    def limit(self, memory_bytes: int, output_bytes: int) -> None:
        """Let no run of the server take more than it may, its outputs and copied pages included.

        Args:
            memory_bytes: the run's memory on top of what the server uses.
            output_bytes: the most of stdout, and of stderr.
        """
        wanted = max(self._limits[0], memory_bytes), max(self._limits[1], output_bytes)
        if wanted == self._limits:
            return
        self._limits = wanted
        with contextlib.suppress(OSError, ValueError):
            if self._base is None:
                self._base = int((self.folder / "memory.current").read_text())
            # A run copies what it touches of the server's memory; outputs of two wait to be read.
            most = 2 * self._base + wanted[0] * 5 // 4 + 4 * wanted[1] + _SLACK_BYTES
            _write(self.folder / "memory.max", str(most))

    def has_killed(self) -> bool:
        """Whether, since this was last asked, a process was ended here for this group's limit.

        What was ended for the limit of a group above, or of the machine, is not counted.
        """
        # Of several that were ended meanwhile each is told of once.
        events = dict(line.split() for line in _lines(self.folder / "memory.events"))
        if int(events.get("oom_kill", 0)) <= self._kills:
            return False
        self._kills += 1
        if int(events.get("oom", 0)) <= self._own_kills:
            return False
        self._own_kills += 1
        return True

    def close(self) -> None:
        """End everything in it, and remove it."""
        self._stack.close()


def _remove(group: Path, seconds: float) -> None:
    """End what is in a group, and remove it, if it is empty after so many seconds."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            _write(group / "cgroup.kill", "1")
        except OSError:  # before Linux 5.14
            for process in _words(group / "cgroup.procs"):
                with contextlib.suppress(OSError):
                    os.kill(int(process), signal.SIGKILL)
        try:
            group.rmdir()
        except FileNotFoundError:
            return
        except OSError:  # the last process is about to go
            if time.monotonic() > deadline:
                return
            time.sleep(0.002)
        else:
            return


def _write(path: Path, words: str) -> None:
    descriptor = os.open(path, os.O_WRONLY)  # what is not there cannot be made, either
    try:
        os.write(descriptor, words.encode())
    finally:
        os.close(descriptor)


def _lines(path: Path) -> list[str]:
    try:
        return _text(path).splitlines()
    except OSError:
        return []


def _text(path: Path) -> str:
    """Names of folders are bytes, of any encoding."""
    return path.read_text("utf-8", "surrogateescape")


def _words(path: Path) -> list[str]:
    return " ".join(_lines(path)).split()
