"""A ClassSummary as parts with tables of plain strings, which Markdown and HTML only have to dress.

What has no final score comes first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grader.model.verdict import Verdict
from grader.report.class_summary import ClassSummary, Distribution, ProblemSummary
from grader.report.sections import OUT_OF, number
from grader.report.words import WORDS

_MOST_ROWS = 20
_BARS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column's head. `literal` is text that somebody else wrote, `number` stands to the right."""

    head: str
    number: bool = False
    literal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of cells that nobody has escaped yet; `note` says how to read them."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of the page. `name` is a lab's name, and is literal."""

    title: str
    name: str
    text: str
    tables: tuple[Table, ...]


TITLE = "Class summary"


def parts(summary: ClassSummary) -> Iterator[Part]:
    """The parts in the order in which they are read; a table without rows is left out."""
    yield _ungraded(summary)
    for problem in summary.problems:
        found = (_points(problem), _rows(problem), _slowest(problem), _overridden(problem))
        yield Part(
            title="Lab",
            name=problem.problem,
            text=f"{problem.graded} of {problem.submissions} submissions have a final score.",
            tables=tuple(table for table in found if table.rows),
        )


def _ungraded(summary: ClassSummary) -> Part:
    columns = (
        Column(head="student", literal=True),
        Column(head="lab", literal=True),
        Column(head="state"),
        Column(head="why", literal=True),
    )
    rows = tuple((u.student, u.problem, u.state.value, u.why) for u in summary.ungraded)
    table = Table(title="", columns=columns, rows=rows)
    return Part(
        title="Without a final score",
        name="",
        text=f"{len(rows)} of {summary.submissions} submissions have none.",
        tables=(table,) if rows else (),
    )


def _points(problem: ProblemSummary) -> Table:
    heads = ("of", "count", "min", "p25", "median", "p75", "max")
    columns = (
        Column(head="group", literal=True),
        *(Column(head=head, number=True) for head in heads),
        Column(head="spread"),
    )
    found = [("all groups", float(OUT_OF), problem.points)]
    found += [(group.group, group.out_of, group.points) for group in problem.groups]
    rows = tuple((name, number(of), *_spread(d)) for name, of, d in found if d is not None)
    note = "Spread: how many reach each tenth of the points, from none to all."
    return Table(title="Points", columns=columns, rows=rows, note=note)


def _spread(points: Distribution) -> tuple[str, ...]:
    ranks = (points.minimum, points.p25, points.p50, points.p75, points.maximum)
    return str(points.count), *map(number, ranks), bars(points.tenths)


def bars(counts: tuple[int, ...]) -> str:
    """Counts as a line of bars, the largest one full; a dot where there is nothing."""
    most = max(counts, default=0)
    return "".join(_BARS[(count * 8 - 1) // most] if count else "·" for count in counts)


def _rows(problem: ProblemSummary) -> Table:
    columns = (
        Column(head="row", literal=True),
        Column(head="failing", number=True),
        Column(head="of", number=True),
        Column(head="share", number=True),
        Column(head="how"),
    )
    rows = tuple(
        (row.row, str(row.failed), str(row.of), f"{row.share:.0%}", _how(row.verdicts))
        for row in problem.rows[:_MOST_ROWS]
    )
    more = len(problem.rows) - len(rows)
    note = f"{more} more rows fail less often." if more else ""
    return Table(title="Rows that fail most", columns=columns, rows=rows, note=note)


def _how(verdicts: dict[Verdict, int]) -> str:
    names = WORDS["en"].verdicts
    return ", ".join(f"{names[verdict]} {count}" for verdict, count in verdicts.items())


def _slowest(problem: ProblemSummary) -> Table:
    columns = (Column(head="student", literal=True), Column(head="CPU seconds", number=True))
    rows = tuple((slow.student, f"{slow.cpu_seconds:.1f}") for slow in problem.slowest)
    return Table(title="Slowest programs", columns=columns, rows=rows)


def _overridden(problem: ProblemSummary) -> Table:
    columns = (
        Column(head="student", literal=True),
        Column(head="points", number=True),
        Column(head="graded", number=True),
        Column(head="by", literal=True),
        Column(head="why", literal=True),
        Column(head="at", literal=True),
    )
    rows = tuple(
        (
            given.student,
            number(given.points),
            "–" if given.graded is None else number(given.graded),
            given.author,
            given.reason,
            given.at,
        )
        for given in problem.overridden
    )
    return Table(title="Points given by hand", columns=columns, rows=rows)
