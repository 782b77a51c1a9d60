"""`grader class override RUN STUDENT PROBLEM`."""

from __future__ import annotations

import math
from pathlib import Path

import click

from grader.cli.class_grading import now, run_argument


@click.command("override")
@run_argument
@click.argument("student")
@click.argument("problem")
@click.option("--points", type=click.FloatRange(0, 100), help="Points of 100.")
@click.option("--undo", is_flag=True, help="Take points by hand back: the report counts again.")
@click.option("--author", required=True, help="Who gives them.")
@click.option("--reason", required=True, help="Why; it is kept and exported.")
def command(
    run: Path,
    student: str,
    problem: str,
    points: float | None,
    undo: bool,
    author: str,
    reason: str,
) -> int:
    """Give points by hand. The report stays; exports for staff show both, with the reason."""
    from grader.course.corrections import override
    from grader.course.journal import writing
    from grader.errors import UsageError

    if (points is None) is not undo:
        raise UsageError("give --points, or --undo")
    if points is not None and not math.isfinite(points):
        raise UsageError(f"{points} is no number of points")
    if not author.strip() or not reason.strip():
        raise UsageError("points by hand need an author and a reason")
    with writing(run, now) as journal:
        slug = problem.replace("-", "_")
        override(journal, student, slug, points, author=author, reason=reason)
    click.echo("taken back" if undo else f"{student} {slug}: {points:g} points by {author}")
    return 0
