"""Drawn rows: search the group once, then tell for each row what the search has shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from grader.errors import SandboxError
from grader.judging.author import AuthorFault
from grader.judging.drawing import Drawn
from grader.judging.examine import Examiner, Finding
from grader.judging.judge import exchange
from grader.judging.results import (
    counterexample,
    failed,
    graded,
    judge_error,
    skipped,
    unstable,
    used,
)
from grader.judging.rows import ANSWERS, Row
from grader.judging.search import Search
from grader.model.report import CaseResult, CheckResult, Counterexample


def grade_drawn(search: Search, *, shrink: bool) -> Iterator[CaseResult]:
    """The rows of one search, in order; the first carries what all its runs used."""
    runs = search.examiner.runs
    before = runs.usage
    try:
        search.explore()
        if shrink:
            search.shrink_all()
        results = [_row_result(row, search) for row in search.rows]
    except SandboxError as error:
        results = [judge_error(row, "grader", str(error)) for row in search.rows]
    except AuthorFault as fault:
        results = [judge_error(row, "author", fault.detail, fault.trace) for row in search.rows]
    first, *others = results
    yield replace(first, usage=used(before, runs.usage))
    yield from others


def _row_result(row: Row, search: Search) -> CaseResult:
    if row.id in search.broken:
        return judge_error(row, "author", *search.broken[row.id])
    failures = _failures(row, search)
    if failures:
        return graded(row, failures)
    if search.cut_short and row.name != ANSWERS:
        return skipped(row, "not settled: time-outs ended the search of this group")
    if not search.concerned[row.id]:
        return skipped(row, "not settled: no input that was drawn concerns it; draw more")
    if not search.saw_enough(row):
        return skipped(row, "not settled: it saw an answer to less than half of the inputs")
    return graded(row, [])


def _failures(row: Row, search: Search) -> list[CheckResult]:
    """Every kind of failure of a row, each on the smallest input that was found for it."""
    examiner, failures = search.examiner, []
    for (row_id, verdict), shown in search.shown.items():
        if row_id != row.id:
            continue
        finding = examiner.finding(row, examiner.look(shown.an_input))
        if finding is None:
            continue  # it was forgotten for want of room, and now it passes: not deterministic
        example = drawn_counterexample(
            examiner, shown.an_input, finding, fully_shrunk=shown.fully_shrunk
        )
        failures.append(failed(replace(finding.fault, verdict=verdict), example))
    if row.name == ANSWERS and search.unstable:
        an_input, first, second = search.unstable
        runs = examiner.runs.count
        failures.append(unstable(an_input.stdin, an_input.due, first, second, runs))
    return failures


def drawn_counterexample(
    examiner: Examiner, an_input: Drawn, finding: Finding, *, fully_shrunk: bool
) -> Counterexample:
    """The runs that a check compared, and last the run on the input itself."""
    last = exchange(an_input.stdin, examiner.runs.run(an_input.stdin))
    return counterexample(
        (*finding.compared, last),
        examiner.runs.count,
        fully_shrunk=fully_shrunk,
        expects=an_input.due,
    )
