"""`grader replay [REPORT] [ROW]`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.options import lang_option, library, problems_option

if TYPE_CHECKING:
    from grader.model.report import CaseResult


@click.command("replay")
@click.argument("words", nargs=-1, metavar="[REPORT] [ROW]")
@click.option(
    "--file", type=click.Path(path_type=Path), help="Run this program instead of the graded one."
)
@click.option("--public", is_flag=True, help="Leave solutions/ aside, as a student's machine does.")
@problems_option
@lang_option
def command(
    words: tuple[str, ...], file: Path | None, public: bool, problems: Path | None, lang: str
) -> int:
    """Run a saved counterexample again: all its exchanges, and the check.

    REPORT is a report.json (default: the newest in .grader/ here); ROW the id of a row (default:
    the first that failed). Exit status 0 when the row passes now.
    """
    from grader.cli.exit_status import of_report
    from grader.cli.grade_command import read_source
    from grader.model.execution import Submission
    from grader.worker.job import Job, Task
    from grader.worker.record import latest, read, row_to_replay, submission_of, to_replay
    from grader.worker.run import Grading

    path, row_id = _report_and_row(words)
    path = path or latest(Path.cwd())
    report = read(path)
    row = row_to_replay(report, row_id)
    if row is None:
        click.echo(f"nothing failed in {path}: there is nothing to run again")
        return 0
    program = file or submission_of(path, report)
    submission = Submission(name=program.name, source=read_source(program))
    labs = library(problems)
    folder = labs.folder(report.problem)
    staff = None if public else labs.staff_folder(folder.name)
    if submission.digest != report.submission.digest:
        click.echo(f"({program.name} has changed since it was graded)", err=True)
    job = Job(
        problem=str(folder),
        staff=str(staff) if staff else None,
        name=submission.name,
        source=submission.source,
        seed=report.seed or 0,
        groups=(row.group,),
        task=Task.REPLAY,
        replay=to_replay(row),
    )
    grading = Grading(job=job)
    list(grading.rows())
    if grading.opened and grading.opened.fingerprint != report.fingerprint:
        click.echo(f"the lab {report.problem} has changed since the report", err=True)
    again = grading.report()
    _show(again.rows[0], lang, path)
    return of_report(again)


def _report_and_row(words: tuple[str, ...]) -> tuple[Path | None, str | None]:
    from grader.errors import UsageError

    reports = [word for word in words if word.endswith(".json")]
    rows = [word for word in words if not word.endswith(".json")]
    if len(reports) > 1 or len(rows) > 1:
        raise UsageError("name at most one report (a .json file) and one row (group/name)")
    return Path(reports[0]) if reports else None, rows[0] if rows else None


def _show(row: CaseResult, lang: str, path: Path) -> None:
    from grader.cli.grade_command import replay_command
    from grader.cli.screen import console
    from grader.report.failure import in_full
    from grader.report.screen import Screen
    from grader.report.to_terminal import row_line

    shown = console()
    screen = Screen.of(shown, lang=lang)
    if row.counterexample is None:
        shown.print(row_line(row, screen))
        return
    for line in in_full(row, screen, replay_command(path)(row)):
        shown.print(line, crop=False)
