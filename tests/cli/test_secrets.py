"""What only staff may see is on no stream and in no file of a student's grading."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import WRONG, Finished, grader, replace_in, rows

CANARY = 918273645
SEED = 564738291


@pytest.fixture
def official(broken_lab: Path) -> Path:
    """A lab whose staff case has a canary for its number, and a program that is wrong there."""
    hidden = broken_lab / "solutions/double/cases/normal/90-secret"
    replace_in(hidden.with_suffix(".in.json"), "5", str(CANARY))
    replace_in(hidden.with_suffix(".out.json"), "10", str(2 * CANARY))
    (broken_lab / "wrong.py").write_text(WRONG)
    return broken_lab


def graded(folder: Path, *words: str) -> Finished:
    fixed = ("grade", "double", "wrong.py", "--examples", "3", "--secret-seed", str(SEED), *words)
    return grader(*fixed, cwd=folder, GRADER_PROBLEMS=str(folder / "problems"))


def kept(folder: Path) -> str:
    """Everything that a grading left in `.grader/`."""
    files = (path for path in (folder / ".grader").rglob("*") if path.is_file())
    return "\n".join(path.read_text() for path in files)


def test_a_student_sees_neither_the_secret_seed_nor_an_input_of_the_staff(official: Path) -> None:
    told = graded(official, "--verbose")
    assert told.status == 1
    everything = told.output + kept(official)
    assert "normal/90-secret" in everything
    for number in (CANARY, 2 * CANARY, 3 * CANARY, SEED):
        assert str(number) not in everything
    assert "✓ minimal/01-zero" in told.stderr
    assert len([line for line in told.stderr.splitlines() if line[0] in "✓✗–"]) == 13


def test_staff_see_the_seed_and_the_inputs_of_their_own_rows(official: Path) -> None:
    told = graded(official, "--staff", "--format", "json")
    hidden = rows(told.report)["normal/90-secret"]
    assert told.report["seed"] == SEED
    assert str(CANARY) in hidden["counterexample"]["given"]
    assert str(3 * CANARY) in hidden["detail"]
    assert str(CANARY) in kept(official)


def test_a_secret_seed_from_the_environment_is_as_secret(official: Path) -> None:
    words = ("grade", "double", "wrong.py", "--group", "minimal", "--format", "json")
    told = grader(*words, cwd=official, GRADER_SECRET_SEED=str(SEED))
    assert told.report["seed"] is None
    assert told.report["seed_is_secret"]
    assert str(SEED) not in told.output + kept(official)
