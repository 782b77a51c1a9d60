"""How long a lab's solutions take, and which limits follow from that: `grader pace`.

    right ones      every case, to the end
    too slow ones   until they have used NEEDS_TIMES² × what the slowest right one needs: a limit
                    fits between when it is NEEDS_TIMES × the right and 1/NEEDS_TIMES of the slow

Two files keep what was measured: the public `pace.json` (how fast this machine is, what the
reference needs) goes with the lab, so that limits can be scaled; the staff's has every run.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from grader.authoring.inputs import generated
from grader.authoring.lab import SCALE, Lab, Program
from grader.errors import BundleError
from grader.model.bundle import Case, TestGroup
from grader.model.execution import Ending, RunRequest, Submission
from grader.sandbox.levels import open_executor
from grader.sandbox.pace import calibrate
from grader.worker.record import write_atomically

FILE = "pace.json"
NEEDS_TIMES = 3.0
"""A limit is at least so many times what the slowest right solution needs, and at most the so
manieth part of what the fastest too slow one needs."""

LEAST_LIMIT = 1.0
"""CPU seconds. Below that, starting Python counts for more than the program."""

_PATIENCE = 600.0
_STEPS = (1, 1.5, 2, 3, 4, 5, 6, 8, 10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One run of a program on a case. `over` when it was ended at `cpu_seconds`, `out_of_memory`
    when the group's memory was too little for it."""

    program: str
    digest: str
    case: str
    stdin_sha256: str
    cpu_seconds: float
    peak_mib: float
    over: bool = False
    out_of_memory: bool = False

    @property
    def group(self) -> str:
        return self.case.partition("/")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Everything measured: where, how fast that machine is, and every run."""

    machine: dict[str, str]
    calibration_seconds: float
    runs: tuple[Measured, ...]

    def slowest_right(self, lab: Lab, group: str) -> float:
        """CPU seconds of the slowest right solution on the slowest case; 0.0 without cases."""
        slow = {program.name for program in lab.too_slow}
        of_group = (run for run in self.runs if run.group == group and run.program not in slow)
        return max((run.cpu_seconds for run in of_group), default=0.0)

    def fastest_too_slow(self, lab: Lab, group: str) -> Measured | None:
        """The longest run of the too slow solution that is fastest; None where there is none.

        One that the memory limit ends is no matter of time.
        """
        longest = []
        for program in lab.too_slow:
            runs = [r for r in self.runs if r.program == program.name and r.group == group]
            if runs and not any(run.out_of_memory for run in runs):
                longest.append(max(runs, key=lambda run: run.cpu_seconds))
        return min(longest, key=lambda run: run.cpu_seconds, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A group's limit as it is, and one that fits; None where none fits."""

    group: str
    slowest_right: float
    fastest_too_slow: Measured | None
    now: float
    proposed: float | None


def measure(
    lab: Lab,
    notice: Callable[[int, int], None] = lambda _done, _all: None,
    known: Record | None = None,
) -> Record:
    """Run everything, one program after another, and nothing else meanwhile.

    Args:
        notice: called with how many runs are done, of how many.
        known: runs of this machine that need not be made again while program and input are the
            same; those of another machine do not count.

    Raises:
        BundleError: a right solution does not end well on a case.
        SandboxError: our own fault.
    """
    cases = [(group, case) for group in lab.bundle.groups for case in group.cases]
    right = (lab.reference, *lab.right)
    count = len(cases) * len(right) + len(lab.too_slow)
    runs: list[Measured] = []
    if known and known.machine != _machine():
        known = None
    calibration = calibrate()
    with _Stopwatch(lab, known.runs if known else ()) as stopwatch:
        for group, case in cases:
            for program in right:
                runs.append(stopwatch.time(program, group, case))
                notice(len(runs), count)
        if known:  # the quieter moment of the two: limits are scaled by it
            calibration = min(calibration, known.calibration_seconds)
        record = Record(machine=_machine(), calibration_seconds=calibration, runs=tuple(runs))
        for program in lab.too_slow:
            runs += stopwatch.time_too_slow(program, record)
            notice(min(len(runs), count), count)
    return replace(record, runs=tuple(runs))


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
            limit = max(group.limits.cpu_seconds, NEEDS_TIMES * slowest, LEAST_LIMIT)
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
        if known and (known.cpu_seconds >= most or not known.over):
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


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def propose(lab: Lab, record: Record) -> list[Proposal]:
    """For each group with cases the limit that fits between right and too slow."""
    proposals = []
    for group in lab.bundle.groups:
        if not group.cases:
            continue
        slowest = record.slowest_right(lab, group.name)
        slow = record.fastest_too_slow(lab, group.name)
        limit = _round_up(max(LEAST_LIMIT, NEEDS_TIMES * slowest))
        fits = slow is None or limit * NEEDS_TIMES <= slow.cpu_seconds * 1.01
        proposals.append(
            Proposal(
                group=group.name,
                slowest_right=slowest,
                fastest_too_slow=slow,
                now=group.limits.cpu_seconds,
                proposed=limit if fits else None,
            )
        )
    return proposals


def _round_up(seconds: float) -> float:
    """To a number that people like."""
    unit = 1.0
    while seconds > _STEPS[-1] * unit:
        unit *= 10
    return next(step * unit for step in _STEPS if step * unit >= seconds)


def save(lab: Lab, record: Record) -> tuple[Path, Path]:
    """Write both files; returns their paths.

    Raises:
        OSError: one cannot be written.
    """
    reference = {
        group.name: max(run.cpu_seconds for run in record.runs if _is(run, lab, group.name))
        for group in lab.bundle.groups
        if any(_is(run, lab, group.name) for run in record.runs)
    }
    public = {
        "calibration_seconds": round(record.calibration_seconds, 5),
        "reference_cpu_seconds": reference,
    }
    paths = lab.bundle.path / FILE, lab.staff / FILE
    for path, content in zip(paths, (public, asdict(record)), strict=True):
        write_atomically(path, _lines(content).encode())
    return paths


def _is(run: Measured, lab: Lab, group: str) -> bool:
    return run.program == lab.reference.name and run.group == group


def _lines(content: dict[str, Any]) -> str:
    """JSON with a line for each run, so that a diff of two measurements can be read."""
    runs = content.pop("runs", None)
    text = json.dumps(content, indent=2, ensure_ascii=False)
    if runs is not None:
        rows = ",\n".join(f"    {json.dumps(run)}" for run in runs)
        text = text.removesuffix("\n}") + f',\n  "runs": [\n{rows}\n  ]\n}}'
    return text + "\n"


def read_record(staff: Path) -> Record | None:
    """The staff's record; None where nothing was measured.

    Raises:
        BundleError: it cannot be read, or is no record.
    """
    path = staff / FILE
    try:
        content = json.loads(path.read_bytes())
        runs = tuple(Measured(**run) for run in content.pop("runs"))
        record = Record(**content, runs=runs)
        return msgspec.convert(asdict(record), Record)  # of the right types, too
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BundleError(path, "", f"cannot be read: {error.strerror}") from error
    except (ValueError, TypeError, KeyError, AttributeError, msgspec.ValidationError) as error:
        raise BundleError(path, "", f"is not what `grader pace --write` writes: {error}") from error


def _machine() -> dict[str, str]:
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
