"""Whose file is it, for which lab: the same in a folder and in a zip of it, never by a guess."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from grader.course.discover import Ambiguous, discover
from grader.course.times import in_utc, of_file
from grader.errors import UsageError
from grader.model.execution import MAX_SOURCE_BYTES
from tests.course.classes import (
    CHANGED_AT,
    LABS,
    PLAIN,
    Build,
    found,
    in_folder,
    named,
    told,
    whose,
)


def test_a_student_has_a_folder_with_a_file_or_a_folder_for_each_lab(build: Build) -> None:
    where = build(PLAIN)
    result = found(where)
    assert [(one.problem, one.student, one.path, one.source) for one in result.submitted] == [
        ("kv_sizing", "alice", named(where, "alice/kv-sizing.py"), b"ak"),
        ("top_p_sets", "alice", named(where, "alice/top-p-sets/main.py"), b"at"),
        ("top_p_sets", "bob", named(where, "bob/top_p_sets.py"), b"b"),
    ]
    assert not (result.ambiguous or result.unknown or result.refused or result.left_aside)


def test_a_file_tells_when_it_was_handed_in_and_an_entry_of_a_zip_has_no_zone(build: Build) -> None:
    where = build(PLAIN)
    expected = CHANGED_AT if where.is_dir() else None
    assert {one.submitted_at for one in found(where).submitted} == {expected}


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("alice/Top_P_Sets.py", "its name is not written as the lab's: top_p_sets.py"),
        ("alice/top_p_sets.PY", "its name is not written as the lab's: top_p_sets.py"),
        ("alice/KV-Sizing/main.py", "its name is not written as the lab's: kv_sizing"),
        ("alice/top_p_sets (1).py", "top_p_sets (1).py names no lab: did you mean top_p_sets?"),
        ("alice/\x1b[2J\u202e.py", r"\x1b[2J\u202e.py names no lab: there are: block_allocation"),
        ("alice/notes.txt", "it is not a Python file (.py)"),
        ("alice/.top_p_sets.py", ".top_p_sets.py names no lab: did you mean top_p_sets?"),
        ("alice/top_p_sets/.main.py", "its name is not that of a Python file (.py)"),
        ("alice/top_p_sets/src/main.py", "it lies deeper than student/problem/file.py"),
        ("alice/homework.zip", "it is an archive inside what was given; name it, or unpack it"),
        ("top_p_sets.py", "it lies in no student's folder"),
    ],
)
def test_what_is_not_understood_is_listed_with_a_hint(build: Build, path: str, why: str) -> None:
    result = found(build({path: "x", "bob/top_p_sets.py": "b"}))
    assert whose(result) == {("bob", "top_p_sets"): b"b"}
    [(unknown, reason)] = told(result.unknown).items()
    assert unknown == path
    assert reason.startswith(why)


def test_what_systems_and_tools_leave_behind_is_not_worth_a_word(build: Build) -> None:
    noise = ("__MACOSX/._alice", "alice/.DS_Store", "alice/__pycache__/top_p_sets.py", "Thumbs.db")
    more = ("alice/.git/HEAD", ".grader/top_p_sets/report.json", "alice/top_p_sets/.DS_Store")
    result = found(build(PLAIN | dict.fromkeys((*noise, *more), "")))
    assert len(result.submitted) == len(PLAIN)
    assert not (result.unknown or result.refused)


@pytest.mark.parametrize(
    "several",
    [
        ("alice/top_p_sets.py", "alice/top-p-sets.py"),
        ("alice/top_p_sets.py", "alice/top_p_sets/main.py"),
        ("alice/top_p_sets/main.py", "alice/top_p_sets/top_p_sets.py"),
    ],
)
def test_of_two_files_for_one_lab_none_is_graded(build: Build, several: tuple[str, ...]) -> None:
    where = build({**dict.fromkeys(several, "a"), "bob/top_p_sets.py": "b"})
    result = found(where)
    assert list(whose(result)) == [("bob", "top_p_sets")]
    assert result.ambiguous == (
        Ambiguous(
            student="alice",
            problem="top_p_sets",
            paths=tuple(sorted(named(where, path) for path in several)),
            why="2 files for one lab; keep the one that counts",
        ),
    )


def test_one_folder_around_everything_is_looked_into(build: Build) -> None:
    files = {f"hw1/graded/{path}": content for path, content in PLAIN.items()}
    result = found(build(files | {"README.md": "", "hw1/plan.txt": ""}))
    assert [one.student for one in result.submitted] == ["alice", "alice", "bob"]
    assert list(told(result.unknown)) == ["README.md", "hw1/plan.txt"]


def test_the_folder_of_the_only_student_is_not_taken_for_a_wrapper(build: Build) -> None:
    result = found(build({"alice/top_p_sets/main.py": "a"}))
    assert whose(result) == {("alice", "top_p_sets"): b"a"}


def test_where_nothing_is_understood_everything_is_listed(build: Build) -> None:
    result = found(build({"a/b/c/d/e/top_p_sets.py": "", "a/b/notes": ""}))
    assert not result.submitted
    assert list(told(result.unknown)) == ["a/b/c/d/e/top_p_sets.py", "a/b/notes"]


def test_submissions_for_labs_that_are_not_asked_for_are_left_aside(build: Build) -> None:
    result = found(build(PLAIN), "top-p-sets")
    assert list(whose(result)) == [("alice", "top_p_sets"), ("bob", "top_p_sets")]
    assert told(result.left_aside) == {"alice/kv-sizing.py": "kv_sizing is not asked for"}


def test_names_are_data_whatever_is_in_them(build: Build) -> None:
    names = ('=cmd|"c calc"!A1', "a,b;c\n\r\t", "]]><b>&amp;", "\x1b[31m\u202e", "张三", "x" * 200)
    result = found(build({f"{name}/top_p_sets.py": name for name in names}))
    assert whose(result) == {(name, "top_p_sets"): name.encode() for name in names}


def test_a_program_of_unreasonable_size_is_refused_by_name(build: Build) -> None:
    large = os.urandom(1 << 20) * 16
    assert len(large) == MAX_SOURCE_BYTES
    result = found(build({"alice/top_p_sets.py": large, "bob/top_p_sets.py": large + b"#"}))
    assert list(whose(result)) == [("alice", "top_p_sets")]
    assert told(result.refused) == {"bob/top_p_sets.py": "it is larger than 16 MiB"}


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nowhere", "does not exist; name a folder of submissions, a zip of it, or a CSV"),
        ("nowhere.csv", "does not exist; name a folder of submissions, a zip of it, or a CSV"),
        ("pipe", "is neither file nor folder; name a folder"),
        ("mine.py", "is one program: `grader grade` grades it"),
        ("notes.txt", "cannot be read as a zip: File is not a zip file; unpack it"),
    ],
)
def test_what_is_no_class_is_a_usage_error(tmp_path: Path, name: str, why: str) -> None:
    where = in_folder(tmp_path, {"mine.py": "", "notes.txt": ""})
    os.mkfifo(where / "pipe")
    with pytest.raises(UsageError) as caught:
        found(where / name)
    assert str(caught.value).startswith(f"{where / name} {why}")


def test_a_lab_that_does_not_exist_cannot_be_asked_for(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no problem 'top-k-sets': did you mean top_p_sets"):
        discover(tmp_path, LABS, only=["top-k-sets"])


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2026-11-29T12:00:00Z", "2026-11-29T12:00:00Z"),
        ("2026-11-29 12:00:00.999999999 +0530", "2026-11-29T06:30:00Z"),
        (" 2026-11-29 12:00 UTC ", "2026-11-29T12:00:00Z"),
        ("2026-11-29T12:00:00-08", "2026-11-29T20:00:00Z"),
        ("2026-11-29T12:00:00", None),
        ("2026-02-30T12:00:00Z", None),
        ("2026-11-29T12:00:00+99:00", None),
        ("0001-01-01T00:00:00+01:00", None),
        ("2026-11-29", None),
        ("２０26-11-29T12:00:00Z", None),
        ("", None),
    ],
)
def test_a_time_has_a_zone_or_is_none(written: str, expected: str | None) -> None:
    assert in_utc(written) == expected


@pytest.mark.parametrize("seconds", [1e300, -1e300, float("nan"), float("inf")])
def test_an_impossible_time_of_a_file_is_none(seconds: float) -> None:
    assert of_file(seconds) is None
