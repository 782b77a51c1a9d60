"""Text of others in Markdown: read back by a Markdown parser, it is code and nothing else."""

from __future__ import annotations

from html import unescape
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from grader.report.markdown import code, fenced, table
from grader.report.shown import visible
from tests.report.hostile import hostile_text

_PARSER = MarkdownIt("commonmark").enable("table")
_MARKDOWN = st.text(alphabet="`|\\<>&*_[]()!#~-+.@:/ ab\n", max_size=30)


class _Text(HTMLParser):
    """The text of a piece of HTML, and the tags that are in it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text, self.tags = "", set[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def _rendered(markdown: str) -> _Text:
    reader = _Text()
    reader.feed(_PARSER.render(markdown))
    return reader


@settings(deadline=None)
@given(hostile_text | _MARKDOWN)
def test_code_is_read_as_the_text_that_it_was_also_between_words(text: str) -> None:
    shown = visible(text)
    page = _rendered(f"before {code(text)} after")
    assert page.tags <= {"p", "code"}
    assert page.text.split() == ["before", *shown.split(), "after"]


@settings(deadline=None)
@given(hostile_text | _MARKDOWN)
def test_a_cell_stays_one_cell(text: str) -> None:
    page = _rendered(table(["a", "b"], [[code(text), "end"]]))
    assert page.tags <= {"table", "thead", "tbody", "tr", "th", "td", "code"}
    assert page.text.split() == ["a", "b", *visible(text).split(), "end"]


@settings(deadline=None)
@given(hostile_text | _MARKDOWN)
def test_no_text_closes_its_own_fence(text: str) -> None:
    tokens: list[Token] = _PARSER.parse(f"{fenced(text)}\n\nafter")
    assert next(token.type for token in tokens) == "fence"
    assert tokens[0].content == visible(text, lines=True) + "\n"
    assert [token.content for token in tokens if token.type == "inline"] == ["after"]


def test_a_text_without_anything_special_can_be_read_in_the_file_as_well() -> None:
    assert code("edge/check_mass") == "`edge/check_mass`"


@pytest.mark.parametrize("text", ["", "  "])
def test_nothing_is_no_code(text: str) -> None:
    assert code(text) == ""


def test_entities_name_the_characters_that_they_stand_for() -> None:
    assert unescape(code("a`|\\b")) == "<code>a`|\\b</code>"
