"""Whose file is it, for which lab: the same in a folder and in a zip of it, never by a guess."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.course.discover import Ambiguous, discover
from grader.course.times import in_utc, of_file
from grader.course.tree import Aside
from grader.errors import UsageError
from grader.model.execution import MAX_SOURCE_BYTES
from tests.course.classes import CHANGED_AT, LABS, WAYS, Files, found, in_folder, named, whose
from tests.hostile.unprivileged import become_ordinary

Build = Callable[[Files], Path]


@pytest.fixture(params=WAYS)
def build(request: pytest.FixtureRequest, tmp_path: Path) -> Build:
    """Makes a class as a folder, or as a zip of it."""
    way = WAYS[request.param]
    return lambda files: way(tmp_path, files)


def told(asides: tuple[Aside, ...]) -> dict[str, str]:
    """Each path, without the archive's name, and why it is left out."""
    return {aside.path.rpartition("!/")[2]: aside.why for aside in asides}


PLAIN = {"bob/top_p_sets.py": "b", "alice/kv-sizing.py": "ak", "alice/top-p-sets/main.py": "at"}


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


# Gradescope

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


# Moodle

ADA = "Ada Lovelace_101_assignsubmission_file"
MOODLE = {
    f"{ADA}_/top_p_sets.py": "folder",
    f"{ADA}/kv_sizing.py": "newer folder",
    f"{ADA}_block_allocation.py": "flat",
    "Ada Lovelace_102_assignsubmission_file_/src/top_p_sets.py": "namesake",
}


def test_moodle_names_folders_or_files_after_students_and_numbers(build: Build) -> None:
    result = found(build(MOODLE))
    assert [(one.student, one.name, one.problem, one.source) for one in result.submitted] == [
        ("101", "Ada Lovelace", "block_allocation", b"flat"),
        ("101", "Ada Lovelace", "kv_sizing", b"newer folder"),
        ("101", "Ada Lovelace", "top_p_sets", b"folder"),
        ("102", "Ada Lovelace", "top_p_sets", b"namesake"),
    ]
    assert not (result.ambiguous or result.unknown)


def test_a_file_in_a_folder_and_flat_are_two_for_one_lab(build: Build) -> None:
    result = found(build({f"{ADA}_/top_p_sets.py": "a", f"{ADA}_top_p_sets.py": "b"}))
    assert [len(one.paths) for one in result.ambiguous] == [2]


def test_the_only_python_file_of_a_moodle_submission_may_have_any_name(build: Build) -> None:
    result = found(build({f"{ADA}_/lab one.py": "a", f"{ADA}_/lab.pdf": ""}), "top_p_sets")
    assert whose(result) == {("101", "top_p_sets"): b"a"}


@pytest.mark.parametrize("only", ["top_p_sets", "kv_sizing"])
def test_nobody_is_made_out_to_be_another_by_what_he_calls_his_file(
    build: Build, only: str
) -> None:
    result = found(build({f"{ADA}_Bob_666_assignsubmission_file_top_p_sets.py": "x"}), only)
    assert {one.student for one in result.submitted} == {"101"}


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("Ada_1_assignsubmission_onlinetext/onlinetext.html", "it is not an uploaded file"),
        ("Ada_1_assignsubmission_onlinetext_onlinetext.py", "it is not an uploaded file"),
        ("Default group_assignsubmission_file_/top_p_sets.py", "its name is not as Moodle writes"),
        ("Ada_x_assignsubmission_file_top_p_sets.py", "its name is not as Moodle writes it"),
        ("Ada_١_assignsubmission_file_/top_p_sets.py", "its name is not as Moodle writes it"),
        ("Ada_1_assignsubmission_file_top_p_sets.py/kv_sizing.py", "its name is not as Moodle"),
        ("Ada_1_assignsubmission_file_", "its name is not as Moodle writes it"),
        (f"{ADA}_/readme.md", "it is not a Python file (.py)"),
    ],
)
def test_what_moodle_does_not_write_is_unknown(build: Build, path: str, why: str) -> None:
    result = found(build(PLAIN | {path: ""}))
    assert len(result.submitted) == len(PLAIN)
    [(unknown, reason)] = told(result.unknown).items()
    assert unknown == path
    assert reason.startswith(why)


# A CSV

HEADER = "student,problem,path"
LISTED = {"a/x.py": "ax", "b.py": "b", "unused.py": ""}


def by_list(where: Path, text: str | bytes) -> Path:
    """A CSV that is named itself, in a folder with files."""
    path = where / "list.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_a_csv_names_each_submission(tmp_path: Path) -> None:
    where = in_folder(tmp_path, LISTED)
    lines = "0012, top-p-sets ,./a/x.py,Ada,ada@example.edu,2026-11-28 23:30 -08:00\r\n\r\n"
    more = '"Lovelace, A",kv_sizing,b.py,,,\r\n'
    header = f"{HEADER},name,email,submitted_at\r\n"
    result = found(by_list(where, "\ufeff" + header + lines + more))
    assert [
        (one.student, one.problem, one.path, one.name, one.email, one.submitted_at, one.source)
        for one in result.submitted
    ] == [
        ("Lovelace, A", "kv_sizing", "b.py", "", "", CHANGED_AT, b"b"),
        ("0012", "top_p_sets", "a/x.py", "Ada", "ada@example.edu", "2026-11-29T07:30:00Z", b"ax"),
    ]
    assert not (result.unknown or result.refused)


