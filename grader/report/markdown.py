"""Text that somebody else wrote, in Markdown: it is shown, and is never Markdown itself."""

from __future__ import annotations

import re
import string

from grader.report.shown import visible

_SPECIAL = frozenset(string.punctuation)


def code(text: str) -> str:
    """The text as code on one line, also in a cell of a table; nothing for an empty text.

    Code is the one place where GitHub looks for neither names nor addresses.
    """
    text = visible(text)
    if not text.strip():
        return ""
    if not set(text) & set("`|\\"):
        return f"`{text}`"
    # A code span can hold neither a bar in a table nor every run of backticks; entities can.
    return f"<code>{''.join(f'&#{ord(c)};' if c in _SPECIAL else c for c in text)}</code>"


def fenced(text: str) -> str:
    """The text as a block of code whose fence is longer than any run of backticks in it."""
    text = visible(text, lines=True)
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"


def table(heads: list[str], rows: list[list[str]], numbers: frozenset[int] = frozenset()) -> str:
    """A table of cells that are Markdown already; the columns in `numbers` stand to the right."""
    rule = ["--:" if place in numbers else "---" for place in range(len(heads))]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (heads, rule, *rows))
