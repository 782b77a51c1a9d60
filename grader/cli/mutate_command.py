"""`grader mutate PROBLEM`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.options import jobs_option, library, problems_option, staff_folder

if TYPE_CHECKING:
    from grader.authoring.mutate import Analysis, Judged


@click.command("mutate")
@click.argument("problem")
@click.option("--only", multiple=True, metavar="NAME", help="Only this mutant (again).")
@click.option("--seed", type=click.IntRange(min=0), default=0, help="What is drawn (default 0).")
@click.option("--examples", type=click.IntRange(1, 100_000), help="Inputs drawn in each group.")
@click.option("--format", "format_", type=click.Choice(["terminal", "json"]), default="terminal")
@jobs_option
@problems_option
def command(
    problem: str,
    only: tuple[str, ...],
    seed: int,
    examples: int | None,
    format_: str,
    jobs: int,
    problems: Path | None,
) -> int:
    """Count how many mutants of the reference a lab kills.

    A mutant is the reference with one small mistake. Each runs in the sandbox until a row fails.
    What is known is kept in .grader/ here, and an interrupted analysis goes on where it was. Exit
    status 3 means that fewer than 97 % of those not declared equivalent were killed, that more
    than 10 % are declared, or that a declaration in expect.toml is wrong.
    """
    from grader.authoring.mutate import analyse
    from grader.cli.exit_status import ExitStatus
    from grader.cli.screen import counting

    labs = library(problems)
    folder = labs.folder(problem)
    with counting("mutants") as notice:
        analysis = analyse(
            folder,
            staff_folder(labs, folder.name),
            jobs=jobs,
            journal_folder=Path.cwd(),
            seed=seed,
            examples=examples,
            only=only,
            notice=notice,
        )
    if format_ == "json":
        click.echo(json.dumps(as_json(analysis), indent=2))
    else:
        show(analysis, folder.parent.parent / "solutions" / folder.name / "reference.py")
    return ExitStatus.ACCEPTED if analysis.strong_enough else ExitStatus.BUNDLE


def as_json(analysis: Analysis) -> dict[str, object]:
    """Everything that is known, for programs."""
    return {
        "problem": analysis.slug,
        "mutants": len(analysis.judged),
        "killed_rate": analysis.rate,
        "raw_killed_rate": analysis.raw_rate,
        "declared_rate": analysis.declared_rate,
        "strong_enough": analysis.strong_enough,
        "stale_declarations": [[e.function, e.was, e.now] for e in analysis.stale],
        "fates": [
            {
                "name": judged.mutant.name,
                "operator": judged.mutant.operator,
                "function": judged.mutant.function,
                "line": judged.mutant.line,
                "was": judged.mutant.was,
                "now": judged.mutant.now,
                "fate": judged.fate,
                "row": judged.row,
                "detail": judged.detail,
                "unnoticed": judged.unnoticed,
                "why": judged.why or None,
            }
            for judged in analysis.judged
        ],
    }


def show(analysis: Analysis, reference: Path) -> None:
    """A table by operator, then every mutant that asks for something to be done."""
    from rich.table import Table

    from grader.authoring.mutate import Fate
    from grader.cli.screen import console

    table = Table(box=None, pad_edge=False)
    table.add_column("operator")
    for fate in Fate:
        table.add_column(fate.replace("_", " "), justify="right")
    for operator in dict.fromkeys(judged.mutant.operator for judged in analysis.judged):
        of_it = [judged for judged in analysis.judged if judged.mutant.operator == operator]
        counts = [sum(judged.fate is fate for judged in of_it) for fate in Fate]
        table.add_row(operator, *(str(count) if count else "" for count in counts))
    console().print(table)
    source = reference.read_bytes()
    for judged in analysis.judged:
        if judged.fate in (Fate.SURVIVED, Fate.WRONGLY_DECLARED, Fate.UNDECIDED):
            click.echo(f"\n{_told(judged, source)}")
    for entry in analysis.stale:
        where = entry.function or "the module"
        click.echo(f"\ndeclared equivalent, but no such mutant: in {where}: {entry.now}")
    click.echo("\n" + _summary(analysis))


def _told(judged: Judged, source: bytes) -> str:
    from grader.authoring.mutants import difference

    mutant = judged.mutant
    lines = [f"{mutant.name} {judged.fate.replace('_', ' ')}: {mutant.operator}, "]
    lines[0] += f"line {mutant.line}, {mutant.function or 'the module'}"
    if judged.row:
        lines.append(f"failed {judged.row}: {judged.detail}")
    elif judged.detail:
        lines.append(judged.detail)
    if judged.unnoticed is not None:
        lines.append(f"answers otherwise than the reference, unnoticed, on {judged.unnoticed}")
    return "\n".join([*lines, difference(source, mutant)])


def _summary(analysis: Analysis) -> str:
    from grader.authoring.mutate import LEAST_KILLED, MOST_DECLARED, Fate

    if analysis.rate is None or analysis.raw_rate is None:
        return f"{analysis.slug}: no mutant that is not declared equivalent"
    declared = analysis.count(Fate.EQUIVALENT, Fate.WRONGLY_DECLARED)
    return (
        f"{analysis.slug}: {analysis.killed} of {len(analysis.judged)} mutants killed "
        f"({analysis.raw_rate:.1%}); of those not declared equivalent {analysis.rate:.1%} "
        f"(at least {LEAST_KILLED:.0%}); declared: {declared} ({analysis.declared_rate:.1%}, "
        f"at most {MOST_DECLARED:.0%})"
    )
