"""Machines that lack something: the right level and why, or a clear refusal; never a verdict.

Each is made in a process of its own: by limits that it inherits, by a filter of system calls, or by
mounts in a view of its own.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.sandbox.syscalls import SYSCALLS
from tests.cli.command import RIGHT, Finished, environment
from tests.conftest import REPOSITORY
from tests.hostile.container import refuse
from tests.hostile.unprivileged import drop_privileges, mount, own_mounts

_NUMBERS = SYSCALLS[platform.machine()]
_LANDLOCK = {444: errno.ENOSYS, 445: errno.ENOSYS, 446: errno.ENOSYS}
_PR_SET_SECCOMP = 22
Prepare = Callable[[], None]


def limited(kind: int, value: int) -> Prepare:
    """As an ordinary user: limits do not bind root."""

    def prepare() -> None:
        drop_privileges()
        resource.setrlimit(kind, (value, value))

    return prepare


def mounted(place: str, kind: str, flags: int = 0, data: str | None = None) -> Prepare:
    def prepare() -> None:
        own_mounts()
        mount(kind, place, kind, flags, data)

    return prepare


def _full_tmp() -> None:
    own_mounts()
    mount("tmpfs", "/tmp", "tmpfs", 0, "size=64k")
    file = os.open("/tmp/full", os.O_CREAT | os.O_WRONLY)
    with contextlib.suppress(OSError):
        while os.write(file, bytes(4096)):
            pass
    os.close(file)


def _no_landlock() -> None:
    refuse(_LANDLOCK)


def _no_seccomp() -> None:
    refuse({_NUMBERS["seccomp"]: errno.ENOSYS}, prctl=_PR_SET_SECCOMP)


_READ_ONLY, _NO_EXEC = 1, 8
HARMLESS: dict[str, Prepare] = {
    "30 open files": limited(resource.RLIMIT_NOFILE, 30),
    "no core files": limited(resource.RLIMIT_CORE, 0),
    "a small stack": limited(resource.RLIMIT_STACK, 1 << 20),
}
POOR: dict[str, Prepare] = {
    "10 open files": limited(resource.RLIMIT_NOFILE, 10),
    "one process": limited(resource.RLIMIT_NPROC, 1),
    "200 MB of address space": limited(resource.RLIMIT_AS, 200 << 20),
    "30 MB of data": limited(resource.RLIMIT_DATA, 30 << 20),
    "files of at most 4 KB": limited(resource.RLIMIT_FSIZE, 4096),
    "no Landlock": _no_landlock,
    "no seccomp": _no_seccomp,
}
MOUNTED: dict[str, Prepare] = {
    "/proc hidden": mounted("/proc", "tmpfs"),
    "/tmp read-only": mounted("/tmp", "tmpfs", _READ_ONLY),
    "/tmp full": _full_tmp,
    "/tmp without execution": mounted("/tmp", "tmpfs", _NO_EXEC),
    "no /dev/shm": mounted("/dev/shm", "tmpfs", _READ_ONLY, "size=0"),
}


def graded(folder: Path, prepare: Prepare) -> Finished:
    folder.chmod(0o777)
    (folder / "mine.py").write_text(RIGHT)
    words = ["grade", "double", "mine.py", "--examples", "10", "--format", "json"]
    told = subprocess.run(
        [sys.executable, "-m", "grader", *words],
        cwd=folder,
        env=environment(PYTHONDONTWRITEBYTECODE="1", HOME="/nowhere"),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        preexec_fn=prepare,
    )
    return Finished(status=told.returncode, stdout=told.stdout, stderr=told.stderr)


@pytest.fixture
def folder() -> Iterator[Path]:
    """Not below the closed temporary folder of pytest, nor in /tmp, which some tests cover."""
    path = Path(tempfile.mkdtemp(prefix="poor-", dir="/var/tmp"))
    yield path
    shutil.rmtree(path)


@pytest.mark.parametrize("lack", HARMLESS)
def test_what_does_no_harm_changes_nothing(folder: Path, lack: str) -> None:
    told = graded(folder, HARMLESS[lack])
    assert told.status == 0, told.stderr
    assert told.report["verdict"] == "accepted"
    assert told.report["sandbox"]["level"] != "weak"


SOME = POOR | (MOUNTED if os.geteuid() == 0 else {})


@pytest.mark.parametrize("lack", SOME)
def test_a_right_program_never_fails_for_what_the_machine_lacks(folder: Path, lack: str) -> None:
    if lack.startswith("/tmp") and REPOSITORY.is_relative_to("/tmp"):
        pytest.skip("this checkout lies there itself")
    told = graded(folder, SOME[lack])
    if told.stdout:
        failing = [
            row["id"]
            for group in told.report["groups"]
            for row in group["rows"]
            if row["graded"] and row["verdict"] not in ("accepted", "skipped")
        ]
        assert failing == []
    if not told.stdout or not told.report["graded_completely"]:
        assert told.status in (3, 4, 5)
        assert told.stderr.strip()
        assert not told.shows_our_code


def test_without_landlock_the_level_is_weak_and_says_why(folder: Path) -> None:
    told = graded(folder, _no_landlock)
    assert told.report["sandbox"]["level"] == "weak"
    assert "no Landlock" in told.stderr


def test_without_seccomp_the_level_is_weak_and_says_why(folder: Path) -> None:
    told = graded(folder, _no_seccomp)
    assert told.report["sandbox"]["level"] == "weak"
    assert "seccomp" in told.stderr


def test_the_filter_of_this_file_refuses_what_it_says(folder: Path) -> None:
    code = "import ctypes, sys; sys.exit(ctypes.CDLL(None).syscall(444, None, 0, 1) != -1)"
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, preexec_fn=_no_landlock, check=False).returncode == 0
    assert ctypes.CDLL(None).syscall(444, None, 0, 1) > 0
