"""Whatever is handed in, and whatever it prints, becomes a verdict or a usage error."""

from __future__ import annotations

import json
import os
from pathlib import Path

import junitparser
import pytest

from grader.model.execution import MAX_SOURCE_BYTES
from tests.cli.command import RIGHT, Finished, grader, grader_as_nobody, rows
from tests.conftest import copy_labs
from tests.report.hostile import forbidden_in


def graded(folder: Path, *words: str, **more: str) -> Finished:
    fixed = ("grade", "double", "mine.py", "--public", "--group", "minimal", *words)
    finished = grader(*fixed, cwd=folder, **more)
    assert not finished.shows_our_code
    return finished


def test_a_file_that_is_missing_is_a_usage_error_that_says_how_to_begin(tmp_path: Path) -> None:
    refused = graded(tmp_path)
    assert (refused.status, refused.stdout) == (2, "")
    assert "mine.py does not exist; `grader start` writes a starter file" in refused.stderr


def test_a_folder_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "mine.py").mkdir()
    refused = graded(tmp_path)
    assert (refused.status, refused.stdout) == (2, "")
    assert "mine.py is a folder; name the Python file in it" in refused.stderr


def test_a_name_that_is_not_utf_8_is_told_and_no_fault_of_the_grader(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.py")
    (tmp_path / name).write_text(RIGHT)
    refused = grader("grade", "double", name, cwd=tmp_path)
    assert (refused.status, refused.stdout) == (2, "")
    assert r"is not UTF-8: rename the file, or the folder that it is in" in refused.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_closed_folder_of_the_staff_makes_it_practice(tmp_path: Path) -> None:
    """On a shared machine students use the staff's checkout, whose solutions/ is closed to them."""
    copy_labs(tmp_path)
    (tmp_path / "solutions").chmod(0o700)
    (tmp_path / "mine.py").write_text(RIGHT)
    words = ("grade", "double", "mine.py", "--group", "minimal", "--format", "json")
    problems = {"GRADER_PROBLEMS": str(tmp_path / "problems")}
    told = grader_as_nobody(tmp_path, *words, **problems)
    assert told.status == 0, told.output
    assert told.report["practice"] is True


def test_a_file_of_unreasonable_size_is_refused_before_it_is_read(tmp_path: Path) -> None:
    with (tmp_path / "mine.py").open("wb") as file:
        file.truncate(MAX_SOURCE_BYTES + 1)
    refused = graded(tmp_path)
    assert refused.status == 2
    assert "mine.py is larger than 16 MiB" in refused.stderr


@pytest.mark.parametrize(
    ("source", "verdict", "why"),
    [
        (b"", "malformed_output", "nothing was printed"),
        (b"x = '\xff'\n", "crashed", "SyntaxError"),
        (b"print(\n", "crashed", "SyntaxError"),
        (b"x = 1\0\n", "crashed", "null bytes"),
        (RIGHT.encode() + b"#" * (10 << 20), "accepted", ""),
    ],
    ids=["empty", "not UTF-8", "syntax error", "null bytes", "10 MB"],
)
def test_a_strange_source_is_graded_as_it_stands(
    tmp_path: Path, source: bytes, verdict: str, why: str
) -> None:
    (tmp_path / "mine.py").write_bytes(source)
    finished = graded(tmp_path, "--format", "json")
    row = rows(finished.report)["minimal/01-zero"]
    assert row["verdict"] == verdict
    assert why in row["detail"]
    assert finished.status == (0 if verdict == "accepted" else 1)


ANSWER = '{"ok": true, "twice": 2}'
PRINTED = {
    "not_json": ("malformed_output", "print('forty-two')"),
    "two_objects": ("malformed_output", f"print('{ANSWER}' * 2)"),
    "nan": ("malformed_output", "print(json.dumps({'ok': True, 'twice': float('nan')}))"),
    "nested": ("malformed_output", "print('[' * 50_000 + ']' * 9)"),
    "control_characters": ("malformed_output", "print('\\0\\a\\b\\x7f\\r\\x9b31m\\u202e\\u200b')"),
    "ansi": ("malformed_output", "print('\\x1b[2J\\x1b]0;title\\a\\x1b[31m')"),
    "bytes": ("malformed_output", "sys.stdout.buffer.write(bytes(range(256)))"),
    "surrogate": ("malformed_output", "print(json.dumps({'ok': '\\ud800', 'twice': '\\udfff'}))"),
    "crash": ("crashed", "sys.exit('\\x1b[2J\\x1b[31m\\r')"),
    "flood": ("over_output", "[print('x' * (1 << 20)) for _ in range(100)]"),
}
"""What a program prints for its n-th input, and what that is."""


@pytest.fixture
def flooded(broken_lab: Path) -> Path:
    """A lab with a fixed case for each of `PRINTED`, and a program that prints all of it."""
    cases = broken_lab / "problems/double/cases/minimal"
    lines = ["import json", "import sys", "n = json.load(sys.stdin)['n']"]
    for n, (name, (_, statement)) in enumerate(PRINTED.items(), 2):
        (cases / f"{n:02}-{name}.in.json").write_text(json.dumps({"n": n}))
        (cases / f"{n:02}-{name}.out.json").write_text(json.dumps({"ok": True, "twice": 2 * n}))
        lines += [f"if n == {n}:", f"    {statement}"]
    (broken_lab / "mine.py").write_text("\n".join(lines) + "\n")
    return broken_lab


def test_whatever_is_printed_gets_a_verdict_and_is_shown_escaped(flooded: Path) -> None:
    own = {"GRADER_PROBLEMS": str(flooded / "problems")}
    told = graded(flooded, "--verbose", "--format", "json", "--output", "report.json", **own)
    text = (flooded / "report.json").read_text()
    by_name = {key.partition("-")[2]: row for key, row in rows(json.loads(text)).items()}
    assert {name: by_name[name]["verdict"] for name in PRINTED} == {
        name: verdict for name, (verdict, _) in PRINTED.items()
    }
    assert told.status == 1
    for shown in (told.stdout, told.stderr, text):
        assert forbidden_in(shown) == set()
    assert len(text) < 400_000, "a flood is cut"


def test_junit_shows_whatever_is_printed_escaped(flooded: Path) -> None:
    own = {"GRADER_PROBLEMS": str(flooded / "problems")}
    told = graded(flooded, "--format", "junit", **own)
    assert forbidden_in(told.stdout) == set()
    (suite,) = junitparser.JUnitXml.fromstring(told.stdout.encode())
    assert (suite.tests, suite.failures) == (len(PRINTED) + 1, len(PRINTED) + 1)
    assert r"\x1b[2J" in told.stdout
