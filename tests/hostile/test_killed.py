"""A grader that is killed leaves nothing: no process, no file, no shared memory, no mount."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.conftest import REPOSITORY


def killed(times: int, seed: int) -> list[str]:
    words = [sys.executable, "-m", "tests.hostile.killed", str(times), str(seed)]
    told = subprocess.run(words, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    found: list[str] = json.loads(told.stdout)
    return found


def test_a_grader_that_is_killed_at_a_random_moment_leaves_nothing() -> None:
    assert killed(10, seed=0) == []


@pytest.mark.soak
def test_graders_that_are_killed_at_many_random_moments_leave_nothing() -> None:
    assert killed(200, seed=1) == []
