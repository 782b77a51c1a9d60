"""What a class costs: cores used, our own overhead, growth with its size, and against one by one.

    python benchmarks/class_cost.py [--part cores|overhead|growth|plain] [--submissions 1000]

cores      two CPU loops at once against one, and a class with two jobs against one, in turns; both
           jobs keep to a core of their own
overhead   all seconds of a class with one job, from its start to its last report, against those
           inside its gradings: the same call that a loop in one process would make. A loop
           beside it would tell of a machine's swings, which are more than a few per cent
growth     submissions of lab 1, variants of its right and wrong solutions: seconds for the first
           tenth and for all, against the seconds within their gradings (a class has no part in
           those), and the driver's memory at both points
plain      the class against one `grader grade` for each submission with plain `python file.py` for
           each case (level weak), the same inputs, one after the other; with one judging process
           and with two

All ratios are of figures of one run of this program.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from machine import describe

ROOT = Path(__file__).parent.parent
LAB = "top_p_sets"
RIGHT_IN_A_HUNDRED = 2
"""Few, for each costs eight seconds of `scale`, which the rest do not reach."""
LOOP = "n = 0\nfor i in range(60_000_000):\n    n += i\n"
MISTAKE = """\
import io, sys
given = sys.stdin.buffer.read()
if given.strip() == {case!r}:
    sys.exit(0)
