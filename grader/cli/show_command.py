"""`grader show PROBLEM`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from grader.cli.options import lang_option, library, problems_option


@click.command("show")
@click.argument("problem")
@problems_option
@lang_option
def command(problem: str, problems: Path | None, lang: str) -> None:
    """Show a lab's statement. In a pipe it is the plain Markdown."""
    from grader.bundles.files import content_of

    path = library(problems).folder(problem) / f"statement.{lang}.md"
    text = content_of(path).decode("utf-8", "replace")
    if not sys.stdout.isatty():
        click.echo(text, nl=False)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console(width=min(Console().width, 100)).print(Markdown(text))
