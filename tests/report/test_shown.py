"""Text from outside is seen and never obeyed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.report.shown import can_print, cut, cut_lines, encodable, visible
from tests.report.hostile import forbidden_in, hostile_text


@settings(deadline=None)
@given(hostile_text | st.text(st.characters()))
def test_nothing_that_acts_or_hides_comes_out(text: str) -> None:
    assert not forbidden_in(visible(text, lines=True))
    assert "\n" not in visible(text)


@settings(deadline=None)
@given(st.text(st.characters(categories=["L", "N", "P", "Sm", "Sc"], exclude_characters="ㅤᅟᅠﾠ")))
def test_letters_digits_and_signs_stay_as_they_are(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b[31m", r"\x1b[31m"),
        ("a\u202eb", r"a\u202eb"),
        ("a\u200bb", r"a\u200bb"),
        ("a\tb\r\n", r"a\tb\r\n"),
        ("\u00a0", r"\xa0"),
        ("\udcff", r"\udcff"),
        ("❤\ufe0f", r"❤\ufe0f"),
        ('{"a": "\\n"}', '{"a": "\\n"}'),
    ],
)
def test_an_escape_is_the_one_that_python_writes(raw: str, shown: str) -> None:
    assert visible(raw) == shown


def test_line_feeds_stay_where_lines_are_wanted() -> None:
    assert visible("a\r\nb\n", lines=True) == "a\\r\nb\n"


def test_a_long_text_loses_its_middle_and_says_how_much() -> None:
    text = "a" * 600 + "b" * 300 + "c" * 300
    assert cut(text, 900) == "a" * 600 + " … 300 characters left out … " + "c" * 300
    assert cut(text, 1200) == text


def test_many_lines_lose_their_middle_and_say_how_much() -> None:
    lines = [str(number) for number in range(20)]
    left = cut_lines("\n".join(lines), 12).split("\n")
    assert left == [*lines[:8], "… 8 lines left out …", *lines[16:]]
    assert cut_lines("\n".join(lines), 20) == "\n".join(lines)


@settings(deadline=None)
@given(hostile_text, st.sampled_from(["gbk", "ascii", "utf-8", "cp1252"]))
def test_what_a_stream_cannot_print_becomes_an_escape(text: str, encoding: str) -> None:
    shown = encodable(visible(text), encoding)
    assert shown.encode(encoding).decode(encoding) == shown


def test_a_gbk_console_prints_chinese_and_no_check_mark() -> None:
    assert can_print("通过 – …", "gbk")
    assert not can_print("✓", "gbk")
    assert encodable("✓", "gbk") == r"\u2713"
