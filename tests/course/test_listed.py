"""A CSV names each submission; every line that does not is named itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.errors import UsageError
from tests.course.classes import CHANGED_AT, Build, found, in_folder, told, whose

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


def test_a_csv_does_not_lead_through_a_link(tmp_path: Path) -> None:
    where = in_folder(tmp_path, LISTED)
    (where / "away").symlink_to(tmp_path)
    (tmp_path / "secret.py").write_text("secret")
    result = found(by_list(where, f"{HEADER}\nada,kv_sizing,away/secret.py\n"))
    assert not result.submitted
    assert told(result.refused)["away/secret.py"] == "it is a link that leads out of its folder"
    assert "is refused" in told(result.unknown)["list.csv, line 2"]
