"""A process under the rules reads what is allowed and nothing else, with every known version.

Each trial runs in a forked child, which is confined for good, and answers with one word.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import os
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from grader.sandbox import landlock

_PR_SET_NO_NEW_PRIVS = 38
ABIS = range(1, landlock.abi() + 1)


class Folders(NamedTuple):
    """Two folders with a file each; programs may read below the first."""

    allowed: Path
    closed: Path


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    found = Folders(tmp_path / "allowed", tmp_path / "closed")
    for folder in found:
        folder.mkdir()
        (folder / "file").write_text("text")
    return found


def _word(action: Callable[[], object]) -> bytes:
    try:
        action()
    except OSError as error:
        return errno.errorcode[error.errno or 0].encode()
    return b"done"


def confined(folders: Folders, abi: int, action: Callable[[], object]) -> str:
    """`done`, or the name of the error that the action met under the rules."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            rules = landlock.ruleset([str(folders.allowed)], ["/dev/null"], abi)
            ctypes.CDLL(None).prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
            landlock.restrict(rules)
            os.write(writing, _word(action))
        finally:
            os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with open(reading) as answer:
        return answer.read()


@pytest.mark.parametrize("abi", ABIS)
def test_what_is_allowed_can_be_read(folders: Folders, abi: int) -> None:
    assert confined(folders, abi, (folders.allowed / "file").read_text) == "done"
    assert confined(folders, abi, lambda: os.listdir(folders.allowed)) == "done"


@pytest.mark.parametrize("abi", ABIS)
def test_nothing_else_can_be_read(folders: Folders, abi: int) -> None:
    assert confined(folders, abi, (folders.closed / "file").read_text) == "EACCES"
    assert confined(folders, abi, lambda: os.listdir(folders.closed)) == "EACCES"
    assert confined(folders, abi, lambda: os.listdir("/")) == "EACCES"


@pytest.mark.parametrize("abi", ABIS)
def test_nothing_can_be_changed_even_where_reading_is_allowed(folders: Folders, abi: int) -> None:
    file, new = folders.allowed / "file", folders.allowed / "new"
    for change in (
        lambda: file.write_text("other"),
        lambda: new.write_text("new"),
        lambda: new.mkdir(),
        lambda: new.symlink_to(file),
        file.unlink,
    ):
        assert confined(folders, abi, change) == "EACCES"
    assert file.read_text() == "text"
    assert not new.exists()


@pytest.mark.parametrize("abi", ABIS)
def test_a_device_can_be_written_to(folders: Folders, abi: int) -> None:
    assert confined(folders, abi, lambda: Path("/dev/null").write_text("x")) == "done"
    assert confined(folders, abi, lambda: Path("/dev/full").read_bytes()) == "EACCES"


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as found:
        yield found


@pytest.mark.parametrize("abi", ABIS)
def test_tcp_is_closed_from_version_4_on(
    folders: Folders, listener: socket.socket, abi: int
) -> None:
    def connect() -> None:
        with socket.socket() as caller:
            caller.connect(listener.getsockname())

    assert confined(folders, abi, connect) == ("EACCES" if abi >= 4 else "done")


@pytest.mark.parametrize("abi", ABIS)
def test_signals_stay_inside_from_version_6_on(folders: Folders, abi: int) -> None:
    parent = os.getpid()
    answer = confined(folders, abi, lambda: os.kill(parent, signal.SIGCONT))
    assert answer == ("EPERM" if abi >= 6 else "done")


@pytest.mark.parametrize("abi", ABIS)
def test_abstract_sockets_stay_inside_from_version_6_on(folders: Folders, abi: int) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind("")  # the kernel chooses an abstract name
        name = receiver.getsockname()

        def send() -> None:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
                sender.sendto(b"x", name)

        assert confined(folders, abi, send) == ("EPERM" if abi >= 6 else "done")


def test_the_rules_lie_out_of_the_way_of_the_streams() -> None:
    rules = landlock.ruleset([], [], 1)
    with contextlib.closing(os.fdopen(rules)):
        note = 3
        assert rules > note
        assert fcntl.fcntl(rules, fcntl.F_GETFD) & fcntl.FD_CLOEXEC


def test_a_folder_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        landlock.ruleset([str(tmp_path / "nowhere")], [], 1)
