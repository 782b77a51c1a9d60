"""Whose time is it? A whole grading, split into the programs' own time and ours.

    python benchmarks/grade_cost.py [--lab top_p_sets]

For every group of the reference solution, in seconds:

    programs   from the order to the end of the process, as the sandbox tells it
    sandbox    what a run costs the judge besides: descriptors, messages, waking up
    judging    all the rest: drawing, reading answers, checks
    draws      what Hypothesis needs to draw the same inputs and do nothing with them, measured
               right after (median of three)

Then the command itself, on an accepted and on a wrong submission.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

import hypothesis
from hypothesis import HealthCheck, Phase
from machine import describe

from grader.bundles.load import load_bundle
from grader.bundles.properties import load_properties
from grader.judging.grade import Walk, grade, group_seed
from grader.judging.rows import plan
from grader.model.bundle import TestGroup
from grader.model.execution import Executor, RunOutcome, RunRequest, Submission
from grader.sandbox.levels import open_executor

ROOT = Path(__file__).parent.parent


def draw_alone(walk: Walk, group: TestGroup) -> float:
    """Seconds for drawing the group's inputs and nothing else."""

    @hypothesis.seed(group_seed(walk, group.name))
    @hypothesis.settings(
        max_examples=group.examples,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @hypothesis.given(walk.properties.strategies[group.name])
    def test(_value: object) -> None:
        pass

    begun = time.perf_counter()
    test()
    return time.perf_counter() - begun


class Clock:
    """An executor that takes the time of another one."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self.seen = self.programs = 0.0

    def run(self, request: RunRequest) -> RunOutcome:
        begun = time.perf_counter()
        outcome = self._executor.run(request)
        self.seen += time.perf_counter() - begun
        self.programs += outcome.usage.wall_seconds
        return outcome


def split(slug: str) -> None:
    """The table of groups for the lab's reference solution."""
    bundle = load_bundle(ROOT / "problems" / slug, None)
    properties = load_properties(bundle)
    path = ROOT / "solutions" / slug / "reference.py"
    submission = Submission(name="mine.py", source=path.read_bytes())
    print(
        "| group | runs | programs | sandbox | judging | draws | judging / draws | ours / draws |"
    )
    print("|---|---|---|---|---|---|---|---|")
    with open_executor(submission, level="standard").executor as executor:
        for group in bundle.groups:
            clock = Clock(executor)
            walk = Walk(
                bundle=bundle,
                properties=properties,
                plan=plan(bundle, properties, staff=False),
                submission=submission,
                executor=clock,
                seed=0,
                groups=(group.name,),
            )
            begun = time.perf_counter()
            rows = list(grade(walk))
            whole = time.perf_counter() - begun
            runs = sum(row.usage.runs for row in rows)
            sandbox, judging = clock.seen - clock.programs, whole - clock.seen
            cells = f"{runs} | {clock.programs:.2f} | {sandbox:.2f} | {judging:.2f}"
            if group.name in properties.strategies:
                alone = sorted(draw_alone(walk, group) for _ in range(3))[1]
                ratios = f"{judging / alone:.2f} | {(judging + sandbox) / alone:.2f}"
                print(f"| {group.name} | {cells} | {alone:.2f} | {ratios} |")
            else:
                share = (judging + sandbox) / clock.programs
                print(f"| {group.name} | {cells} | | | ours / programs: {share:.2f} |")


def command(slug: str, file: Path, what: str) -> None:
    """The command itself, with the moments of its first row and its first failure."""
    words = ["grade", slug, str(file), "--public", "-v", "--format", "json", "--output", os.devnull]
    begun = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "grader", *words],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        cwd=ROOT,
    )
    assert process.stderr
    first = failed = None
    for line in process.stderr:
        first = first or time.perf_counter() - begun
        if "✗" in line and failed is None:
            failed = time.perf_counter() - begun
    process.wait()
    whole = time.perf_counter() - begun
    failure = f", first failure after {failed:.2f} s" if failed else ""
    print(f"{what}: {whole:.1f} s, first row after {first:.2f} s{failure}")


def help_cost() -> None:
    """`grader --help` beside `python -c "import click"`, alternately."""
    times: dict[str, list[float]] = {"help": [], "click": []}
    for _ in range(15):
        for name, words in (
            ("help", ["-m", "grader", "--help"]),
            ("click", ["-c", "import click"]),
        ):
            begun = time.perf_counter()
            subprocess.run(
                [sys.executable, *words], stdout=subprocess.DEVNULL, check=True, cwd=ROOT
            )
            times[name].append(time.perf_counter() - begun)
    helped, click = (sorted(times[name])[7] for name in ("help", "click"))
    figures = f"{1000 * helped:.0f} ms against {1000 * click:.0f} ms"
    print(f"grader --help against import click: {figures}, {helped / click:.2f} × (at most 3)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lab", default="top_p_sets")
    slug = parser.parse_args().lab
    print(describe(), "\n")
    split(slug)
    print()
    command(slug, ROOT / "solutions" / slug / "reference.py", "accepted submission")
    command(slug, ROOT / "problems" / slug / "starter.py", "untouched starter")
    help_cost()


if __name__ == "__main__":
    main()
