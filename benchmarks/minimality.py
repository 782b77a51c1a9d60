"""Are the inputs that students are shown the smallest? Every wrong solution, and every step down.

    python benchmarks/minimality.py [--lab top_p_sets] [--every 1] [--jobs 2]

Grades each wrong solution (without `scale`) and takes the counterexample of the drawn row that its
report shows first, and of every other drawn row that fails. Then it takes every step down from that
input: leave out one list element or one field, halve one integer, drop one digit. An input is
minimal when no step that is still legal fails the same row in the same way. Legal is what the
reference answers and the input schema admits; in `failure`, what it refuses with the same code.
A solution that no drawn row catches does not count.

Exit status 1 where fewer than 90 % of the wrong solutions are shown a minimal input first.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from machine import describe

from grader.authoring.lab import Lab, Program, open_lab
from grader.bundles.schemas import strict, strict_for_answers
from grader.judging.drawing import Drawn
from grader.judging.examine import Examiner
from grader.judging.polish import shorter
from grader.judging.runs import Runs
from grader.model.execution import Limits, Submission
from grader.model.report import CaseResult, CheckResult, Replay
from grader.report.failure import most_helpful
from grader.sandbox.levels import open_executor
from grader.worker.job import Job, Task
from grader.worker.record import stdin_of
from grader.worker.run import Grading

ROOT = Path(__file__).parent.parent
ENOUGH = 0.9
LIMITS = Limits(wall_seconds=5.0, cpu_seconds=2.0, memory_bytes=512 << 20, output_bytes=1 << 20)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A failing row, its input, and a step down that fails, too (None when it is minimal)."""

    row: str
    given: str
    smaller: str | None


class Judge:
    """Knows which inputs of a lab are legal."""

    def __init__(self, lab: Lab) -> None:
        reference = Submission(name=lab.bundle.file_name, source=lab.reference.source)
        self._lock = threading.Lock()
        self.executor = open_executor(reference).executor
        runs = Runs(self.executor, reference, LIMITS)
        schema = strict_for_answers(lab.bundle.output_schema)
        self._examiner = Examiner(runs, runs, schema, strict(lab.bundle.input_schema))

    def legal(self, an_input: Drawn) -> bool:
        with self._lock:
            return self._examiner.is_legal(an_input)


def job(lab: Lab, program: Program) -> Job:
    return Job(
        problem=str(lab.bundle.path),
        staff=str(lab.staff),
        name=lab.bundle.file_name,
        source=program.source,
        groups=lab.quick_groups,
    )


def examined(lab: Lab, judge: Judge, program: Program) -> list[Shown]:
    """The drawn rows that a program fails, the most helpful one first."""
    cases = {f"{group.name}/{case.name}" for group in lab.bundle.groups for case in group.cases}
    rows = [r for r in Grading(job=job(lab, program)).rows() if r.counterexample]
    drawn = [row for row in rows if row.id not in cases]
    first = most_helpful(drawn, 1)
    ordered = [*first, *(row for row in drawn if row not in first)]
    return [shown(lab, program, judge, row) for row in ordered]


def shown(lab: Lab, program: Program, judge: Judge, row: CaseResult) -> Shown:
    assert row.counterexample is not None
    stdin, due = stdin_of(row.counterexample), row.counterexample.expects
    smaller = tuple(one.stdin for one in steps_down(stdin, due) if judge.legal(one))
    again = replayed(lab, program, Replay(row=row.id, inputs=tuple((t, due) for t in smaller)))
    kinds = [again, *again.also] if smaller else []
    failing = [c.counterexample.given for c in kinds if c.counterexample and same(c, row)]
    return Shown(
        row=row.id,
        given=stdin.decode(errors="backslashreplace"),
        smaller=min(failing, default=None),
    )


def same(one: CaseResult | CheckResult, other: CaseResult) -> bool:
    return one.verdict is other.verdict


def steps_down(stdin: bytes, due: str | None) -> Iterable[Drawn]:
    """The inputs one step down from this one; none where it is no JSON."""
    try:
        given = json.loads(stdin)
    except ValueError:
        return ()
    found = shorter(Drawn(stdin=stdin, given=given, due=due))
    return {one.stdin: one for one in found}.values()


def replayed(lab: Lab, program: Program, wanted: Replay) -> CaseResult:
    grading = Grading(job=replace(job(lab, program), task=Task.REPLAY, replay=wanted))
    return next(iter(list(grading.rows())))


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--lab", action="append")
    arguments.add_argument("--only", help="one wrong solution")
    arguments.add_argument("--every", type=int, default=1, help="one wrong solution of so many")
    arguments.add_argument("--jobs", type=int, default=2)
    options = arguments.parse_args()
    slugs = options.lab or sorted(p.parent.name for p in ROOT.glob("problems/*/problem.toml"))
    print(describe())
    minimal = of = rows_minimal = rows = 0
    for slug in slugs:
        lab = open_lab(ROOT / "problems" / slug, ROOT / "solutions" / slug)
        judge = Judge(lab)
        programs = [p for p in lab.wrong if p not in lab.too_slow]
        if options.only:
            programs = [program for program in programs if program.stem == options.only]
        programs = programs[:: options.every]
        with ThreadPoolExecutor(options.jobs) as pool, judge.executor:
            found = pool.map(partial(examined, lab, judge), programs)
            for program, seen in zip(programs, found, strict=True):
                tell(slug, program, seen)
                rows += len(seen)
                rows_minimal += sum(one.smaller is None for one in seen)
                of += bool(seen)
                minimal += bool(seen) and seen[0].smaller is None
    print(f"first shown: {minimal} of {of} minimal; all drawn rows: {rows_minimal} of {rows}")
    return 0 if minimal >= ENOUGH * of else 1


def tell(slug: str, program: Program, seen: list[Shown]) -> None:
    if not seen:
        print(f"{slug} {program.stem}: no drawn row", flush=True)
    for place, one in enumerate(seen):
        if one.smaller is not None:
            first = "shown first" if place == 0 else "further"
            print(f"{slug} {program.stem} {one.row} ({first}):", flush=True)
            print(f"    {one.given.strip()}\n    {one.smaller.strip()}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
