"""`grader class similar RUN`."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.class_grading import run_argument
from grader.cli.class_which import which_of
from grader.cli.options import library, problems_option


@click.command("similar")
@run_argument
@click.option("--problem", required=True, help="The lab.")
@click.option("--most", type=click.IntRange(1, 1000), default=50, show_default=True, help="Pairs.")
@click.option(
    "--output", type=click.Path(path_type=Path), help="The page (default: similar-PROBLEM.html)."
)
@problems_option
def command(run: Path, problem: str, most: int, output: Path | None, problems: Path | None) -> int:
    """Show pairs of programs that resemble one another, side by side in a page.

    It is a place to look and no proof: short programs for one lab resemble one another. What the
    starter gives is left out.
    """
    from grader.bundles.files import content_of
    from grader.course.similar import similar
    from grader.course.table import reading
    from grader.errors import UsageError
    from grader.report.to_similar_html import to_similar_html
    from grader.worker.record import write_output

    folder = library(problems).folder(problem)
    with reading(run) as table:
        submitted = list(table.submitted(which_of((folder.name,), (), ())))
    if not submitted:
        raise UsageError(f"{run} has no submission for {folder.name}")
    starter = folder / "starter.py"
    given = content_of(starter) if starter.is_file() else b""
    found = similar(submitted, starter=given, most=most)
    place = output or Path(f"similar-{folder.name}.html")
    write_output(place, to_similar_html(found).encode())
    same = sum(len(group.members) for group in found.groups)
    click.echo(
        f"{len(submitted)} submissions: {len(found.pairs)} pairs, and {same} programs in "
        f"{len(found.groups)} groups of the same: {place}"
    )
    return 0
