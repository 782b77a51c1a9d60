"""`grader list`, `show`, `start`, `schema` and `--help`: everything before a program is graded."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from tests.cli.command import PROBLEMS, environment, grader
from tests.conftest import files_of_at_most


def test_list_names_every_lab_and_what_it_is_about(tmp_path: Path) -> None:
    listed = grader("list", cwd=tmp_path)
    assert listed.status == 0
    assert listed.stdout.splitlines()[0].split() == ["double", "Twice", "a", "number"]
    assert "Double a non-negative integer." in listed.stdout


def test_list_speaks_the_language_of_the_environment(tmp_path: Path) -> None:
    listed = grader("list", cwd=tmp_path, LANG="zh_CN.UTF-8")
    assert "一个数的两倍" in listed.stdout


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_show_in_a_pipe_is_the_plain_markdown(tmp_path: Path, lang: str) -> None:
    shown = grader("show", "double", "--lang", lang, cwd=tmp_path)
    statement = PROBLEMS / "double" / f"statement.{lang}.md"
    assert (shown.status, shown.stdout) == (0, statement.read_text(encoding="utf-8"))


def test_a_statement_that_is_missing_is_the_labs_fault(broken_lab: Path) -> None:
    (broken_lab / "problems/double/statement.en.md").unlink()
    shown = grader("show", "double", "--problems", broken_lab / "problems", cwd=broken_lab)
    assert shown.status == 3
    assert "statement.en.md: cannot be read" in shown.stderr


def test_start_writes_the_starter_file_and_says_what_comes_next(tmp_path: Path) -> None:
    started = grader("start", "double", cwd=tmp_path)
    starter = (PROBLEMS / "double" / "starter.py").read_bytes()
    assert started.status == 0
    assert (tmp_path / "double.py").read_bytes() == starter
    for command in ("grader show double", "python double.py <", "grader grade double double.py"):
        assert command in started.stdout


def test_the_example_that_start_names_can_be_run_as_pasted(tmp_path: Path) -> None:
    started = grader("start", "double", cwd=tmp_path)
    command = next(line for line in started.stdout.splitlines() if "python double.py" in line)
    example = command.partition("<")[2].strip()
    assert json.loads(Path(tmp_path, example).read_bytes()) == {"n": 21}


def test_start_never_replaces_a_file_unless_it_is_forced(tmp_path: Path) -> None:
    (tmp_path / "double.py").write_text("an evening's work\n")
    refused = grader("start", "double", cwd=tmp_path)
    assert refused.status == 2
    assert "double.py is there already and was not touched; --force" in refused.stderr
    assert (tmp_path / "double.py").read_text() == "an evening's work\n"
    (tmp_path / "double.py").chmod(0o600)
    assert grader("start", "double", "--force", cwd=tmp_path).status == 0
    assert "an evening" not in (tmp_path / "double.py").read_text()
    assert (tmp_path / "double.py").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("words", [(), ("--force",)])
def test_start_on_a_full_disk_leaves_what_was_there(tmp_path: Path, words: tuple[str, ...]) -> None:
    if words:
        (tmp_path / "double.py").write_text("an evening's work\n")
    before = {path.name: path.read_text() for path in tmp_path.iterdir()}
    with files_of_at_most(30):
        told = grader("start", "double", *words, cwd=tmp_path)
    assert told.status == 4
    assert "double.py was not written: File too large" in told.stderr
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["show", "dubble"], "did you mean double?"),
        (["grade", "double", "mine.py", "--group", "norml"], "did you mean 'normal'?"),
        (["grde", "double"], "Did you mean 'grade'?"),
        (["grade", "double", "mine.py", "--formt", "json"], "--format"),
        (["show", "zebra"], "there are: double"),
        (["grade", "double", "mine.py", "--group", "zzz"], "there are: normal, minimal, failure"),
    ],
)
def test_a_wrong_name_is_answered_with_the_right_one(
    tmp_path: Path, words: list[str], hint: str
) -> None:
    (tmp_path / "mine.py").write_text("")
    refused = grader(*words, cwd=tmp_path)
    assert (refused.status, refused.stdout) == (2, "")
    assert hint in refused.stderr
    assert not refused.shows_our_code


@pytest.mark.parametrize("words", [["show"], ["grade", "double"], ["schema", "reprot"]])
def test_a_command_that_is_not_complete_is_a_usage_error(tmp_path: Path, words: list[str]) -> None:
    refused = grader(*words, cwd=tmp_path)
    assert refused.status == 2
    assert "Usage: grader" in refused.stderr


@pytest.mark.parametrize("name", ["report", "problem"])
def test_the_published_schemas_are_schemas(tmp_path: Path, name: str) -> None:
    schema = grader("schema", name, cwd=tmp_path).report
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["required"]


def test_help_imports_nothing_that_takes_long_to_load(tmp_path: Path) -> None:
    script = (
        "import sys; from grader.cli.main import run; status = run(['--help']);"
        "print(status, *(name for name in sys.modules if '.' not in name))"
    )
    words = [sys.executable, "-c", script]
    told = subprocess.run(
        words, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=True
    ).stdout
    status, *modules = told.splitlines()[-1].split()
    assert status == "0"
    assert "click" in modules
    assert not set(modules) & {"hypothesis", "numpy", "torch", "jsonschema", "msgspec", "rich"}


def test_help_names_every_command_and_the_exit_statuses(tmp_path: Path) -> None:
    told = " ".join(grader("--help", cwd=tmp_path).stdout.split())
    for command in ("list", "show", "start", "grade", "replay", "doctor", "schema"):
        assert f" {command} " in told
    assert "Exit status: 0 everything accepted" in told
