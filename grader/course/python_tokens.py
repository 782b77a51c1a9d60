"""A Python program becomes the string of its tokens' classes, whatever its names and layout.

    total = price * 12  # a year       N = N * 0
    jahr = monat*1.5                   N = N * 0

A class is one byte, so that runs of tokens are slices of bytes. Names are one class except
keywords and well-known builtins; numbers are one class, strings one, and every operator is its
own. Comments, docstrings, layout and trailing commas are dropped.
"""

from __future__ import annotations

import io
import keyword
import re
import token
import tokenize
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from grader.model.similarity import text_of

MOST_BYTES = 100_000
"""Of a source. The longest solution of the labs has 10,000."""

MOST_TOKENS = 10_000
"""Of a program, with docstrings and ends of lines. The longest solution has 2,400."""

LONGEST_LINE = 2_000
"""In characters. `tokenize` needs time that grows with the square of a line's length: for stray
quotes in Python 3.11, for any line in 3.12."""

_BUILTINS = (
    "abs all any bin bool bytearray bytes chr dict divmod enumerate filter float format frozenset "
    "getattr hasattr hash int isinstance iter len list map max min next object open ord pow print "
    "range repr reversed round set setattr slice sorted str sum super tuple type zip"
)
_OPERATORS = (
    "... **= //= >>= <<= != == <= >= -> := += -= *= /= %= &= |= ^= @= ** // << >> "
    "+ - * / % @ & | ^ ~ < > = ( ) [ ] { } , : . ;"
)
_WORDS = (*sorted(keyword.kwlist), *_BUILTINS.split())
_END, _NAME, _NUMBER, _STRING = range(4)
_CLASSES = {text: 4 + place for place, text in enumerate((*_WORDS, *_OPERATORS.split()))}
_COMMA, _CLOSING = _CLASSES[","], {_CLASSES[bracket] for bracket in ")]}"}

