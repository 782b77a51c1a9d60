"""Options that choose some submissions of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from grader.cli.options import all_of
from grader.model.verdict import Verdict

if TYPE_CHECKING:
    from grader.course.which import Which

which_options = all_of(
    click.option("--problem", "chosen", multiple=True, help="Only for this lab (again)."),
    click.option("--student", "students", multiple=True, help="Only this student's (again)."),
    click.option(
        "--verdict",
        "verdicts",
        type=click.Choice([verdict.value for verdict in Verdict]),
        multiple=True,
        help="Only those with this verdict now (again).",
    ),
)
"""`--problem`, `--student` and `--verdict`, each as often as one likes."""


def which_of(
    chosen: tuple[str, ...], students: tuple[str, ...], verdicts: tuple[str, ...]
) -> Which:
    """What was chosen; `top-p-sets` is `top_p_sets`."""
    from grader.course.which import Which

    problems = tuple(name.replace("-", "_") for name in chosen)
    return Which(problems=problems, students=students, verdicts=verdicts)
