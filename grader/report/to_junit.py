"""A GradeReport becomes JUnit XML, which CI servers and editors read.

    testsuites top_p_sets
    └── testsuite edge                    a group
        └── testcase edge/answers         a row

A row holds `failure` when the program is at fault and `error` when the judge is.
"""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from grader.model.report import CaseResult, GradeReport
from grader.model.verdict import Verdict
from grader.report.shown import cut, visible
from grader.report.timing import told
from grader.report.words import WORDS

_MOST_SHOWN = 4_000
"""Characters of an input or output: CI servers keep these files and show them in a list."""


def to_junit(report: GradeReport, *, lang: str = "en") -> str:
    """The report as one XML document. What programs printed is shown escaped."""
    suites = Element("testsuites", _totals(report.problem, report.rows))
    for group in report.groups:
        suite = SubElement(suites, "testsuite", _totals(group.group, group.rows))
        for row in group.rows:
            _add_case(suite, report.problem, row, lang)
    ElementTree.indent(suites)
    document = ElementTree.tostring(suites, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{document}\n'


def _totals(name: str, rows: Iterable[CaseResult]) -> dict[str, str]:
    rows = tuple(rows)
    kinds = [_outcome(row) for row in rows]
    return {
        "name": visible(name),
        "tests": str(len(rows)),
        "failures": str(kinds.count("failure")),
        "errors": str(kinds.count("error")),
        "skipped": str(kinds.count("skipped")),
        "time": f"{sum(row.usage.wall_seconds for row in rows):.3f}",
    }


def _outcome(row: CaseResult) -> str | None:
    """The element that says what became of a row; None for an accepted one."""
    if row.verdict is Verdict.JUDGE_ERROR or not row.graded:
        return "error"
    if row.verdict is Verdict.SKIPPED:
        return "skipped"
    return "failure" if row.verdict.is_failure else None


def _add_case(suite: Element, problem: str, row: CaseResult, lang: str) -> None:
    names = {"name": visible(row.id), "classname": visible(problem)}
    case = SubElement(suite, "testcase", names | {"time": f"{row.usage.wall_seconds:.3f}"})
    outcome = _outcome(row)
    if outcome is None:
        return
    message = {"message": visible(row.detail or row.verdict), "type": row.verdict.value}
    SubElement(case, outcome, message).text = _body(row, lang)


def _body(row: CaseResult, lang: str) -> str:
    time = told(row.timing, WORDS[lang]) if row.timing else ""
    parts = [row.sentence.get(lang, ""), row.detail, time, row.staff_detail or ""]
    for other in row.also:
        parts.append(f"also {other.verdict}: {other.detail}")
    exchanges = row.counterexample.exchanges if row.counterexample else ()
    for run in exchanges:
        parts += [_titled("stdin", run.stdin), _titled("stdout", run.stdout)]
        parts.append(_titled("stderr", run.stderr) if run.stderr else "")
    return "\n".join(visible(part, lines=True) for part in parts if part)


def _titled(title: str, text: str) -> str:
    return f"--- {title} ({len(text)} characters) ---\n{cut(text, _MOST_SHOWN)}"
