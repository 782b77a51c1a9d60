"""Hostile text for the tests of this folder, and what may never come out of a renderer."""

from __future__ import annotations

import unicodedata

from hypothesis import strategies as st

_FRAGMENTS = (
    "\x1b[2J\x1b[31m",
    "\x1b]0;title\x07",
    "\x9b31m",
    "\x00\x08\r\x7f",
    "\t\v\f\x1c\x85",
    "\u202e\u2066\u200f",
    "\u200b\u200d\ufeff\u00ad\u2060",
    "\u2028\u2029",
    "\ufe0f\u115f\u3164\U000e0100\U000e0041",
    "\ufffe\U0001ffff\ue000",
    "\udcff",
    "[bold red]x[/] [/nonsense] [link=file:///etc/passwd]",
    ":smile: {braces} {0} %s",
    "]]><!--<script>&amp;",
    "\n\n::error::x\n",
    "日本語 é e\u0301 👩\u200d🔬",
    " \n \n",
    "x" * 3000,
    "line\n" * 50,
)

hostile_text = st.lists(st.sampled_from(_FRAGMENTS) | st.text(max_size=40), max_size=4).map("".join)

_FORBIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_FILLERS = set("\u034f\u115f\u1160\u3164\uffa0\ufe0e\ufe0f\U000e0100")


def forbidden_in(shown: str) -> set[str]:
    """Characters that act on a terminal, or that nobody sees; line feeds are allowed."""
    return {
        char
        for char in set(shown) - {"\n"}
        if unicodedata.category(char) in _FORBIDDEN or char in _FILLERS
    }
