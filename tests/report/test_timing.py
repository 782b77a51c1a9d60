"""Where a run was over its time, people are told what it used, what it might, and what is usual."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import pytest

from grader.model.report import GradeReport, Timing
from grader.model.verdict import Verdict
from grader.report.timing import told
from grader.report.to_junit import to_junit
from grader.report.words import EN, ZH
from tests.report.consoles import printed
from tests.report.reports import counterexample, report, row

TIMING = Timing(
    cpu_seconds=2.0013,
    wall_seconds=2.44,
    cpu_limit_seconds=2.0,
    wall_limit_seconds=8.0,
    factor=1.0,
    repeated=True,
    alone=True,
    reference_cpu_seconds=0.031,
)


def _late(timing: Timing = TIMING) -> GradeReport:
    more = {"detail": "too late", "counterexample": counterexample(), "timing": timing}
    return report(row("edge/a", Verdict.OVER_TIME, **more))


def test_the_times_are_one_line_on_the_terminal() -> None:
    line = "CPU 2.00 of 2 s; clock 2.4 of 8 s; reference 0.03 s; repeated alone"
    assert f"  Time         {line} " in printed(_late(), width=100)
    chinese = "CPU 2.00 秒，限 2 秒；实际 2.4 秒，限 8 秒；参考解答 0.03 秒；已单独重测"
    assert chinese in printed(_late(), lang="zh", width=100)


def test_the_times_are_in_the_text_of_a_junit_failure_in_either_language() -> None:
    for lang, words in (("en", EN), ("zh", ZH)):
        failure = ElementTree.fromstring(to_junit(_late(), lang=lang)).find(".//failure")
        assert failure is not None
        assert told(TIMING, words) in (failure.text or "").split("\n")


@pytest.mark.parametrize(
    ("change", "end"),
    [
        ({"reference_cpu_seconds": None}, "; clock 2.4 of 8 s; repeated alone"),
        ({"alone": False}, "; reference 0.03 s; repeated"),
        ({"repeated": False, "alone": False}, "; reference 0.03 s"),
        ({"factor": 1.25}, "; repeated alone; limits times 1.25 (slower machine)"),
    ],
)
def test_only_what_is_known_and_was_done_is_told(change: dict[str, object], end: str) -> None:
    assert told(replace(TIMING, **change), EN).endswith(end)  # type: ignore[arg-type]


def test_other_failures_have_no_line_about_time() -> None:
    wrong = row("edge/a", Verdict.WRONG_ANSWER, detail="no", counterexample=counterexample())
    assert "Time" not in printed(report(wrong))
