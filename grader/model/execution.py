"""What is asked of a sandbox and what it answers: facts about a process, no judgement."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Protocol

MAX_SOURCE_BYTES = 16 << 20
"""A larger file is not read: it is no program that a person wrote."""


class Ending(StrEnum):
    """What became of a process. Whether its answer is right is a `Verdict`."""

    EXITED = "exited"
    SIGNALLED = "signalled"
    OVER_TIME = "over_time"
    OVER_MEMORY = "over_memory"
    OVER_OUTPUT = "over_output"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one run may use. CPU time is the limit that counts; wall time only ends sleepers."""

    wall_seconds: float
    cpu_seconds: float
    memory_bytes: int
    output_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What one run used, or many: seconds add up, the peak is the largest."""

    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_memory_bytes: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            wall_seconds=self.wall_seconds + other.wall_seconds,
            cpu_seconds=self.cpu_seconds + other.cpu_seconds,
            peak_memory_bytes=max(self.peak_memory_bytes, other.peak_memory_bytes),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A program: the name shown in messages and the source as it was handed in."""

    name: str
    source: bytes

    @property
    def digest(self) -> str:
        return "sha256:" + hashlib.sha256(self.source).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """Run this program once, in a process of its own, with this on its stdin."""

    submission: Submission
    stdin: bytes
    limits: Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """How a run that had run out of time was made once more, before it counted.

    Attributes:
        limits: what the second run was allowed: the seconds are `factor` times those of the lab.
        factor: how much slower this machine is now than the one that the lab was measured on.
        calibration_seconds: what `sandbox.pace.calibrate` gave just before.
        alone: whether no other grader on this machine repeated a run meanwhile.
        before: what the first run used.
    """

    limits: Limits
    factor: float
    calibration_seconds: float
    alone: bool
    before: Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutcome:
    """Everything that happened in one run. `status` is an exit status or a signal number.

    `waited_seconds` is how long a program that the wall limit ended had waited for a core; None
    where that is not known. `repeat` is set when this is the second run of two.
    """

    ending: Ending
    status: int
    stdout: bytes
    stderr: bytes
    usage: Usage
    waited_seconds: float | None = None
    repeat: Repeat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Containment:
    """How programs are confined: the level's name and each layer, on or off."""

    level: str
    layers: dict[str, bool]


class Executor(Protocol):
    """Runs programs. The whole seam between judging and the sandbox is `run`."""

    def run(self, request: RunRequest) -> RunOutcome:
        """Run once and tell what happened.

        Raises:
            SandboxError: the run could not take place, through no fault of the program.
        """
        ...


class RunsAhead(Executor, Protocol):
    """One that takes the next run before the last one has ended, so that nobody waits for whom."""

    def begin(self, request: RunRequest) -> Callable[[], RunOutcome]:
        """Begin a run, behind those of the same program that were begun before.

        Returns:
            A function that waits for the outcome; to be called once at most. It raises what `run`
            does.
        """
        ...


def begin(executor: Executor, request: RunRequest) -> Callable[[], RunOutcome]:
    """Begin a run where the executor can, else run it when its outcome is asked for."""
    ahead: Callable[[RunRequest], Callable[[], RunOutcome]] | None
    ahead = getattr(executor, "begin", None)  # isinstance of a Protocol costs 0.1 ms
    return ahead(request) if ahead is not None else partial(executor.run, request)
