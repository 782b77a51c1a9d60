"""What the attacks aim at: staff files, a process, sockets; and what an attack has done to them."""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path
from typing import Any

from grader.sandbox.syscalls import SYSCALLS

SECRET = "the one right answer is 4711"


class Scene:
    """A staff folder that everybody may read, and a process of the same user. Use in a `with`.

    Args:
        reference: the place of the staff's file in that folder.
    """

    def __init__(self, reference: str = "reference.py") -> None:
        self._stack = contextlib.ExitStack()
        # Not a temporary folder of pytest: those are closed, and it is not they that shall protect.
        self.folder = Path(tempfile.mkdtemp(prefix="scene-"))
        self._stack.callback(shutil.rmtree, self.folder, ignore_errors=True)
        self.folder.chmod(0o755)
        self.staff = self.folder / reference
        self.staff.parent.mkdir(parents=True, exist_ok=True)
        self._token = f"litter-{uuid.uuid4()}"
        self.restore()
        self._victim = subprocess.Popen(
            [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True
        )
        self._stack.callback(self._end_victim)
        self._stream = socket.create_server(("127.0.0.1", 0))
        self._datagrams = [
            self._bound(socket.AF_INET, ("127.0.0.1", 0)),
            self._bound(socket.AF_UNIX, "\0" + self._token),
            self._bound(socket.AF_UNIX, str(self.folder / "socket")),
        ]
        self._stack.enter_context(self._stream)

    def _bound(self, family: int, address: Any) -> socket.socket:
        listener = self._stack.enter_context(socket.socket(family, socket.SOCK_DGRAM))
        listener.bind(address)
        listener.setblocking(False)
        return listener

    def restore(self) -> None:
        """Undo what an attack did, so that the next one is judged by itself."""
        for path in self._litter():
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        self.staff.unlink(missing_ok=True)
        self.staff.write_text(f"# {SECRET}\n")
        self.staff.chmod(0o644)
        os.utime(self.staff, (1e9, 1e9))

    def _end_victim(self) -> None:
        self._victim.kill()
        self._victim.communicate()

    def _places(self) -> list[Path]:
        return [Path("/tmp"), Path("/dev/shm"), Path.home(), Path.cwd(), self.folder]

    def _litter(self) -> list[Path]:
        paths = [place / self._token for place in self._places()]
        return [path for path in paths if os.path.lexists(path)]

    def given(self, attack: str, *, confined: bool, output_bytes: int) -> dict[str, Any]:
        """What an attack is told. Unconfined ones get only what may be hurt."""
        places = self._places() if confined else [self.folder]
        return {
            "attack": attack,
            "confined": confined,
            "staff": str(self.staff),
            "folder": str(self.folder),
            "litter": [str(place / self._token) for place in places],
            "victims": [self._victim.pid],
            "tcp_port": self._stream.getsockname()[1],
            "udp_port": self._datagrams[0].getsockname()[1],
            "abstract": self._token,
            "socket": str(self.folder / "socket"),
            "numbers": SYSCALLS[platform.machine()],
            "secret_reversed": SECRET[::-1],
            "output_bytes": output_bytes,
        }

    def damage(self) -> list[str]:
        """What is not as it was, as short sentences; nothing when all is well."""
        found = [f"left {path}" for path in self._litter()]
        if not self.staff.exists() or self.staff.read_text() != f"# {SECRET}\n":
            found.append("the staff file has changed")
        elif (self.staff.stat().st_mode & 0o777, self.staff.stat().st_mtime) != (0o644, 1e9):
            found.append("the staff file has another mode or time")
        if self._victim.poll() is not None:
            found.append("the victim has ended")
        for listener in self._datagrams:
            with contextlib.suppress(BlockingIOError):
                found.append(f"received {listener.recv(64)!r}")
        return found

    def __enter__(self) -> Scene:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()
