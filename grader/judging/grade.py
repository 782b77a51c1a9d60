"""The walk: a submission against a bundle, row by row. Read this first.

    for every group, in order
        skip it, if a group that it comes after has not passed
        run every fixed case and compare
        draw inputs, look at every row on each, shrink what fails     (judging.search)
        yield one CaseResult per row

The generator runs programs through an `Executor` and does nothing else to the world.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from grader.bundles.properties import Properties, generate
from grader.bundles.schemas import Judgement, strict
from grader.errors import BundleError, SandboxError
from grader.judging.examine import AuthorFault, Drawn, Examiner
from grader.judging.judge import (
    Fault,
    answer_digest,
    case_fault,
    clean,
    exchange,
    judge,
)
from grader.judging.rows import ANSWERS, Row
from grader.judging.runs import Runs, same_result
from grader.judging.search import Search
from grader.model.bundle import Bundle, TestGroup
from grader.model.execution import Executor, RunOutcome, Submission
from grader.model.report import CaseResult, CheckResult, Counterexample, Exchange, RowUsage
from grader.model.verdict import Verdict, worst

Notice = Callable[[str, int], None]
"""Called with a group's name and the number of its runs so far."""

_EXPECTED_SHOWN = 4_000
_UNSTABLE = "not deterministic: the same input gave two different results"


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """Everything that a grading needs, and nothing that changes.

    `groups` limits the walk to some groups. `done` has rows that need no grading any more.
    `stop_at_failure` ends each group at its first failing row (level weak, where runs are slow).
    """

    bundle: Bundle
    properties: Properties
    plan: dict[str, tuple[Row, ...]]
    submission: Submission
    executor: Executor
    seed: int
    examples: int | None = None
    groups: tuple[str, ...] = ()
    done: frozenset[str] = frozenset()
    stop_at_failure: bool = False


def grade(walk: Walk, notice: Notice = lambda _group, _runs: None) -> Iterator[CaseResult]:
    """Every row's result, as soon as it is known. The rows' order is that of the plan."""
    passed: set[str] = set()
    for group in walk.bundle.groups:
        if walk.groups and group.name not in walk.groups:
            continue
        rows = tuple(row for row in walk.plan[group.name] if row.id not in walk.done)
        waiting = [name for name in group.after_groups if _fails(walk, name, passed)]
        if waiting:
            yield from (skipped(row, f"not run: {waiting[0]} has to pass first") for row in rows)
            continue
        verdicts = []
        for result in _grade_group(walk, group, rows, notice):
            verdicts.append(result.verdict)
            yield result
        if worst(verdicts) in (Verdict.ACCEPTED, Verdict.SKIPPED):
            passed.add(group.name)


def _fails(walk: Walk, name: str, passed: set[str]) -> bool:
    """A group that was not chosen with `groups` holds nothing up."""
    return name not in passed and (not walk.groups or name in walk.groups)


def skipped(row: Row, why: str, *, graded: bool = True) -> CaseResult:
    return CaseResult(
        id=row.id,
        verdict=Verdict.SKIPPED,
        points=0.0,
        out_of=row.out_of,
        sentence=row.sentence,
        detail=why,
        staff_only=row.staff_only,
        graded=graded,
    )


def judge_error(row: Row, fault: str, why: str, trace: str | None = None) -> CaseResult:
    """A row without a result, through the fault of the `author` or of the `grader`."""
    return replace(
        skipped(row, why, graded=False),
        verdict=Verdict.JUDGE_ERROR,
        fault=fault,
        staff_detail=trace,
    )


def _result(
    row: Row, failures: list[CheckResult], usage: RowUsage | None = None, **more: object
) -> CaseResult:
    """A row that was graded; the worst of its failures is the one that it shows."""
    verdict = worst([Verdict.ACCEPTED, *(failure.verdict for failure in failures)])
    first = next((failure for failure in failures if failure.verdict is verdict), None)
    return CaseResult(
        id=row.id,
        verdict=verdict,
        points=0.0 if failures else row.out_of,
        out_of=row.out_of,
        sentence=row.sentence,
        detail=first.detail if first else "",
        counterexample=first.counterexample if first else None,
        also=tuple(failure for failure in failures if failure is not first),
        usage=usage or RowUsage(),
        staff_only=row.staff_only,
    )


