"""Which rows a wrong solution fails, each once, as its author has predicted or otherwise."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from grader.judging.ground import Ground, Hit
from grader.model.execution import Submission

ENOUGH_INPUTS = 25
"""Of a group; more are looked at only while a row that is predicted to fail has not failed."""


SOME_AGREEING_INPUTS = 8
"""Of a program that agrees with the reference there, what compares runs sees little more."""


def survey(
    grounds: list[Ground], program: Submission, predicted: tuple[str, ...] = ()
) -> tuple[Hit, ...]:
    """The first failure of every row; large cases up to the first that fails.

    Args:
        predicted: rows that must fail, and groups in which one must.

    Raises:
        SandboxError: our own fault.
    """
    found: dict[str, Hit] = {}
    for ground in grounds:
        name, limits = ground.group.name, ground.group.limits
        wanted = {row for row in predicted if row.partition("/")[0] == name}

        def is_enough(count: int, wanted: set[str] = wanted) -> bool:
            return count >= ENOUGH_INPUTS and all(has_failed(found, row) for row in wanted)

        for hit in ground.in_cases(program, limits):
            found.setdefault(hit.row, hit)
        whole = {row.id for row in ground.drawn_rows} if name in wanted else set[str]()
        drawn = ground.in_drawn(
            program,
            limits,
            known=found,
            agreeing_inputs=SOME_AGREEING_INPUTS,
            sought=wanted | whole,
            enough=is_enough,
        )
        for hit in drawn:
            found.setdefault(hit.row, hit)
        for hit in islice(ground.in_large_cases(program), 1):
            found.setdefault(hit.row, hit)
    return tuple(found.values())


def has_failed(found: Iterable[str], predicted: str) -> bool:
    """Whether a row, or one of a group, is among those found."""
    return any(f"{row}/".startswith(f"{predicted}/") for row in found)
