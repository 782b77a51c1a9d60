"""What a class's submissions say together: computed in one pass that keeps numbers, no reports.

ClassSummary
├── Ungraded            who has no final score, and why
└── ProblemSummary      a lab
    ├── Distribution    of its points, and of each group's
    ├── RowSummary      which rows fail, how often and how
    ├── Slow            programs that needed the most CPU time
    └── Overridden      points given by hand
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from grader.model.course import Entry, State
from grader.model.report import CaseResult, GradeReport
from grader.model.verdict import Verdict
from grader.report.sections import OUT_OF
from grader.report.shown import cut

MOST_SLOW = 10
_MOST_WHY = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """How points are spread. Ranks are nearest ranks: every number is one that somebody has.

    `tenths` counts submissions by the tenth of the points that they reach; all of them is the last.
    """

    count: int
    minimum: float
    p25: float
    p50: float
    p75: float
    maximum: float
    tenths: tuple[int, ...]

    @classmethod
    def of(cls, values: Sequence[float], out_of: float) -> Distribution | None:
        """The distribution of points of `out_of`; None where nobody has any."""
        if not values:
            return None
        ranked = sorted(values)
        p25, p50, p75 = (ranked[math.ceil(len(ranked) * p / 4) - 1] for p in (1, 2, 3))
        tenths = [0] * 10
        for value in values:
            share = value / out_of if out_of else 0.0
            tenths[min(9, max(0, int(share * 10 + 1e-9)))] += 1
        return cls(
            count=len(ranked),
            minimum=ranked[0],
            p25=p25,
            p50=p50,
            p75=p75,
            maximum=ranked[-1],
            tenths=tuple(tenths),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupSummary:
    """The points of a group, over the reports that are graded completely."""

    group: str
    out_of: float
    points: Distribution | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RowSummary:
    """How often a row fails, of the submissions in which it was run and judged, and how."""

    row: str
    of: int
    verdicts: dict[Verdict, int]

    @property
    def failed(self) -> int:
        return sum(self.verdicts.values())

    @property
    def share(self) -> float:
        return self.failed / self.of if self.of else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Slow:
    """A program and the CPU time of all its runs, in seconds."""

    student: str
    cpu_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ungraded:
    """A submission without a final score."""

    student: str
    problem: str
    state: State
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Overridden:
    """Points given by hand, and what the grading had found, if it was complete."""

    student: str
    points: float
    graded: float | None
    author: str
    reason: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemSummary:
    """One lab: `graded` of its `submissions` have a final score. Rows stand worst first."""

    problem: str
    submissions: int
    graded: int
    points: Distribution | None
    groups: tuple[GroupSummary, ...]
    rows: tuple[RowSummary, ...]
    slowest: tuple[Slow, ...]
    overridden: tuple[Overridden, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassSummary:
    """A whole class. It names students: it is for staff."""

    submissions: int
    ungraded: tuple[Ungraded, ...]
    problems: tuple[ProblemSummary, ...]


def summarize(entries: Iterable[Entry]) -> ClassSummary:
    """Read every entry once. What is kept grows with their number, not with their reports."""
    tallies: dict[str, _Tally] = {}
    ungraded: list[Ungraded] = []
    submissions = 0
    for entry in entries:
        submissions += 1
        tallies.setdefault(entry.problem, _Tally(problem=entry.problem)).add(entry)
        if entry.points is None:
            why = cut(_why(entry), _MOST_WHY)
            ungraded.append(
                Ungraded(student=entry.student, problem=entry.problem, state=entry.state, why=why)
            )
    return ClassSummary(
        submissions=submissions,
        ungraded=tuple(ungraded),
        problems=tuple(tally.summary() for tally in tallies.values()),
    )


def _why(entry: Entry) -> str:
    if entry.error:
        return entry.error
    if entry.report is None:
        return "not graded yet" if entry.state is State.WAITING else "no report"
    for row in entry.report.rows:
        if not row.graded:
            return f"{row.id}: {row.detail}"
    return "only a part of the lab was graded"


@dataclass(slots=True, kw_only=True)
class _Tally:
    """What is counted of a lab while the entries pass by."""

    problem: str
    submissions: int = 0
    points: list[float] = field(default_factory=list)
    groups: dict[str, list[float]] = field(default_factory=dict)
    out_of: dict[str, float] = field(default_factory=dict)
    judged: Counter[str] = field(default_factory=Counter)
    failed: dict[str, Counter[Verdict]] = field(default_factory=dict)
    slowest: list[tuple[float, str]] = field(default_factory=list)
    overridden: list[Overridden] = field(default_factory=list)

    def add(self, entry: Entry) -> None:
        self.submissions += 1
        if entry.points is not None:
            self.points.append(entry.points)
        if entry.report is not None:
            self._add_report(entry.student, entry.report)
        if entry.override is not None:
            whole = entry.report is not None and entry.report.graded_completely
            self.overridden.append(
                Overridden(
                    student=entry.student,
                    points=entry.override.points,
                    graded=entry.report.points if entry.report and whole else None,
                    author=entry.override.author,
                    reason=cut(entry.override.reason, _MOST_WHY),
                    at=entry.override.at,
                )
            )

    def _add_report(self, student: str, report: GradeReport) -> None:
        for row in report.rows:
            self._add_row(row)
        if report.graded_completely:
            for group in report.groups:
                self.groups.setdefault(group.group, []).append(group.points)
                self.out_of[group.group] = group.out_of
        self.slowest.append((report.usage.cpu_seconds, student))
        self.slowest = heapq.nlargest(MOST_SLOW, self.slowest)

    def _add_row(self, row: CaseResult) -> None:
        if not row.graded or row.verdict is Verdict.SKIPPED:
            return
        self.judged[row.id] += 1
        if row.verdict.is_failure:
            self.failed.setdefault(row.id, Counter())[row.verdict] += 1

    def summary(self) -> ProblemSummary:
        rows = [
            RowSummary(row=row, of=self.judged[row], verdicts=dict(verdicts.most_common()))
            for row, verdicts in self.failed.items()
        ]
        groups = [
            GroupSummary(
                group=group,
                out_of=self.out_of[group],
                points=Distribution.of(found, self.out_of[group]),
            )
            for group, found in self.groups.items()
        ]
        return ProblemSummary(
            problem=self.problem,
            submissions=self.submissions,
            graded=len(self.points),
            points=Distribution.of(self.points, OUT_OF),
            groups=tuple(groups),
            rows=tuple(sorted(rows, key=lambda row: (-row.failed, row.row))),
            slowest=tuple(Slow(student=who, cpu_seconds=cpu) for cpu, who in self.slowest),
            overridden=tuple(self.overridden),
        )
