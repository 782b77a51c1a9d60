"""`grader class status RUN`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.class_grading import run_argument
from grader.cli.exit_status import ExitStatus

if TYPE_CHECKING:
    from grader.course.table import Table
    from grader.model.course import Entry

_MOST_LISTED = 20


@click.command("status")
@run_argument
def command(run: Path) -> int:
    """Tell how many submissions are done, waiting or given up, and why; also while it is graded."""
    from grader.course.table import reading

    with reading(run) as table:
        listed("not taken: ", table.not_taken)
    return show_status(run)


def show_status(run: Path) -> ExitStatus:
    """Print how a run stands; the exit status says so, too."""
    from grader.course.table import reading
    from grader.model.course import State

    counts: dict[str, Counter[str]] = {}
    given_up: list[Entry] = []
    not_again: list[Entry] = []
    with reading(run) as table:
        for entry in table.entries(reports=False):
            count = counts.setdefault(entry.problem, Counter())
            count[entry.state] += 1
            count["by hand"] += entry.override is not None
            if entry.override is not None:
                continue
            if entry.state is State.JUDGE_ERROR:
                given_up.append(entry)
            elif entry.state is State.DONE and entry.error:
                not_again.append(entry)
        notes = list(_notes(run, table))
    if not counts:
        click.echo(f"{run} has no submissions")
        return ExitStatus.NOTHING_GRADED
    _show(counts)
    for note in notes:
        click.echo(note)
    if given_up or not_again:
        return max(_tell_what_was_given_up(given_up), _tell_what_was_not_graded_again(not_again))
    waiting = any(count[State.WAITING] for count in counts.values())
    return ExitStatus.NOT_ACCEPTED if waiting else ExitStatus.ACCEPTED


def _show(counts: dict[str, Counter[str]]) -> None:
    from grader.model.course import State

    width = max(map(len, [*counts, "all"]))
    click.echo(f"{'':<{width}}  {'done':>6}{'waiting':>9}{'given up':>10}{'by hand':>9}")
    every = sum(counts.values(), Counter[str]())
    for name, count in [*sorted(counts.items()), *([("all", every)] if len(counts) > 1 else [])]:
        done, waiting = count[State.DONE], count[State.WAITING]
        failed = count[State.JUDGE_ERROR]
        click.echo(f"{name:<{width}}  {done:>6}{waiting:>9}{failed:>10}{count['by hand']:>9}")


def _notes(run: Path, table: Table) -> Iterator[str]:
    aside, to_come = table.kept_aside
    if aside or to_come:
        yield (
            f"`grader class regrade {run} --diff`: {aside} reports are kept aside, {to_come} are "
            "to come; --accept lets them count, --drop forgets them"
        )
    if table.is_practice:
        yield "practice: the rows of the staff took no part, and nobody has all 100 points"
    if table.not_taken:
        yield f"not taken: {len(table.not_taken)} (`grader class status` lists them)"


def _tell_what_was_given_up(entries: list[Entry]) -> ExitStatus:
    listed("", [f"given up after {_tries(entry)}: {_why(entry)}" for entry in entries])
    return _advise(entries, "`grader class retry` tries them again, `override` gives points")


def _tell_what_was_not_graded_again(entries: list[Entry]) -> ExitStatus:
    listed("", [f"not graded again, the report of before counts: {_why(e)}" for e in entries])
    who = "--student and --problem say whom"
    return _advise(entries, f"`grader class regrade` tries again ({who}), `--drop` forgets this")


def _tries(entry: Entry) -> str:
    return f"{entry.tries} tr{'y' if entry.tries == 1 else 'ies'}"


def _why(entry: Entry) -> str:
    from grader.report.shown import visible

    return visible(f"{entry.student} {entry.problem}: {entry.error}")


def _advise(entries: list[Entry], otherwise: str) -> ExitStatus:
    """The lab's fault, if it is that alone; else ours."""
    if not entries:
        return ExitStatus.ACCEPTED
    if all(entry.fault == "author" for entry in entries):
        advice = "the lab is at fault: mend it (`grader verify`), and run the command again"
        click.echo(advice, err=True)
        return ExitStatus.BUNDLE
    click.echo(otherwise, err=True)
    return ExitStatus.GRADER


def listed(before: str, lines: list[str]) -> None:
    """The first lines on stderr, and how many more there are."""
    for line in lines[:_MOST_LISTED]:
        click.echo(before + line, err=True)
    if len(lines) > _MOST_LISTED:
        click.echo(f"… and {len(lines) - _MOST_LISTED} more", err=True)
