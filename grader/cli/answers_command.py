"""`grader answers PROBLEM`."""

from __future__ import annotations

import os
from pathlib import Path

import click

from grader.cli.options import library, problems_option, staff_folder


@click.command("answers")
@click.argument("problem")
@click.option("--write", is_flag=True, help="Replace answers that differ, too.")
@problems_option
def command(problem: str, write: bool, problems: Path | None) -> int:
    """Write the answers of a lab's cases with its reference.

    Missing ones are written. Where an answer differs from the reference's, the difference is
    shown; --write replaces it. Large cases (NAME.scale.json with a generator and a seed) get their
    digests. Exit status 3 means that an answer differs and was not replaced.
    """
    from grader.authoring.answers import State, answers
    from grader.cli.exit_status import ExitStatus
    from grader.report.shown import visible

    labs = library(problems)
    folder = labs.folder(problem)
    count = dict.fromkeys(State, 0)
    for answer in answers(folder, staff_folder(labs, folder.name)):
        count[answer.state] += 1
        where = os.path.relpath(answer.path)
        if answer.state is State.MISSING or (write and answer.state is State.DIFFERENT):
            answer.write()
        if answer.state is State.DIFFERENT:
            click.echo(f"{'replaced' if write else 'differs'}: {where}")
            click.echo(visible(answer.difference, lines=True))
        elif answer.state is State.MISSING:
            click.echo(f"written: {where}")
    same, missing, different = count[State.SAME], count[State.MISSING], count[State.DIFFERENT]
    others = f"{different} {'replaced' if write else 'differ'}"
    click.echo(f"{folder.name}: {same} as they are, {missing} written, {others}")
    if different and not write:
        click.echo("Either the reference is wrong or these are; --write takes the reference's.")
        return ExitStatus.BUNDLE
    return ExitStatus.ACCEPTED
