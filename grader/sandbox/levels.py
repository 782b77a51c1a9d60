"""Which level of containment this machine gives, found by trying and never assumed.

    strong    standard, and a program cannot even tell that staff files are there: bubblewrap's
              namespaces around the server, or, for root, a private user and closed folders
    standard  everything that `confine` does, and a canary inside has found every way closed
    weak      anything less

The best is tried first. That bubblewrap does not work here is remembered, see `memory`; that it
does is found out anew each time.
"""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.errors import LevelMissing, SandboxError
from grader.model.execution import Containment, Submission
from grader.sandbox import bubblewrap, memory
from grader.sandbox.fair import FairExecutor
from grader.sandbox.weak import WeakExecutor

if TYPE_CHECKING:
    from grader.sandbox.client import SandboxExecutor

LEVELS = ("strong", "standard", "weak")
LAYERS = ("landlock", "seccomp", "cpu_timer", "rlimits", "private_user", "namespaces", "cgroup")
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
        anew: try also what is remembered not to work.
    """

    def __init__(
        self,
        submission: Submission,
        *,
        secrets: tuple[Path, ...] = (),
        level: str | None = None,
        hash_seed: int = 0,
        anew: bool = False,
    ) -> None:
        self._submission, self._secrets = submission, secrets
        self._level, self._hash_seed = level, hash_seed
        self._why = "level weak was asked for" if level == "weak" else missing()
        self._why_open = "" if level == "weak" else _not_enclosed(level, anew=anew)
        self._cgroup = None if self._why else _delegated()[0]
        self._confined: SandboxExecutor | None = None
        self._weak: WeakExecutor | None = None
        if not self._why:
            self._confined = self._begin(submission, enclosed=not self._why_open)

    def _begin(self, submission: Submission, *, enclosed: bool) -> SandboxExecutor:
        from grader.sandbox.client import SandboxExecutor

        executor = SandboxExecutor(
            machine=platform.machine(),
            abi=landlock_abi(),
            secrets=self._secrets,
            hash_seed=self._hash_seed,
            enclosed=enclosed,
            cgroup=self._cgroup,
        )
        try:
            executor.server(submission)
        except BaseException:
            executor.close()
            raise
        return executor

    def finish(self, *, paced_seconds: float | None = None) -> Opened:
        """Wait until it is open.

        Args:
            paced_seconds: how fast the machine was on which the lab's limits were measured, see
                `FairExecutor`.

        Raises:
            LevelMissing: a level is demanded that this machine does not give.
            SandboxError: the sandbox should work here and does not, or a secret lies where every
                program may read.
        """
        try:
            found = self._found() if self._confined is not None else None
        except BaseException:
            self.close()
            raise
        if found is not None and self._level in (None, found.level):
            assert self._confined is not None
            return _opened(self._confined, found, paced_seconds, self._why)
        self.close()  # what was started does not serve
        if self._level in ("strong", "standard"):
            raise LevelMissing(f"this machine does not give level {self._level}: {self._why}")
        layers = dict.fromkeys(LAYERS, False) | {"rlimits": _has("resource")}
        self._weak = WeakExecutor(hash_seed=self._hash_seed)
        return _opened(
            self._weak, Containment(level="weak", layers=layers), paced_seconds, self._why
        )

    def _found(self) -> Containment | None:
        """What the canary of the first server found; None, and why, where it got through."""
        executor, hello = self._greeted()
        if hello["through"]:
            self._why = f"attacks of the self-test got through: {', '.join(hello['through'])}"
            return None
        apart = not hello["shared"]
        layers = dict.fromkeys(LAYERS, True)
        layers |= {"private_user": executor.has_private_user, "namespaces": apart}
        layers["cgroup"] = executor.server(self._submission).has_group
        if self._level == "standard":
            return Containment(level="standard", layers=layers)
        if hello["seen"]:
            self._why = f"a program can tell that {hello['seen'][0]} is there"
        elif apart or executor.has_private_user:
            return Containment(level="strong", layers=layers)
        self._why = ": ".join(filter(None, (self._why_open, self._why)))
        return Containment(level="standard", layers=layers)

    def _greeted(self) -> tuple[SandboxExecutor, dict[str, Any]]:
        """A server that is ready, enclosed if that works; and what it says."""
        assert self._confined is not None
        try:
            hello = self._confined.server(self._submission).hello
        except SandboxError as error:
            self._confined.close()
            if self._why_open:
                raise
            works_for_others = self._can_enclose(PROBE)
            if works_for_others and self._level == "strong":
                raise  # this machine gives what is demanded, only not just now
            self._why_open = f"bubblewrap does not work here ({error})"
            self._confined = self._begin(self._submission, enclosed=False)
            greeted = self._greeted()  # else something fails with which bubblewrap is not concerned
            if not works_for_others:
                memory.note_failure()
            return greeted
        if hello["exposed"]:
            raise SandboxError(
                f"{hello['exposed'][0]} lies in a folder of Python's own library, which every "
                "program may read; move it elsewhere"
            )
        return self._confined, hello

    def _can_enclose(self, submission: Submission) -> bool:
        """Whether bubblewrap works for this one, where it has just failed for ours."""
        if submission == self._submission:
            return False  # the same again
        try:
            with self._begin(submission, enclosed=True) as executor:
                return bool(executor.server(submission).hello)
        except SandboxError:
            return False

    def close(self) -> None:
        """End everything that was started, also what `finish` has handed out."""
        if self._confined is not None:
            self._confined.close()
        if self._weak is not None:
            self._weak.close()


def open_executor(
    submission: Submission,
    *,
    secrets: tuple[Path, ...] = (),
    level: str | None = None,
    anew: bool = False,
) -> Opened:
    """The best executor that this machine has; see `Opening`."""
    return Opening(submission, secrets=secrets, level=level, anew=anew).finish()


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


def why_no_cgroup() -> str:
    """Why servers get no control group of their own; empty where they do."""
    return missing() or _delegated()[1]


def _delegated() -> tuple[Path | None, str]:
    from grader.sandbox import cgroup

    try:
        return cgroup.delegated(), ""
    except cgroup.NotDelegated as error:
        return None, str(error)


def _has(module: str) -> bool:
    try:
        __import__(module)
    except ImportError:
        return False
    return True


def _not_enclosed(level: str | None, *, anew: bool) -> str:
    """Why bubblewrap is not even tried; empty where it is."""
    if level == "standard":
        return "level standard was asked for"
    if bubblewrap.executable() is None:
        return "bubblewrap (bwrap) is not installed"
    if memory.has_failed() and not anew:
        return "bubblewrap did not work here before (`grader doctor` tries it again)"
    return ""


def _opened(
    executor: SandboxExecutor | WeakExecutor,
    containment: Containment,
    paced_seconds: float | None,
    why: str = "",
) -> Opened:
    fair = FairExecutor(executor, paced_seconds=paced_seconds, close=executor.close)
    return Opened(executor=fair, containment=containment, why=why)
