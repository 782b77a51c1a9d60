"""Run one row's saved counterexamples again, with all their exchanges, and apply the row again."""

from __future__ import annotations

import json
from dataclasses import replace

from grader.bundles.schemas import strict_for_answers
from grader.errors import SandboxError, UsageError
from grader.judging.author import AuthorFault
from grader.judging.drawing import Drawn
from grader.judging.drawn import drawn_counterexample
from grader.judging.examine import Examiner
from grader.judging.grade import Walk, grade
from grader.judging.results import failed, graded, judge_error, unstable
from grader.judging.rows import Row
from grader.judging.runs import Runs, same_result
from grader.model.report import CaseResult, CheckResult, Replay


def replay(walk: Walk, wanted: Replay) -> CaseResult:
    """The row's result on these inputs alone; a fixed case is simply graded again.

    Raises:
        UsageError: the lab has no such row (any more).
    """
    group = wanted.row.partition("/")[0]
    rows = [row for row in walk.plan.get(group, ()) if row.id == wanted.row]
    if not rows:
        raise UsageError(f"{walk.bundle.slug} has no row {wanted.row!r} here; grade again")
    if rows[0].case:
        alone = replace(walk, plan={**walk.plan, group: (rows[0],)}, groups=(group,))
        return next(iter(grade(alone)))
    return _look(walk, group, rows[0], wanted)


def _look(walk: Walk, group: str, row: Row, wanted: Replay) -> CaseResult:
    limits = next(g.limits for g in walk.bundle.groups if g.name == group)
    runs = Runs(walk.executor, walk.submission, limits)
    reference = walk.bundle.reference
    others = Runs(walk.executor, reference, limits) if reference else None
    examiner = Examiner(runs, others, strict_for_answers(walk.bundle.output_schema))
    failures: list[CheckResult] = []
    try:
        for stdin, due in wanted.inputs:
            an_input = Drawn(stdin=stdin, given=_value(stdin), due=due)
            failures += _failures(examiner, row, an_input)
    except SandboxError as error:
        return judge_error(row, "grader", str(error))
    except AuthorFault as fault:
        return judge_error(row, "author", fault.detail, fault.trace)
    return graded(row, failures, runs.usage)


def _failures(examiner: Examiner, row: Row, an_input: Drawn) -> list[CheckResult]:
    first = examiner.runs.run(an_input.stdin)
    second = examiner.runs.again(an_input.stdin)
    if not same_result(first, second):
        return [unstable(an_input.stdin, an_input.due, first, second, examiner.runs.count)]
    finding = examiner.finding(row, examiner.look(an_input))
    if finding is None:
        return []
    shown = drawn_counterexample(examiner, an_input, finding, fully_shrunk=True)
    return [failed(finding.fault, shown)]


def _value(stdin: bytes) -> object:
    try:
        return json.loads(stdin)
    except ValueError:
        return None  # an input that must be refused; only checks of legal inputs look at it
