r"""How text that a student's program or a hostile input wrote is shown: it is seen, never obeyed.

    ESC [ 2 J            \x1b[2J       cannot clear a screen
    RIGHT-TO-LEFT        \u202e        cannot turn a line round
    ZERO WIDTH SPACE     \u200b        cannot hide between two letters

Backslashes stay single, so that an ordinary input can be pasted as it is shown. Where a literal
`\x1b` and an escaped one must be told apart, the replay command has the exact bytes.
"""

from __future__ import annotations

_INVISIBLE_LETTERS = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, range(0xFE00, 0xFE10)))
    + "".join(map(chr, range(0xE0100, 0xE01F0)))
)
"""Fillers, joiners and variation selectors: letters and marks to Unicode, nothing to the eye."""

LEFT_OUT = "… {count:,} characters left out …"
LINES_LEFT_OUT = "… {count:,} lines left out …"


def visible(text: str, *, lines: bool = False) -> str:
    r"""The text with everything escaped that cannot be seen or that acts on what shows it.

    Args:
        lines: whether line feeds stay as they are; else they become `\n`.
    """
    if text.isprintable() and text.isascii():
        return text
    kept = "\n" if lines else ""
    return "".join(char if is_plain(char) or char in kept else _escape(char) for char in text)


def is_plain(char: str) -> bool:
    """`isprintable` is false for control, format, private and unassigned, and for odd spaces."""
    return char.isprintable() and char not in _INVISIBLE_LETTERS


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def encodable(text: str, encoding: str) -> str:
    """The text as a stream of this encoding can print it; other characters become escapes."""
    return text.encode(encoding, "backslashreplace").decode(encoding)


def can_print(text: str, encoding: str) -> bool:
    return encodable(text, encoding) == text


def cut(text: str, most: int, left_out: str = LEFT_OUT) -> str:
    """At most so many characters: a long text loses its middle, and says how much of it."""
    count = len(text) - most
    if count <= 0:
        return text
    tail = most // 3
    return f"{text[: most - tail]} {left_out.format(count=count)} {text[len(text) - tail :]}"


def cut_lines(text: str, most: int, left_out: str = LINES_LEFT_OUT) -> str:
    """At most so many lines and one more, which says how many are missing in the middle."""
    lines = text.split("\n")
    count = len(lines) - most
    if count <= 0:
        return text
    tail = most // 3
    middle = left_out.format(count=count)
    return "\n".join([*lines[: most - tail], middle, *lines[len(lines) - tail :]])
