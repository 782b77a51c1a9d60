"""Variants of the reference, each run until a row fails: for mutants.

all fixed cases, then all drawn inputs, then scale; stop at the first failing row
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, replace
from functools import partial

from grader.judging.ground import Ground, Hit
from grader.model.execution import Limits, Submission
from grader.model.verdict import Verdict

PATIENCE = 10.0
"""A variant may take so many times as long as the reference on the same input."""

LEAST_SECONDS = 0.25
"""Ten times a millisecond is less than what a busy machine adds to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What became of a variant: its first failure, or none.

    `unnoticed` is the shortest input on which a variant without failure gives another result than
    the reference: no row looked at it.
    """

    hit: Hit | None
    unnoticed: bytes | None = None


def try_out(grounds: list[Ground], variant: Submission, likely: Container[str] = ()) -> Trial:
    """Run a variant until a row fails, or through everything. A check that fails by itself is no
    failure of the variant: it is told only where there is none.

    Args:
        likely: ids of cases that are run first.

    Raises:
        SandboxError: our own fault.
    """
    unnoticed: list[bytes] = []
    broken: Hit | None = None
    for hit in _hits(grounds, variant, likely, unnoticed):
        if hit.verdict is not Verdict.JUDGE_ERROR:
            return Trial(hit=hit)
        broken = broken or hit
    shortest = min(unnoticed, key=len, default=None)
    return Trial(hit=broken, unnoticed=None if broken else shortest)


def _hits(
    grounds: list[Ground], variant: Submission, likely: Container[str], unnoticed: list[bytes]
) -> Iterator[Hit]:
    for ground in grounds:
        limits = patient(ground.group.limits, ground.slowest)
        yield from ground.in_cases(variant, limits, likely)
    for ground in grounds:
        limits = patient(ground.group.limits, ground.slowest)
        yield from ground.in_drawn(
            variant, limits, unnoticed=lambda an_input: unnoticed.append(an_input.stdin)
        )
    for ground in grounds:
        yield from ground.in_large_cases(variant, partial(patient, ground.group.limits))


def patient(limits: Limits, reference_seconds: float) -> Limits:
    """At most `PATIENCE` times what the reference needed, and never more than the group allows."""
    cpu = min(limits.cpu_seconds, max(LEAST_SECONDS, PATIENCE * reference_seconds))
    return replace(limits, cpu_seconds=cpu, wall_seconds=min(limits.wall_seconds, 4 * cpu))
