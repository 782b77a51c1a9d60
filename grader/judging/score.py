"""The fold: a stream of CaseResults becomes a GradeReport."""

from __future__ import annotations

import math
from collections.abc import Iterable

from grader.model.report import CaseResult, GroupResult, RowUsage
from grader.model.verdict import Verdict, worst


def points(values: Iterable[float]) -> float:
    """A sum of shares, such that 25 × (1/25 of 40) is 40."""
    return round(math.fsum(values), 4) + 0.0


def fold_groups(results: Iterable[CaseResult]) -> tuple[GroupResult, ...]:
    """Rows gathered by their group, in the order in which the groups appear."""
    by_group: dict[str, list[CaseResult]] = {}
    for result in results:
        by_group.setdefault(result.group, []).append(result)
    return tuple(
        GroupResult(
            group=group,
            points=points(row.points for row in rows),
            out_of=points(row.out_of for row in rows),
            rows=tuple(rows),
        )
        for group, rows in by_group.items()
    )


def total_usage(rows: Iterable[CaseResult]) -> RowUsage:
    """What all runs used together."""
    usages = [row.usage for row in rows]
    calibrations = [u.calibration_seconds for u in usages if u.calibration_seconds is not None]
    return RowUsage(
        runs=sum(usage.runs for usage in usages),
        cpu_seconds=round(math.fsum(usage.cpu_seconds for usage in usages), 4),
        wall_seconds=round(math.fsum(usage.wall_seconds for usage in usages), 4),
        peak_memory_bytes=max((usage.peak_memory_bytes for usage in usages), default=0),
        repeated=sum(usage.repeated for usage in usages),
        calibration_seconds=max(calibrations, default=None),
        factor=max((usage.factor for usage in usages), default=1.0),
    )


def overall(rows: Iterable[CaseResult]) -> Verdict:
    """The worst verdict; accepted only when every row is."""
    return worst(row.verdict for row in rows)
