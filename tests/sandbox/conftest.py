"""An executor for the tests of the sandbox, and a short way to run a program on it."""

from __future__ import annotations

import platform
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.model.execution import Limits, RunOutcome, RunRequest, Submission
from grader.sandbox import landlock
from grader.sandbox.client import SandboxExecutor

LIMITS = Limits(wall_seconds=20.0, cpu_seconds=10.0, memory_bytes=256 << 20, output_bytes=64 << 10)

Run = Callable[..., RunOutcome]


def new_executor(
    hash_seed: int = 0, *, enclosed: bool = False, cgroup: Path | None = None
) -> SandboxExecutor:
    return SandboxExecutor(
        machine=platform.machine(),
        abi=landlock.abi(),
        hash_seed=hash_seed,
        enclosed=enclosed,
        cgroup=cgroup,
    )


def request(source: str | bytes, stdin: bytes = b"", limits: Limits = LIMITS) -> RunRequest:
    text = textwrap.dedent(source).encode() if isinstance(source, str) else source
    return RunRequest(
        submission=Submission(name="mine.py", source=text), stdin=stdin, limits=limits
    )


@pytest.fixture(scope="session")
def executor() -> Iterator[SandboxExecutor]:
    with new_executor() as found:
        yield found


@pytest.fixture
def run(executor: SandboxExecutor) -> Run:
    """`run(source, stdin)` on an executor that all tests share."""

    def run_it(source: str | bytes, stdin: bytes = b"", limits: Limits = LIMITS) -> RunOutcome:
        return executor.run(request(source, stdin, limits))

    return run_it
