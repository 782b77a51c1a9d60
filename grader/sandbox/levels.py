"""Which level of containment this machine gives, found by trying and never assumed.

`standard` is everything that `confine` does, and a canary inside has found every way closed.
`weak` is anything less.
"""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from grader.errors import SandboxError
from grader.model.execution import Containment, Submission
from grader.sandbox.fair import FairExecutor
from grader.sandbox.weak import WeakExecutor

if TYPE_CHECKING:
    from grader.sandbox.client import SandboxExecutor

LEVELS = ("standard", "weak")
LAYERS = ("landlock", "seccomp", "cpu_timer", "rlimits", "private_user")
PROBE = Submission(name="probe.py", source=b"pass\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """An executor, how it confines programs, and why it is not better than that (or nothing)."""

    executor: FairExecutor
    containment: Containment
    why: str = ""


class Opening:
    """An executor that is about to be open: its first server starts while others load the lab.

    Args:
        submission: the program whose server is started for the trial.
        secrets: folders that a program must not be able to read.
        level: take just this one of `LEVELS`.
        hash_seed: PYTHONHASHSEED of the programs.
    """

    def __init__(
        self,
        submission: Submission,
        *,
        secrets: tuple[Path, ...] = (),
        level: str | None = None,
        hash_seed: int = 0,
    ) -> None:
        self._submission, self._level, self._hash_seed = submission, level, hash_seed
        self._why = "level weak was asked for" if level == "weak" else missing()
        self._standard = None if self._why else _begin_standard(submission, secrets, hash_seed)
        self._weak: WeakExecutor | None = None

    def finish(self, *, paced_seconds: float | None = None) -> Opened:
        """Wait until it is open.

        Args:
            paced_seconds: how fast the machine was on which the lab's limits were measured, see
                `FairExecutor`.

        Raises:
            SandboxError: the sandbox should work here and does not, a secret lies where every
                program may read, or `standard` is demanded and this machine does not give it.
        """
        if self._standard is not None:
            found = _found(self._standard, self._submission)
            if isinstance(found, Containment):
                return _opened(self._standard, found, paced_seconds)
            self._why = found
        if self._level == "standard":
            raise SandboxError(f"this machine does not give level standard: {self._why}")
        layers = dict.fromkeys(LAYERS, False) | {"rlimits": _has("resource")}
        containment = Containment(level="weak", layers=layers)
        self._weak = WeakExecutor(hash_seed=self._hash_seed)
        return _opened(self._weak, containment, paced_seconds, self._why)

    def close(self) -> None:
        """End everything that was started, also what `finish` has handed out."""
        if self._standard is not None:
            self._standard.close()
        if self._weak is not None:
            self._weak.close()


def open_executor(
    submission: Submission, *, secrets: tuple[Path, ...] = (), level: str | None = None
) -> Opened:
    """The best executor that this machine has; see `Opening`."""
    return Opening(submission, secrets=secrets, level=level).finish()


def missing() -> str:
    """Why level standard cannot even be tried here; empty where it can."""
    if sys.platform != "linux":
        return f"{platform.system() or sys.platform} has no Landlock and no seccomp"
    if platform.machine() not in ("x86_64", "aarch64"):
        return f"no table of system calls for {platform.machine()}"
    for name in ("fcntl", "resource", "_ctypes"):
        if not _has(name):
            return f"this Python has no module {name}"
    return "" if landlock_abi() else "this kernel has no Landlock (needs Linux 5.13, and it on)"


def landlock_abi() -> int:
    """The version of Landlock that the kernel has; 0 where there is none."""
    from grader.sandbox import landlock

    return landlock.abi()


def _has(module: str) -> bool:
    try:
        __import__(module)
    except ImportError:
        return False
    return True


def _begin_standard(
    submission: Submission, secrets: tuple[Path, ...], hash_seed: int
) -> SandboxExecutor:
    from grader.sandbox.client import SandboxExecutor

    executor = SandboxExecutor(
        machine=platform.machine(), abi=landlock_abi(), secrets=secrets, hash_seed=hash_seed
    )
    try:
        executor.server(submission)
    except BaseException:
        executor.close()
        raise
    return executor


def _opened(
    executor: SandboxExecutor | WeakExecutor,
    containment: Containment,
    paced_seconds: float | None,
    why: str = "",
) -> Opened:
    fair = FairExecutor(executor, paced_seconds=paced_seconds, close=executor.close)
    return Opened(executor=fair, containment=containment, why=why)


def _found(executor: SandboxExecutor, submission: Submission) -> Containment | str:
    """What the canary of the first server found: how programs are confined, or why not."""
    try:
        hello = executor.server(submission).hello
        if hello["exposed"]:
            raise SandboxError(
                f"{hello['exposed'][0]} lies in a folder of Python's own library, which every "
                "program may read; move it elsewhere"
            )
    except BaseException:
        executor.close()
        raise
    if hello["through"]:
        executor.close()
        return f"attacks of the self-test got through: {', '.join(hello['through'])}"
    layers = dict.fromkeys(LAYERS, True) | {"private_user": executor.has_private_user}
    return Containment(level="standard", layers=layers)
