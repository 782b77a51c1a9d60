"""A GradeReport becomes the `results.json` that Gradescope reads after `run_autograder`.

A score that is not final is left out everywhere, and the file stays valid JSON: where the file is
missing or malformed, Gradescope's harness submits a score of 0 in its place, and the status of
`run_autograder` alone does not take a score back. Without a score at the top or on a test the
results count as incomplete; the text at the top says why, and whoever runs the autograder ends it
with a status that is not 0 (as `grader grade` does).

No test is `hidden`: a single hidden one hides the total as well. What students may not see of a
row is gone before (`GradeReport.for_students`).
"""

from __future__ import annotations

from typing import Any

from grader.model.report import CaseResult, GradeReport
from grader.model.verdict import Verdict
from grader.report.json_text import json_text
from grader.report.sections import plain, spoilers, total
from grader.report.shown import visible
from grader.report.words import WORDS

_MOST_SHOWN = 4_000
"""Characters of one text. Gradescope itself cuts an output at 100,000."""


def to_gradescope(report: GradeReport, *, lang: str = "en") -> str:
    """`results.json`: one test per row, with points where the report is graded completely."""
    final = report.graded_completely
    results: dict[str, Any] = {"score": report.points} if final else {}
    results |= {
        "execution_time": report.usage.wall_seconds,
        "output": "\n".join([*spoilers(report, lang), total(report, lang)]).strip(),
        "output_format": "text",  # the default would render HTML
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [
            _test(row, f"{place}.{number}", final=final, lang=lang)
            for place, group in enumerate(report.groups, 1)
            for number, row in enumerate(group.rows, 1)
        ],
    }
    return json_text(results, indent=2) + "\n"


def _test(row: CaseResult, number: str, *, final: bool, lang: str) -> dict[str, Any]:
    """Without `status`, a test that has no score is neither passed nor failed."""
    verdict = WORDS[lang].verdicts[row.verdict]
    test: dict[str, Any] = {"name": visible(row.id), "number": number}
    if final:
        test |= {"score": row.points, "max_score": row.out_of}
    if row.graded:
        test["status"] = "passed" if row.verdict is Verdict.ACCEPTED else "failed"
    return test | {
        "output": f"{verdict}\n{plain(row, lang, _MOST_SHOWN)}".strip(),
        "output_format": "text",
        "visibility": "visible",
    }
