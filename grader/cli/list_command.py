"""`grader list`."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.options import lang_option, library, problems_option


@click.command("list")
@problems_option
@lang_option
def command(problems: Path | None, lang: str) -> None:
    """List the labs and what each is about."""
    from grader.bundles.load import read_problem

    labs = library(problems)
    slugs = labs.slugs()
    if not slugs:
        click.echo(f"no labs in {labs.problems}", err=True)
    width = max(map(len, slugs), default=0)
    for slug in slugs:
        problem = read_problem(labs.folder(slug))
        click.echo(f"{slug:<{width}}  {problem['title'][lang]}")
        click.echo(f"{'':<{width}}  {problem['summary'][lang]}")
