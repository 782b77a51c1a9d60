"""Consoles, and what is shown while a grading goes on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console

from grader.model.report import CaseResult
from grader.model.verdict import Verdict
from grader.report.screen import Screen
from grader.report.to_terminal import row_line

if TYPE_CHECKING:
    from grader.worker.run import Grading


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Called where nobody reads any more: it would end with status 1, see `cli.lazy`."""
        raise


def console(*, error: bool = False) -> Console:
    """A console on stdout or stderr; plain where that is no terminal or NO_COLOR is set."""
    stream = sys.stderr if error else sys.stdout
    return _Console(file=stream, highlight=False, markup=False, emoji=False, soft_wrap=False)


@contextmanager
def watching(grading: Grading) -> Iterator[Console]:
    """A console on stderr; on a terminal a line in it moves with every run."""
    shown = console(error=True)
    if not shown.is_terminal:
        yield shown
        return
    at_work: dict[str, int] = {}

    def tell(group: str, runs: int) -> None:
        at_work[group] = runs
        status.update(f"{group}: {sum(at_work.values()):,} runs")

    with shown.status("…") as status:
        grading.on_progress = tell
        yield shown


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None]]:
    """Tells on stderr how many are done: a moving line on a terminal, else every tenth."""
    shown = console(error=True)
    if shown.is_terminal:
        with shown.status("…") as status:
            yield lambda done, of: status.update(f"{done} of {of} {what}")
        return
    told = [0]

    def tell(done: int, of: int) -> None:
        tenth = 10 * done // max(1, of)
        if tenth > told[0]:
            told[0] = tenth
            shown.print(f"{done} of {of} {what}")

    yield tell


class Ticker:
    """Prints rows as they come: every one, or only the first failure of each group."""

    def __init__(self, shown: Console, lang: str, *, every_row: bool) -> None:
        self._shown, self._every_row = shown, every_row
        self._screen = Screen.of(shown, lang=lang)
        self._told: set[str] = set()

    def tell(self, row: CaseResult) -> None:
        fails = row.verdict not in (Verdict.ACCEPTED, Verdict.SKIPPED)
        if self._every_row or (fails and row.group not in self._told):
            self._told.add(row.group)
            self._shown.print(row_line(row, self._screen))
