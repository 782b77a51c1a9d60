"""Grade what waits in a journal with an engine, until nothing waits. Read this first.

while something waits or is under way
    fill the engine's slots, in the journal's order
    wait for one outcome
    a complete report      done: one commit
    a fault of ours        back into the queue, three times; then given up
    nobody can be graded   stop; what is under way is ended, and waits
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from grader.bundles.files import fingerprint
from grader.course import results
from grader.course.engines.engine import Engine, Order, Outcome
from grader.course.journal import Journal
from grader.course.key import LabOfClass, Setting, lab_of_class, result_key
from grader.course.waiting import Queue, Todo
from grader.errors import BundleError, UsageError
from grader.worker.job import Job


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One submission is through: so many are, of so many. `waiting` again when a try failed."""

    done: int
    of: int
    todo: Todo
    waiting: bool
    outcome: Outcome | None
    """None where an equal submission had been graded."""
    waited: float | None = None
    """Seconds from the start of the run to the start of this grading."""


class Drive:
    """Grades everything that waits in a journal.

    Args:
        labs: every lab that a waiting submission is for, by its slug.
        notice: told of every step.
    """

    def __init__(
        self,
        journal: Journal,
        engine: Engine,
        labs: Mapping[str, LabOfClass],
        setting: Setting,
        notice: Callable[[Step], None] = lambda _: None,
    ) -> None:
        self._journal, self._engine, self._labs = journal, engine, labs
        self._setting, self._notice = setting, notice
        self._queue: deque[Todo] = deque()
        self._twins: dict[str, list[Todo]] = {}
        self._under_way: dict[int, Todo] = {}
        self._fingerprints = {slug: _fingerprints(lab) for slug, lab in labs.items()}
        self._of = self._done = 0
        for todo in journal.waiting():
            self._line_up(todo)
            self._of += 1

    def _line_up(self, todo: Todo) -> None:
        """What equals something that is to be graded anyway waits for its report."""
        if todo.queue is Queue.GRADE:
            twins = self._twins.setdefault(self._key(todo), [])
            twins.append(todo)
            if len(twins) > 1:
                return
        self._queue.append(todo)

    def _key(self, todo: Todo) -> str:
        return result_key(todo.digest, self._labs[todo.problem], self._setting)

    def run(self) -> None:
        """Grade until nothing waits.

        Raises:
            JournalError: the journal cannot be written; what was committed is kept.
            BundleError: a lab is broken in a way that shows only when it is executed.
            UsageError: nobody can be graded for a lab here, or it was changed meanwhile.
        """
        self._began = time.monotonic()
        while self._queue or self._under_way:
            while self._queue and len(self._under_way) < self._engine.slots:
                self._begin(self._queue.popleft())
            self._record(self._engine.next())

    def _begin(self, todo: Todo) -> None:
        lab, setting = self._labs[todo.problem], self._setting
        job = Job(
            problem=str(lab.folder),
            staff=str(lab.staff) if lab.staff else None,
            name=f"{todo.problem}.py",
            source=self._journal.source(todo.digest),
            seed=setting.seed,
            examples=setting.examples,
            level=setting.level,
            accept_weak=setting.accept_weak,
        )
        self._journal.begin(todo)
        self._under_way[todo.id] = todo
        order = Order(id=todo.id, job=job, lab=lab.digest, seed_is_secret=setting.seed_is_secret)
        self._engine.begin(order)

    def _record(self, outcome: Outcome) -> None:
        todo = self._under_way.pop(outcome.id)
        report, seconds = outcome.report, outcome.seconds
        if outcome.everybody:
            why = f"no submission for {todo.problem} can be graded: {outcome.error}"
            if outcome.fault == "author":
                raise BundleError(self._labs[todo.problem].folder, "", why)
            raise UsageError(why)
        self._see_that_the_lab_is_the_same(todo.problem, outcome)
        key, waited = self._key(todo), max(0.0, time.monotonic() - self._began - seconds)
        if report is not None and report.graded_completely:
            results.done(self._journal, todo, key, report, waited=waited, graded=seconds)
            self._told(todo, outcome, waited)
            for twin in self._twins_of(todo, key):
                if self._journal.settle_if_known(twin, key):
                    self._told(twin, None)
            return
        why = outcome.error or "not every row has a result"
        again = results.failed(
            self._journal,
            todo,
            why,
            key=key,
            report=report,
            waited=waited,
            graded=seconds,
            again=outcome.again,
            fault=outcome.fault,
        )
        if again:
            self._queue.append(todo)
            self._notice(self._step(todo, outcome, waited, waiting=True))
        else:
            self._told(todo, outcome, waited)
            for twin in self._twins_of(todo, key):
                self._line_up(twin)

    def _twins_of(self, todo: Todo, key: str) -> list[Todo]:
        """Those that have waited for its report; nobody waits for one that is graded again."""
        return self._twins.pop(key, [])[1:] if todo.queue is Queue.GRADE else []

    def _told(self, todo: Todo, outcome: Outcome | None, waited: float | None = None) -> None:
        self._done += 1
        self._notice(self._step(todo, outcome, waited, waiting=False))

    def _step(
        self, todo: Todo, outcome: Outcome | None, waited: float | None, *, waiting: bool
    ) -> Step:
        return Step(
            done=self._done,
            of=self._of,
            todo=todo,
            waiting=waiting,
            outcome=outcome,
            waited=waited,
        )

    def _see_that_the_lab_is_the_same(self, slug: str, outcome: Outcome) -> None:
        """A report of a lab that somebody edits meanwhile must not count as one of the lab before.

        Raises:
            UsageError: it was changed.
        """
        lab, report = self._labs[slug], outcome.report
        if report is None:
            return
        if {report.fingerprint, report.staff_fingerprint} <= self._fingerprints[slug]:
            return
        try:
            is_the_same = lab_of_class(lab.folder, lab.staff).digest == lab.digest
        except BundleError:
            is_the_same = False
        if not is_the_same:
            raise UsageError(f"{slug} was changed while it was graded: run the command again")


def _fingerprints(lab: LabOfClass) -> set[str | None]:
    return {None, *(fingerprint(part) for part in (lab.folder, lab.staff) if part)}