def _grade_group(
    walk: Walk, group: TestGroup, rows: tuple[Row, ...], notice: Notice
) -> Iterator[CaseResult]:
    runs = Runs(
        walk.executor, walk.submission, group.limits, lambda count: notice(group.name, count)
    )
    schema = strict(walk.bundle.output_schema)
    in_order = [row for row in rows if row.case]
    searched = tuple(row for row in rows if not row.case)
    stopped = False
    for row in in_order:
        if stopped:
            yield skipped(row, _STOPPED)
            continue
        result = _grade_case(walk, group, row, runs, schema)
        stopped = walk.stop_at_failure and result.verdict.is_failure
        yield result
    if stopped:
        yield from (skipped(row, _STOPPED) for row in searched)
    elif searched:
        yield from _grade_drawn(walk, group, searched, runs, schema)


_STOPPED = "not run: without the sandbox a group ends at its first failure"


def _grade_case(
    walk: Walk, group: TestGroup, row: Row, runs: Runs, schema: Judgement
) -> CaseResult:
    """One fixed case: run twice (a large one once) and compared with its right answer."""
    case = row.case
    assert case is not None
    before = runs.usage
    try:
        stdin = case.stdin if case.stdin is not None else generate(walk.bundle, case)
        outcome = runs.again(stdin)
        second = outcome if case.generator else runs.again(stdin)
    except BundleError as error:
        return judge_error(row, "author", "this input could not be made", str(error))
    except SandboxError as error:
        return judge_error(row, "grader", str(error))
    shown = exchange(stdin, outcome, case.generator, case.seed if case.generator else None)
    fault = _digest_fault(walk, row, stdin, outcome, runs, schema)
    expected = None
    if case.generator is None:
        fault = case_fault(judge(outcome, group.limits, schema), case.answer)
        expected = _expected_text(case.answer)
    exchanges: tuple[Exchange, ...] = (shown,)
    if not same_result(outcome, second):
        fault = Fault(verdict=Verdict.WRONG_ANSWER, detail=_UNSTABLE)
        exchanges = (exchange(stdin, second), shown)
    used = _used(before, runs.usage)
    if fault is None:
        return _result(row, [], used)
    counterexample = _counterexample(exchanges, used.runs, expected=expected)
    failure = CheckResult(
        verdict=fault.verdict, detail=fault.detail, counterexample=counterexample
    )
    return _result(row, [failure], used)


def _digest_fault(
    walk: Walk, row: Row, stdin: bytes, outcome: RunOutcome, runs: Runs, schema: Judgement
) -> Fault | None:
    """A large answer: its digest first, and a diagnosis only where that differs."""
    case = row.case
    if case is None or case.generator is None:
        return None
    judged = judge(outcome, runs.limits, None)
    if isinstance(judged, Fault):
        return judged
    if isinstance(judged, dict) and answer_digest(judged) == case.answer_sha256:
        return None
    return _diagnose(walk, stdin, outcome, runs, schema)


def _diagnose(
    walk: Walk, stdin: bytes, outcome: RunOutcome, runs: Runs, schema: Judgement
) -> Fault:
    judged = judge(outcome, runs.limits, schema)
    kind = case_fault(judged, {"ok": True, **judged} if isinstance(judged, dict) else {"ok": True})
    if kind:
        return kind
    why = "the answer to this large input is not the right one (its digest differs)"
    reference = walk.bundle.reference
    if reference is not None and isinstance(judged, dict):
        right = judge(Runs(walk.executor, reference, runs.limits).again(stdin), runs.limits, None)
        difference = case_fault(judged, right) if isinstance(right, dict) else None
        why = difference.detail if difference else why
    return Fault(verdict=Verdict.WRONG_ANSWER, detail=why)


