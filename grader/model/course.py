"""A class: who handed in what for which lab, and what has become of it.

Where a submission stands (`State`) and whether it is right (`Verdict`) are never mixed up.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from grader.model.report import GradeReport


class State(StrEnum):
    """Where a submission stands."""

    WAITING = "waiting"
    DONE = "done"
    JUDGE_ERROR = "judge_error"
    """Given up: its grading failed three times, and that was not the program's fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitted:
    """A file that was handed in: by whom, for which lab, and its bytes as they were read.

    `path` says where it was found, relative to the folder or archive that was given (an entry of
    an archive as `archive.zip!/entry`). `submitted_at` is ISO 8601 in UTC, None where nothing
    tells it. `name` and `email` are what an export of a course system says of the student.
    """

    student: str
    problem: str
    path: str
    source: bytes
    submitted_at: str | None = None
    name: str = ""
    email: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """Points that a person gave by hand, who that was and why; `at` is ISO 8601 in UTC."""

    points: float
    author: str
    reason: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of a class's table: a submission and the one report that counts.

    `report` is staff's view; exports that students can see take `report.for_students()`.
    Times are seconds of wall clock: `waited_seconds` from the start of the run (or from being
    queued again) to the start of the grading that counts, `graded_seconds` that grading alone;
    None where nothing was measured. `error` says why there is no complete report, and `fault` whose
    matter that is: `grader` or `author`. `submitted_at` and `graded_at` are ISO 8601 in UTC.
    """

    student: str
    problem: str
    path: str
    digest: str
    state: State
    tries: int = 0
    error: str = ""
    fault: str = ""
    name: str = ""
    email: str = ""
    submitted_at: str | None = None
    graded_at: str | None = None
    waited_seconds: float | None = None
    graded_seconds: float | None = None
    report: GradeReport | None = None
    override: Override | None = None

    @property
    def is_final(self) -> bool:
        """Whether its points may be published: given by hand, or every row has a result."""
        return self.points is not None

    @property
    def points(self) -> float | None:
        """Points that count, of 100; None while there is no final score."""
        if self.override is not None:
            return self.override.points
        if self.report is not None and self.report.graded_completely:
            return self.report.points
        return None
