"""A grader that is killed leaves nothing: no process, no file, no shared memory, no mount."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.hostile.killed import PROGRAMS, environment


def killed(times: int, seed: int) -> list[str]:
    words = [sys.executable, "-m", "tests.hostile.killed", str(times), str(seed)]
    told = subprocess.run(words, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    found: list[str] = json.loads(told.stdout)
    return found


def test_a_grader_that_is_killed_at_a_random_moment_leaves_nothing() -> None:
    assert killed(10, seed=0) == []


@pytest.mark.parametrize("level", ["standard", "strong"])
def test_a_grading_writes_nothing_where_temporary_files_go(tmp_path: Path, level: str) -> None:
    """Whatever it made there, even for a microsecond, could stay when it is killed."""
    spare, program = tmp_path / "spare", tmp_path / "mine.py"
    spare.mkdir()
    program.write_text(PROGRAMS["one that ends"])
    before = spare.stat().st_mtime_ns
    words = [sys.executable, "-m", "grader", "grade", "double", "mine.py", "--sandbox", level]
    done = subprocess.run(
        words, cwd=tmp_path, env=environment(spare), capture_output=True, check=False
    )
    if done.returncode == 4 and b"does not give level" in done.stderr:
        pytest.skip(done.stderr.decode())
    assert done.returncode == 1, done.stderr
    assert spare.stat().st_mtime_ns == before


@pytest.mark.soak
def test_graders_that_are_killed_at_many_random_moments_leave_nothing() -> None:
    assert killed(200, seed=1) == []
