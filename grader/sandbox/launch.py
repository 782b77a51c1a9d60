"""How the process of a fork server is started: its command, its environment, what it inherits."""

from __future__ import annotations

import contextlib
import functools
import os
import site
import subprocess
import sys
from pathlib import Path

import grader
from grader.sandbox import bubblewrap
from grader.sandbox.cgroup import ControlGroup
from grader.sandbox.confine import closed_to_others, user_site

_PACKAGE = Path(grader.__file__).resolve().parent
_ENVIRONMENT_KEPT = ("LD_LIBRARY_PATH", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
_THREAD_STACK_BYTES = 1 << 20
_BOOT = (
    "import sys; sys.path.insert(0, {root!r}); from grader.sandbox.server import start; "
    "sys.path.remove({root!r}); start()"
)


def launch(
    channel: int,
    source: int,
    *,
    info: int | None,
    words: int,
    scratch: str,
    hash_seed: int,
    group: ControlGroup | None,
) -> subprocess.Popen[bytes]:
    """Start it, in a session of its own.

    Args:
        channel: descriptor of the socket that it serves.
        source: descriptor of the program's source.
        info: descriptor of a file for `bubblewrap.first_process`; None to do without bubblewrap.
        words: descriptor of the file that gets its stderr.
        scratch: the folder that it may make, and write to, while a library is imported.
        hash_seed: PYTHONHASHSEED of the programs.
        group: the control group for it, if any.

    Raises:
        OSError: there is no process, memory or descriptor left for it.
    """
    boot = _BOOT.format(root=str(_PACKAGE.parent))
    with_user_site = _gives_user_site()
    flags = ["-P", "-B"] if with_user_site else ["-P", "-B", "-s"]
    command = [sys.executable, *flags, "-c", boot, str(channel), str(source)]
    if info is not None:
        command = bubblewrap.enclosed(command, _PACKAGE, info)
    return subprocess.Popen(  # noqa: S603
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=words,
        pass_fds=(channel, source, *filter(None, (info,))),
        env=_environment(scratch, hash_seed, with_user_site=with_user_site),
        start_new_session=True,
        preexec_fn=functools.partial(_set_up, group),
    )


def temporary_folder(*, enclosed: bool) -> str:
    """Where a server may write; inside bubblewrap there is only one place.

    Not `tempfile.gettempdir`, which tries a folder by a file: it stays there where the grader is
    killed just then.
    """
    chosen = os.environ.get("TMPDIR", "")
    if enclosed or not os.access(chosen, os.W_OK | os.X_OK):
        return "/tmp"  # noqa: S108 - in it a name that nobody can guess
    return os.path.abspath(chosen)


def _gives_user_site() -> bool:
    """What was installed for this user alone, programs find, too: but not what lies in a closed
    home of root, for each of them would have to keep a capability for it."""
    paths = map(os.path.realpath, user_site())
    return any(os.geteuid() != 0 or not closed_to_others(path) for path in paths)


def _environment(scratch: str, hash_seed: int, *, with_user_site: bool) -> dict[str, str]:
    kept = {name: os.environ[name] for name in _ENVIRONMENT_KEPT if name in os.environ}
    fixed = {
        "LANG": "C.UTF-8",
        "PYTHONIOENCODING": "utf-8:strict",
        "PYTHONHASHSEED": str(hash_seed),
        "HOME": "/",
        "TMPDIR": scratch,
        "TORCHINDUCTOR_CACHE_DIR": scratch,
    }
    if with_user_site:
        fixed["PYTHONUSERBASE"] = site.getuserbase()
    return kept | fixed | dict.fromkeys(_THREADS, "1")


def _set_up(group: ControlGroup | None) -> None:
    """What a server inherits, and its children from it."""
    import resource

    if group is not None:
        group.join()
    with contextlib.suppress(OSError):  # where a machine has no memory left, they go first
        Path("/proc/self/oom_score_adj").write_text("1000")
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]  # the judging process has less: its own
    resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))
    # RLIMIT_DATA counts the stacks of threads; the C library takes their size from here.
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    resource.setrlimit(resource.RLIMIT_STACK, (_THREAD_STACK_BYTES, hard))
