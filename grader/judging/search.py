"""Draw inputs, look at every row on each, and find the smallest input for each failure.

One generating pass in which every row looks at every input; then, for each kind of failure
(a row and a verdict), a search of its own that begins with the same draws, remembers every
outcome, and shrinks. Hypothesis draws and shrinks (`drawing`); what an input means is `examine`'s
part.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from hypothesis import Phase
from hypothesis.database import InMemoryExampleDatabase
from hypothesis.errors import Flaky
from hypothesis.strategies import SearchStrategy

from grader.judging.author import AuthorFault
from grader.judging.drawing import Drawn, Failing, draw
from grader.judging.examine import Examiner, Finding, Look
from grader.judging.polish import polished
from grader.judging.rows import Row
from grader.judging.runs import AHEAD, RUN_TWICE, OutOfAllowance, same_result
from grader.model.execution import RunOutcome
from grader.model.verdict import Verdict

MAX_TIMEOUTS_WHILE_SHRINKING = 3
"""Without a limit, shrinking one time-out of 2 s took 47 of them; the result is valid anyway. Each
costs two runs, for none counts before it was repeated."""

MAX_SHRINKING_RUNS = 1500
"""Per kind of failure: three to eight seconds. Hypothesis rarely needs more than 500."""

MAX_SHRUNK = 3
"""Kinds of failure per group that are shrunk without regard to cost."""

MAX_MORE_RUNS = 600
"""New inputs for shrinking all further kinds of a group together: mostly the minima that were
found for others serve them too, so that a starter where everything fails is through in seconds."""

MAX_POLISHING_STEPS = 400
"""For the last steps of a group together, kind after kind. Most need 20 to 60; integers of twenty
digits have many steps."""

RELATING_INPUTS = 60
"""A check that compares runs costs a run of its own for each input; it looks at so many of those
drawn first. Without a limit most runs of a grading were of this kind."""

Key = tuple[str, Verdict]
"""A kind of failure: a row's id and a verdict."""


class _Enough(BaseException):
    """Ends a pass: BaseException goes straight through Hypothesis."""


@dataclass(slots=True)
class Shown:
    """The best input found for a kind of failure."""

    an_input: Drawn
    fully_shrunk: bool = False