_Lexeme = tuple[int, int]
"""A class and the line it begins on; `_END` ends a logical line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """The classes of a program's tokens, and for each the line, from 1, that it begins on.

    `whole` is false where the program is too long and only its beginning was read.
    """

    classes: bytes
    lines: Sequence[int]
    whole: bool


def tokens_of(source: bytes) -> Tokens:
    """The tokens of a program, also of one that is no Python: nothing is raised."""
    lexemes = _lexemes(text_of(source[:MOST_BYTES]))
    whole = len(source) <= MOST_BYTES and len(lexemes) <= MOST_TOKENS
    classes, lines = bytearray(), array("L")
    for code, line in _statements_only(lexemes[:MOST_TOKENS]):
        if code in _CLOSING and classes and classes[-1] == _COMMA:
            classes.pop()
            lines.pop()
        classes.append(code)
        lines.append(line)
    return Tokens(classes=bytes(classes), lines=lines, whole=whole)


def _statements_only(lexemes: list[_Lexeme]) -> Iterator[_Lexeme]:
    """The tokens without logical lines that hold strings only: docstrings, and old comments."""
    statement: list[_Lexeme] = []
    for lexeme in [*lexemes, (_END, 0)]:
        if lexeme[0] != _END:
            statement.append(lexeme)
            continue
        if any(code != _STRING for code, _ in statement):
            yield from statement
        statement.clear()


def _lexemes(text: str) -> list[_Lexeme]:
    """What `tokenize` says; for a text that it refuses, what `_lenient` says, the same way.

    One more than `MOST_TOKENS` shows that there are more.
    """
    if max(map(len, text.split("\n"))) <= LONGEST_LINE:
        try:
            return list(islice(_strict(text), MOST_TOKENS + 1))
        except (tokenize.TokenError, SyntaxError, ValueError):
            pass  # not this Python: read it leniently
    return list(islice(_lenient(text), MOST_TOKENS + 1))


_F_STRING_BEGINS = {getattr(token, f"{letter}STRING_START", None) for letter in "FT"} - {None}
_F_STRING_ENDS = {getattr(token, f"{letter}STRING_END", None) for letter in "FT"} - {None}
_STRICT_KINDS = {token.NUMBER: _NUMBER, token.STRING: _STRING, token.NEWLINE: _END}
_LAYOUT = {token.COMMENT, token.NL, token.INDENT, token.DEDENT, token.ENDMARKER}


def _strict(text: str) -> Iterator[_Lexeme]:
    """Python 3.12 and newer give f-strings in pieces, 3.11 whole: here they are whole."""
    depth = 0
    for kind, string, (line, _), _, _ in tokenize.generate_tokens(io.StringIO(text).readline):
        if kind in _F_STRING_ENDS:
            depth -= 1
        elif kind in _F_STRING_BEGINS:
            depth += 1
            if depth == 1:
                yield _STRING, line
        elif depth:
            continue
        elif kind == token.NAME:
            yield _CLASSES.get(string, _NAME), line
        elif kind in _STRICT_KINDS:
            yield _STRICT_KINDS[kind], line
        elif kind == token.OP and string in _CLASSES:
            yield _CLASSES[string], line
        elif kind not in _LAYOUT:
            raise tokenize.TokenError("no token of Python", (line, 0))


_LEXEME = re.compile(
    r"""
      (?P<line_end> \n )
    | (?P<dropped> [ \t\f]+ | \\\n | \#[^\n]* )
    | [rRbBuUfFtT]{0,2} (?:
          (?P<long> '''|\""" )
        | (?P<string> '(?:[^'\\\n]|\\.)*+'? | "(?:[^"\\\n]|\\.)*+"? )
      )
    | (?P<number>
          0 (?: [xX][0-9a-fA-F_]+ | [oObB][0-9_]+ )
        | (?: [0-9][0-9_]*\.?[0-9_]* | \.[0-9][0-9_]* ) (?:[eE][+-]?[0-9_]+)? [jJ]?
      )
    | (?P<name> \w+ )
    | (?P<operator> """
    + "|".join(map(re.escape, _OPERATORS.split()))
    + r""" )
    | (?P<stray> . )
    """,
    re.VERBOSE | re.DOTALL,
)
_KINDS = {"number": _NUMBER, "string": _STRING, "long": _STRING}

_TOP_LEVEL = re.compile(r"^(?:class|def) ", re.MULTILINE)
"""What hardly begins a line of a string: where it does, the quotes before it were never closed."""

_ONLY_BEGINS = {"class", "def", "import", "return"}
"""Keywords that no brackets enclose: where one stands, brackets before it were never closed."""


def _lenient(text: str) -> Iterator[_Lexeme]:
    """Tokens of a text that may break off anywhere; of a right program, those of `tokenize`
    (unless a string of it holds whole functions).

    A bracket or a quote that is never closed spoils no more than what stands before the next
    function. The time grows with the text's length: no expression tries a second way, and no part
    of the text is searched twice for the end of a string.
    """
    last = {quotes: text.rfind(quotes) for quotes in ("'''", '"""')}
    place, line, depth = 0, 1, 0
    while place < len(text):
        match = _LEXEME.match(text, place)
        assert match is not None
        kind, string = match.lastgroup, match.group()
        place = match.end()
        begun_on = line
        if kind == "long":
            if last[string[-3:]] < place:
                continue
            end = text.index(string[-3:], place)
            if _TOP_LEVEL.search(text, place, end):
                continue
            place = end + 3
        line += text.count("\n", match.start(), place)
        if kind == "line_end":
            if depth == 0:
                yield _END, begun_on
        elif kind in _KINDS:
            yield _KINDS[kind], begun_on
        elif kind in ("name", "operator"):
            if string in _ONLY_BEGINS:
                depth = 0
                yield _END, begun_on
            depth = max(0, depth + (string in "([{") - (string in ")]}"))
            yield _CLASSES.get(string, _NAME), begun_on
