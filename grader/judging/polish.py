"""The last steps down from a counterexample, which no strategy draws.

Hypothesis shrinks among what a strategy can draw: a size out of (64, 4096) stays 64, and a fault is
planted in a whole input. Here an input is changed as JSON, one step at a time, as long as it gets
shorter, is still legal and still fails. What is legal only a reference can tell, so that a student
without `solutions/` sees what Hypothesis has found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from grader.judging.drawing import Drawn, as_stdin
from grader.judging.runs import OutOfAllowance


def polished(
    an_input: Drawn, fails: Callable[[Drawn], bool], is_legal: Callable[[Drawn], bool]
) -> Drawn:
    """The input after as many steps as can be gone, or as there are runs for.

    After a step it goes on with those that come next, not with those that were in vain before: of
    an integer of twenty digits most are.

    Args:
        fails: whether the program fails on a legal input as on the first one.
        is_legal: asked first, for checks are written for legal inputs. Both may raise
            OutOfAllowance.
    """
    best, start = an_input, 0
    try:
        while found := next(
            (p for p in _around(best, start) if is_legal(p[1]) and fails(p[1])), None
        ):
            start, best = found
    except OutOfAllowance:
        pass
    return best


def _around(an_input: Drawn, start: int) -> Iterator[tuple[int, Drawn]]:
    """Every step with its place: those from a place on, and then those before it."""
    yield from islice(enumerate(shorter(an_input)), start, None)
    yield from islice(enumerate(shorter(an_input)), start)


def shorter(an_input: Drawn) -> Iterator[Drawn]:
    """The inputs one step down that are shorter; none where it was drawn as a text."""
    if isinstance(an_input.given, str | bytes):
        return
    for value in steps(an_input.given):
        stdin = as_stdin(value)
        if len(stdin) < len(an_input.stdin):
            yield replace(an_input, stdin=stdin, given=value)


def steps(value: Any) -> Iterator[Any]:
    """Every value that is one step smaller: without one element or field, with one integer halved,
    or with one digit dropped. What leaves most out comes first.
    """
    if isinstance(value, dict):
        for key in value:
            yield {name: inner for name, inner in value.items() if name != key}
        for key, inner in value.items():
            yield from ({**value, key: smaller} for smaller in steps(inner))
    elif isinstance(value, list):
        for place in range(len(value)):
            yield value[:place] + value[place + 1 :]
        for place, inner in enumerate(value):
            for smaller in steps(inner):
                yield [*value[:place], smaller, *value[place + 1 :]]
    elif isinstance(value, int) and not isinstance(value, bool):
        sign = 1 if value > 0 else -1
        if value:
            yield sign * (abs(value) // 2)
        yield from (sign * int(digits) for digits in _without_a_digit(str(abs(value))) if digits)
    elif isinstance(value, str):
        yield from _without_a_digit(value)


def _without_a_digit(text: str) -> Iterator[str]:
    for place, char in enumerate(text):
        if char.isdigit() and char != text[place - 1 : place]:  # of equal ones any will do
            yield text[:place] + text[place + 1 :]
