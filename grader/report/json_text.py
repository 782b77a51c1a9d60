"""A value becomes JSON text that acts on nothing that shows it."""

from __future__ import annotations

import json
from typing import Any

from grader.report.shown import is_plain


def json_text(value: Any, *, indent: int | None = None) -> str:
    """JSON whose strings mean what they meant, with everything invisible written as an escape.

    Without `indent` it is one line: a line feed in a string is an escape anyhow.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    # A table of the few characters that occur is much faster than a look at every place.
    acting = {char for char in set(text) if not is_plain(char) and char != "\n"}
    escapes = {ord(char): json.dumps(char)[1:-1] for char in acting}
    return text.translate(escapes) if escapes else text
