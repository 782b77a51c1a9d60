"""Options and arguments that several commands share."""

from __future__ import annotations

import locale
import os
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