def test_a_csv_at_the_top_says_whose_everything_is(build: Build) -> None:
    text = f"path,{HEADER.removesuffix(',path')}\na\\x.py,ada,top_p_sets\n"
    result = found(build(LISTED | {"class.csv": text, "grades.csv": "student,problem,path,points"}))
    assert whose(result) == {("ada", "top_p_sets"): b"ax"}
    assert told(result.unknown) == dict.fromkeys(
        ("b.py", "grades.csv", "unused.py"), "class.csv does not name it"
    )


def test_of_two_csvs_at_the_top_none_is_followed(build: Build) -> None:
    with pytest.raises(UsageError, match=r"several lists of submissions: a\.csv, b\.csv"):
        found(build({"a.csv": HEADER, "b.csv": HEADER}))


def test_a_csv_in_a_students_folder_is_not_followed(build: Build) -> None:
    files = {"mallory/list.csv": f"{HEADER}\nalice,top_p_sets,x.py\n", "mallory/x.py": "x"}
    result = found(build(files))
    assert not result.submitted
    assert set(told(result.unknown)) == set(files)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("ada,top_p_sets", "it has 2 cells, the first line has 4"),
        ("ada,top_p_sets,b.py,,", "it has 5 cells"),
        (",top_p_sets,b.py,", "it has no student"),
        ("ada,,b.py,", "it has no problem"),
        ("ada,top_p_sets, ,", "it has no path"),
        ("ada,top_k_sets,b.py,", "no problem top_k_sets: did you mean top_p_sets?"),
        ("ada,Top_P_Sets,b.py,", "no problem Top_P_Sets"),
        ("ada,top_p_sets,nowhere.py,", "nowhere.py does not exist"),
        ("ada,top_p_sets,\0,", r"\x00 does not exist"),
        ("ada,top_p_sets,../b.py,", "../b.py leads out of the folder in which the CSV lies"),
        ("ada,top_p_sets,a/../b.py,", "a/../b.py leads out of the folder"),
        ("ada,top_p_sets,..\\b.py,", "..\\b.py leads out of the folder"),
        ("ada,top_p_sets,/etc/passwd,", "/etc/passwd leads out of the folder"),
        ("ada,top_p_sets,C:\\b.py,", "C:\\b.py leads out of the folder"),
        ("ada,top_p_sets,b.py,2026-11-29T12:00:00", "2026-11-29T12:00:00 is no time with a zone"),
        ("ada,top_p_sets,b.py,yesterday", "yesterday is no time with a zone"),
        ('ada,"top_p_sets"x,b.py,', "it is not CSV"),
        (f"{'a' * 200_000},top_p_sets,b.py,", "it is not CSV"),
    ],
)
def test_a_bad_line_is_named_with_its_number(tmp_path: Path, line: str, why: str) -> None:
    where = in_folder(tmp_path, LISTED)
    lines = ('"of\ntwo lines",kv_sizing,b.py,', line, "bob,kv_sizing,b.py,")
    text = "\n".join((f"{HEADER},submitted_at", *lines))
    result = found(by_list(where, text))
    assert [one.student for one in result.submitted] == ["bob", "of\ntwo lines"]
    [(where_it_is, reason)] = told(result.unknown).items()
    assert where_it_is == "list.csv, line 4"
    assert reason.startswith(why)


def test_a_quote_that_does_not_end_is_named_with_the_line_on_which_it_begins(
    tmp_path: Path,
) -> None:
    where = in_folder(tmp_path, LISTED)
    result = found(by_list(where, f'{HEADER}\na,kv_sizing,b.py\n"b,kv_sizing,b.py\nc,kv_sizing,b'))
    assert [one.student for one in result.submitted] == ["a"]
    assert "unexpected end of data" in told(result.unknown)["list.csv, line 3"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "must be student,problem,path"),
        ("student;problem;path\n", "it is 'student;problem;path'"),
        (f"{HEADER},path\n", "each once"),
        (f"{HEADER},submited_at\n", "it is 'student,problem,path,submited_at'"),
        ("name,problem,path\n", "it is 'name,problem,path'"),
        ('"student\n', "must be student,problem,path"),
        (f"{HEADER}\nad\xe9,top_p_sets,b.py\n".encode("latin-1"), "save it as CSV UTF-8"),
    ],
)
def test_a_csv_that_is_none_is_a_usage_error(tmp_path: Path, text: str | bytes, why: str) -> None:
    with pytest.raises(UsageError) as caught:
        found(by_list(in_folder(tmp_path, LISTED), text))
    assert "list.csv" in str(caught.value)
    assert why in str(caught.value)


