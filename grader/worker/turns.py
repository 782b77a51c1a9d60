"""What is graded next, when several workers share a grading.

A worker takes the first part that nobody has taken and whose group waits for no other; so the long
ones begin early, and whoever is free first takes what is left.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence

from grader.worker.job import PlannedGroup, Turn


class Turns:
    """The parts of one grading. Any thread may call any method."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._is_planned = False
        self._left: list[tuple[PlannedGroup, tuple[str, ...]]] = []
        self._unsettled: Counter[str] = Counter()
        self._failed: set[str] = set()

    def plan(self, groups: Sequence[PlannedGroup]) -> None:
        """What there is to do, in order. Only the first call counts: all workers tell the same."""
        with self._changed:
            if not self._is_planned:
                self._is_planned = True
                self._left = [(group, part) for group in groups for part in group.parts]
                self._unsettled = Counter(group.name for group, _ in self._left)

    def take(self) -> Turn | None:
        """The next part, as soon as one can begin; None when there is nothing left to take."""
        with self._changed:
            while self._left:
                ready = next((one for one in self._left if self._is_ready(one[0])), None)
                if ready is not None:
                    self._left.remove(ready)
                    group, part = ready
                    passed = tuple(name for name in group.after if name not in self._failed)
                    return Turn(group=group.name, rows=part, passed=passed)
                self._changed.wait()
            return None

    def settle(self, turn: Turn, *, passed: bool) -> None:
        """A part was graded, or lost; what waits for it can begin (or be held back)."""
        with self._changed:
            self._unsettled[turn.group] -= 1
            if not passed:
                self._failed.add(turn.group)
            self._changed.notify_all()

    def close(self) -> None:
        """Nobody takes another part."""
        with self._changed:
            self._is_planned, self._left = True, []
            self._changed.notify_all()

    def _is_ready(self, group: PlannedGroup) -> bool:
        return not any(self._unsettled[name] for name in group.after)
