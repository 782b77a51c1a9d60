"""bubblewrap around a fork server: namespaces of its own, and a view with nothing but Python in it.

    bwrap ── own mount, PID, network, IPC, UTS and user namespace; dies with the grader
      └─ fork server, as without it       /tmp is empty and its own; staff files are not there

An ordinary user gets a user namespace. A root that has private users to give gets none, for then
its children could not become one; it keeps the few capabilities that the server needs for that.
https://github.com/containers/bubblewrap
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import sysconfig
from pathlib import Path

_ROOT_NEEDS = ("CAP_SETUID", "CAP_SETGID", "CAP_KILL")
_ALTERNATIVES = "/etc/alternatives"
"""Links of Debian, by which its numpy finds a BLAS."""

_SCRATCH_BYTES = 64 << 20
"""For what libraries write while they are imported; no program can write there."""


def executable() -> str | None:
    """Where bubblewrap is; None where it is not installed."""
    return shutil.which("bwrap")


def enclosed(command: list[str], package: Path, info: int) -> list[str]:
    """A command that runs `command` enclosed.

    Args:
        command: an interpreter with its arguments.
        package: the folder of this package, of which the server imports a few modules.
        info: a descriptor of an empty file, for `first_process`.
    """
    from grader.sandbox.identity import can_be_private  # Linux only

    words = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    words += ["--unshare-cgroup-try", "--die-with-parent", "--hostname", "grader"]
    words += ["--info-fd", str(info)]
    if can_be_private():
        words += [word for name in _ROOT_NEEDS for word in ("--cap-add", name)]
    else:
        words += ["--unshare-user"]
    words += ["--size", str(_SCRATCH_BYTES), "--tmpfs", "/tmp"]  # noqa: S108 - its own
    words += ["--proc", "/proc", "--dev", "/dev"]
    for path in _seen(package):
        words += ["--ro-bind", path, path]
    python = sys.executable
    if os.path.realpath(python) != python:
        words += ["--symlink", os.path.realpath(python), python]
    return [executable() or "bwrap", *words, "--remount-ro", "/", "--chdir", "/", "--", *command]


def first_process(info: int) -> int | None:
    """The id, outside, of the first process inside; None where there is none yet."""
    try:
        return int(json.loads(os.pread(info, 4096, 0))["child-pid"])
    except ValueError:
        return None


def _seen(package: Path) -> list[str]:
    """The files and folders that the server sees; none that lies in another one."""
    files = [os.path.realpath(sys.executable), os.path.join(sys.prefix, "pyvenv.cfg")]
    if sysconfig.get_config_var("Py_ENABLE_SHARED"):
        folder, name = map(sysconfig.get_config_var, ("LIBDIR", "INSTSONAME"))
        files.append(os.path.join(folder, name))
    code = [str(package / "__init__.py"), str(package / "sandbox")]
    paths = [*_folders(), *files, *code, _ALTERNATIVES]
    chosen: list[str] = []
    for path in sorted({path for path in paths if os.path.exists(path)}):
        if not chosen or not path.startswith(chosen[-1] + "/"):
            chosen.append(path)
    return chosen


def _folders() -> list[str]:
    """What programs may read, also by the names that the interpreter has for it (links)."""
    from grader.sandbox.confine import readable_paths, user_site  # Linux only

    named = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    # /sys is not mounted anew: of it only the list of cores is seen.
    return [*readable_paths(), *named, *user_site()]
