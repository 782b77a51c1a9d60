"""What is counted over a class, and that it is counted in one pass without keeping reports."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from grader.model.course import Entry, State
from grader.model.report import RowUsage
from grader.model.verdict import Verdict
from grader.report.class_summary import ClassSummary, Distribution, ProblemSummary, summarize
from tests.report.entries import OVERRIDE, entry, given_up, incomplete, waiting
from tests.report.reports import report, row


def _only(summary: ClassSummary) -> ProblemSummary:
    (problem,) = summary.problems
    return problem


def test_ranks_are_nearest_ranks_so_that_every_number_is_somebodys() -> None:
    points = Distribution.of([15.0, 20.0, 35.0, 40.0, 50.0], 50.0)
    assert points is not None
    ranks = (points.minimum, points.p25, points.p50, points.p75, points.maximum)
    assert ranks == (15.0, 20.0, 35.0, 40.0, 50.0)
    assert points.count == 5


@pytest.mark.parametrize(
    ("values", "median"), [([1.0], 1.0), ([1.0, 2.0], 1.0), ([4.0, 3.0, 2.0, 1.0], 2.0)]
)
def test_a_median_between_two_is_the_lower_one(values: list[float], median: float) -> None:
    points = Distribution.of(values, 10.0)
    assert points is not None
    assert points.p50 == median


def test_tenths_count_how_far_each_comes_and_everything_is_in_the_last() -> None:
    points = Distribution.of([0.0, 0.9, 1.0, 5.0, 9.9, 10.0, 12.0, -3.0], 10.0)
    assert points is not None
    assert points.tenths == (3, 1, 0, 0, 0, 1, 0, 0, 0, 3)


def test_where_nobody_has_points_there_is_no_distribution() -> None:
    assert Distribution.of([], 10.0) is None
    assert _only(summarize([waiting()])).points is None


def test_who_has_no_final_score_is_named_with_the_reason() -> None:
    part = entry("dan", report(row("edge/a"), graded_completely=False))
    summary = summarize([entry(), waiting("eve"), given_up("bob"), incomplete("cy"), part])
    assert [(u.student, u.state, u.why) for u in summary.ungraded] == [
        ("eve", State.WAITING, "not graded yet"),
        ("bob", State.JUDGE_ERROR, "the worker died"),
        ("cy", State.DONE, "edge/b: check_sum raised"),
        ("dan", State.DONE, "only a part of the lab was graded"),
    ]
    assert (summary.submissions, _only(summary).submissions, _only(summary).graded) == (5, 5, 1)


def test_incomplete_reports_count_in_no_distribution() -> None:
    problem = _only(summarize([entry("ada"), incomplete("cy")]))
    (group,) = problem.groups
    assert problem.points is not None
    assert group.points is not None
    assert (problem.points.count, group.points.count) == (1, 1)
    assert (group.group, group.out_of) == ("edge", 5.0)


def test_points_given_by_hand_count_and_are_listed_beside_what_was_graded() -> None:
    by_hand = [entry("ada", override=OVERRIDE), incomplete("cy", override=OVERRIDE)]
    summary = summarize(by_hand)
    problem = _only(summary)
    assert problem.points is not None
    assert (problem.points.count, problem.points.minimum) == (2, 55.5)
    told = [(o.student, o.points, o.graded, o.author) for o in problem.overridden]
    assert told == [("ada", 55.5, 2.5, "prof"), ("cy", 55.5, None, "prof")]
    assert not summary.ungraded


def test_rows_stand_in_the_order_of_how_often_they_fail() -> None:
    def graded(*verdicts: Verdict) -> Entry:
        names = ("a", "b", "c")
        rows = [row(f"edge/{name}", v) for name, v in zip(names, verdicts, strict=True)]
        return entry(str(verdicts), report(*rows))

    ok, wrong, crashed, skipped = (
        Verdict.ACCEPTED,
        Verdict.WRONG_ANSWER,
        Verdict.CRASHED,
        Verdict.SKIPPED,
    )
    entries = [
        graded(ok, wrong, skipped),
        graded(wrong, wrong, skipped),
        graded(ok, crashed, wrong),
        graded(ok, ok, Verdict.JUDGE_ERROR),
    ]
    rows = _only(summarize(entries)).rows
    assert [(r.row, r.failed, r.of, r.share) for r in rows] == [
        ("edge/b", 3, 4, 0.75),
        ("edge/a", 1, 4, 0.25),
        ("edge/c", 1, 1, 1.0),
    ]
    assert rows[0].verdicts == {wrong: 2, crashed: 1}


def test_the_slowest_programs_stand_first_and_are_ten_at_most() -> None:
    entries = [
        entry(str(seconds), report(row("edge/a"), usage=RowUsage(cpu_seconds=seconds)))
        for seconds in range(30)
    ]
    slowest = _only(summarize(entries)).slowest
    assert [slow.cpu_seconds for slow in slowest] == list(range(29, 19, -1))
    assert slowest[0].student == "29"


def test_labs_are_told_apart() -> None:
    other = report(row("normal/x", Verdict.CRASHED), problem="kv_sizing")
    problems = summarize([entry("ada"), entry("ada", other)]).problems
    assert [problem.problem for problem in problems] == ["top_p_sets", "kv_sizing"]
    assert [[r.row for r in problem.rows] for problem in problems] == [["edge/b"], ["normal/x"]]


def test_an_empty_class_has_an_empty_summary() -> None:
    assert summarize([]) == ClassSummary(submissions=0, ungraded=(), problems=())


class _Watched(str):
    """A text whose life can be followed."""

    __slots__ = ("__weakref__",)


def test_no_report_is_kept_while_the_entries_pass_by() -> None:
    alive: list[weakref.ref[_Watched]] = []

    def entries() -> Iterator[Entry]:
        for place in range(5):
            gc.collect()
            assert sum(ref() is not None for ref in alive) <= 1
            detail = _Watched("x" * 10_000)
            alive.append(weakref.ref(detail))
            rows = [row("edge/a", Verdict.CRASHED, detail=detail), row("edge/b")]
            yield entry(str(place), report(*rows))
            del detail, rows

    assert summarize(entries()).submissions == 5
    gc.collect()
    assert not any(ref() is not None for ref in alive)


def test_reasons_are_cut_so_that_no_report_hides_in_one() -> None:
    (ungraded,) = summarize([given_up(error="x" * 100_000)]).ungraded
    assert len(ungraded.why) < 500
