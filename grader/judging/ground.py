"""Many programs against one lab: its inputs are drawn once, and the reference runs once on each.

Where a program gives the reference's result on an input, the checks need not look: that result is
right. Only a check that compares runs on two inputs does, for they may differ on the other one.
What is found are `Hit`s, the same that a grading would find with the same seed; nothing is shrunk.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from functools import cached_property

from grader.bundles.properties import generate
from grader.bundles.schemas import strict_for_answers
from grader.errors import BundleError
from grader.judging.author import AuthorFault
from grader.judging.drawing import Drawn, draw
from grader.judging.examine import Examiner
from grader.judging.fixed import grade_cases
from grader.judging.grade import Walk, examples_of, group_seed
from grader.judging.rows import Row
from grader.judging.runs import Runs, looking_ahead, same_result
from grader.judging.search import RELATING_INPUTS
from grader.model.bundle import Case, TestGroup
from grader.model.execution import Ending, Limits, RunOutcome, Submission
from grader.model.verdict import Verdict

AGREEING_INPUTS = 40
"""On so many inputs on which the program agrees with the reference it is run on those, too, that
checks compare with; the others are inputs like these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A row that a program fails: how, and why. `judge_error` when the check itself failed."""

    row: str
    verdict: Verdict
    detail: str
    staff_only: bool


class Ground:
    """One group: its rows, its inputs, and what the reference gives for each.

    Args:
        walk: its `submission` is the reference, and its `executor` runs all programs.
        notice: called with the group's name and the number of runs of the reference.

    Raises:
        BundleError: the strategy is broken.
        SandboxError: our own fault.
    """

    def __init__(
        self, walk: Walk, group: TestGroup, notice: Callable[[str, int], None] = lambda _g, _n: None
    ) -> None:
        self.group, self._walk = group, walk
        self._schema = strict_for_answers(walk.bundle.output_schema)
        self._rows = walk.plan[group.name]
        self._reference = Runs(
            walk.executor, walk.submission, group.limits, lambda n: notice(group.name, n)
        )
        self._inputs: list[tuple[Drawn, RunOutcome]] = []
        if self.drawn_rows:
            self._draw()

    def _draw(self) -> None:
        name, walk = self.group.name, self._walk

        inputs: list[Drawn] = []
        strategy = walk.properties.strategies[name]
        seed, examples = group_seed(walk, name), examples_of(walk, self.group)
        try:
            draw(name, strategy, seed, examples, inputs.append)
        except AuthorFault as fault:
            raise BundleError(walk.bundle.path / "properties.py", name, fault.detail) from fault
        runs = self._reference
        for an_input in looking_ahead(inputs, lambda i: runs.foretell(i.stdin)):
            self._inputs.append((an_input, runs.run(an_input.stdin)))

    @cached_property
    def drawn_rows(self) -> list[Row]:
        return [row for row in self._rows if row.case is None]

    @property
    def slowest(self) -> float:
        """CPU seconds of the reference's longest run on a drawn input."""
        return max((outcome.usage.cpu_seconds for _, outcome in self._inputs), default=0.0)

    @cached_property
    def _cases(self) -> list[tuple[Row, Case]]:
        return [(row, row.case) for row in self._rows if row.case]

    @cached_property
    def _large_cases(self) -> list[tuple[Row, Case, float]]:
        """With the CPU seconds of the reference on each, which are measured here."""
        cases = [(row, case) for row, case in self._cases if case.generator]
        inputs = ((row, case, generate(self._walk.bundle, case)) for row, case in cases)
        return [(r, c, self._reference.again(i).usage.cpu_seconds) for r, c, i in inputs]

    def in_cases(
        self, program: Submission, limits: Limits, likely: Container[str] = ()
    ) -> Iterator[Hit]:
        """The small cases that a program fails; first those rows that are likely to."""
        small = [(row, case) for row, case in self._cases if not case.generator]
        small.sort(key=lambda pair: pair[0].id not in likely)
        yield from self._failing(small, program, limits)

    def in_large_cases(
        self, program: Submission, limits: Callable[[float], Limits] | None = None
    ) -> Iterator[Hit]:
        """The large cases that a program fails.

        Args:
            limits: from the CPU seconds of the reference on a case; None for those of the group.
        """
        if limits is None:
            large = [(row, case) for row, case in self._cases if case.generator]
            yield from self._failing(large, program, self.group.limits)
            return
        for row, case, seconds in self._large_cases:
            yield from self._failing([(row, case)], program, limits(seconds))

    def _failing(
        self, cases: list[tuple[Row, Case]], program: Submission, limits: Limits
    ) -> Iterator[Hit]:
        runs = Runs(self._walk.executor, program, limits)
        rows = {row.id: row for row, _ in cases}
        for result in grade_cases(cases, self._walk.bundle, runs, None, self._schema):
            if result.verdict is not Verdict.ACCEPTED:
                yield _hit(rows[result.id], result.verdict, result.detail)
            if runs.too_late:
                return

    def in_drawn(
        self,
        program: Submission,
        limits: Limits,
        *,
        known: Container[str] = (),
        agreeing_inputs: int = AGREEING_INPUTS,
        sought: Container[str] = (),
        enough: Callable[[int], bool] = lambda _: False,
        unnoticed: Callable[[Drawn], None] = lambda _: None,
    ) -> Iterator[Hit]:
        """The rows that a program fails, on one input after another, up to a third time-out.

        Args:
            known: ids of rows that need no look any more; it may grow meanwhile.
            agreeing_inputs: on so many inputs on which the program agrees with the reference
                checks that compare runs are looked at,
            sought: and the rows with these ids on all.
            enough: told how many inputs were looked at; whether to leave the others.
            unnoticed: called with each input on which the result differs and no row fails.
        """
        runs = Runs(self._walk.executor, program, limits)
        examiner = Examiner(runs, self._reference, self._schema)
        agreed = 0
        inputs = looking_ahead(self._inputs, lambda pair: runs.foretell(pair[0].stdin))
        for count, (an_input, right) in enumerate(inputs):
            if enough(count):
                return
            outcome = runs.run(an_input.stdin)
            same = outcome.ending is Ending.EXITED and same_result(outcome, right)
            agreed += same
            rows = [
                row
                for row in self.drawn_rows
                if row.id not in known
                and (count < RELATING_INPUTS if row.relates_runs else not same)
                and (not same or agreed <= agreeing_inputs or row.id in sought)
            ]
            hits = list(_hits(examiner, rows, an_input)) if rows else []
            yield from hits
            if not same and not hits:
                unnoticed(an_input)
            if runs.too_late:
                return


def _hits(examiner: Examiner, rows: list[Row], an_input: Drawn) -> Iterator[Hit]:
    look = examiner.look(an_input)
    for row in rows:
        try:
            finding = examiner.finding(row, look)
        except AuthorFault as fault:
            yield _hit(row, Verdict.JUDGE_ERROR, fault.detail)
            continue
        if finding:
            yield _hit(row, finding.fault.verdict, finding.fault.detail)


def _hit(row: Row, verdict: Verdict, detail: str) -> Hit:
    return Hit(row=row.id, verdict=verdict, detail=detail, staff_only=row.staff_only)
