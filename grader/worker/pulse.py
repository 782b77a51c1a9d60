"""A sign of life while a program runs: on a loaded machine a run may take long, a check may not.

    worker   run ─────────────────────► judge, check ──► run ───────
    parent   ◄ Progress  ◄ Progress     silence          ◄ Progress

So the parent need not wait longer for a check that hangs because runs may take longer.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from grader.model.execution import Executor, RunOutcome, RunRequest, begin

BEAT_SECONDS = 10.0
"""Well below the silence after which a parent gives a worker up."""


class Pulse:
    """An executor that tells now and then that it is still running a program. Use it in a `with`.

    Args:
        executor: runs the programs.
        notice: called with a group's name and its runs so far; again with the same while a program
            runs.
        group: the one that comes first.
    """

    def __init__(
        self,
        executor: Executor,
        notice: Callable[[str, int], None],
        group: str,
        beat_seconds: float = BEAT_SECONDS,
    ) -> None:
        self._executor, self._notice, self._beat_seconds = executor, notice, beat_seconds
        self._latest = group, 0
        self._running = False
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._go_on, daemon=True)

    def run(self, request: RunRequest) -> RunOutcome:
        """Run once; see `model.execution.Executor`."""
        return self.begin(request)()

    def begin(self, request: RunRequest) -> Callable[[], RunOutcome]:
        """Begin a run; see `model.execution.RunsAhead`."""
        finish = begin(self._executor, request)

        def wait() -> RunOutcome:
            self._running = True
            try:
                return finish()
            finally:
                self._running = False

        return wait

    def notice(self, group: str, runs: int) -> None:
        """Pass it on, and remember it."""
        self._latest = group, runs
        self._notice(group, runs)

    def beat(self) -> None:
        """Tell that a program is running, if one is."""
        if self._running:
            self._notice(*self._latest)

    def _go_on(self) -> None:
        while not self._over.wait(self._beat_seconds):
            self.beat()

    def __enter__(self) -> Pulse:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
