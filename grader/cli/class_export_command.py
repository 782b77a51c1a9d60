"""`grader class export RUN`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.class_grading import run_argument
from grader.cli.class_which import which_of, which_options
from grader.cli.options import lang_option

if TYPE_CHECKING:
    from grader.course.table import Table
    from grader.model.course import Entry

FORMATS = ("jsonl", "junit", "nbgrader", "canvas", "markdown", "html", "reports")
_FOR_SPREADSHEETS = ("nbgrader", "canvas")


@click.command("export")
@run_argument
@click.option("--format", "format_", type=click.Choice(FORMATS), default="jsonl", show_default=True)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    help="The file (of `reports`: the folder); default: the terminal.",
)
@click.option("--staff", is_flag=True, help="With what only staff may see.")
@which_options
@lang_option
def command(
    run: Path,
    format_: str,
    output: Path | None,
    staff: bool,
    chosen: tuple[str, ...],
    students: tuple[str, ...],
    verdicts: tuple[str, ...],
    lang: str,
) -> int:
    """Write the results for other tools; `reports` writes one file for each submission.

    A submission without a complete result has no points in any of them.
    """
    from grader.course.table import reading
    from grader.errors import UsageError

    if format_ == "reports" and output is None:
        raise UsageError("--format reports needs --output FOLDER")
    which = which_of(chosen, students, verdicts)
    with reading(run) as table:
        table.check_names(which)
        if format_ == "reports" and output is not None:
            count = _write_reports(table.entries(which), output, staff=staff)
            click.echo(f"{count} reports are in {output}", err=True)
            return 0
        text = _text(table, lambda: table.entries(which), format_, lang, staff=staff)
        if output is None:
            for part in text:
                click.echo(part, nl=False)
        else:
            _write(text, output, bom=format_ in _FOR_SPREADSHEETS)
    return 0


def _text(
    table: Table, entries: Callable[[], Iterator[Entry]], format_: str, lang: str, *, staff: bool
) -> Iterator[str]:
    if format_ == "jsonl":
        from grader.report.to_jsonl import to_jsonl

        yield from to_jsonl(entries(), staff=staff)
    elif format_ == "junit":
        from grader.report.to_class_junit import to_class_junit

        yield from to_class_junit(entries(), staff=staff, lang=lang)
    elif format_ in _FOR_SPREADSHEETS:
        from grader.report.to_gradebook import to_gradebook

        yield to_gradebook(entries(), format_)
    else:
        from grader.report.class_summary import summarize
        from grader.report.to_class_html import to_class_html
        from grader.report.to_class_markdown import to_class_markdown

        write = to_class_html if format_ == "html" else to_class_markdown
        yield write(summarize(entries()))


def _write(text: Iterable[str], output: Path, *, bom: bool) -> None:
    from grader.worker.record import write_output

    write_output(output, "".join(text).encode("utf-8-sig" if bom else "utf-8"))


def _write_reports(entries: Iterable[Entry], folder: Path, *, staff: bool) -> int:
    """STUDENT/PROBLEM.json below the folder; a hostile name is a harmless one there."""
    from grader.errors import writing_to
    from grader.report.file_names import file_name
    from grader.report.to_json import to_json
    from grader.worker.record import write_atomically

    count = 0
    with writing_to(folder):
        for entry in entries:
            if entry.report is None:
                continue
            report = entry.report if staff else entry.report.for_students()
            place = folder / file_name(entry.student)
            place.mkdir(parents=True, exist_ok=True)
            write_atomically(place / f"{entry.problem}.json", to_json(report).encode())
            count += 1
    return count
