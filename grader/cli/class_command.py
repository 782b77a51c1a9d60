"""`grader class …`: the list of its commands."""

from __future__ import annotations

import click

from grader.cli.lazy import LazyGroup

COMMANDS = {
    "run": "Grade all submissions of a class; again to continue.",
    "status": "Tell how a run stands.",
    "retry": "Try those again that were given up.",
    "regrade": "Grade some again, and show whose points would change.",
    "override": "Give points by hand, with author and reason.",
    "merge": "Put the runs of several machines together.",
    "export": "Write the results for other tools.",
    "similar": "Show pairs of programs that resemble one another.",
}


@click.group(
    "class",
    cls=LazyGroup,
    modules=COMMANDS,
    prefix="class_",
    epilog="Exit status: 0 every submission has its result, 1 some have none yet, 2 usage, 3 a lab "
    "is at fault, 4 some were given up, or the journal or an export cannot be written, "
    "5 no submissions, 130 interrupted, 143 terminated, 141 nobody reads the output any more: "
    "run the same command again.",
)
def command() -> None:
    """Grade a whole class into a folder RUN, with a journal that survives every interruption."""
