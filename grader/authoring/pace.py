"""How long a lab's solutions take: `grader pace`.

right ones      every case, to the end
too slow ones   until they have used NEEDS_TIMES × a limit that would suit the right ones: it fits
                between when it is NEEDS_TIMES × the right and 1/NEEDS_TIMES of the slow
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from grader.authoring.inputs import generated
from grader.authoring.lab import SCALE, Lab, Program
from grader.authoring.pace_record import (
    NEEDS_TIMES,
    Measured,
    Record,
    digest,
    round_limit,
    this_machine,
)
from grader.errors import BundleError
from grader.model.bundle import Case, TestGroup
from grader.model.execution import Ending, RunRequest, Submission
from grader.sandbox.levels import open_executor
from grader.sandbox.pace import calibrate

_PATIENCE = 600.0


def measure(
    lab: Lab,
    notice: Callable[[int, int], None] = lambda _done, _all: None,
    known: Record | None = None,
    keep: Callable[[Record], object] = lambda _record: None,
) -> Record:
    """Run everything, one program after another, and nothing else meanwhile.

    Args:
        notice: called with how many runs are done, of how many.
        known: runs of this machine that need not be made again while program and input are the
            same; those of another machine do not count.
        keep: called after each run with all that is known by then, so that an interrupted
            measurement can go on where it was.

    Raises:
        BundleError: a right solution does not end well on a case.
        SandboxError: our own fault.
    """
    cases = [(group, case) for group in lab.bundle.groups for case in group.cases]
    right = (lab.reference, *lab.right)
    count = len(cases) * len(right) + len(lab.too_slow)
    record = Record(machine=this_machine(), calibration_seconds=calibrate(), runs=())
    before = known.runs if known and known.machine == record.machine else ()
    if known and before:  # the quieter moment of the two: limits are scaled by it
        quieter = min(record.calibration_seconds, known.calibration_seconds)
        record = replace(record, calibration_seconds=quieter)

    def add(run: Measured) -> None:
        nonlocal record
        record = replace(record, runs=(*record.runs, run))
        keep(record.with_older(before))
        notice(min(len(record.runs), count), count)

    with _Stopwatch(lab, before) as stopwatch:
        for group, case in cases:
            for program in right:
                add(stopwatch.time(program, group, case))
        of_right = record
        for program in lab.too_slow:
            for run in stopwatch.time_too_slow(program, of_right):
                add(run)
    return record


class _Stopwatch:
    """Times programs on cases; remembers the large inputs, and what is known already."""

    def __init__(self, lab: Lab, known: Iterable[Measured]) -> None:
        self._lab, self._generated = lab, dict[str, bytes]()
        self._known = {(run.digest, run.case, run.stdin_sha256): run for run in known}
        opened = open_executor(_submission(lab, lab.reference))
        self._opened, self._executor = opened, opened.executor.once

    def __enter__(self) -> _Stopwatch:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.executor.close()

    def time(self, program: Program, group: TestGroup, case: Case) -> Measured:
        most = max(_PATIENCE, group.limits.cpu_seconds)
        run, trouble = self._run(program, group, case, most)
        if trouble or run.over:
            why = trouble or f"does not end within {most:g} s"
            raise BundleError(self._lab.staff / program.name, run.case, why)
        return run

    def time_too_slow(self, program: Program, record: Record) -> Iterator[Measured]:
        """Its runs on the cases of `scale`, up to the first that is over."""
        for group in self._lab.bundle.groups:
            if group.name != SCALE:
                continue
            slowest = record.slowest_right(self._lab, group.name)
            limit = max(group.limits.cpu_seconds, round_limit(slowest))
            for case in group.cases:
                run, _ = self._run(program, group, case, NEEDS_TIMES * limit)
                yield run
                if run.over or run.out_of_memory:
                    return

    def _run(
        self, program: Program, group: TestGroup, case: Case, most: float
    ) -> tuple[Measured, str]:
        name, stdin = f"{group.name}/{case.name}", self._stdin(case)
        known = self._known.get((digest(program.source), name, digest(stdin)))
        if known and not known.out_of_memory and (known.cpu_seconds >= most or not known.over):
            return replace(known, program=program.name), ""
        limits = replace(group.limits, cpu_seconds=most, wall_seconds=8 * most)
        request = RunRequest(submission=_submission(self._lab, program), stdin=stdin, limits=limits)
        outcome = self._executor.run(request)
        over = outcome.ending is Ending.OVER_TIME
        bad = not over and (outcome.ending is not Ending.EXITED or outcome.status != 0)
        measured = Measured(
            program=program.name,
            digest=digest(program.source),
            case=name,
            stdin_sha256=digest(stdin),
            cpu_seconds=round(outcome.usage.cpu_seconds, 4),
            peak_mib=round(outcome.usage.peak_memory_bytes / 2**20, 1),
            over=over,
            out_of_memory=outcome.ending is Ending.OVER_MEMORY,
        )
        return measured, f"ended badly: {outcome.ending}, status {outcome.status}" if bad else ""

    def _stdin(self, case: Case) -> bytes:
        if case.stdin is not None:
            return case.stdin
        if case.name not in self._generated:
            self._generated[case.name] = generated(
                self._lab.bundle.path, case.generator or "", case.seed, self._executor
            )
        return self._generated[case.name]


def _submission(lab: Lab, program: Program) -> Submission:
    return Submission(name=lab.bundle.file_name, source=program.source)
