"""A GradeReport becomes the `result.json` of Classroom 50 (schema `classroom50/result/v1`).

Scores there are integers. A point is 100 of them, so that a lab of 100 points has a `max-score` of
10,000, and the rows' scores add up to the total exactly.

A report without a final score gives no result: an autograder that ends with a status other than 0,
or leaves no `result.json`, is shown as an error, where a result of 0 would be a grade. As 1 is such
a status too, `autograder.py` turns `grader grade`'s 1 (not everything accepted) into 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from grader.errors import UsageError
from grader.model.report import CaseResult, GradeReport
from grader.model.verdict import Verdict
from grader.report.json_text import json_text
from grader.report.sections import plain
from grader.report.shown import visible
from grader.report.words import WORDS

SCHEMA = "classroom50/result/v1"
SCALE = 100
"""Of the integers there, how many a point is."""

TYPES = ("individual", "group", "team")

_VARIABLES = {
    "classroom": ("CLASSROOM",),
    "assignment": ("ASSIGNMENT",),
    "owner": ("OWNER", "USERNAME"),
    "submission": ("SUBMISSION_TAG",),
    "commit": ("COMMIT_URL",),
    "release": ("RELEASE_URL",),
    "review": ("REVIEW_URL", "COMMIT_URL"),
}
"""Where each field stands in the environment; the first variable that is set counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Classroom:
    """Where a submission was handed in; Classroom 50 knows it, the report does not.

    `submission` is the tag `submit/…`; `commit`, `release` and `review` are addresses.
    `submitted_at` is ISO 8601 in UTC with whole seconds and `Z`; without it the time of grading
    stands there until the runner puts in the commit's.
    """

    classroom: str
    assignment: str
    owner: str
    submission: str
    commit: str
    release: str
    review: str
    assignment_type: str = "individual"
    submitted_at: str | None = None

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> Classroom:
        """Read what the runner sets for an `autograder.py`.

        Raises:
            UsageError: a variable is missing, or has a value that no runner sets.
        """
        found = {
            field: next((environ[name] for name in names if environ.get(name)), "")
            for field, names in _VARIABLES.items()
        }
        missing = [names[0] for field, names in _VARIABLES.items() if not found[field]]
        if missing:
            raise UsageError(
                f"classroom50 needs {', '.join(missing)} in the environment: "
                "run this in an autograder.py, whose runner sets them"
            )
        kind = environ.get("ASSIGNMENT_TYPE") or "individual"
        if kind not in TYPES or not found["submission"].startswith("submit/"):
            raise UsageError(
                f"ASSIGNMENT_TYPE is {kind!r} (one of {', '.join(TYPES)}) and SUBMISSION_TAG is "
                f"{found['submission']!r} (submit/…): use the runner's own values"
            )
        return cls(**found, assignment_type=kind)


def to_classroom50(report: GradeReport, where: Classroom, *, lang: str = "en") -> str:
    """`result.json` for a report that has a final score.

    Raises:
        UsageError: it has none.
    """
    if not report.graded_completely:
        raise UsageError(
            "this submission has no final score, and classroom50 has no way to say so: "
            "write no result.json, and grade again"
        )
    tests = list(_tests(report.rows, lang))
    result = {
        "schema": SCHEMA,
        "classroom": visible(where.classroom),
        "assignment": visible(where.assignment),
        "assignment_type": where.assignment_type,
        "owner": visible(where.owner),
        "submission": visible(where.submission),
        "commit": visible(where.commit),
        "release": visible(where.release),
        "review": visible(where.review),
        "datetime": where.submitted_at or report.started_at,
        "graded_at": report.started_at,
        "score": sum(test["score"] for test in tests),
        "max-score": sum(test["max-score"] for test in tests),
        "tests": tests,
    }
    return json_text(result, indent=2) + "\n"


def _tests(rows: Iterable[CaseResult], lang: str) -> Iterator[dict[str, Any]]:
    """Each row is worth the integers that it adds to the rounded sum of all before it."""
    so_far = 0.0
    for row in rows:
        before = round(so_far * SCALE)
        so_far += row.out_of
        out_of = round(so_far * SCALE) - before
        share = min(1.0, max(0.0, row.points / row.out_of)) if row.out_of else 0.0
        yield {
            "test-name": visible(row.id),
            "passed": row.verdict is Verdict.ACCEPTED,
            "score": int(out_of * share + 1e-6),
            "max-score": out_of,
            "message": WORDS[lang].verdicts[row.verdict],
            "output": plain(row, lang),
        }