sys.stdin = io.TextIOWrapper(io.BytesIO(given), encoding="utf-8")
"""
"""Fails one fixed case of `normal`, so that nothing has to be shrunk: that takes up to six seconds
for a submission, and is no different in a class."""


def variants(count: int, *, quick: bool) -> Iterator[tuple[str, bytes]]:
    """Students and programs, mixed, so that the first tenth is like the whole.

    Args:
        quick: no right ones.
    """
    chance = random.Random(0)
    staff = ROOT / "solutions" / LAB
    right = [staff / "reference.py", *sorted(staff.glob("right/*.py"))]
    cases = sorted((ROOT / "problems" / LAB / "cases/normal").glob("*.in.json"))
    for number in range(count):
        program = chance.choice(right).read_bytes()
        if quick or number % 100 >= RIGHT_IN_A_HUNDRED:
            mistake = MISTAKE.format(case=chance.choice(cases).read_bytes().strip())
            program = mistake.encode() + program
        yield f"s{number:04}", program + b"\n# %d\n" % number


def alike(count: int) -> Iterator[tuple[str, bytes]]:
    """One wrong program for all, so that both cores have as much to do."""
    _, program = next(variants(1, quick=True))
    for number in range(count):
        yield f"s{number:04}", program + b"# %d\n" % number


def hand_in(folder: Path, programs: Iterator[tuple[str, bytes]]) -> Path:
    for student, program in programs:
        (folder / student).mkdir(parents=True)
        (folder / student / f"{LAB}.py").write_bytes(program)
    return folder


@dataclass(slots=True)
class Point:
    done: int
    seconds: float
    memory_mib: float


@dataclass(slots=True)
class Run:
    """When each submission was through, with the driver's memory then; and the seconds within
    gradings, all together."""

    points: list[Point]
    graded_seconds: float
    graded_seconds_of_first_tenth: float

    @property
    def seconds(self) -> float:
        return self.points[-1].seconds


def class_run(submissions: Path, examples: int, jobs: int) -> Run:
    """Grade a class."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["class", "run", submissions, "--out", f"{folder}/run", "--jobs", jobs]
        words += ["--examples", examples, "--problem", LAB]
        begun = time.perf_counter()
        driver = subprocess.Popen(
            [sys.executable, "-m", "grader", *map(str, words)],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        points = []
        assert driver.stderr is not None
        for line in driver.stderr:
            match = re.match(r"(\d+)/\d+ ", line)
            if match:
                seconds = time.perf_counter() - begun
                points.append(Point(int(match[1]), seconds, resident_mib(driver.pid)))
        assert driver.wait() == 0, "the class run failed"
        with contextlib.closing(sqlite3.connect(f"{folder}/run/journal.sqlite")) as journal:
            rows = journal.execute("SELECT graded_seconds FROM results ORDER BY id").fetchall()
    graded = [seconds for (seconds,) in rows]
    return Run(points, sum(graded), sum(graded[: len(graded) // 10]))


def resident_mib(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def cores(work: Path) -> None:
    """Speed-up of two at once over one after the other: of plain loops, and of a class."""
    submissions = hand_in(work / "cores", alike(16))
    cpus = sorted(os.sched_getaffinity(0))[:2]

    def loops(on: list[int]) -> float:
        begun = time.perf_counter()
        running = [
            subprocess.Popen(
                [sys.executable, "-c", LOOP],
                preexec_fn=lambda cpu=cpu: os.sched_setaffinity(0, {cpu}),  # type: ignore[misc]
            )
            for cpu in on
        ]
        for process in running:
            process.wait()
        return (time.perf_counter() - begun) / len(on)

    turns = []
    for _ in range(3):
        before, two, after = loops(cpus[:1]), loops(cpus), loops(cpus[1:])
        one = (before + after) / 2
        alone = class_run(submissions, 5, 1).seconds
        both = class_run(submissions, 5, 2).seconds
        turns.append((one / two, alone / both))
    plain, ours = (sorted(values)[1] for values in zip(*turns, strict=True))
    print(
        f"cores: loops {plain:.2f} x, class {ours:.2f} x: {ours / plain:.0%} of it (at least 90 %)"
    )


def overhead(work: Path) -> None:
    """A class with one job: what is not grading."""
    submissions = hand_in(work / "overhead", variants(30, quick=True))
    turns = []
    for _ in range(3):
        run = class_run(submissions, 20, 1)
        turns.append(run.seconds / run.graded_seconds)
    ratio = sorted(turns)[1]
    print(f"overhead: {ratio - 1:+.1%} a submission over its grading (at most 5 %)")


def growth(work: Path, count: int) -> None:
    """Whether time is linear and memory flat."""
    submissions = hand_in(work / "growth", variants(count, quick=False))
    run = class_run(submissions, 5, 2)
    tenth, last = run.points[count // 10 - 1], run.points[-1]
    ratio = last.seconds / tenth.seconds / (last.done / tenth.done)
    gradings = run.graded_seconds / run.graded_seconds_of_first_tenth / last.done * tenth.done
    print(f"growth: {tenth.done} in {tenth.seconds:.0f} s, {last.done} in {last.seconds:.0f} s")
    print(f"  time over linear: {ratio:.3f}, of the gradings alone {gradings:.3f}")
    print(f"  time over that of the gradings: {ratio / gradings:.3f} (0.9 to 1.1)")
    print(f"  memory of the driver: {tenth.memory_mib:.0f} to {last.memory_mib:.0f} MiB")


def plain(work: Path) -> None:
    """One `grader grade` a submission, each case in a fresh `python file.py`."""
    submissions = hand_in(work / "plain", variants(10, quick=True))
    ours = class_run(submissions, 40, 2).seconds
    for jobs in (1, 2):
        begun = time.perf_counter()
        for path in sorted(submissions.glob("*/*.py")):
            words = ["grade", LAB, path, "--sandbox", "weak", "--accept-weak", "--examples", "40"]
            subprocess.run(
                [sys.executable, "-m", "grader", *map(str, words), "--format", "json"],
                cwd=ROOT,
                env=os.environ | {"GRADER_JOBS": str(jobs)},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
            )
        theirs = time.perf_counter() - begun
        alone = f"{theirs:.0f} s one by one with {jobs} judging"
        print(f"plain: {alone}, {ours:.0f} s as a class: {theirs / ours:.1f} x")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parts = ("cores", "overhead", "plain", "growth")
    parser.add_argument("--part", choices=parts, action="append", default=[])
    parser.add_argument("--submissions", type=int, default=1000)
    options = parser.parse_args()
    print(describe(), flush=True)
    work = Path(tempfile.mkdtemp())
    try:
        for part in options.part or parts:
            if part == "growth":
                growth(work, options.submissions)
            else:
                {"cores": cores, "overhead": overhead, "plain": plain}[part](work)
    finally:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
