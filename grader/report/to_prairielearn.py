"""A GradeReport becomes the `results.json` that PrairieLearn reads from an external grader.

A report that is not graded completely is `"gradable": false` and has no `score`: the student is
neither given points nor charged an attempt. PrairieLearn reads the file only where the container
ends with status 0, and records a 0 otherwise: the container's entry point has to end with 0
whatever `grader grade` says.
"""

from __future__ import annotations

from typing import Any

from grader.model.report import CaseResult, GradeReport
from grader.report.json_text import json_text
from grader.report.sections import plain, spoilers, total, worth
from grader.report.shown import cut, visible
from grader.report.words import WORDS

MAX_BYTES = 1_000_000
"""PrairieLearn refuses a larger file whole, and with it the grading."""

_CUTS = (4_000, 1_000, 200, 0)
"""Characters of one text: the first with which the whole file is small enough."""

_MOST_NAME = 200


def to_prairielearn(report: GradeReport, *, lang: str = "en") -> str:
    """`results.json` of at most `MAX_BYTES`: long texts are cut, and at last the rows left out."""
    results = _results(report, lang)
    for most in _CUTS:
        tests = [_test(row, report.graded_completely, lang, most) for row in report.rows]
        text = json_text(results | {"tests": tests}, indent=1) + "\n"
        if len(text.encode()) <= MAX_BYTES:
            return text
    more = WORDS[lang].more_rows.format(count=len(report.rows))
    return json_text(results | {"output": more}, indent=1) + "\n"


def _results(report: GradeReport, lang: str) -> dict[str, Any]:
    spoiled = spoilers(report, lang)
    if not report.graded_completely:
        return {"gradable": False, "format_errors": spoiled, "message": "\n".join(spoiled)}
    share = report.points / worth(report) if worth(report) else 0.0
    message = "\n".join([*spoiled, total(report, lang)])
    return {"gradable": True, "score": min(1.0, max(0.0, share)), "message": message}


def _test(row: CaseResult, final: bool, lang: str, most: int) -> dict[str, Any]:
    """Points stand on every test or on none: PrairieLearn shows them only where all have some."""
    test: dict[str, Any] = {"name": visible(cut(row.id, _MOST_NAME))}
    if final:
        test |= {"points": row.points, "max_points": row.out_of}
    test["message"] = WORDS[lang].verdicts[row.verdict]
    return test | ({"output": plain(row, lang, most)} if most else {})