@dataclass(slots=True)
class Search:
    """The search of one group. Call `explore`, then `shrink_all`; then read the attributes.

    Attributes:
        concerned, seen: for each row, of how many inputs drawn it had to say something, and for
            how many of them there was an answer (or a refusal) that it could judge.
        shown: for each kind of failure, in the order found, the best input.
        broken: for each row whose check is broken, (detail, trace).
        unstable: an input with two different outcomes, None when there is none.
        cut_short: whether time-outs ended the drawing.
    """

    group: str
    strategy: SearchStrategy[Any]
    rows: tuple[Row, ...]
    examiner: Examiner
    seed: int
    examples: int
    concerned: Counter[str] = field(default_factory=Counter)
    seen: Counter[str] = field(default_factory=Counter)
    shown: dict[Key, Shown] = field(default_factory=dict)
    broken: dict[str, tuple[str, str]] = field(default_factory=dict)
    unstable: tuple[Drawn, RunOutcome, RunOutcome] | None = None
    cut_short: bool = False
    _looked: int = 0
    _polishing_left: int = MAX_POLISHING_STEPS
    _relating: tuple[Row, ...] = ()
    _database: InMemoryExampleDatabase = field(default_factory=InMemoryExampleDatabase)

    def explore(self) -> None:
        """One generating pass over all rows.

        Raises:
            SandboxError: our own fault.
            AuthorFault: the strategy is broken.
        """
        ahead: deque[Drawn] = deque()
        self._relating = tuple(row for row in self.rows if row.relates_runs)
        needs_reference = any("expected" in row.arguments for row in self.rows)

        def attend(an_input: Drawn) -> None:
            # Once something fails, the reference may not be asked at all.
            wanted = needs_reference and not self.shown
            self.examiner.foretell(an_input, with_reference=wanted)
            ahead.append(an_input)
            if len(ahead) > AHEAD:
                self._foresee(ahead[1])
                self._look_everywhere(ahead.popleft())

        try:
            self._draw(attend, [Phase.generate])
            for an_input in ahead:
                self._look_everywhere(an_input)
        except _Enough:
            self.cut_short = True

    def shrink_all(self) -> None:
        """Find the smallest input for the first kinds of failure; share the minima with the rest.

        Raises:
            SandboxError: our own fault.
        """
        rows = {row.id: row for row in self.rows}
        more = MAX_MORE_RUNS
        for place, key in enumerate(self._in_order()):
            before = self.examiner.runs.count
            allowed = MAX_SHRINKING_RUNS if place < MAX_SHRUNK else more
            best = self._shrink(rows[key[0]], key[1], allowed)
            if place >= MAX_SHRUNK:
                more = max(0, more - (self.examiner.runs.count - before))
            if self.examiner.knows_what_is_legal and key[1] is not Verdict.OVER_TIME:
                best.an_input = self._polished(rows[key[0]], key[1], best.an_input)
            self.shown[key] = best
            for other in self.shown:
                self._offer(rows[other[0]], other, best.an_input)

    def saw_enough(self, row: Row) -> bool:
        """Whether a row that found nothing wrong has seen at least half of what concerns it.

        Else a program that answers a table of known inputs and nothing more would pass it.
        """
        return 0 < self.concerned[row.id] <= 2 * self.seen[row.id]

    def _in_order(self) -> list[Key]:
        """Kinds of failure in the order found, but a crash, a wrong answer and a time-out first."""
        verdicts: set[Verdict] = set()
        fresh: list[Key] = []
        rest: list[Key] = []
        for key in self.shown:
            (rest if key[1] in verdicts else fresh).append(key)
            verdicts.add(key[1])
        return fresh + rest

    def _look_everywhere(self, an_input: Drawn) -> None:
        look = self.examiner.look(an_input)
        self._looked += 1
        if self._looked <= RUN_TWICE:
            self._compare(an_input)
        for row in self._at_hand():
            self.concerned[row.id] += self.examiner.concerns(row, an_input)
            self.seen[row.id] += self.examiner.sees(row, look)
            finding = self._finding(row, look)
            if finding:
                self._keep((row.id, finding.fault.verdict), an_input)
        if self.examiner.runs.too_late:
            raise _Enough

    def _foresee(self, an_input: Drawn) -> None:
        if self._looked + 2 > RELATING_INPUTS:
            return  # it is the second of those ahead
        look = self.examiner.look(an_input)
        for row in self._relating:
            if row.id not in self.broken and "expected" not in row.arguments:
                self.examiner.foretell_other(row, look)

    def _at_hand(self) -> Sequence[Row]:
        """The rows that look at the input of this turn."""
        if self._looked <= RELATING_INPUTS:
            return self.rows
        return [row for row in self.rows if row not in self._relating]

    def _compare(self, an_input: Drawn) -> None:
        first = self.examiner.runs.run(an_input.stdin)
        second = self.examiner.runs.again(an_input.stdin)
        if not same_result(first, second) and self.unstable is None:
            self.unstable = (an_input, first, second)

    def _finding(self, row: Row, look: Look) -> Finding | None:
        if row.id in self.broken:
            return None
        try:
            return self.examiner.finding(row, look)
        except AuthorFault as fault:
            self.broken[row.id] = (fault.detail, fault.trace)
            return None

    def _fails(self, row: Row, verdict: Verdict, an_input: Drawn) -> bool:
        finding = self._finding(row, self.examiner.look(an_input))
        return finding is not None and finding.fault.verdict is verdict

    def _keep(self, key: Key, an_input: Drawn) -> None:
        known = self.shown.setdefault(key, Shown(an_input))
        if an_input.size < known.an_input.size:
            known.an_input = an_input

    def _offer(self, row: Row, key: Key, an_input: Drawn) -> None:
        known = self.shown[key]
        if known.fully_shrunk or an_input.size >= known.an_input.size:
            return
        if self._fails(row, key[1], an_input):
            self._keep(key, an_input)

    def _shrink(self, row: Row, verdict: Verdict, allowed: int) -> Shown:
        runs = self.examiner.runs
        best = self.shown[row.id, verdict].an_input
        capped = False

        def attend(an_input: Drawn) -> None:
            nonlocal best, capped
            try:
                fails = self._fails(row, verdict, an_input)
            except OutOfAllowance:
                capped = True  # an input that was not tried counts as one that passes
                return
            if fails:
                best = min(best, an_input, key=lambda i: i.size)
                raise Failing(an_input)

        runs.allow(allowed, MAX_TIMEOUTS_WHILE_SHRINKING)
        try:
            self._draw(attend, [Phase.reuse, Phase.generate, Phase.shrink])
            found = Shown(best)
        except Failing as failing:
            # The simplest by the strategy's own order; a shorter text may be a stranger input.
            found = Shown(failing.an_input, fully_shrunk=not capped)
        except Flaky:
            found = Shown(best)  # an outcome was forgotten for want of room
        finally:
            runs.allow(None)
        self._compare(found.an_input)
        return found

    def _polished(self, row: Row, verdict: Verdict, an_input: Drawn) -> Drawn:
        def is_legal(smaller: Drawn) -> bool:
            if not self._polishing_left:
                raise OutOfAllowance
            self._polishing_left -= 1
            return self.examiner.is_legal(smaller)

        self.examiner.runs.allow(MAX_POLISHING_STEPS, timeouts=1)
        try:
            found = polished(an_input, partial(self._fails, row, verdict), is_legal)
        finally:
            self.examiner.runs.allow(None)
        if found is not an_input:
            self._compare(found)
        return found

    def _draw(self, attend: Callable[[Drawn], None], phases: list[Phase]) -> None:
        draw(self.group, self.strategy, self.seed, self.examples, attend, phases, self._database)
