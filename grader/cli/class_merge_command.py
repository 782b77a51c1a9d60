"""`grader class merge RUN… --out RUN`."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.class_grading import now


@click.command("merge")
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, metavar="RUN", help="The whole run."
)
def command(runs: tuple[Path, ...], out: Path) -> int:
    """Put runs of parts of a class (`--shard`) together. The runs themselves stay as they are."""
    from grader.cli.class_status_command import show_status
    from grader.course.journal import writing
    from grader.course.merge import merge

    with writing(out, now, create=True) as journal:
        for run in runs:
            merged = merge(journal, run)
            click.echo(f"{run}: {merged} submissions", err=True)
    return show_status(out)
