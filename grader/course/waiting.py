"""What waits to be graded, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Queue(StrEnum):
    """Why a submission waits."""

    GRADE = "grade"
    """An equal one's report would do."""
    AGAIN = "again"
    """Somebody wants it to be graded once more."""
    PROPOSE = "propose"
    """Likewise, but the new report counts only when somebody accepts it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Todo:
    """A submission that waits to be graded, and how: see `Queue`."""

    id: int
    student: str
    problem: str
    digest: str
    queue: Queue
