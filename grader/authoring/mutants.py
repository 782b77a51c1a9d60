"""A program becomes many programs, each with one small mistake (mutation analysis).

    source ── ast ──► places ── OPERATORS ──► (node, the node that stands in its place)
                                              └► the same text with that one piece replaced

R. A. DeMillo, R. J. Lipton and F. G. Sayward, "Hints on Test Data Selection", Computer 11(4), 1978.
"""

from __future__ import annotations

import ast
import difflib
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from grader.authoring.operators import OPERATORS

_LOOSE = (ast.BinOp, ast.BoolOp, ast.Compare, ast.UnaryOp, ast.IfExp)
"""What stands in brackets where something else stood."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A program with one mistake.

    `function`, `was` and `now` (the changed lines, stripped) name it for people, and survive when
    lines above it move; `name` is a digest of them.
    """

    operator: str
    function: str
    line: int
    was: str
    now: str
    place: int
    source: bytes

    @property
    def name(self) -> str:
        text = f"{self.function}\0{self.was}\0{self.now}\0{self.place}"
        return hashlib.sha256(text.encode()).hexdigest()[:8]


def mutants(source: bytes) -> list[Mutant]:
    """All mutants of a program, in the order of its text; two that are equal count once.

    Raises:
        SyntaxError: it is no Python.
    """
    text = source.decode("utf-8")
    found: dict[str, Mutant] = {}
    places: dict[tuple[str, str, str], int] = {}
    for function, node in _nodes(ast.parse(text)):
        for operator, change in OPERATORS.items():
            for target, new in change(node):
                changed = _spliced(text, target, new)
                if changed == text or changed in found or not _compiles(changed):
                    continue
                was, now = _lines(text, changed)
                place = places[function, was, now] = places.get((function, was, now), -1) + 1
                found[changed] = Mutant(
                    operator=operator,
                    function=function,
                    line=target.lineno,  # type: ignore[attr-defined]
                    was=was,
                    now=now,
                    place=place,
                    source=changed.encode(),
                )
    return sorted(found.values(), key=lambda mutant: mutant.line)


def difference(source: bytes, mutant: Mutant) -> str:
    """A unified diff from the program to its mutant."""
    lines = difflib.unified_diff(
        source.decode().splitlines(), mutant.source.decode().splitlines(), n=1, lineterm=""
    )
    return "\n".join(list(lines)[2:])


def _nodes(tree: ast.AST, function: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Every node with the name of the function that it stands in; not what only starts it all."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "__name__" in ast.dump(node.test):
            continue
        name = function
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            name = f"{function}.{node.name}".lstrip(".")
        yield name, node
        yield from _nodes(node, name)


def _spliced(text: str, node: ast.AST, new: ast.AST | str) -> str:
    """The text with one node's piece replaced. Columns count bytes of UTF-8."""
    lines = text.encode().splitlines(keepends=True)
    place: Any = node
    start = len(b"".join(lines[: place.lineno - 1])) + place.col_offset
    end = len(b"".join(lines[: place.end_lineno - 1])) + place.end_col_offset
    whole = text.encode()

    def with_piece(piece: str) -> str:
        return (whole[:start] + piece.encode() + whole[end:]).decode()

    if isinstance(new, str):
        return with_piece(new)
    bare, closed = with_piece(ast.unparse(new)), with_piece(f"({ast.unparse(new)})")
    if type(node) is not type(new):
        return closed if isinstance(new, _LOOSE) else bare
    return closed if isinstance(new, ast.BinOp) and not _same_tree(bare, closed) else bare


def _same_tree(one: str, other: str) -> bool:
    """Whether brackets make no difference; what cannot be parsed, whoever compiles it tells."""
    try:
        return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other))
    except SyntaxError:
        return True


def _compiles(text: str) -> bool:
    try:
        compile(text, "mutant", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def _lines(old: str, new: str) -> tuple[str, str]:
    """The changed lines before and after, stripped and joined."""
    matcher = difflib.SequenceMatcher(None, before := old.splitlines(), after := new.splitlines())
    was, now = [], []
    for tag, start, end, new_start, new_end in matcher.get_opcodes():
        if tag != "equal":
            was += before[start:end]
            now += after[new_start:new_end]
    return " ".join(map(str.strip, was)), " ".join(map(str.strip, now))
