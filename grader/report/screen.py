"""What is shown on: a language, a width and an encoding, and how lines are laid out there.

    Must hold   a sentence, wrapped by us
    Input       a literal, when it fits on the line
    Input
        or else a literal as a block of its own

In a block only the terminal wraps lines, so that it can be pasted.
"""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, Group, OverflowMethod, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grader.model.bundle import Text as Sentence
from grader.model.verdict import Verdict
from grader.report.shown import can_print, cut, cut_lines, encodable, visible
from grader.report.words import WORDS, Words, mark

_INDENT = 2
_BLOCK_INDENT = " " * 4
_MOST_LINES = 12

STYLES = {Verdict.ACCEPTED: "green", Verdict.SKIPPED: "dim", Verdict.JUDGE_ERROR: "bold magenta"}
FAILURE_STYLE = "red"


def style_of(verdict: Verdict) -> str:
    return STYLES.get(verdict, FAILURE_STYLE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """Makes Rich `Text`, which reads no markup, of strings that nobody has looked at."""

    lang: str
    width: int = 80
    encoding: str = "utf-8"

    @classmethod
    def of(cls, console: Console, *, lang: str) -> Screen:
        """The screen behind a console; English where it cannot print the language's words."""
        readable = can_print(WORDS[lang].must_hold, console.encoding)
        lang = lang if readable else "en"
        return cls(lang=lang, width=console.width, encoding=console.encoding)

    @property
    def words(self) -> Words:
        return WORDS[self.lang]

    def mark(self, verdict: Verdict) -> Text:
        return Text(mark(verdict, self.encoding), style=style_of(verdict))

    def text(self, text: str, style: str = "") -> Text:
        """Any text: escaped, also where the stream cannot print it; line feeds stay."""
        return Text(encodable(visible(text, lines=True), self.encoding), style=style)

    def span(self, text: str, style: str = "") -> Text:
        """A part of a line: line feeds are escaped as well."""
        return Text(encodable(visible(text), self.encoding), style=style)

    def line(self, *spans: Text) -> Text:
        """Spans with a space between them, on one line that is cut at the screen's edge."""
        overflow: OverflowMethod = "ellipsis" if can_print("…", self.encoding) else "crop"
        return Text(" ", no_wrap=True, overflow=overflow).join(spans)

    def sentence(self, sentences: Sentence) -> str:
        """The sentence in this language, or in the one that there is."""
        return sentences.get(self.lang) or next(iter(sentences.values()), "")

    def excerpt(self, text: str, most: int) -> str:
        """A program's input or output without its last line feed, cut to a piece of the screen."""
        if not text:
            return self.words.nothing
        if not text.strip():
            return self.words.blank
        shorter = cut(text.removesuffix("\n"), most, self.words.left_out)
        return cut_lines(shorter, _MOST_LINES, self.words.lines_left_out)

    def marked(self, verdict: Verdict, text: str, style: str = "") -> RenderableType:
        """A verdict's mark and a text, wrapped beside it."""
        grid = Table.grid(padding=(0, 1, 0, 0))
        grid.add_column()
        grid.add_column(overflow="fold")
        grid.add_row(self.mark(verdict), self.text(text, style))
        return grid

    def field(self, label: str, value: str, style: str = "") -> RenderableType:
        """A label and what belongs to it, wrapped in a column of its own."""
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(width=self._label_width, no_wrap=True, overflow="crop")
        grid.add_column(overflow="fold")
        grid.add_row(self.text(label, "bold"), self.text(value, style))
        return Padding(grid, (0, 0, 0, _INDENT))

    def literal(self, label: str, value: str, style: str = "") -> RenderableType:
        """A label and a text in which a line is never broken by us: it may be pasted."""
        text = self.text(value, style)
        room = self.width - _INDENT - self._label_width - 2
        if "\n" not in text.plain and text.cell_len <= room:
            return self.field(label, value, style)
        lines = [Text(_BLOCK_INDENT) + line for line in text.split("\n", allow_blank=True)]
        block = Text("\n", no_wrap=True, overflow="ignore").join(lines)
        return Group(self.text(" " * _INDENT + label, "bold"), block)

    @property
    def _label_width(self) -> int:
        words = self.words
        labels = (words.must_hold, words.compared, words.it_printed, words.again, words.also)
        return max(cell_len(label) for label in labels)
