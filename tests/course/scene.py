"""A class for tests: submissions, an engine that is a plain function, and reports without times."""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from grader.course import store
from grader.course.drive import Drive, Step
from grader.course.engines.engine import Order, Outcome
from grader.course.intake import take_in
from grader.course.journal import Journal, writing
from grader.course.key import LabOfClass, Setting, lab_of_class, result_key
from grader.course.table import reading
from grader.model.course import Entry, Submitted
from grader.model.report import GradedFile, GradeReport
from grader.model.verdict import Verdict
from tests.conftest import LABS
from tests.report.reports import report, row

DOUBLE = lab_of_class(LABS / "problems" / "double", LABS / "solutions" / "double")
SETTING = Setting()
Grade = Callable[[Order], GradeReport | Outcome]


def clock() -> str:
    return "2026-11-30T12:00:00Z"


def handed_in(student: str, source: str = "", problem: str = "double", **more: Any) -> Submitted:
    content = (source or f"# {student}").encode()
    path = f"{student}/{problem}.py"
    return Submitted(student=student, problem=problem, path=path, source=content, **more)


def graded(order: Order, *, ok: bool = True) -> GradeReport:
    """The report of an order, which depends on the submission alone."""
    digest = hashlib.sha256(order.job.source).hexdigest()
    verdict = Verdict.ACCEPTED if ok else Verdict.WRONG_ANSWER
    return report(
        row("normal/answers", verdict),
        problem="double",
        fingerprint=_FINGERPRINTS[0],
        staff_fingerprint=_FINGERPRINTS[1],
        submission=GradedFile(name="double.py", digest=f"sha256:{digest}"),
    )


def _fingerprints() -> list[str]:
    from grader.bundles.files import fingerprint

    assert DOUBLE.staff
    return [fingerprint(DOUBLE.folder), fingerprint(DOUBLE.staff)]


_FINGERPRINTS = _fingerprints()


class FakeEngine:
    """Grades with a plain function; what was begun last ends first, so that order shows."""

    def __init__(self, grade: Grade = graded, slots: int = 2) -> None:
        self._grade, self.slots = grade, slots
        self._orders: list[Order] = []
        self.begun: list[str] = []

    def begin(self, order: Order) -> None:
        assert len(self._orders) < self.slots, "more than there are slots"
        self._orders.append(order)
        self.begun.append(order.job.source.decode())

    def next(self) -> Outcome:
        order = self._orders.pop()
        result = self._grade(order)
        if isinstance(result, Outcome):
            return result
        return Outcome(id=order.id, seconds=1.5, report=result)

    def __enter__(self) -> FakeEngine:
        return self

    def __exit__(self, *_: object) -> None:
        pass


@contextlib.contextmanager
def journal_of(folder: Path, *submitted: Submitted, lab: LabOfClass = DOUBLE) -> Iterator[Journal]:
    """A journal into which these were taken."""
    with writing(folder, clock, create=True) as journal:
        journal.set_up(SETTING)
        journal.recover()
        take_in(journal, submitted, lambda _, digest: result_key(digest, lab, SETTING))
        yield journal


def drive(journal: Journal, engine: FakeEngine, lab: LabOfClass = DOUBLE) -> list[Step]:
    """Grade what waits; every step."""
    steps: list[Step] = []
    Drive(journal, engine, {"double": lab}, SETTING, steps.append).run()
    return steps


def table(folder: Path) -> dict[str, Entry]:
    """The lines by student."""
    with reading(folder) as found:
        return {entry.student: entry for entry in found.entries()}


def count(folder: Path, what: str) -> int:
    """How many rows a table of the journal has."""
    with contextlib.closing(sqlite3.connect(folder / store.FILE)) as database:
        found: int = database.execute(f"SELECT count(*) FROM {what}").fetchone()[0]
        return found


def without_times(report: GradeReport | None) -> str:
    """A report as text, but for what differs between two gradings of the same."""
    assert report is not None
    from grader.report.to_json import to_json

    def strip(value: Any) -> Any:
        if isinstance(value, dict):
            times = ("usage", "timing", "started_at")
            return {key: strip(inner) for key, inner in value.items() if key not in times}
        return [strip(inner) for inner in value] if isinstance(value, list) else value

    return json.dumps(strip(json.loads(to_json(report))), sort_keys=True)
