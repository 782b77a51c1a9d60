"""A failing row in full: what must hold, the input that shows it does not, and how to run it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from rich.console import RenderableType
from rich.text import Text

from grader.model.report import CaseResult, Counterexample, Exchange
from grader.model.verdict import Verdict
from grader.report.screen import Screen, style_of
from grader.report.shown import cut
from grader.report.timing import told

_MOST_INPUT = 1_000
_MOST_OUTPUT = 600
_MOST_DETAIL = 500
_MOST_EXPECTED = 600
_MOST_COMPARED = 2
_SMALL_INPUT = 300
"""Inputs of a few lines are equally easy to read; among them the lab's order decides."""

_STDERR_LINES = 5


def most_helpful(rows: Iterable[CaseResult], most: int) -> tuple[CaseResult, ...]:
    """The failures from which most is learnt, the first one first.

    A wrong answer on a small input can be worked out by hand, a time-out cannot. A kind of
    failure in a group is shown once before any is repeated, and never twice with one reason.
    """
    shown = [row for row in rows if row.verdict.is_failure and row.counterexample]
    fresh: list[CaseResult] = []
    repeated: list[CaseResult] = []
    kinds: set[tuple[str, Verdict]] = set()
    reasons: set[tuple[Verdict, str]] = set()
    for row in sorted(shown, key=_badness):
        if (row.verdict, row.detail) in reasons:
            continue
        (repeated if (row.group, row.verdict) in kinds else fresh).append(row)
        kinds.add((row.group, row.verdict))
        reasons.add((row.verdict, row.detail))
    return tuple((fresh + repeated)[:most])


def _badness(row: CaseResult) -> tuple[int, bool, int]:
    """A property says what must hold, where a fixed case only says that something else is due."""
    found = row.counterexample
    size = len(found.given) if found else 0
    is_fixed = found is not None and found.expected is not None
    return tuple(Verdict).index(row.verdict), is_fixed, size // _SMALL_INPUT


def in_full(row: CaseResult, screen: Screen, again: str) -> Iterator[RenderableType]:
    """Everything that a student needs to see this failure and to see it again."""
    words = screen.words
    verdict = screen.span(words.verdicts[row.verdict], style_of(row.verdict))
    yield Text(" ").join([screen.mark(row.verdict), screen.span(f"{row.id}:", "bold"), verdict])
    if row.sentence:
        yield screen.field(words.must_hold, screen.sentence(row.sentence))
    if row.counterexample:
        yield from _run(row.verdict, row.counterexample.exchanges[-1:], screen)
    if row.detail:
        yield screen.field(words.because, screen.excerpt(row.detail, _MOST_DETAIL), "yellow")
    if row.timing:
        yield screen.field(words.time, told(row.timing, words))
    if row.counterexample:
        yield from _beside(row.counterexample, screen)
    for other in row.also:
        failure = f"{words.verdicts[other.verdict]}: {other.detail}"
        yield screen.field(words.also, screen.excerpt(failure, _MOST_DETAIL))
    yield screen.literal(words.again, again, "cyan")


def _run(verdict: Verdict, last: tuple[Exchange, ...], screen: Screen) -> Iterator[RenderableType]:
    for run in last:
        yield screen.literal(screen.words.input, _input(run, screen))
        yield screen.literal(screen.words.printed, screen.excerpt(run.stdout, _MOST_OUTPUT))
        if run.stderr.strip() and (verdict is Verdict.CRASHED or not run.stdout.strip()):
            lines = run.stderr.rstrip().split("\n")[-_STDERR_LINES:]
            ending = screen.excerpt("\n".join(lines), _MOST_OUTPUT)
            yield screen.literal(screen.words.stderr, ending)


def _input(run: Exchange, screen: Screen) -> str:
    if run.generator is None:
        return screen.excerpt(run.stdin, _MOST_INPUT)
    made = screen.words.generated.format(generator=run.generator, seed=run.seed)
    return f"{made}\n{screen.excerpt(run.stdin, _MOST_EXPECTED)}"


def _beside(found: Counterexample, screen: Screen) -> Iterator[RenderableType]:
    """What was expected, what the run was compared with, and what to know of the input."""
    words = screen.words
    if found.expects is not None:
        refusal = json.dumps({"ok": False, "error": found.expects}, ensure_ascii=False)
        yield screen.literal(words.expected, refusal)
    elif found.expected is not None:
        yield screen.literal(words.expected, cut(found.expected, _MOST_EXPECTED, words.left_out))
    for run in found.exchanges[:-1][:_MOST_COMPARED]:
        if run.stdin != found.given:  # else the program was run twice on one input
            yield screen.literal(words.compared, _input(run, screen))
        yield screen.literal(words.it_printed, screen.excerpt(run.stdout, _MOST_OUTPUT))
    if not found.fully_shrunk:
        yield screen.field(words.note, words.not_shrunk)
    if any(run.stdin_base64 is not None for run in found.exchanges[-1:]):
        yield screen.field(words.note, words.not_utf8)
