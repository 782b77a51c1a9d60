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


def to_json(report: GradeReport) -> str:
    """The report as indented JSON. It is all that may be printed where JSON was asked for."""
    text = json.dumps(
        msgspec.to_builtins(report), ensure_ascii=False, allow_nan=False, indent=2
    )
    # A lone surrogate (in a file's name) is no UTF-8, but its escape is JSON.
    return text.encode("utf-8", "backslashreplace").decode() + "\n"


def from_json(text: str | bytes) -> GradeReport:
    """Read a report.

    Raises:
        UsageError: this is no report, or one of another version of the format.
    """
    try:
        value = json.loads(text, parse_constant=_refuse)
        if isinstance(value, dict) and value.get("schema_version", SCHEMA_VERSION) != SCHEMA_VERSION:
            raise UsageError(
                f"the report has format {value['schema_version']!r} and this grader reads "
                f"{SCHEMA_VERSION}: grade again, or use the grader that wrote it"
            )
        return msgspec.convert(value, GradeReport)
    except (ValueError, RecursionError) as error:
        why = str(error) or "nested too deeply"
        raise UsageError(f"not a report: {why}; grade again to write a new one") from error


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def report_schema() -> dict[str, Any]:
    """The JSON Schema of reports, as it is published with this package."""
    text = resources.files(__package__).joinpath("report.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
