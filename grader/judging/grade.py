"""The walk: a submission against a lab, row by row. Read this first.

    for every group, and every part of it, in order
        skip it, if a group that it comes after has not passed
        run every fixed case and compare                              (judging.fixed)
        draw inputs, look at every row on each, shrink what fails     (judging.search, .drawn)
        yield one CaseResult per row

The generator runs programs through an `Executor` and does nothing else to the world.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass

from grader.bundles.properties import REFUSING_GROUP, Properties
from grader.bundles.schemas import strict, strict_for_answers
from grader.judging.drawn import grade_drawn
from grader.judging.examine import Examiner
from grader.judging.fixed import grade_cases
from grader.judging.remembered import Remembered
from grader.judging.results import skipped
from grader.judging.rows import Row
from grader.judging.runs import Runs
from grader.judging.search import Search
from grader.model.bundle import Bundle, TestGroup
from grader.model.execution import Executor, Submission
from grader.model.report import CaseResult
from grader.model.verdict import Verdict, worst

Notice = Callable[[str, int], None]
"""Called with a group's name and the number of its runs so far."""

SPARING_EXAMPLES, SPARING_REFUSALS = 40, 120
"""At level weak; the untouched starter is through in twenty seconds."""

_STOPPED = "not run: without the sandbox a group ends at its first failure"
_TOO_LATE = "not run: a group ends after three time-outs (is there an endless loop?)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """Everything that a grading needs, and nothing that changes.

    `groups` limits the walk to some groups. `sparing` is for level weak, where a run costs ten
    times as much: fewer inputs are drawn, and a group ends at its first failing row. Without
    `shrink` a failure is shown on the smallest input drawn: enough for those who only want to know
    whether a program is caught. `shared` has what the reference gave in other gradings.
    """

    bundle: Bundle
    properties: Properties
    plan: dict[str, tuple[Row, ...]]
    submission: Submission
    executor: Executor
    seed: int
    examples: int | None = None
    groups: tuple[str, ...] = ()
    sparing: bool = False
    shrink: bool = True
    shared: Remembered | None = None


def grade(walk: Walk, notice: Notice = lambda _group, _runs: None) -> Iterator[CaseResult]:
    """Every row's result, as soon as it is known. The rows' order is that of the plan."""
    passed: set[str] = set()
    for group in chosen(walk):
        verdicts = []
        for part in parts(walk, group):
            for result in grade_part(walk, group, part, passed, notice):
                verdicts.append(result.verdict)
                yield result
        if worst(verdicts) is Verdict.ACCEPTED:
            passed.add(group.name)


def chosen(walk: Walk) -> tuple[TestGroup, ...]:
    """The groups to grade, in order."""
    return tuple(g for g in walk.bundle.groups if not walk.groups or g.name in walk.groups)


def holds_up(walk: Walk, group: TestGroup) -> tuple[str, ...]:
    """The groups that have to pass first. One that was not chosen holds nothing up."""
    names = {other.name for other in chosen(walk)}
    return tuple(name for name in group.after_groups if name in names)


def parts(walk: Walk, group: TestGroup) -> tuple[tuple[Row, ...], ...]:
    """A group's rows: each large case alone, and all others together.

    Parts know nothing of one another, but which groups have passed: who grades them, and in which
    order, changes no result.
    """
    rows = walk.plan[group.name]
    if walk.sparing:
        return (rows,)
    small = tuple(row for row in rows if not row.is_large)
    large = tuple((row,) for row in rows if row.is_large)
    return (small, *large) if small else large


def grade_part(
    walk: Walk,
    group: TestGroup,
    rows: tuple[Row, ...],
    passed: Container[str],
    notice: Notice = lambda _group, _runs: None,
) -> Iterator[CaseResult]:
    """The results of some rows of a group."""
    waiting = [name for name in holds_up(walk, group) if name not in passed]
    why = f"not run: {waiting[0]} has to pass first" if waiting else ""
    runs = Runs(
        walk.executor, walk.submission, group.limits, lambda count: notice(group.name, count)
    )
    reference = walk.bundle.reference
    reference_runs = (
        Runs(walk.executor, reference, group.limits, shared=walk.shared) if reference else None
    )
    schema = strict_for_answers(walk.bundle.output_schema)
    cases = [] if why else [(row, row.case) for row in rows if row.case]
    known = set()
    for result in grade_cases(cases, walk.bundle, runs, reference_runs, schema):
        known.add(result.id)
        yield result
        if walk.sparing and result.verdict.is_failure:
            why = _STOPPED
        elif runs.too_late:
            why = _TOO_LATE
        if why:
            break
    left = tuple(row for row in rows if row.id not in known)
    if why:
        yield from (skipped(row, why) for row in left)
    elif left:
        yield from grade_drawn(
            Search(
                group=group.name,
                strategy=walk.properties.strategies[group.name],
                rows=left,
                examiner=Examiner(runs, reference_runs, schema, strict(walk.bundle.input_schema)),
                seed=group_seed(walk, group.name),
                examples=examples_of(walk, group),
            ),
            shrink=walk.shrink,
        )


def examples_of(walk: Walk, group: TestGroup) -> int:
    """How many inputs to draw. The failure group shares them between all codes of refusal."""
    if walk.examples is not None:
        return walk.examples
    few = SPARING_REFUSALS if group.name == REFUSING_GROUP else SPARING_EXAMPLES
    return min(few, group.examples) if walk.sparing else group.examples


def group_seed(walk: Walk, group: str) -> int:
    """From the slug, the digest of properties.py, the group and the seed: nothing else.

    A typo mended in a statement must not draw other inputs for the second half of a class.
    """
    text = f"{walk.bundle.slug}\0{walk.properties.digest}\0{group}\0{walk.seed}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
