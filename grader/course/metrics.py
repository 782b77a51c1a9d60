"""How a class's grading went: throughput, and what a submission waits, with its slices.

Throughput alone hides a queue: a fast figure beside an hour of waiting is no service.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Seconds: the median, the 95th percentile and the maximum, each by nearest rank."""

    p50: float
    p95: float
    maximum: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Spread:
        """`seconds` has at least one value."""
        ranked = sorted(seconds)
        return cls(p50=nearest_rank(ranked, 50), p95=nearest_rank(ranked, 95), maximum=ranked[-1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """Of the submissions graded in one run of the command, each with a result or given up.

    `per_minute` counts them by the wall clock of the whole run. `waited` is from the start of the
    run to the start of a submission's (last) grading, `graded` that grading, `total` both.
    """

    count: int
    seconds: float
    per_minute: float
    waited: Spread
    graded: Spread
    total: Spread


def measure(times: Sequence[tuple[float, float]], seconds: float) -> Metrics | None:
    """Fold (waited, graded) of each submission; None where none was graded.

    Args:
        seconds: the wall clock of the whole run.
    """
    if not times:
        return None
    return Metrics(
        count=len(times),
        seconds=seconds,
        per_minute=60 * len(times) / seconds if seconds else math.inf,
        waited=Spread.of([waited for waited, _ in times]),
        graded=Spread.of([graded for _, graded in times]),
        total=Spread.of([waited + graded for waited, graded in times]),
    )


def nearest_rank(ranked: Sequence[float], percent: int) -> float:
    """The smallest value that at least `percent` of all values do not exceed; sorted input."""
    return ranked[max(0, -(-percent * len(ranked) // 100) - 1)]
