"""How a row's result comes to be: graded, skipped, or without a result through somebody's fault."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from grader.judging.judge import Fault, exchange
from grader.judging.rows import Row
from grader.model.bundle import Pace
from grader.model.execution import RunOutcome
from grader.model.report import CaseResult, CheckResult, Counterexample, Exchange, RowUsage
from grader.model.verdict import Verdict, worst

UNSTABLE = "not deterministic: the same input gave two different results"


def graded(row: Row, failures: list[CheckResult], usage: RowUsage | None = None) -> CaseResult:
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
        timing=first.timing if first else None,
        also=tuple(failure for failure in failures if failure is not first),
        usage=usage or RowUsage(),
        staff_only=row.staff_only,
    )


def skipped(row: Row, why: str) -> CaseResult:
    """A row that had its turn and nothing to judge: it earns nothing."""
    return CaseResult(
        id=row.id,
        verdict=Verdict.SKIPPED,
        points=0.0,
        out_of=row.out_of,
        sentence=row.sentence,
        detail=why,
        staff_only=row.staff_only,
    )


def judge_error(row: Row, fault: str, why: str, trace: str | None = None) -> CaseResult:
    """A row without a result, through the fault of the `author` or of the `grader`."""
    return replace(
        skipped(row, why),
        verdict=Verdict.JUDGE_ERROR,
        graded=False,
        fault=fault,
        staff_detail=trace,
    )


def failed(fault: Fault, example: Counterexample) -> CheckResult:
    """A fault with the input that shows it."""
    return CheckResult(
        verdict=fault.verdict, detail=fault.detail, counterexample=example, timing=fault.timing
    )


def beside_reference(row: CaseResult, pace: Pace | None) -> CaseResult:
    """The row with the reference's time beside each time that was too long, where it is known."""
    if row.timing is None or pace is None:
        return row
    seconds = pace.reference_cpu_seconds.get(row.group)
    also = tuple(
        replace(other, timing=other.timing and replace(other.timing, reference_cpu_seconds=seconds))
        for other in row.also
    )
    return replace(row, timing=replace(row.timing, reference_cpu_seconds=seconds), also=also)


def counterexample(
    exchanges: Iterable[Exchange],
    runs: int,
    *,
    fully_shrunk: bool = True,
    expects: str | None = None,
    expected: str | None = None,
) -> Counterexample:
    """The last exchange is the run on the input itself."""
    exchanges = tuple(exchanges)
    last = exchanges[-1]
    return Counterexample(
        given=last.stdin,
        answer=last.stdout,
        exchanges=exchanges,
        runs=runs,
        fully_shrunk=fully_shrunk,
        expects=expects,
        expected=expected,
    )


def unstable(
    stdin: bytes, due: str | None, first: RunOutcome, second: RunOutcome, runs: int
) -> CheckResult:
    """The failure of a program that gives one input two results."""
    exchanges = [exchange(stdin, outcome) for outcome in (first, second)]
    shown = counterexample(exchanges, runs, fully_shrunk=False, expects=due)
    return CheckResult(verdict=Verdict.WRONG_ANSWER, detail=UNSTABLE, counterexample=shown)


def used(before: RowUsage, after: RowUsage) -> RowUsage:
    """What was used between two readings; peak and factor are those of the whole group so far."""
    return RowUsage(
        runs=after.runs - before.runs,
        cpu_seconds=round(after.cpu_seconds - before.cpu_seconds, 4),
        wall_seconds=round(after.wall_seconds - before.wall_seconds, 4),
        peak_memory_bytes=after.peak_memory_bytes,
        repeated=after.repeated - before.repeated,
        calibration_seconds=after.calibration_seconds,
        factor=after.factor,
    )
