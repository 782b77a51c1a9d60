"""Options and arguments that several commands share."""

from __future__ import annotations

import locale
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

problems_option = click.option(
    "--problems",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Where the labs lie (default: GRADER_PROBLEMS, the nearest problems/ above, or the "
    "packaged ones).",
)


def _language(_context: click.Context, _option: click.Parameter, value: str | None) -> str:
    if value:
        return value
    named = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG")
    if named is None and os.name == "nt":
        named = locale.getlocale()[0]
    chinese = (named or "").lower().startswith(("zh", "chinese"))
    return "zh" if chinese else "en"


lang_option = click.option(
    "--lang",
    type=click.Choice(["en", "zh"]),
    callback=_language,
    help="Language (default: from LANG, else English).",
)


def library(chosen: Path | None) -> Any:
    """The labs to use; see `bundles.find`."""
    from grader.bundles.find import find

    return find(chosen, Path.cwd())


def staff_folder(labs: Any, slug: str) -> Path:
    """The staff's folder of a lab.

    Raises:
        UsageError: it is not at hand.
    """
    from grader.errors import UsageError

    folder: Path | None = labs.staff_folder(slug)
    if folder is None:
        where = labs.problems.parent / "solutions" / slug
        raise UsageError(
            f"this needs the staff's part of the lab, and there is no {where} that you may read"
        )
    return folder


jobs_option = click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    envvar="GRADER_JOBS",
    default=lambda: len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2,
    show_default="one per core",
    help="So many at a time.",
)


Command = Callable[..., Any]


def all_of(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Several options as one decorator; help shows them in this order."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


draw_options = all_of(
    click.option(
        "--seed", type=click.IntRange(min=0), default=0, help="What is drawn (default 0)."
    ),
    click.option(
        "--secret-seed",
        type=click.IntRange(min=0),
        envvar="GRADER_SECRET_SEED",
        help="Large and random, for official runs: only staff see it in the report.",
    ),
    click.option("--examples", type=click.IntRange(1, 100_000), help="Inputs drawn in each group."),
)
sandbox_options = all_of(
    click.option(
        "--sandbox",
        "level",
        type=click.Choice(["strong", "standard", "weak"]),
        help="Demand this level.",
    ),
    click.option(
        "--accept-weak", is_flag=True, help="Grade staff rows even where that is not safe."
    ),
)
