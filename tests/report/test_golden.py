"""What people read, word for word. After a change that is meant, write the files anew and read
their diff:

    UPDATE_GOLDEN=1 python -m pytest tests/report/test_golden.py
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import jsonschema
import pytest

from grader.model.report import CheckResult, GradeReport, SandboxReport, Timing
from grader.model.verdict import Verdict
from grader.report.to_json import from_json, report_schema, to_json
from tests.report.consoles import printed
from tests.report.reports import counterexample, exchange, report, row

_FOLDER = Path(__file__).parents[1] / "golden"

_TRACEBACK = """\
Traceback (most recent call last):
  File "mine.py", line 31, in <module>
    main()
  File "mine.py", line 24, in main
    kept.append(order[0])
IndexError: list index out of range
"""
_TIMING = Timing(
    cpu_seconds=30.0137,
    wall_seconds=41.25,
    cpu_limit_seconds=30.0,
    wall_limit_seconds=90.0,
    factor=1.5,
    repeated=True,
    alone=True,
    reference_cpu_seconds=2.1,
)
_SCALED = '{"weights": ["4", "2", "2"], "p": "1/2", "min_keep": 1}\n'


def _accepted() -> GradeReport:
    names = ("minimal/01-worked-example", "minimal/answers", "edge/answers", "edge/check_order")
    return report(*map(row, names))


def _wrong_answer() -> GradeReport:
    compared = counterexample(exchange(_SCALED), exchange(), fully_shrunk=False)
    return report(
        row("minimal/01-worked-example"),
        row(
            "edge/check_keeps_smallest_prefix",
            Verdict.WRONG_ANSWER,
            detail="kept 2 tokens, 1 reaches p",
            counterexample=counterexample(expected='{"ok": true, "kept": [0]}'),
        ),
        row(
            "edge/check_scaling_changes_nothing",
            Verdict.WRONG_ANSWER,
            detail="kept other tokens when all weights were doubled",
            counterexample=compared,
        ),
        row(
            "failure/answers",
            Verdict.WRONG_ANSWER,
            detail="answered, but must refuse with 'malformed'",
            counterexample=counterexample(exchange('{"p": 1}'), expects="malformed"),
        ),
        row("scale/21-many-queries", Verdict.SKIPPED, detail="not run: edge has to pass first"),
    )


def _crash_and_timeout() -> GradeReport:
    crash = counterexample(exchange(stdout="", stderr=_TRACEBACK))
    large = exchange("many numbers", "", ending="over_time", generator="many_queries", seed=21)
    timeout = counterexample(large)
    detail = "exit status 1: IndexError: list index out of range"
    return report(
        row("edge/answers", Verdict.CRASHED, detail=detail, counterexample=crash),
        row("edge/check_order", Verdict.CRASHED, detail=detail, counterexample=crash),
        row(
            "scale/21-many-queries",
            Verdict.OVER_TIME,
            detail="more than 20 s of CPU time",
            counterexample=timeout,
            timing=_TIMING,
            also=(CheckResult(verdict=Verdict.OVER_MEMORY, detail="more than 1024 MiB"),),
        ),
    )


def _judge_error() -> GradeReport:
    why = "check_order raised ZeroDivisionError"
    return report(
        row("edge/answers"),
        row("edge/check_order", Verdict.JUDGE_ERROR, detail=why, fault="author"),
        row("scale/a", Verdict.JUDGE_ERROR, detail="the server ended", fault="grader"),
    )


def _weak() -> GradeReport:
    layers = {"rlimits": True, "seccomp": False, "landlock": False}
    return report(row("edge/answers"), sandbox=SandboxReport(level="weak", layers=layers))


def _practice() -> GradeReport:
    return report(row("edge/answers"), practice=True, points=2.5, public_out_of=2.5, out_of=100.0)


_REPORTS = {
    "accepted": _accepted,
    "wrong_answer": _wrong_answer,
    "crash_and_timeout": _crash_and_timeout,
    "judge_error": _judge_error,
    "weak": _weak,
    "practice": _practice,
}


def _is_golden(name: str, text: str) -> None:
    path = _FOLDER / f"report-{name}"
    text = "\n".join(line.rstrip() for line in text.split("\n"))
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8", newline="\n")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", _REPORTS)
def test_a_report_reads_as_agreed(name: str, lang: str) -> None:
    _is_golden(f"{name}.{lang}.txt", printed(_REPORTS[name](), lang=lang))


@pytest.mark.parametrize("name", _REPORTS)
def test_a_report_is_the_agreed_json(name: str) -> None:
    _is_golden(f"{name}.json", to_json(_REPORTS[name]()))


@pytest.mark.parametrize("name", _REPORTS)
def test_a_golden_json_is_what_the_schema_publishes(name: str) -> None:
    text = (_FOLDER / f"report-{name}.json").read_text(encoding="utf-8")
    read = from_json(text)
    assert read == _REPORTS[name]()
    jsonschema.Draft202012Validator(report_schema()).validate(json.loads(text))


def test_no_golden_file_is_forgotten() -> None:
    wanted = {f"report-{name}{end}" for name in _REPORTS for end in (".json", ".en.txt", ".zh.txt")}
    assert {path.name for path in _FOLDER.glob("report-*")} == wanted
