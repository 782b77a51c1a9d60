"""`grader class regrade RUN`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from grader.cli.class_grading import engine_options, grade, labs_of, now, run_argument
from grader.cli.class_which import which_of, which_options
from grader.cli.options import problems_option


@click.command("regrade")
@run_argument
@which_options
@click.option("--diff", is_flag=True, help="Grade, show what would change, and replace nothing.")
@click.option("--accept", is_flag=True, help="Let the reports that --diff has shown count.")
@click.option("--drop", is_flag=True, help="Forget the reports that --diff has shown.")
@engine_options
@problems_option
def command(
    run: Path,
    chosen: tuple[str, ...],
    students: tuple[str, ...],
    verdicts: tuple[str, ...],
    diff: bool,
    accept: bool,
    drop: bool,
    metrics: bool,
    problems: Path | None,
    **engine: Any,
) -> int:
    """Grade submissions again, whatever is known of them.

    With --diff the new reports are kept aside, and the command shows whose points change and why;
    `--accept` lets them count, `--drop` forgets them. An interrupted --diff goes on when it is
    given again.
    """
    from grader.cli.class_status_command import show_status
    from grader.course.corrections import accept_proposals, drop_proposals, queue_again
    from grader.course.journal import writing
    from grader.course.table import reading
    from grader.course.waiting import Queue
    from grader.errors import UsageError
    from grader.report.to_changes import to_changes

    if diff + accept + drop > 1:
        raise UsageError("--diff, --accept and --drop exclude one another")
    which = which_of(chosen, students, verdicts)
    with writing(run, now) as journal:
        journal.recover()
        if accept or drop:
            count = (accept_proposals if accept else drop_proposals)(journal)
            if not count:
                raise UsageError("no reports are kept aside: `grader class regrade --diff` first")
            click.echo(f"{count} reports {'count now' if accept else 'were dropped'}")
            return 0
        labs = labs_of(journal, problems)
        begun = any(todo.queue is Queue.PROPOSE for todo in journal.waiting())
        if diff and begun:
            click.echo("an interrupted --diff goes on", err=True)
        else:
            count = queue_again(journal, which, Queue.PROPOSE if diff else Queue.AGAIN)
            click.echo(f"{count} submissions are graded again", err=True)
        grade(journal, labs, metrics=metrics, **engine)
    if not diff:
        return show_status(run)
    with reading(run) as table:
        for line in to_changes((one.now, one.proposed) for one in table.proposals()):
            click.echo(line)
    click.echo("nothing was replaced: `--accept` lets these reports count, `--drop` forgets them")
    return show_status(run)
