"""`grader class retry RUN`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from grader.cli.class_grading import engine_options, grade, labs_of, now, run_argument
from grader.cli.class_which import which_of, which_options
from grader.cli.options import problems_option


@click.command("retry")
@run_argument
@which_options
@engine_options
@problems_option
def command(
    run: Path,
    chosen: tuple[str, ...],
    students: tuple[str, ...],
    verdicts: tuple[str, ...],
    metrics: bool,
    problems: Path | None,
    **engine: Any,
) -> int:
    """Try those again that were given up after three tries, once the reason is mended."""
    from grader.cli.class_status_command import show_status
    from grader.course.corrections import retry
    from grader.course.journal import writing

    with writing(run, now) as journal:
        journal.recover()
        labs = labs_of(journal, problems)
        count = retry(journal, which_of(chosen, students, verdicts))
        click.echo(f"{count} were given up and are tried again", err=True)
        grade(journal, labs, metrics=metrics, **engine)
    return show_status(run)
