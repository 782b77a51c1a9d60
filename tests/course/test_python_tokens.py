"""What a program's tokens are, also where Python would refuse it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.course.python_tokens import LONGEST_LINE, tokens_of

ROOT = Path(__file__).parent.parent.parent
PROGRAMS = [
    path
    for pattern in ("problems/*/starter.py", "solutions/*/reference.py", "solutions/*/right/*.py")
    for path in sorted(ROOT.glob(pattern))
]


def same(one: str, other: str) -> bool:
    return tokens_of(one.encode()).classes == tokens_of(other.encode()).classes


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("total = price * 12", "x=y*1.5e3"),
        ("f(a, b)", "f(\n    a,\n    b,\n)  # why"),
        ("x = 'a'", 'x = f"{b!r:>{width}} {c[0]}"'),
        ("x = 'a'", 'x = rb"""\nb\'c\n"""'),
        ("def f():\n    return 1", 'def f():\n    """Doc."""\n\n    return 2'),
        ("x = 1", "'''Old\n# code'''\n'more' 'words'\nx = 1\n"),
        ("if a: b()", "if a:\n\tb()"),
        ("a = b + c", "a = b \\\n    + c"),
        ("a = (b + c)", "a = (b\r\n     + c)\r"),
        ("x = 1", "\ufeffx = 1"),
        ("größe = 1", "名 = 1"),
    ],
)
def test_these_are_the_same(one: str, other: str) -> None:
    assert same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a + b", "a - b"),
        ("a < b", "a <= b"),
        ("x = 1", "x = '1'"),
        ("min(a)", "max(a)"),
        ("f('a')", "f()"),
        ("f(\n    'a'\n)", "f(\n)"),
        ("if a: b", "while a: b"),
    ],
)
def test_these_are_different(one: str, other: str) -> None:
    assert not same(one, other)


def test_a_token_stands_on_the_line_where_it_begins() -> None:
    tokens = tokens_of(b'# a\nx = """\n\n"""\nif y:\r\n  z()\n')
    assert list(tokens.lines) == [2, 2, 2, 5, 5, 5, 6, 6, 6]


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: str(path.relative_to(ROOT)))
@pytest.mark.parametrize(
    "fault", ["\n(", "\n$", "\n  ?", "\nx = 'a", "\0", "\n" + "-" * LONGEST_LINE]
)
def test_a_program_that_python_refuses_has_the_tokens_of_the_same_program_without_its_fault(
    path: Path, fault: str
) -> None:
    source = path.read_bytes()
    right, wrong = tokens_of(source), tokens_of(source + fault.encode())
    count = len(right.classes)
    assert wrong.classes[:count] == right.classes
    assert wrong.lines[:count] == right.lines
    assert len(wrong.classes) <= count + 3 or "-" in fault


@pytest.mark.parametrize(
    "fault", ["def f(:\n", "x = [1, (2\n", "print('don't')\n", "'''\n", 'a = """b\n', ")]}\n"]
)
def test_a_fault_spoils_its_own_statement_only(fault: str) -> None:
    before, after = "def f(a):\n    return a\n\n", 'def g(b):\n    """Doc."""\n    return [b]\n'
    spoilt = tokens_of((before + fault + after).encode())
    assert spoilt.classes.startswith(tokens_of(before.encode()).classes)
    assert spoilt.classes.endswith(tokens_of(after.encode()).classes)


@settings(deadline=None)
@given(st.binary() | st.text(st.sampled_from("\"'\\#()[]{}frb \n\tdef1.e,:=$\0é")).map(str.encode))
def test_anything_has_tokens_and_each_has_a_line(source: bytes) -> None:
    tokens = tokens_of(source)
    assert len(tokens.classes) == len(tokens.lines)
    assert list(tokens.lines) == sorted(tokens.lines)
