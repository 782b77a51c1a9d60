"""A GradeReport becomes what a person reads on a terminal, understood within two seconds.

    what spoils the result     rows that could not be graded, a weak sandbox
    points                     by group, and the total
    three failures in full     those from which most is learnt
    the other failures         a line each, then what was skipped
    the last line              how much fails

The last line stays on the screen when the rest scrolls away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from grader.model.report import CaseResult, GradeReport
from grader.model.verdict import Verdict, worst
from grader.report.failure import in_full, most_helpful
from grader.report.screen import Screen, style_of

Replay = Callable[[CaseResult], str]
"""Gives the command that runs a row's counterexample again."""

_MOST_IN_FULL = 3
_MOST_UNGRADED = 5
_MOST_OF_A_GROUP = 3
"""Where a group fails, it mostly fails everywhere; all rows are in the JSON report."""


def print_report(console: Console, report: GradeReport, *, lang: str, replay: Replay) -> None:
    """Print the report. Lines that may be pasted are left whole, whatever the console's width."""
    console.print(to_terminal(report, Screen.of(console, lang=lang), replay), crop=False)


def row_line(row: CaseResult, screen: Screen) -> Text:
    """One line for a row, printed as soon as its result is known."""
    if row.verdict is Verdict.ACCEPTED:
        return screen.line(screen.mark(row.verdict), screen.span(row.id, "dim"))
    why = screen.words.verdicts[row.verdict] + (f": {row.detail}" if row.detail else "")
    spans = screen.mark(row.verdict), screen.span(row.id), screen.span(why, style_of(row.verdict))
    return screen.line(*spans)


def to_terminal(report: GradeReport, screen: Screen, replay: Replay) -> RenderableType:
    """The whole report. Each part is a generator of lines, and a part may be empty."""
    failures = most_helpful(report.rows, _MOST_IN_FULL)
    parts = [
        list(_spoilers(report, screen)),
        list(_points(report, screen)),
        *(list(in_full(row, screen, replay(row))) for row in failures),
        list(_other_failures(report, failures, screen)),
        list(_skipped(report, screen)),
        list(_last_line(report, screen)),
    ]
    lines: list[RenderableType] = []
    for part in parts:
        lines += ["", *part] if part and lines else part
    return Group(*lines)


def _ungraded(report: GradeReport) -> list[CaseResult]:
    return [row for row in report.rows if not row.graded or row.verdict is Verdict.JUDGE_ERROR]


def _spoilers(report: GradeReport, screen: Screen) -> Iterator[RenderableType]:
    words, rows = screen.words, _ungraded(report)
    if rows:
        count = words.not_graded.format(count=len(rows), of=len(report.rows))
        yield screen.marked(Verdict.JUDGE_ERROR, count, style_of(Verdict.JUDGE_ERROR))
        for row in rows[:_MOST_UNGRADED]:
            yield screen.text(f"  {row.id}: {row.detail}")
            if row.staff_detail:
                yield screen.text(screen.excerpt(row.staff_detail, 2_000), "dim")
        if len(rows) > _MOST_UNGRADED:
            yield screen.text("  " + words.more_rows.format(count=len(rows) - _MOST_UNGRADED))
        for fault in sorted({row.fault for row in rows if row.fault}):
            yield screen.text("  " + words.faults.get(fault, fault))
    elif not report.graded_completely:
        why = words.not_every_row
        yield screen.marked(Verdict.JUDGE_ERROR, why, style_of(Verdict.JUDGE_ERROR))
    if report.sandbox.level == "weak":
        missing = ", ".join(name for name, on in report.sandbox.layers.items() if not on) or "?"
        yield screen.marked(Verdict.JUDGE_ERROR, words.weak.format(layers=missing), "bold red")


def _points(report: GradeReport, screen: Screen) -> Iterator[RenderableType]:
    words = screen.words
    about = f"{report.submission.name} ({words.sandbox.format(level=report.sandbox.level)})"
    yield screen.line(screen.span(report.problem, "bold"), screen.span(about))
    table = Table.grid(padding=(0, 2, 0, 0))
    for justify in ("left", "left", "right", "right"):
        table.add_column(justify=justify, overflow="fold")
    heads = (words.group, words.points, words.rows)
    table.add_row("", *(screen.text(head, "dim") for head in heads))
    for group in report.groups:
        passed = sum(row.verdict is Verdict.ACCEPTED for row in group.rows)
        table.add_row(
            screen.mark(worst(row.verdict for row in group.rows)),
            screen.text(group.group),
            screen.text(f"{_number(group.points)} / {_number(group.out_of)}"),
            screen.text(f"{passed} / {len(group.rows)}"),
        )
    yield table
    yield _total(report, screen)


def _total(report: GradeReport, screen: Screen) -> Text:
    words = screen.words
    wording, out_of = words.total, report.out_of
    if report.practice:
        wording, out_of = words.public_total, report.public_out_of
    total = wording.format(points=_number(report.points), out_of=_number(out_of))
    if not report.graded_completely:
        total = words.so_far.format(total=total)
    return screen.text(total, f"bold {style_of(report.verdict)}")


def _number(points: float) -> str:
    """Two decimals at most, and never rounded up to more than was earned."""
    return f"{int(points * 100 + 1e-6) / 100:g}"


def _other_failures(
    report: GradeReport, shown: tuple[CaseResult, ...], screen: Screen
) -> Iterator[RenderableType]:
    others = [row for row in report.rows if row.verdict.is_failure and row not in shown]
    if not others:
        return
    words = screen.words
    yield screen.text(words.other_failures if shown else words.all_failures, "bold")
    counted: Counter[str] = Counter()
    for row in others:
        counted[row.group] += 1
        if counted[row.group] <= _MOST_OF_A_GROUP:
            yield row_line(row, screen)
    for group, count in counted.items():
        if count > _MOST_OF_A_GROUP:
            rest = words.more_in_group.format(group=group, count=count - _MOST_OF_A_GROUP)
            yield screen.marked(Verdict.WRONG_ANSWER, rest)


def _skipped(report: GradeReport, screen: Screen) -> Iterator[RenderableType]:
    """Rows of a group are skipped for one reason, mostly: a line for each reason."""
    rows = [row for row in report.rows if row.verdict is Verdict.SKIPPED and row.graded]
    for (group, why), count in Counter((row.group, row.detail) for row in rows).items():
        text = screen.words.skipped.format(
            group=group, count=count, detail=why or screen.words.not_shown
        )
        yield screen.marked(Verdict.SKIPPED, text, "dim")


def _last_line(report: GradeReport, screen: Screen) -> Iterator[RenderableType]:
    words, rows = screen.words, report.rows
    failing = sum(row.verdict.is_failure for row in rows)
    runs = words.runs.format(runs=report.usage.runs, seconds=report.usage.wall_seconds)
    if report.verdict is Verdict.ACCEPTED:
        kind = words.accepted_practice if report.practice else words.accepted
        whole = report.graded_completely
        yield screen.text(kind if whole else words.accepted_so_far, "green")
        yield screen.text(runs, "dim")
    else:
        count = words.failing.format(count=failing, of=len(rows))
        yield Text(" ").join([screen.span(count, "bold"), screen.span(f"({runs})")])
