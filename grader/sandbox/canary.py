"""Small attacks, tried in a confined child when a server starts: every one must fail.

Standard library only: this module is loaded inside the sandbox's server.
"""

import contextlib
import json
import os
import socket
from typing import Any

from grader.sandbox.confine import readable_paths

_SEPARATE = ("mnt", "pid", "net", "ipc", "uts")
"""Namespaces of which an enclosed server has its own; of users only where nobody is root."""


def exposed(secrets: list[str]) -> list[str]:
    """Secrets that lie below a folder that every program may read: no sandbox can help there."""
    folders = [path + "/" for path in readable_paths()]
    return [s for s in secrets if any((os.path.realpath(s) + "/").startswith(f) for f in folders)]


def namespaces() -> dict[str, str]:
    """Those namespaces of this process: kind → what the kernel calls it, where it tells."""
    found = {}
    for kind in _SEPARATE:
        with contextlib.suppress(OSError):
            found[kind] = os.readlink(f"/proc/self/ns/{kind}")
    return found


def shared(outside: dict[str, str]) -> list[str]:
    """The kinds of namespace that this process has in common with the grader."""
    own = namespaces()
    return [kind for kind in _SEPARATE if not own.get(kind) or own[kind] == outside.get(kind)]


def attack(secrets: list[str], server: int) -> None:
    """Small attacks, tried in a confined child; prints the names of those that got through, and
    the secrets of which it can at least tell that they are there."""
    through = []
    seen = [path for path in secrets if os.path.exists(path)]

    def attempt(name: str, action: Any) -> None:
        try:
            action()
        except OSError:
            return
        through.append(name)

    for path in secrets:
        attempt(f"open {path}", lambda path=path: os.close(os.open(path, os.O_RDONLY)))
    attempt("write /tmp", lambda: os.open("/tmp", os.O_TMPFILE | os.O_RDWR, 0o600))
    attempt("fork", lambda: os.fork() or os._exit(0))
    attempt("exec", lambda: os.execv("/bin/true", ["true"]))
    attempt("socket", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM))
    attempt("signal the server", lambda: os.kill(server, 0))
    os.write(1, json.dumps([through, seen]).encode())
