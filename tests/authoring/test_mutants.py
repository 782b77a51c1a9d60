"""The mutator makes the mistakes that it promises, each in one place, and names them for good."""

from __future__ import annotations

import pytest

from grader.authoring.mutants import difference, mutants
from grader.authoring.operators import OPERATORS
from tests.conftest import REPOSITORY

PROMISED = {
    "comparison": ("if a < b: pass", "if a <= b: pass"),
    "constant": ("x = 7", "x = 8"),
    "off by one": ("y = x[:size]", "y = x[:size + 1]"),
    "arithmetic": ("y = a + b", "y = a - b"),
    "division": ("y = a // b", "y = (-(-a // b))"),
    "exactness": ("y = Fraction(a, b)", "y = Fraction(a // (b))"),
    "extreme": ("y = max(a, b)", "y = min(a, b)"),
    "order": ("y = sorted(x)", "y = list(x)"),
    "logic": ("y = a and b", "y = a or b"),
    "exact type": ("y = type(x) is not int", "y = not isinstance(x, int)"),
    "whole match": ("y = p.fullmatch(x)", "y = p.match(x)"),
    "statement": ("if a:\n    raise Refusal('x')", "if a:\n    pass"),
}
"""For each operator a program and one of its mutants."""


def texts(program: str) -> list[str]:
    return [mutant.source.decode() for mutant in mutants(program.encode())]


@pytest.mark.parametrize("operator", OPERATORS)
def test_every_operator_makes_its_mistake(operator: str) -> None:
    program, mistake = PROMISED[operator]
    found = {mutant.source.decode(): mutant.operator for mutant in mutants(program.encode())}
    assert found.get(mistake) == operator


def test_a_chain_of_comparisons_is_changed_one_link_at_a_time() -> None:
    found = texts("y = 0 < p <= 1")
    assert "y = 0 <= p <= 1" in found
    assert "y = 0 < p < 1" in found
    assert "y = 0 <= p < 1" not in found


@pytest.mark.parametrize(
    ("program", "mistake"),
    [
        ("y = x * (a + b)", "y = x * (a - b)"),
        ("y = a - b * c", "y = a - (b + c)"),
        ("y = a + b", "y = a - b"),
        ("y = Fraction(a - b, n)", "y = Fraction((a - b) / (n))"),
    ],
)
def test_brackets_keep_the_meaning_of_what_is_around(program: str, mistake: str) -> None:
    assert mistake in texts(program)


@pytest.mark.parametrize(
    ("program", "mistake"),
    [
        ("y = q.popleft()", "y = q.pop()"),
        ("y = sorted(x, key=f)", "y = sorted(x, key=f, reverse=True)"),
        ("y = x[:n // 2]", "y = x[:n // 2 + 1]"),
    ],
)
def test_an_operator_has_more_than_one_mistake(program: str, mistake: str) -> None:
    assert mistake in texts(program)


def test_one_place_is_changed_and_all_else_stays_as_it_is_written() -> None:
    program = "# a comment\nx  =  1 # näher\ny = 'é' if a < 2 else None\n"
    for text in texts(program):
        differing = [
            (left, right)
            for left, right in zip(program.splitlines(), text.splitlines(), strict=True)
            if left != right
        ]
        assert len(differing) == 1
    assert "# a comment\nx  =  1 # näher\ny = 'é' if a <= 2 else None\n" in texts(program)


def test_docstrings_and_the_call_of_main_are_left_alone() -> None:
    program = '"""What it does."""\n\nif __name__ == "__main__":\n    main()\n'
    assert texts(program) == []


def test_the_types_that_have_no_subtype_in_json_are_left_alone() -> None:
    assert not any("isinstance" in text for text in texts("y = type(x) is not dict"))


def test_names_stay_when_lines_move() -> None:
    program = "def f(a, b):\n    if a < b:\n        return a + b\n    return 0\n"
    moved = "import json\n\n\n" + program
    assert {m.name for m in mutants(program.encode())} == {m.name for m in mutants(moved.encode())}


def test_the_same_line_twice_gives_mutants_with_two_names() -> None:
    found = mutants(b"def f(a):\n    a += 1\n    a += 1\n")
    assert len({mutant.name for mutant in found}) == len(found)


def test_the_difference_shows_the_line_before_and_after() -> None:
    source = b"a = 1\nif a < b:\n    pass\n"
    mutant = next(m for m in mutants(source) if m.now == "if a <= b:")
    assert "-if a < b:\n+if a <= b:" in difference(source, mutant)


@pytest.mark.parametrize(
    "path", sorted(REPOSITORY.glob("solutions/*/reference.py")), ids=lambda path: path.parent.name
)
def test_every_mutant_of_a_reference_compiles_has_a_name_of_its_own_and_comes_again(path) -> None:  # type: ignore[no-untyped-def]
    source = path.read_bytes()
    found = mutants(source)
    assert len(found) > 50
    assert len({mutant.name for mutant in found}) == len(found)
    assert found == mutants(source)
    assert all(mutant.source != source for mutant in found)
