"""The JUnit XML of a class: a suite for each submission, and no score where none is final."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

from hypothesis import given, settings
from junitparser import Error, Failure, JUnitXml, Skipped

from grader.model.course import Entry
from grader.model.verdict import Verdict
from grader.report.to_class_junit import to_class_junit
from tests.report.entries import OVERRIDE, entry, given_up, incomplete, waiting
from tests.report.hostile import forbidden_in, hostile_text
from tests.report.reports import counterexample, exchange, report, row


def _xml(*entries: Entry, staff: bool = True) -> str:
    return "".join(to_class_junit(entries, staff=staff))


def _read(*entries: Entry) -> dict[tuple[str, str], list[type]]:
    """Every case that junitparser finds, by suite and name, with its kinds of result."""
    suites = JUnitXml.fromstring(_xml(*entries).encode())
    return {(s.name, case.name): [type(r) for r in case.result] for s in suites for case in s}


def test_each_submission_is_a_suite_with_its_rows() -> None:
    assert _read(entry("ada"), entry("bob")) == {
        ("ada/top_p_sets", "edge/a"): [],
        ("ada/top_p_sets", "edge/b"): [Failure],
        ("bob/top_p_sets", "edge/a"): [],
        ("bob/top_p_sets", "edge/b"): [Failure],
    }


def test_what_the_judge_could_not_grade_is_an_error_and_no_failure() -> None:
    assert _read(incomplete("cy"), given_up("bob"), waiting("eve")) == {
        ("cy/top_p_sets", "grading"): [Error],
        ("cy/top_p_sets", "edge/a"): [],
        ("cy/top_p_sets", "edge/b"): [Error],
        ("bob/top_p_sets", "grading"): [Error],
        ("eve/top_p_sets", "grading"): [Skipped],
    }
    assert "the worker died" in _xml(given_up())


def test_a_part_of_a_lab_does_not_look_as_if_it_had_passed() -> None:
    part = entry("ada", report(row("edge/a"), graded_completely=False))
    assert _read(part)["ada/top_p_sets", "grading"] == [Error]


def test_a_row_that_lacks_a_package_is_an_error_and_one_that_had_to_wait_is_skipped() -> None:
    rows = [
        row("edge/a", Verdict.SKIPPED, graded=False),
        row("edge/b", Verdict.SKIPPED, detail="not run: minimal has to pass first"),
    ]
    found = _read(entry("ada", report(*rows)))
    assert found["ada/top_p_sets", "edge/a"] == [Error]
    assert found["ada/top_p_sets", "edge/b"] == [Skipped]


def test_the_totals_are_those_of_the_suite() -> None:
    suite = ElementTree.fromstring(_xml(incomplete()))[0]
    counted = {name: suite.attrib[name] for name in ("tests", "failures", "errors", "skipped")}
    assert counted == {"tests": "3", "failures": "0", "errors": "2", "skipped": "0"}
    assert suite.attrib["timestamp"] == "2026-11-29T12:00:03Z"


def test_points_stand_there_only_when_they_are_final() -> None:
    xml = _xml(entry("ada"), incomplete("cy"), given_up("bob", override=OVERRIDE))
    found = {
        suite.attrib["name"]: [p.attrib["value"] for p in suite.iter("property")]
        for suite in ElementTree.fromstring(xml)
    }
    digest = "sha256:" + "2" * 64
    assert found == {
        "ada/top_p_sets": ["done", digest, "2.5"],
        "cy/top_p_sets": ["done", digest],
        "bob/top_p_sets": ["judge_error", digest, "55.5"],
    }


def test_students_see_their_view() -> None:
    assert "line 9" in _xml(incomplete(), staff=True)
    assert "line 9" not in _xml(incomplete(), staff=False)
    assert "the worker died" not in _xml(given_up(), staff=False)


def test_entries_are_read_one_by_one() -> None:
    def endless() -> Iterator[Entry]:
        while True:
            yield entry()

    pieces = to_class_junit(endless(), staff=True)
    assert "<testsuites>" in next(pieces)
    assert "ada/top_p_sets" in next(pieces)


def test_a_class_without_submissions_is_a_document() -> None:
    assert len(JUnitXml.fromstring(_xml().encode())) == 0


@settings(deadline=None)
@given(hostile_text)
def test_hostile_text_gives_a_document_that_parses_and_hides_nothing(text: str) -> None:
    found = counterexample(exchange(text, text, stderr=text))
    verdicts = (Verdict.CRASHED, Verdict.JUDGE_ERROR, Verdict.SKIPPED)
    more = {"detail": text, "counterexample": found, "staff_detail": text, "sentence": {"en": text}}
    graded = report(*(row(f"edge/{text}{v}", v, **more) for v in verdicts), problem=text)
    xml = _xml(entry(text, graded), given_up(text, error=text, digest=text))
    assert not forbidden_in(xml)
    assert len(list(JUnitXml.fromstring(xml.encode()))) == 2
