"""`grader replay`: what failed is run again, from the command that the report shows."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.command import RIGHT, WRONG, Finished, environment, grader


@pytest.fixture(scope="module")
def practice(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Finished]:
    """A folder in which a wrong program was graded, and what the grader said."""
    folder = tmp_path_factory.mktemp("practice")
    (folder / "wrong.py").write_text(WRONG)
    (folder / "fixed.py").write_text(RIGHT)
    graded = grader("grade", "double", "wrong.py", "--public", "--examples", "9", cwd=folder)
    assert graded.status == 1
    return folder, graded


@pytest.fixture
def folder(practice: tuple[Path, Finished]) -> Iterator[Path]:
    """That folder, with the graded program as it was."""
    yield practice[0]
    (practice[0] / "wrong.py").write_text(WRONG)


def test_the_command_that_the_report_shows_works_as_pasted(
    practice: tuple[Path, Finished],
) -> None:
    folder, graded = practice
    lines = [line.partition("grader replay ")[2] for line in graded.stdout.splitlines()]
    pasted = next(line for line in lines if "check_next" in line or "check_halves" in line)
    command = f"{shlex.quote(sys.executable)} -m grader replay {pasted}"
    again = subprocess.run(
        command, shell=True, cwd=folder, env=environment(), capture_output=True, check=False
    )
    assert again.returncode == 1, again.stderr.decode()
    assert pasted.split()[-1] in again.stdout.decode()


def test_replay_without_words_runs_the_first_counterexample_of_the_newest_report(
    folder: Path,
) -> None:
    again = grader("replay", cwd=folder)
    assert again.status == 1
    assert "normal/01-worked-example: wrong answer" in again.stdout
    assert "expected 42, found 63" in again.stdout
    assert again.stderr == ""


def test_a_metamorphic_row_is_replayed_with_all_its_runs(folder: Path) -> None:
    again = grader("replay", "normal/check_next", cwd=folder)
    assert again.status == 1
    assert "3 after 0" in again.stdout
    assert '{"n": 1}' in again.stdout, "the input that it was compared with"


def test_another_file_is_replayed_and_said_to_be_another(folder: Path) -> None:
    again = grader("replay", "normal/check_halves", "--file", "fixed.py", cwd=folder)
    assert again.status == 0
    assert again.stdout == "✓ normal/check_halves\n"
    assert "(fixed.py has changed since it was graded)" in again.stderr


def test_replay_says_that_the_program_has_changed_since(folder: Path) -> None:
    (folder / "wrong.py").write_text(RIGHT)
    again = grader("replay", "normal/check_halves", cwd=folder)
    assert again.status == 0
    assert "(wrong.py has changed since it was graded)" in again.stderr


def test_replay_says_that_the_lab_has_changed_since(folder: Path, broken_lab: Path) -> None:
    (broken_lab / "problems/double/statement.en.md").write_text("# Another text\n")
    words = ("replay", "--public", "--problems", broken_lab / "problems")
    again = grader(*words, cwd=folder)
    assert again.status == 1
    assert "the lab double has changed since the report" in again.stderr


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["normal/check_zebra"], "the report has no row 'normal/check_zebra'"),
        (["minimal/01-zero"], "minimal/01-zero has no counterexample: nothing failed there"),
        (["other.json"], "other.json cannot be read: No such file"),
        (["wrong.py", "normal/check_next"], "name at most one report"),
        (["--file", "none.py"], "none.py does not exist"),
    ],
)
def test_what_cannot_be_replayed_is_a_usage_error(folder: Path, words: list[str], why: str) -> None:
    refused = grader("replay", *words, cwd=folder)
    assert (refused.status, refused.stdout) == (2, "")
    assert why in refused.stderr
    assert not refused.shows_our_code


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema_version": 99}', "\udcff", "[" * 99_999])
def test_a_file_that_is_no_report_is_a_usage_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "report.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    refused = grader("replay", "report.json", cwd=tmp_path)
    assert (refused.status, refused.stdout) == (2, "")
    assert "this report cannot be read" in refused.stderr
    assert not refused.shows_our_code


def test_a_folder_without_a_report_says_what_to_do(tmp_path: Path) -> None:
    refused = grader("replay", cwd=tmp_path)
    assert refused.status == 2
    assert "no report in .grader/ here: grade first" in refused.stderr
