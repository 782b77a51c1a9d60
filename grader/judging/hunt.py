"""Many variants of the reference, each run until a row fails: for mutants.

    once      draw every group's inputs, run the reference on each
    variant   all fixed cases, then all drawn inputs, then scale; stop at the first failing row

Where a variant gives the reference's result, its checks need not look: that result is right. Only
a check that compares runs on two inputs does, for the variant may differ on the other one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from grader.bundles.properties import generate
from grader.bundles.schemas import strict_for_answers
from grader.judging.examine import Drawn, Examiner
from grader.judging.fixed import Inputs, grade_case
from grader.judging.grade import Walk, examples_of, group_seed
from grader.judging.judge import Fault
from grader.judging.rows import Row
from grader.judging.runs import Runs, same_result
from grader.judging.search import draw
from grader.model.bundle import TestGroup
from grader.model.execution import Ending, Limits, RunOutcome, Submission
from grader.model.verdict import Verdict

PATIENCE = 10.0
"""A variant may take so many times as long as the reference on the same input."""

LEAST_SECONDS = 0.25
"""Ten times a millisecond is less than what a busy machine adds to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """What a variant failed first: the row, how, and why."""

    row: str
    verdict: Verdict
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What became of a variant: its first failure, or none.

    `unnoticed` is an input on which a variant without failure gives another result than the
    reference: no row looked at it.
    """

    hit: Hit | None
    unnoticed: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """One group's inputs with what the reference gives for them; `slowest` in CPU seconds."""

    group: TestGroup
    cases: list[Row]
    drawn: list[Row]
    inputs: list[tuple[Drawn, RunOutcome]]
    slowest: float

    @property
    def limits(self) -> Limits:
        return patient(self.group.limits, self.slowest)


def patient(limits: Limits, reference_seconds: float) -> Limits:
    """At most `PATIENCE` times what the reference needed, and never more than the group allows."""
    cpu = min(limits.cpu_seconds, max(LEAST_SECONDS, PATIENCE * reference_seconds))
    return replace(limits, cpu_seconds=cpu, wall_seconds=min(limits.wall_seconds, 4 * cpu))


class Hunt:
    """The ground is prepared once; then ask `first_failure` of one variant after another.

    Args:
        walk: its `submission` is the reference, and its `executor` runs all variants.
        notice: called with a group's name and the number of runs while the ground is prepared.

    Raises:
        AuthorFault: a strategy is broken.
        SandboxError: our own fault.
    """

    def __init__(self, walk: Walk, notice: Callable[[str, int], None]) -> None:
        self._walk = walk
        self._schema = strict_for_answers(walk.bundle.output_schema)
        self._grounds = [self._prepare(group, notice) for group in walk.bundle.groups]
        self._scale_seconds: dict[str, float] = {}

    def _prepare(self, group: TestGroup, notice: Callable[[str, int], None]) -> Ground:
        walk, rows = self._walk, self._walk.plan[group.name]
        runs = Runs(walk.executor, walk.submission, group.limits, lambda n: notice(group.name, n))
        inputs: list[tuple[Drawn, RunOutcome]] = []
        drawn = [row for row in rows if row.case is None]
        if drawn:
            draw(
                group.name,
                walk.properties.strategies[group.name],
                group_seed(walk, group.name),
                examples_of(walk, group),
                lambda an_input: inputs.append((an_input, runs.run(an_input.stdin))),
            )
        return Ground(
            group=group,
            cases=[row for row in rows if row.case],
            drawn=drawn,
            inputs=inputs,
            slowest=max((outcome.usage.cpu_seconds for _, outcome in inputs), default=0.0),
        )

    def try_out(self, variant: Submission) -> Trial:
        """Run a variant until a row fails, or through everything.

        Raises:
            AuthorFault: a check is broken.
            SandboxError: our own fault.
        """
        unnoticed: list[bytes] = []
        hit = next(self._hits(variant, unnoticed), None)
        return Trial(hit=hit, unnoticed=None if hit or not unnoticed else min(unnoticed, key=len))

    def _hits(self, variant: Submission, unnoticed: list[bytes]) -> Iterator[Hit]:
        for ground in self._grounds:
            yield from self._in_cases(ground, variant, large=False)
        for ground in self._grounds:
            yield from self._in_drawn(ground, variant, unnoticed)
        for ground in self._grounds:
            yield from self._in_cases(ground, variant, large=True)

    def _in_cases(self, ground: Ground, variant: Submission, *, large: bool) -> Iterator[Hit]:
        rows = [row for row in ground.cases if row.case and bool(row.case.generator) is large]
        cases = [row.case for row in rows if row.case]
        with Inputs(self._walk.bundle, cases) as inputs:
            for row, case in zip(rows, cases, strict=True):
                limits = ground.group.limits
                if large:
                    limits = patient(limits, self._reference_seconds(row, limits))
                runs = Runs(self._walk.executor, variant, limits)
                result = grade_case(row, case, inputs, runs, None, self._schema)
                if result.verdict is not Verdict.ACCEPTED:
                    yield Hit(row=row.id, verdict=result.verdict, detail=result.detail)

    def _reference_seconds(self, row: Row, limits: Limits) -> float:
        if row.id not in self._scale_seconds:
            assert row.case is not None
            stdin = generate(self._walk.bundle, row.case)
            outcome = Runs(self._walk.executor, self._walk.submission, limits).run(stdin)
            self._scale_seconds[row.id] = outcome.usage.cpu_seconds
        return self._scale_seconds[row.id]

    def _in_drawn(
        self, ground: Ground, variant: Submission, unnoticed: list[bytes]
    ) -> Iterator[Hit]:
        runs = Runs(self._walk.executor, variant, ground.limits)
        reference = Runs(self._walk.executor, self._walk.submission, ground.group.limits)
        examiner = Examiner(runs, reference, self._schema)
        relating = [row for row in ground.drawn if row.check and "run" in row.check.arguments]
        for an_input, right in ground.inputs:
            outcome = runs.run(an_input.stdin)
            same = outcome.ending is Ending.EXITED and same_result(outcome, right)
            rows = relating if same else ground.drawn
            for row, fault in _faults(examiner, rows, an_input):
                yield Hit(row=row.id, verdict=fault.verdict, detail=fault.detail)
            if not same:
                unnoticed.append(an_input.stdin)


def _faults(examiner: Examiner, rows: list[Row], an_input: Drawn) -> Iterator[tuple[Row, Fault]]:
    """The rows that fail on an input, and how."""
    if rows:
        look = examiner.look(an_input)
        for row in rows:
            finding = examiner.finding(row, look)
            if finding:
                yield row, finding.fault
