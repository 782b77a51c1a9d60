"""Does a busy machine change a verdict? Right solutions, graded while other work has the cores.

    python benchmarks/fairness.py [--gradings 200] [--jobs 1] [--examples 100] [--lab top_p_sets]

Starts two busy loops per core, grades the reference and the other right solutions of every lab in
turn, rows of the staff included, and compares all reports of a program byte for byte but for
times. With several jobs, gradings compete with one another as well as with the loops.

To be through sooner, fewer inputs are drawn than in a real grading, and only every tenth grading
has the group `scale`, whose cases take most of the time. Fewer than 100 inputs are too few for
some codes of refusal, and their rows would be skipped. Allow 15 to 50 s a grading
and job.

Exit status 1 unless every report is accepted and all of a program are equal.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from machine import describe

from grader.bundles.load import read_problem
from grader.model.report import GradeReport
from grader.model.verdict import Verdict
from grader.report.to_json import to_json
from grader.worker.job import Job
from grader.worker.run import Grading

ROOT = Path(__file__).parent.parent
LOOPS_PER_CORE = 2
SCALE = "scale"
WHOLE_EVERY = 10
"""So many gradings have `scale` once."""
TIMES = ("usage", "timing", "started_at")


@dataclass(slots=True)
class Tally:
    """What became of the gradings of one program."""

    gradings: int = 0
    accepted: int = 0
    repeated: int = 0
    factor: float = 1.0
    seconds: float = 0.0
    reports: set[str] = field(default_factory=set)
    failures: set[str] = field(default_factory=set)

    def add(self, report: GradeReport, seconds: float) -> None:
        self.gradings += 1
        self.seconds += seconds
        self.accepted += report.verdict is Verdict.ACCEPTED
        self.repeated += report.usage.repeated
        self.factor = max(self.factor, report.usage.factor)
        self.reports.add(json.dumps(without_times(json.loads(to_json(report)))))
        failing = (row for row in report.rows if row.verdict is not Verdict.ACCEPTED)
        self.failures |= {f"{row.id} {row.verdict}: {row.detail}" for row in failing}

    @property
    def is_fair(self) -> bool:
        return self.accepted == self.gradings and len(self.reports) == 1


def without_times(value: Any) -> Any:
    """A report but for what differs from run to run."""
    if isinstance(value, dict):
        return {key: without_times(v) for key, v in value.items() if key not in TIMES}
    return [without_times(item) for item in value] if isinstance(value, list) else value


@contextlib.contextmanager
def busy_cores() -> Iterator[None]:
    """Other work for every core, ended when this ends."""
    with contextlib.ExitStack() as stack:
        for _ in range(LOOPS_PER_CORE * (os.cpu_count() or 1)):
            loop = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            stack.callback(loop.wait)
            stack.callback(loop.kill)
        yield


def right_solutions(slugs: list[str]) -> list[Path]:
    """The reference and the other right solutions of these labs, or of every lab that is there."""
    labs = sorted(path.parent.name for path in (ROOT / "problems").glob("*/problem.toml"))
    folders = [ROOT / "solutions" / slug for slug in slugs or labs]
    patterns = ("reference.py", "right/*.py")
    return [path for f in folders for pattern in patterns for path in sorted(f.glob(pattern))]


def graded(path: Path, examples: int, *, whole: bool) -> GradeReport:
    """The report of one program as staff see it, with `scale` if it is a whole one."""
    staff = path.parent if path.name == "reference.py" else path.parent.parent
    names = [group["name"] for group in read_problem(ROOT / "problems" / staff.name)["group"]]
    job = Job(
        problem=str(ROOT / "problems" / staff.name),
        staff=str(staff),
        name="mine.py",
        source=path.read_bytes(),
        examples=examples,
        groups=tuple(name for name in names if whole or name != SCALE),
    )
    grading = Grading(job=job)
    for _ in grading.rows():
        pass
    return grading.report()


Key = tuple[Path, bool]
"""A program, and whether its grading was a whole one."""


def table(tallies: dict[Key, Tally]) -> None:
    print(
        "| program | gradings | accepted | different reports | repeated alone | factor | s each |"
    )
    print("|---|---|---|---|---|---|---|")
    for key, tally in sorted(tallies.items()):
        cells = f"{tally.gradings} | {tally.accepted} | {len(tally.reports)} | {tally.repeated}"
        each = tally.seconds / tally.gradings
        print(f"| {name_of(*key)} | {cells} | {tally.factor:.2f} | {each:.1f} |")
    for key, tally in sorted(tallies.items()):
        for failure in sorted(tally.failures):
            print(f"{name_of(*key)}: {failure}")


def name_of(path: Path, whole: bool) -> str:
    name = path.relative_to(ROOT / "solutions").with_suffix("").as_posix()
    return f"{name}, with {SCALE}" if whole else name


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--gradings", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--examples", type=int, default=100)
    parser.add_argument("--lab", action="append", default=[], help="only this one (again)")
    options = parser.parse_args()
    programs = right_solutions(options.lab)
    tallies: defaultdict[Key, Tally] = defaultdict(Tally)
    print(describe(), f"\n{LOOPS_PER_CORE} busy loops a core\n")
    done = itertools.count(1)

    def grade_one(number: int) -> None:
        path, whole = programs[number % len(programs)], number % WHOLE_EVERY == 0
        begun = time.perf_counter()
        report = graded(path, options.examples, whole=whole)
        with lock:
            tallies[path, whole].add(report, time.perf_counter() - begun)
            print(f"{next(done)} {name_of(path, whole)}: {report.verdict}", file=sys.stderr)

    lock = threading.Lock()
    with busy_cores(), ThreadPoolExecutor(options.jobs) as pool:
        for _ in pool.map(grade_one, range(options.gradings)):
            pass
    table(tallies)
    accepted = sum(tally.accepted for tally in tallies.values())
    fair = sum(tally.is_fair for tally in tallies.values())
    print(f"\naccepted: {accepted} of {options.gradings}")
    print(f"rows of this table that are accepted and equal: {fair} of {len(tallies)}")
    return 0 if fair == len(tallies) else 1


if __name__ == "__main__":
    sys.exit(main())
