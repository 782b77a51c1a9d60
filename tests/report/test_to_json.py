"""The JSON is the report: it comes back equal, and the published schema describes all of it."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings

from grader.errors import UsageError
from grader.model import report as model
from grader.model.execution import Ending
from grader.model.report import CheckResult, GradedFile
from grader.model.verdict import Verdict
from grader.report.to_json import from_json, report_schema, to_json
from tests.report.hostile import forbidden_in, hostile_text
from tests.report.reports import counterexample, exchange, report, row

_CLASSES = {
    "file": model.GradedFile,
    "sandbox": model.SandboxReport,
    "usage": model.RowUsage,
    "timing": model.Timing,
    "group": model.GroupResult,
    "row": model.CaseResult,
    "failure": model.CheckResult,
    "counterexample": model.Counterexample,
    "exchange": model.Exchange,
}


def _full(text: str) -> model.GradeReport:
    """A report in which every field has a value, all of the text in it hostile."""
    run = exchange(text, text, stderr=text, stdin_base64="/w==", generator=text, seed=2**70)
    found = counterexample(run, run, expects=text, expected=text, fully_shrunk=False)
    timing = model.Timing(
        cpu_seconds=3.01,
        wall_seconds=3.5,
        cpu_limit_seconds=3.0,
        wall_limit_seconds=12.0,
        factor=1.5,
        repeated=True,
        alone=True,
        reference_cpu_seconds=0.2,
    )
    usage = model.RowUsage(runs=4, repeated=1, calibration_seconds=0.03, factor=1.5)
    other = CheckResult(verdict=Verdict.CRASHED, detail=text, counterexample=found, timing=timing)
    failing = row(
        "edge/answers",
        Verdict.OVER_TIME,
        detail=text,
        counterexample=found,
        timing=timing,
        usage=usage,
        also=(other,),
        sentence={"en": text},
        staff_only=True,
        staff_detail=text,
        fault="grader",
    )
    file = GradedFile(name=text, digest="sha256:" + "2" * 64)
    return report(failing, row("edge/b"), submission=file, seed=-(2**70), examples=7)


@settings(deadline=None)
@given(hostile_text)
def test_a_report_comes_back_equal_and_keeps_to_the_schema(text: str) -> None:
    written = _full(text)
    as_json = to_json(written)
    assert from_json(as_json) == written
    assert from_json(as_json.encode()) == written
    assert not forbidden_in(as_json)
    jsonschema.Draft202012Validator(report_schema()).validate(json.loads(as_json))


def test_the_published_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(report_schema())


@pytest.mark.parametrize("name", _CLASSES)
def test_the_schema_names_exactly_the_fields_of_the_classes(name: str) -> None:
    part = report_schema()["$defs"][name]
    fields = [field.name for field in dataclasses.fields(_CLASSES[name])]
    assert list(part["properties"]) == part["required"] == fields
    assert part["additionalProperties"] is False


def test_the_schema_names_exactly_the_fields_of_a_report() -> None:
    schema = report_schema()
    fields = [field.name for field in dataclasses.fields(model.GradeReport)]
    assert list(schema["properties"]) == schema["required"] == fields
    assert schema["additionalProperties"] is False


def test_the_schema_knows_every_verdict_and_every_ending() -> None:
    parts = report_schema()["$defs"]
    assert parts["verdict"]["enum"] == list(Verdict)
    assert parts["exchange"]["properties"]["ending"]["enum"] == list(Ending)


def test_everything_in_the_schema_is_described() -> None:
    schema = report_schema()
    parts = [schema, *schema["$defs"].values()]
    described = [part for whole in parts for part in (whole, *whole.get("properties", {}).values())]
    assert all(part.get("description") for part in described)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"schema_version": 2}, "its format is 2, this grader reads 1"),
        ({"verdict": "splendid"}, "splendid"),
        ({"points": None}, "points"),
        ({"groups": {}}, "groups"),
    ],
)
def test_what_is_no_report_is_refused_with_the_reason(change: dict[str, Any], why: str) -> None:
    value = json.loads(to_json(report(row("edge/answers")))) | change
    with pytest.raises(UsageError, match=why) as caught:
        from_json(json.dumps(value))
    assert "grade again" in str(caught.value)


@pytest.mark.parametrize("text", ["", "[]", "null", "{", "[" * 100_000, b"\xff", '{"points": NaN}'])
def test_a_broken_file_is_a_usage_error_and_nothing_else(text: str | bytes) -> None:
    with pytest.raises(UsageError, match="this report cannot be read"):
        from_json(text)


def test_a_key_of_a_later_version_is_read_over() -> None:
    written = report(row("edge/answers"))
    value = json.loads(to_json(written)) | {"something_new": 1}
    assert from_json(json.dumps(value)) == written
