"""The order of the labs: `grader list` and `grader next` with a course.toml."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.command import PROBLEMS, RIGHT, grader

COURSE = """format = 1

[[chapter]]
title = { en = "First things", zh = "入门" }
labs = ["thrice", "double"]
"""


@pytest.fixture
def labs(tmp_path: Path) -> Path:
    """Three labs in two chapters: one of them is in none."""
    for slug in ("double", "thrice", "another"):
        shutil.copytree(PROBLEMS / "double", tmp_path / "problems" / slug)
    (tmp_path / "problems/course.toml").write_text(COURSE, encoding="utf-8")
    return tmp_path


def own(labs: Path) -> dict[str, str]:
    return {"GRADER_PROBLEMS": str(labs / "problems")}


def test_list_has_the_labs_by_chapter_and_last_those_that_are_in_none(labs: Path) -> None:
    lines = grader("list", cwd=labs, **own(labs)).stdout.splitlines()
    assert lines[0] == "1. First things"
    assert [line.split()[0] for line in lines[1::2]] == ["thrice", "double", "another"]
    chinese = grader("list", "--lang", "zh", cwd=labs, **own(labs)).stdout
    assert chinese.startswith("1. 入门\n")


def test_next_goes_through_the_course_in_its_order(labs: Path) -> None:
    first = grader("next", cwd=labs, **own(labs))
    assert first.stdout.splitlines()[0] == "thrice: Twice a number (lab 1 of 3)"
    assert "grader start thrice" in first.stdout

    (labs / "double.py").write_text("print('{}')\n")
    assert grader("grade", "thrice", "double.py", cwd=labs, **own(labs)).status == 1
    begun = grader("next", cwd=labs, **own(labs)).stdout
    assert begun.startswith("thrice:")
    assert "first failing row: normal/01-worked-example" in begun
    assert "so far 0 of " in begun
    assert "grader grade thrice double.py" in begun

    (labs / "double.py").write_text(RIGHT)
    for slug in ("thrice", "another"):
        assert grader("grade", slug, "double.py", cwd=labs, **own(labs)).status == 0
    assert grader("next", cwd=labs, **own(labs)).stdout.startswith("double:")
    assert "✓ thrice" in grader("list", cwd=labs, **own(labs)).stdout

    assert grader("grade", "double", "double.py", cwd=labs, **own(labs)).status == 0
    assert grader("next", cwd=labs, **own(labs)).stdout == "All 3 labs are finished.\n"


def test_one_group_accepted_is_no_lab_finished(labs: Path) -> None:
    (labs / "double.py").write_text(RIGHT)
    words = ("grade", "thrice", "double.py", "--group", "minimal")
    assert grader(*words, cwd=labs, **own(labs)).status == 0
    assert grader("next", cwd=labs, **own(labs)).stdout.startswith("thrice:")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (('"double"', '"duoble"'), "there is no lab 'duoble': did you mean double?"),
        (('"double"', '"thrice"'), "names the lab 'thrice' twice"),
        (("format = 1", "format = 2"), "format"),
        (("[[chapter]]", "[[chapter"), "is not TOML"),
        ((', zh = "入门"', ""), "chapter[0].title"),
    ],
)
def test_a_broken_course_is_told_with_its_file(
    labs: Path, change: tuple[str, str], why: str
) -> None:
    (labs / "problems/course.toml").write_text(COURSE.replace(*change), encoding="utf-8")
    for command in ("list", "next"):
        told = grader(command, cwd=labs, **own(labs))
        assert told.status == 3
        assert "course.toml" in told.stderr
        assert why in told.stderr
        assert not told.shows_our_code


def test_a_report_that_cannot_be_read_is_no_report(labs: Path) -> None:
    (labs / ".grader/thrice").mkdir(parents=True)
    (labs / ".grader/thrice/report.json").write_text("{")
    assert grader("next", cwd=labs, **own(labs)).stdout.startswith("thrice:")
