"""A download of Moodle: the number in a name is whose it is."""

from __future__ import annotations

import pytest

from tests.course.classes import PLAIN, Build, found, told, whose

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


def test_a_student_s_upload_in_a_flat_download_is_no_list_of_the_class(build: Build) -> None:
    bob = "Bob_102_assignsubmission_file_top_p_sets.py"
    listing = f"student,problem,path\n101,top_p_sets,{bob}\n"
    result = found(build({bob: "bob", f"{ADA}_x.csv": listing}))
    assert [(one.student, one.source) for one in result.submitted] == [("102", b"bob")]


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
