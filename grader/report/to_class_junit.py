"""A class becomes JUnit XML: a suite for each submission, a test case for each of its rows.

testsuites
└── testsuite ada/top_p_sets          a submission
    ├── properties                    where it stands, and its points if they are final
    ├── testcase grading              only where there is no final score: an error, or not yet
    └── testcase edge/answers         a row
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from grader.model.course import Entry, State
from grader.model.report import CaseResult
from grader.model.verdict import Verdict
from grader.report.sections import number, plain, spoilers
from grader.report.shown import visible

_OUTCOMES = ("failure", "error", "skipped")


def to_class_junit(entries: Iterable[Entry], *, staff: bool, lang: str = "en") -> Iterator[str]:
    """The document in pieces, one for each submission; only one of them is held at a time.

    Args:
        staff: whether staff's view of the reports is written; else the students'.
    """
    yield '<?xml version="1.0" encoding="utf-8"?>\n<testsuites>\n'
    for entry in entries:
        suite = _suite(entry, staff=staff, lang=lang)
        ElementTree.indent(suite)
        yield ElementTree.tostring(suite, encoding="unicode") + "\n"
    yield "</testsuites>\n"


def _suite(entry: Entry, *, staff: bool, lang: str) -> Element:
    suite = Element("testsuite", {"name": visible(f"{entry.student}/{entry.problem}")})
    properties = SubElement(suite, "properties")
    told = {"state": entry.state.value, "digest": entry.digest}
    if entry.points is not None:
        told["points"] = number(entry.points)
    for name, value in told.items():
        SubElement(properties, "property", {"name": name, "value": visible(value)})
    if entry.points is None:
        _add_why_not(suite, entry, staff=staff, lang=lang)
    if entry.report is not None:
        report = entry.report if staff else entry.report.for_students()
        for row in report.rows:
            _add_row(suite, entry, row, lang)
        suite.set("time", f"{report.usage.wall_seconds:.3f}")
    if entry.graded_at:
        suite.set("timestamp", visible(entry.graded_at))
    suite.set("tests", str(len(suite.findall("testcase"))))
    names = ("failures", "errors", "skipped")
    for name, outcome in zip(names, _OUTCOMES, strict=True):
        suite.set(name, str(len(suite.findall(f"testcase/{outcome}"))))
    return suite


def _add_why_not(suite: Element, entry: Entry, *, staff: bool, lang: str) -> None:
    """A test case of its own: a submission without a score must not look like one that passed."""
    case = _case(suite, entry, "grading")
    if entry.state is State.WAITING and entry.report is None:
        SubElement(case, "skipped", {"message": "not graded yet", "type": State.WAITING.value})
        return
    lines = spoilers(entry.report, lang) if entry.report else []
    if staff and entry.error:
        lines.append(visible(entry.error, lines=True))
    error = SubElement(case, "error", {"message": "no final score", "type": "judge_error"})
    error.text = "\n".join(lines)


def _case(suite: Element, entry: Entry, name: str) -> Element:
    names = {"classname": visible(f"{entry.problem}.{entry.student}"), "name": visible(name)}
    return SubElement(suite, "testcase", names)


def _add_row(suite: Element, entry: Entry, row: CaseResult, lang: str) -> None:
    case = _case(suite, entry, row.id)
    case.set("time", f"{row.usage.wall_seconds:.3f}")
    if row.verdict is Verdict.ACCEPTED and row.graded:
        return
    outcome = "failure" if row.verdict.is_failure else "skipped"
    outcome = outcome if row.graded else "error"
    message = visible(row.detail or row.verdict.value)
    SubElement(case, outcome, {"message": message, "type": row.verdict.value}).text = plain(
        row, lang
    )
