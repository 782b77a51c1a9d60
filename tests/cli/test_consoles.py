"""Consoles as people have them: GBK, no colours, forty columns, a pipe."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import RIGHT, WRONG, Finished, grader_process

CHINESE = "一个数的两倍"


def graded(folder: Path, source: str, lang: str, **more: str) -> Finished:
    (folder / "mine.py").write_text(source)
    words = ("grade", "double", "mine.py", "--public", "--examples", "3", "--verbose")
    return grader_process(*words, "--lang", lang, cwd=folder, **more)


@pytest.mark.parametrize(("lang", "word"), [("en", "wrong answer"), ("zh", "答案错误")])
def test_a_failure_is_shown_in_gbk(tmp_path: Path, lang: str, word: str) -> None:
    told = graded(tmp_path, WRONG, lang, PYTHONIOENCODING="gbk")  # decoded as GBK, strictly
    assert told.status == 1
    assert word in told.stdout
    assert word in told.stderr
    assert "?" not in told.output, "a character that GBK does not have"


def test_an_accepted_program_is_shown_in_gbk(tmp_path: Path) -> None:
    told = graded(tmp_path, RIGHT, "zh", PYTHONIOENCODING="gbk")
    assert told.status == 0
    assert "公开部分 80 / 80 分" in told.stdout
    assert "?" not in told.output


def test_an_encoding_without_chinese_gets_english(tmp_path: Path) -> None:
    told = graded(tmp_path, RIGHT, "zh", PYTHONIOENCODING="ascii")
    assert told.status == 0
    assert "80 of 80 public points" in told.stdout


def test_the_labs_are_listed_and_shown_in_gbk(tmp_path: Path) -> None:
    for words in (["list"], ["show", "double"]):
        shown = grader_process(*words, "--lang", "zh", cwd=tmp_path, PYTHONIOENCODING="gbk")
        assert shown.status == 0
        assert CHINESE in shown.stdout


def test_a_pipe_of_forty_columns_gets_neither_colours_nor_broken_commands(tmp_path: Path) -> None:
    told = graded(tmp_path, WRONG, "en", COLUMNS="40", NO_COLOR="1", CI="1", TERM="xterm-256color")
    assert told.status == 1
    assert "\x1b" not in told.output
    assert "grader replay .grader/double/report.json normal/check_" in told.stdout
    pasted = ("grader replay", '{"n"', '{"ok"')
    lines = [line for line in told.stdout.splitlines() if not line.strip().startswith(pasted)]
    assert max(len(line.rstrip()) for line in lines) <= 40
