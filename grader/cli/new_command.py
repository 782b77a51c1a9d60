"""`grader new SLUG`."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import click

from grader.cli.options import library, problems_option


@click.command("new")
@click.argument("slug")
@problems_option
def command(slug: str, problems: Path | None) -> int:
    """Make a lab that verifies as it stands, to start from.

    It is small and whole: statements, schemas, cases, strategies, checks, solutions right and
    wrong. It is written beside the nearest labs, or else into problems/ and solutions/ here.
    """
    from grader.authoring.scaffold import create
    from grader.cli.exit_status import ExitStatus

    public, staff = folders(problems)
    files = create(slug, public, staff)
    name = next(file.relative_to(public).parts[0] for file in files)
    for folder in (public / name, staff / name):
        count = sum(file.is_relative_to(folder) for file in files)
        click.echo(f"written: {os.path.relpath(folder)}/ ({count} files)")
    option = ["--problems", str(problems)] if problems else []
    click.echo("Next:")
    for words in (
        ["verify", name],
        ["show", name],
        ["grade", name, os.path.relpath(staff / name / "wrong" / "boundary_excluded.py")],
    ):
        click.echo(f"  {shlex.join(['grader', *words, *option])}")
    return ExitStatus.ACCEPTED


def folders(chosen: Path | None) -> tuple[Path, Path]:
    """Where labs and their solutions lie; in this folder where there are none to be found."""
    import grader
    from grader.bundles.find import VARIABLE
    from grader.errors import UsageError

    try:
        labs = library(chosen)
    except UsageError:
        if chosen or os.environ.get(VARIABLE):
            raise
        return Path("problems"), Path("solutions")
    if labs.problems == Path(grader.__file__).parent / "problems":
        return Path("problems"), Path("solutions")  # an installed package is no place for labs
    return labs.problems, labs.problems.parent / "solutions"
