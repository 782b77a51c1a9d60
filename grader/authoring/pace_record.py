"""What was measured of a lab's solutions, which limits follow from it, and the files that keep it.

The public `pace.json` (how fast this machine is, what the reference needs) goes with the lab, so
that limits can be scaled; the staff's has every run.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import platform
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from grader.authoring.lab import Lab
from grader.errors import BundleError
from grader.worker.record import write_output

FILE = "pace.json"
NEEDS_TIMES = 3.0
"""A limit is at least so many times what the slowest right solution needs, and at most the so
manieth part of what the fastest too slow one needs."""

LEAST_LIMIT = 1.0
"""CPU seconds. Below that, starting Python counts for more than the program."""

_ROUNDING = 1.01
"""Figures are written with few digits."""

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

    def with_older(self, runs: Iterable[Measured]) -> Record:
        """This record and those runs of an older one whose place nothing has taken yet."""
        made = {(run.digest, run.case) for run in self.runs}
        older = (run for run in runs if (run.digest, run.case) not in made)
        return replace(self, runs=(*self.runs, *older))

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
        fitting = (
            limit
            for limit in (round_limit(slowest), float(math.ceil(least_limit(slowest))))
            if cuts_off(limit, slow)
        )
        proposals.append(
            Proposal(
                group=group.name,
                slowest_right=slowest,
                fastest_too_slow=slow,
                now=group.limits.cpu_seconds,
                proposed=next(fitting, None),
            )
        )
    return proposals


def least_limit(slowest: float) -> float:
    """CPU seconds that leave room for the slowest right solution."""
    return max(LEAST_LIMIT, NEEDS_TIMES * slowest)


def leaves_room(limit: float, slowest: float) -> bool:
    """Whether a limit in CPU seconds does so."""
    return limit >= least_limit(slowest / _ROUNDING)


def cuts_off(limit: float, slow: Measured | None) -> bool:
    """Whether a limit ends the fastest too slow solution, if there is one, early enough."""
    return slow is None or limit * NEEDS_TIMES <= slow.cpu_seconds * _ROUNDING


def round_limit(slowest: float) -> float:
    """The next one above it that people like."""
    return _round_up(least_limit(slowest))


def _round_up(seconds: float) -> float:
    """To a number that people like."""
    unit = 1.0
    while seconds > _STEPS[-1] * unit:
        unit *= 10
    return next(step * unit for step in _STEPS if step * unit >= seconds)


def save(lab: Lab, record: Record) -> tuple[Path, Path]:
    """Write both files; returns their paths.

    Raises:
        UsageError, OutputError: one cannot be written.
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
    path = lab.bundle.path / FILE
    write_output(path, _lines(public).encode())
    return path, save_runs(lab, record)


def save_runs(lab: Lab, record: Record) -> Path:
    """Write the staff's file only, as long as a measurement is not at its end.

    Raises:
        UsageError, OutputError: it cannot be written.
    """
    path = lab.staff / FILE
    write_output(path, _lines(asdict(record)).encode())
    return path


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


def this_machine() -> dict[str, str]:
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