def _expected_text(answer: object) -> str:
    import json

    text = json.dumps(answer)
    return text if len(text) <= _EXPECTED_SHOWN else text[:_EXPECTED_SHOWN] + " …"


def _used(before: RowUsage, after: RowUsage) -> RowUsage:
    return RowUsage(
        runs=after.runs - before.runs,
        cpu_seconds=round(after.cpu_seconds - before.cpu_seconds, 4),
        wall_seconds=round(after.wall_seconds - before.wall_seconds, 4),
        peak_memory_bytes=after.peak_memory_bytes,
    )


def _counterexample(
    exchanges: Iterable[Exchange], runs: int, **more: object
) -> Counterexample:
    exchanges = tuple(exchanges)
    last = exchanges[-1]
    return Counterexample(
        given=last.stdin, answer=last.stdout, exchanges=exchanges, runs=runs, **more  # type: ignore[arg-type]
    )


def group_seed(walk: Walk, group: str) -> int:
    """From the slug, the digest of properties.py, the group and the seed: nothing else.

    A typo mended in a statement must not draw other inputs for the second half of a class.
    """
    text = f"{walk.bundle.slug}\0{walk.properties.digest}\0{group}\0{walk.seed}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def _grade_drawn(
    walk: Walk, group: TestGroup, rows: tuple[Row, ...], runs: Runs, schema: Judgement
) -> Iterator[CaseResult]:
    reference = walk.bundle.reference
    before = runs.usage
    search = Search(
        group=group.name,
        strategy=walk.properties.strategies[group.name],
        rows=rows,
        examiner=Examiner(
            runs, Runs(walk.executor, reference, group.limits) if reference else None, schema
        ),
        seed=group_seed(walk, group.name),
        examples=walk.examples or group.examples,
    )
    try:
        search.explore()
        search.shrink_all()
        results = [_drawn_result(row, search) for row in rows]
    except SandboxError as error:
        results = [judge_error(row, "grader", str(error)) for row in rows]
    except AuthorFault as fault:
        results = [judge_error(row, "author", fault.detail, fault.trace) for row in rows]
    used = _used(before, runs.usage)
    first, *others = results
    yield replace(first, usage=used)
    yield from others


def _drawn_result(row: Row, search: Search) -> CaseResult:
    failures = _failures(row, search)
    if row.id in search.broken:
        return judge_error(row, "author", *search.broken[row.id])
    if failures:
        return _result(row, failures)
    if search.cut_short and row.name != ANSWERS:
        return skipped(row, "not settled: time-outs ended the search of this group")
    if row.id not in search.seen:
        return skipped(row, "no answer was seen to which this applies")
    return _result(row, [])


def _failures(row: Row, search: Search) -> list[CheckResult]:
    """Every kind of failure of a row, each on the smallest input that was found for it."""
    failures = []
    examiner = search.examiner
    for (row_id, verdict), shown in search.shown.items():
        if row_id != row.id:
            continue
        judged = examiner.judged(shown.an_input)
        finding = examiner.finding(row, shown.an_input, judged)
        if finding is None:
            continue
        last = exchange(shown.an_input.stdin, examiner.runs.run(shown.an_input.stdin))
        counterexample = _counterexample(
            (*finding.compared, last),
            examiner.runs.count,
            fully_shrunk=shown.fully_shrunk,
            expects=shown.an_input.due,
        )
        failures.append(
            CheckResult(
                verdict=verdict, detail=finding.fault.detail, counterexample=counterexample
            )
        )
    if row.name == ANSWERS and search.unstable:
        failures.append(_unstable(*search.unstable, search.examiner.runs.count))
    return failures


def _unstable(
    an_input: Drawn, first: RunOutcome, second: RunOutcome, runs: int
) -> CheckResult:
    exchanges = [exchange(an_input.stdin, outcome) for outcome in (first, second)]
    return CheckResult(
        verdict=Verdict.WRONG_ANSWER,
        detail=clean(_UNSTABLE),
        counterexample=_counterexample(exchanges, runs, expects=an_input.due, fully_shrunk=False),
    )
