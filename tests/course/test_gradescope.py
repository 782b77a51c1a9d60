"""An export of Gradescope: its metadata says who, and is believed in its place alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.course.classes import PLAIN, Build, Files, found, in_folder, named, told, whose

METADATA = """\
---
submission_1:
  :submitters:
  - :name: Ada Lovelace
    :sid: '0012'
    :email: ada@example.edu
  :created_at: 2026-11-28 23:30:00.123456000 -08:00
  :score: 3.0
  :results: !ruby/object:Kernel
    :submitters: &x [{":sid": "no"}, *x]
    tests: [{name: a, output: "\\e[2J"}]
  :history:
  - :created_at: 2026-01-01 00:00:00 Z
submission_2:
  :submitters:
  - :name: Grace
    :sid: 0100
  - :name: Edsger
    :sid:
    :email: "edsger@example.edu"
  :created_at: 2026-11-29 00:00:00
submission_3:
  :submitters: []
submission_4:
  :created_at: 2026-11-29 00:00:00
"""
EXPORT = {
    "submission_metadata.yml": METADATA,
    "submission_1/src/top_p_sets.py": "one",
    "submission_2/top-p-sets.py": "two",
    "submission_3/top_p_sets.py": "three",
}
SOLE = {"submission_metadata.yml": METADATA, "submission_1/my lab.py": "one"}


def under(folder: str, files: Files) -> dict[str, str | bytes]:
    return {f"{folder}/{path}": content for path, content in files.items()}


@pytest.mark.parametrize("folder", ["", "assignment_77_export/", "hw/assignment_77_export/"])
def test_gradescope_says_who_handed_in_and_when(build: Build, folder: str) -> None:
    result = found(build({folder + path: content for path, content in EXPORT.items()}))
    assert [
        (one.student, one.name, one.email, one.submitted_at, one.source) for one in result.submitted
    ] == [
        ("0012", "Ada Lovelace", "ada@example.edu", "2026-11-29T07:30:00Z", b"one"),
        ("0100", "Grace", "", None, b"two"),
        ("edsger@example.edu", "Edsger", "edsger@example.edu", None, b"two"),
        ("submission_3", "", "", None, b"three"),
    ]
    why = "it names submission_4, of which there is no file here"
    assert told(result.unknown) == {f"{folder}submission_metadata.yml": why}


def test_an_export_for_each_lab_and_folders_of_students_may_lie_side_by_side(build: Build) -> None:
    other = {
        "submission_metadata.yml": METADATA.replace("submission_1:", "submission_9:"),
        "submission_9/kv_sizing.py": "kv",
    }
    exports = under("assignment_1_export", EXPORT) | under("assignment_2_export", other)
    result = found(build(exports | PLAIN))
    assert [(one.problem, one.student) for one in result.submitted] == [
        ("kv_sizing", "0012"),
        ("kv_sizing", "alice"),
        ("top_p_sets", "0012"),
        ("top_p_sets", "0100"),
        ("top_p_sets", "alice"),
        ("top_p_sets", "bob"),
        ("top_p_sets", "edsger@example.edu"),
        ("top_p_sets", "submission_3"),
    ]


def test_the_only_python_file_is_for_the_only_lab_that_is_asked_for(build: Build) -> None:
    where = build(SOLE | {"submission_1/notes.txt": ""})
    assert whose(found(where, "kv_sizing")) == {("0012", "kv_sizing"): b"one"}
    result = found(where)
    assert not result.submitted
    assert "my lab.py names no lab" in told(result.unknown)["submission_1/my lab.py"]


def test_one_of_several_python_files_is_not_picked(build: Build) -> None:
    where = build(SOLE | {"submission_1/other.py": "other"})
    result = found(where, "kv_sizing")
    assert not result.submitted
    assert [one.paths for one in result.ambiguous] == [
        (named(where, "submission_1/my lab.py"), named(where, "submission_1/other.py"))
    ]


def test_a_file_named_after_another_lab_is_not_taken_for_the_one_asked_for(build: Build) -> None:
    result = found(build(EXPORT), "kv_sizing")
    assert not (result.submitted or result.ambiguous)
    assert len(result.left_aside) == 3


def test_what_an_export_does_not_speak_of_is_unknown(build: Build) -> None:
    result = found(build(EXPORT | {"submission_8/top_p_sets.py": "", "x.pdf": ""}))
    unknown = told(result.unknown)
    assert "does not say whose submission" in unknown["submission_8/top_p_sets.py"]
    assert "lies in no submission's folder" in unknown["x.pdf"]


def test_an_export_without_its_metadata_gives_no_students(build: Build) -> None:
    result = found(build({"assignment_7_export/submission_1/top_p_sets.py": "x"}))
    assert not result.submitted
    [why] = told(result.unknown).values()
    assert why == "submission_metadata.yml is missing in this export; export it again"


@pytest.mark.parametrize(
    "broken",
    [
        "submission_1: [",
        "- submission_1",
        "just words",
        "submission_1: {}\nsubmission_1: {}\n",
        "{? [a] : b}",
        "submission_1: " + "[" * 100_000,
        "- " * 100_000,
        "a: \0",
        b"a: \xff",
        "*a: b",
        "a: b: c",
    ],
)
def test_broken_metadata_costs_its_export_alone(build: Build, broken: str | bytes) -> None:
    export = under("assignment_1_export", EXPORT | {"submission_metadata.yml": broken})
    result = found(build(export | PLAIN))
    assert len(result.submitted) == len(PLAIN)
    unknown = told(result.unknown)
    assert set(unknown) == set(export)
    assert unknown["assignment_1_export/submission_metadata.yml"]
    assert "cannot be read" in unknown["assignment_1_export/submission_2/top-p-sets.py"]


def test_metadata_of_unreasonable_size_is_not_read(tmp_path: Path) -> None:
    where = in_folder(tmp_path, EXPORT)
    os.truncate(where / "submission_metadata.yml", (64 << 20) + 1)
    result = found(where)
    assert not result.submitted
    assert told(result.unknown)["submission_metadata.yml"] == "it is larger than 64 MiB"


@pytest.mark.parametrize("other", [{}, {"mallory/kv_sizing.py": "own"}, PLAIN])
def test_metadata_in_a_students_folder_is_not_believed(build: Build, other: Files) -> None:
    result = found(build(under("mallory", EXPORT) | dict(other)))
    assert {one.student for one in result.submitted} <= {"mallory", "alice", "bob"}
    why = "it is read only in a folder called assignment_<number>_export"
    assert told(result.unknown)["mallory/submission_metadata.yml"] == why