def test_two_lines_for_one_student_and_lab_are_ambiguous(tmp_path: Path) -> None:
    lines = f"{HEADER}\nada,kv_sizing,b.py\nada,kv-sizing,a/x.py\n"
    result = found(by_list(in_folder(tmp_path, LISTED), lines))
    assert not result.submitted
    assert [one.paths for one in result.ambiguous] == [("a/x.py", "b.py")]


def test_a_group_may_share_a_file(tmp_path: Path) -> None:
    lines = f"{HEADER}\nada,kv_sizing,b.py\nbob,kv-sizing,b.py\n"
    result = found(by_list(in_folder(tmp_path, LISTED), lines))
    assert set(whose(result)) == {("ada", "kv_sizing"), ("bob", "kv_sizing")}


# Folders on disk


def test_a_link_is_followed_only_within_its_folder(tmp_path: Path) -> None:
    where = in_folder(tmp_path, {"alice/solution.txt": "a", "carol/kv_sizing.py": "c"})
    (tmp_path / "secret.py").write_text("secret")
    targets = {
        "alice/top_p_sets.py": "solution.txt",
        "bob/top_p_sets.py": "../../secret.py",
        "bob/kv_sizing.py": "../carol/kv_sizing.py",
        "bob/block_allocation.py": str(tmp_path / "secret.py"),
        "bob/top_p_sets": ".",
        "carol/top_p_sets.py": "nowhere",
        "carol/block_allocation.py": "block_allocation.py",
        "dave": "carol",
        "erin": "..",
    }
    for link, target in targets.items():
        (where / link).parent.mkdir(exist_ok=True)
        (where / link).symlink_to(target)
    result = found(where)
    assert whose(result) == {("alice", "top_p_sets"): b"a", ("carol", "kv_sizing"): b"c"}
    assert told(result.refused) == {
        **dict.fromkeys(
            ("bob/top_p_sets.py", "bob/kv_sizing.py", "bob/block_allocation.py"),
            "it is a link that leads out of its folder",
        ),
        "erin": "it is a link that leads out of its folder",
        **dict.fromkeys(
            ("carol/top_p_sets.py", "carol/block_allocation.py"), "it is a link that leads nowhere"
        ),
        **dict.fromkeys(
            ("bob/top_p_sets", "dave"), "it is a link to a folder, or a folder where a file is due"
        ),
    }


def test_a_csv_does_not_lead_through_a_link(tmp_path: Path) -> None:
    where = in_folder(tmp_path, LISTED)
    (where / "away").symlink_to(tmp_path)
    (tmp_path / "secret.py").write_text("secret")
    result = found(by_list(where, f"{HEADER}\nada,kv_sizing,away/secret.py\n"))
    assert not result.submitted
    assert told(result.refused)["away/secret.py"] == "it is a link that leads out of its folder"
    assert "is refused" in told(result.unknown)["list.csv, line 2"]


def test_a_class_that_lies_behind_a_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(in_folder(tmp_path, PLAIN))
    assert len(found(tmp_path / "link").submitted) == len(PLAIN)


def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    where = in_folder(tmp_path, PLAIN)
    os.mkfifo(where / "alice/top_p_sets.py")
    assert told(found(where).refused) == {
        "alice/top_p_sets.py": "it is a device, a pipe or a socket"
    }


def test_a_name_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    where = in_folder(tmp_path, PLAIN)
    (where / os.fsdecode(b"\xff")).mkdir()
    (where / os.fsdecode(b"alice/\xfe.py")).touch()
    result = found(where)
    assert len(result.submitted) == len(PLAIN)
    assert told(result.refused) == dict.fromkeys(
        ("\udcff", "alice/\udcfe.py"), "its name is not UTF-8; rename it"
    )


def test_what_may_not_be_read_is_listed_with_the_reason() -> None:
    program = (
        "import sys; from pathlib import Path; from grader.course.discover import discover\n"
        "found = discover(Path(sys.argv[1]), ['top_p_sets', 'kv_sizing'])\n"
        "print(len(found.submitted))\n"
        "for one in found.unknown: print(one.path, one.why)\n"
    )
    with tempfile.TemporaryDirectory() as open_to_all:
        Path(open_to_all).chmod(0o755)
        where = in_folder(Path(open_to_all), PLAIN | {"carol/top_p_sets.py": ""})
        (where / "bob/top_p_sets.py").chmod(0)
        (where / "carol").chmod(0)
        ended = subprocess.run(
            [sys.executable, "-c", program, where],
            capture_output=True,
            text=True,
            preexec_fn=become_ordinary,
            check=True,
        )
    assert ended.stdout.splitlines() == [
        "2",
        "bob/top_p_sets.py it cannot be read: Permission denied",
        "carol/ it cannot be read: Permission denied",
    ]


# What is given


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
