"""`grader list`."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.options import lang_option, library, problems_option


@click.command("list")
@problems_option
@lang_option
def command(problems: Path | None, lang: str) -> None:
    """List the labs by chapter, in the order of the course, and what each is about.

    A lab that was solved in this folder has a ✓; `grader next` names the one that comes next.
    """
    from grader.bundles.course import chapters
    from grader.bundles.load import read_problem
    from grader.worker.record import reports

    labs = library(problems)
    slugs = labs.slugs()
    if not slugs:
        click.echo(f"no labs in {labs.problems}", err=True)
    width = max(map(len, slugs), default=0)
    done = {slug for slug, report in reports(Path.cwd()).items() if report.is_finished}
    for number, chapter in enumerate(chapters(labs), start=1):
        if chapter.title:
            click.echo(f"{number}. {chapter.title[lang]}")
        for slug in chapter.slugs:
            problem = read_problem(labs.folder(slug))
            mark = "✓ " if slug in done else "  " if chapter.title or done else ""
            click.echo(f"{mark}{slug:<{width}}  {problem['title'][lang]}")
            click.echo(f"{' ' * len(mark)}{'':<{width}}  {problem['summary'][lang]}")
