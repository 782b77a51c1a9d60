"""Formats of `grader grade` that other systems read, and what these systems say in variables."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from grader.model.report import GradeReport
    from grader.report.to_classroom50 import Classroom

EXPORTS = ("gradescope", "prairielearn", "classroom50", "github")


def exported(report: GradeReport, format_: str, lang: str, kept: Path | None) -> str:
    """The report as text in one of `EXPORTS`.

    Raises:
        UsageError: the format cannot say what the report says, or its variables are not set.
    """
    if format_ == "gradescope":
        from grader.report.to_gradescope import to_gradescope

        return to_gradescope(report, lang=lang)
    if format_ == "prairielearn":
        from grader.report.to_prairielearn import to_prairielearn

        return to_prairielearn(report, lang=lang)
    if format_ == "classroom50":
        from grader.report.to_classroom50 import to_classroom50

        return to_classroom50(report, _classroom(), lang=lang)
    from grader.report.to_actions import to_annotations

    path = _in_repository(report, kept)
    return to_annotations(report, path=path, lang=lang, token=secrets.token_hex(16))


def check_variables(format_: str) -> None:
    """Refuse at once, not after the minute that grading takes, what could not be exported.

    Raises:
        UsageError: a variable that the format needs is not set.
    """
    if format_ == "classroom50":
        _classroom()


def _classroom() -> Classroom:
    from grader.report.to_classroom50 import Classroom

    return Classroom.from_environment(os.environ)


def _in_repository(report: GradeReport, kept: Path | None) -> str:
    """The graded file as GitHub names it: from the root of the repository."""
    from grader.worker.record import submission_of

    file = submission_of(kept, report) if kept else Path(report.submission.name).resolve()
    root = Path(os.environ.get("GITHUB_WORKSPACE") or Path.cwd()).resolve()
    return (file.relative_to(root) if file.is_relative_to(root) else file).as_posix()


@contextlib.contextmanager
def no_commands(format_: str) -> Iterator[None]:
    """On GitHub, nothing that is printed meanwhile is a command, on stderr neither."""
    if format_ != "github":
        yield
        return
    token = secrets.token_hex(16)
    click.echo(f"::stop-commands::{token}")
    try:
        yield
    finally:
        click.echo(f"::{token}::")


def append_summary(report: GradeReport, format_: str, lang: str) -> None:
    """Add to the summary of GitHub's step; nothing in other formats, or where there is no step."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if format_ != "github" or not path:
        return
    from grader.report.to_actions import step_summary

    try:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(step_summary(report, lang=lang))
    except OSError as error:
        click.echo(f"grader: {path} was not written: {error.strerror}", err=True)
