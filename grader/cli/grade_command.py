"""`grader grade PROBLEM FILE`."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.exports import EXPORTS, append_summary, check_variables, exported, no_commands
from grader.cli.options import (
    draw_options,
    jobs_option,
    lang_option,
    library,
    problems_option,
    sandbox_options,
)

if TYPE_CHECKING:
    from grader.errors import GraderError
    from grader.model.report import CaseResult, GradeReport
    from grader.worker.run import Grading

FORMATS = ("terminal", "json", "junit", *EXPORTS)


@click.command("grade")
@click.argument("problem")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--group", "groups", multiple=True, metavar="NAME", help="Only this group (again).")
@draw_options
@click.option("--format", "format_", type=click.Choice(FORMATS), default="terminal")
@click.option(
    "--output", type=click.Path(path_type=Path), help="Write the report, in that format, here."
)
@click.option("--budget", type=click.FloatRange(min=0.1), metavar="SECONDS", help="Stop by then.")
@jobs_option
@click.option("--staff", is_flag=True, help="Show what only staff may see.")
@click.option("--public", is_flag=True, help="Leave solutions/ aside, as a student's machine does.")
@sandbox_options
@click.option("-v", "--verbose", is_flag=True, help="A line for every row, not only failures.")
@problems_option
@lang_option
def command(
    problem: str,
    file: Path,
    groups: tuple[str, ...],
    seed: int,
    secret_seed: int | None,
    examples: int | None,
    format_: str,
    output: Path | None,
    budget: float | None,
    jobs: int,
    staff: bool,
    public: bool,
    level: str | None,
    accept_weak: bool,
    verbose: bool,
    problems: Path | None,
    lang: str,
) -> int:
    """Grade a program against a lab.

    Each row's result appears as soon as it is known. The report is also kept in .grader/ beside
    the file, and `grader replay` runs its counterexamples again.
    """
    from grader.cli.exit_status import ExitStatus, of_error, of_report
    from grader.worker.job import Job
    from grader.worker.run import Grading

    check_variables(format_)
    labs = library(problems)
    folder = labs.folder(problem)
    if groups:
        check_groups(folder, groups)
    solutions = None if public else labs.staff_folder(folder.name)
    job = Job(
        problem=str(folder),
        staff=str(solutions) if solutions else None,
        name=file.name,
        source=read_source(file),
        seed=seed if secret_seed is None else secret_seed,
        examples=examples,
        groups=groups,
        level=level,
        accept_weak=accept_weak,
    )
    grading = Grading(
        job=job,
        jobs=jobs,
        budget=budget,
        seed_is_secret=secret_seed is not None,
    )
    with no_commands(format_):
        run(grading, lang, verbose=verbose, staff=staff)
    report = grading.report()
    shown = report if staff else report.for_students()
    kept = keep(shown, file)
    trouble = deliver(shown, format_, output, lang, kept)
    append_summary(shown, format_, lang)
    status = of_report(report)
    is_verdict = status in (ExitStatus.ACCEPTED, ExitStatus.NOT_ACCEPTED)
    return of_error(trouble) if trouble and is_verdict else status


def check_groups(folder: Path, groups: tuple[str, ...]) -> None:
    """Refuse a group that the lab does not have."""
    from grader.bundles.find import nearest
    from grader.bundles.load import read_problem
    from grader.errors import UsageError

    names = [group["name"] for group in read_problem(folder)["group"]]
    for name in groups:
        if name not in names:
            hint = nearest(name, names, show=repr)
            raise UsageError(f"{folder.name} has no group {name!r}: {hint}")


def read_source(file: Path) -> bytes:
    """The program's bytes; whatever they are, they are the student's affair."""
    from grader.errors import UsageError
    from grader.model.execution import MAX_SOURCE_BYTES

    try:
        if file.is_file() and file.stat().st_size > MAX_SOURCE_BYTES:
            raise UsageError(f"{file} is larger than {MAX_SOURCE_BYTES >> 20} MiB")
        return file.read_bytes()
    except IsADirectoryError:
        raise UsageError(f"{file} is a folder; name the Python file in it") from None
    except FileNotFoundError:
        raise UsageError(f"{file} does not exist; `grader start` writes a starter file") from None
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}") from error


def run(grading: Grading, lang: str, *, verbose: bool, staff: bool) -> None:
    """Go through all rows, telling on stderr how it gets on."""
    grading.begin()  # while it loads the lab, the console is loaded here
    from grader.cli.screen import Ticker, watching

    with watching(grading) as console:
        ticker = Ticker(console, lang, every_row=verbose)
        for row in grading.rows():
            ticker.tell(row if staff else row.for_students())
    if grading.opened and grading.opened.level == "weak":
        click.echo(f"sandbox {grading.opened.level}: {grading.opened.why_not_better}", err=True)


def keep(report: GradeReport, file: Path) -> Path | None:
    """Save the report beside the program; where that cannot be, say so and go on."""
    from grader.worker.record import save

    try:
        return save(report, file.parent)
    except OSError as error:
        where = file.parent / ".grader"
        click.echo(f"grader: the report was not kept in {where}: {error.strerror}", err=True)
        return None


def deliver(
    report: GradeReport, format_: str, output: Path | None, lang: str, kept: Path | None
) -> GraderError | None:
    """Give the report where it is wanted; if it cannot be written, it is still on the terminal.

    Returns:
        Why it could not be written: then the exit status must not say that it is there.
    """
    trouble = None
    if output is not None:
        trouble = _not_written(report, format_, output, lang, kept)
    if trouble is not None:
        click.echo(f"grader: {trouble}; here is the report", err=True)
    if output is not None or format_ == "terminal":
        with no_commands(format_):
            show(report, lang, kept)
    else:
        click.echo(text_of(report, format_, lang, kept), nl=False)
    return trouble


def _not_written(
    report: GradeReport, format_: str, output: Path, lang: str, kept: Path | None
) -> GraderError | None:
    from grader.errors import GraderError, UsageError
    from grader.worker.record import write_output

    try:
        text = text_of(report, format_, lang, kept)
    except UsageError as error:
        return UsageError(f"{output} was not written: {error}")
    try:
        write_output(output, text.encode())
    except GraderError as error:
        return error
    return None


def text_of(report: GradeReport, format_: str, lang: str, kept: Path | None) -> str:
    """The report as text in one of `FORMATS`."""
    if format_ == "json":
        from grader.report.to_json import to_json

        return to_json(report)
    if format_ == "junit":
        from grader.report.to_junit import to_junit

        return to_junit(report, lang=lang)
    if format_ in EXPORTS:
        return exported(report, format_, lang, kept)
    import io

    from rich.console import Console

    from grader.report.to_terminal import print_report

    text = io.StringIO()
    plain = Console(file=text, width=100, highlight=False, markup=False, emoji=False)
    print_report(plain, report, lang=lang, replay=replay_command(kept))
    return text.getvalue()


def show(report: GradeReport, lang: str, kept: Path | None) -> None:
    """The report for people, on stdout."""
    from grader.cli.screen import console
    from grader.report.to_terminal import print_report

    print_report(console(), report, lang=lang, replay=replay_command(kept))


def replay_command(kept: Path | None) -> Callable[[CaseResult], str]:
    """The command that runs a row's counterexample again, as short as it works from here."""

    def command_for(row: CaseResult) -> str:
        words = ["grader", "replay"]
        if kept is not None:
            here = Path.cwd()
            path = kept.resolve()
            words.append(str(path.relative_to(here) if path.is_relative_to(here) else path))
        return shlex.join([*words, row.id])

    return command_for
