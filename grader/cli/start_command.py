"""`grader start PROBLEM`."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.options import lang_option, library, problems_option


@click.command("start")
@click.argument("problem")
@click.option("--force", is_flag=True, help="Replace a file of that name.")
@problems_option
@lang_option
def command(problem: str, force: bool, problems: Path | None, lang: str) -> None:
    """Put a lab's starter file into this folder; a file that is there is kept without --force."""
    from grader.bundles.files import content_of
    from grader.bundles.load import read_problem
    from grader.worker.record import write_output

    folder = library(problems).folder(problem)
    path = Path(read_problem(folder)["file_name"])
    source = content_of(folder / "starter.py")
    if force:
        write_output(path, source)
    else:
        _create(path, source)
    example = folder / "cases" / "normal" / "01-worked-example.in.json"
    slug = folder.name
    if lang == "zh":
        click.echo(f"已写入 {path}。接下来：")
    else:
        click.echo(f"wrote {path}. Next:")
    click.echo(f"  grader show {slug}")
    if example.exists():
        click.echo(f"  python {path} < {_near(example)}")
    click.echo(f"  grader grade {slug} {path}")


def _create(path: Path, content: bytes) -> None:
    """Write a file that is not there yet, whole or not at all."""
    from grader.errors import UsageError, writing_to

    with writing_to(path):
        try:
            file = path.open("xb")
        except FileExistsError:
            why = f"{path} is there already and was not touched; --force replaces it"
            raise UsageError(why) from None
        try:
            with file:
                file.write(content)
        except OSError:
            path.unlink()
            raise


def _near(path: Path) -> Path:
    """A path as short as it can be written from here."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
