"""`grader class status RUN`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from grader.cli.class_grading import run_argument
from grader.cli.exit_status import ExitStatus

_MOST_LISTED = 20


@click.command("status")
@run_argument
def command(run: Path) -> int:
    """Tell how many submissions are done, waiting or given up, and why; also while it is graded."""
    return show_status(run)


def show_status(run: Path) -> ExitStatus:
    """Print how a run stands; the exit status says so, too."""
    from grader.course.table import reading
    from grader.model.course import State
    from grader.report.shown import visible

    counts: dict[str, Counter[str]] = {}
    given_up = []
    with reading(run) as table:
        for entry in table.entries(reports=False):
            count = counts.setdefault(entry.problem, Counter())
            count[entry.state] += 1
            count["by hand"] += entry.override is not None
            if entry.state is State.JUDGE_ERROR:
                given_up.append(entry)
    every = sum(counts.values(), Counter())
    if not counts:
        click.echo(f"{run} has no submissions")
        return ExitStatus.NOTHING_GRADED
    width = max(map(len, [*counts, "all"]))
    click.echo(f"{'':<{width}}  {'done':>6}{'waiting':>9}{'given up':>10}{'by hand':>9}")
    for name, count in [*sorted(counts.items()), *([("all", every)] if len(counts) > 1 else [])]:
        done, waiting = count[State.DONE], count[State.WAITING]
        failed = count[State.JUDGE_ERROR]
        click.echo(f"{name:<{width}}  {done:>6}{waiting:>9}{failed:>10}{count['by hand']:>9}")
    for entry in given_up[:_MOST_LISTED]:
        who = visible(f"{entry.student} {entry.problem}")
        tries = f"{entry.tries} tr{'y' if entry.tries == 1 else 'ies'}"
        click.echo(f"given up after {tries}: {who}: {visible(entry.error)}", err=True)
    if len(given_up) > _MOST_LISTED:
        click.echo(f"… and {len(given_up) - _MOST_LISTED} more", err=True)
    if given_up:
        click.echo("`grader class retry` tries them again, `override` gives points", err=True)
        return ExitStatus.GRADER
    return ExitStatus.NOT_ACCEPTED if every[State.WAITING] else ExitStatus.ACCEPTED
