"""A GradeReport becomes the published JSON, and the JSON a GradeReport again.

The keys are the fields of `grader.model.report`; `report.schema.json` describes them.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Any, NoReturn

import msgspec

from grader.errors import UsageError
from grader.model.report import SCHEMA_VERSION, GradeReport
from grader.report.shown import is_plain


def to_json(report: GradeReport) -> str:
    """The report as indented JSON. It is all that may be printed where JSON was asked for."""
    text = json.dumps(msgspec.to_builtins(report), ensure_ascii=False, allow_nan=False, indent=2)
    # What could act on a terminal, or is no UTF-8 (a lone surrogate in a file's name), stands in
    # strings only, and there its escape means the same.
    plain = (char if is_plain(char) or char == "\n" else json.dumps(char)[1:-1] for char in text)
    return "".join(plain) + "\n"


def from_json(text: str | bytes) -> GradeReport:
    """Read a report.

    Raises:
        UsageError: this is no report, or one of another version of the format.
    """
    try:
        value = json.loads(text, parse_constant=_refuse)
        version = value.get("schema_version") if isinstance(value, dict) else None
        if version not in (SCHEMA_VERSION, None):
            raise ValueError(f"its format is {version!r}, this grader reads {SCHEMA_VERSION}")
        return msgspec.convert(value, GradeReport)
    except (ValueError, RecursionError) as error:
        why = str(error) or "nested too deeply"
        raise UsageError(f"this report cannot be read: {why}; grade again to write it") from error


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def report_schema() -> dict[str, Any]:
    """The JSON Schema of reports, as it is published with this package."""
    text = resources.files(__package__).joinpath("report.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
