"""Whose time is it? A whole grading, split into the programs' own time and ours.

    python benchmarks/grade_cost.py [--lab top_p_sets]

For every group: what the programs took, what the grader took besides, and, right after it, what
Hypothesis needs to draw the same inputs and do nothing with them. Then the command itself, on an
accepted and on a wrong submission.
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
from grader.model.execution import Submission
from grader.sandbox.levels import open_executor

ROOT = Path(__file__).parent.parent


def draw_alone(walk: Walk, group: TestGroup) -> tuple[float, int]:
    """Seconds for drawing the group's inputs and nothing else, and how many were drawn."""
    drawn = 0

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
        nonlocal drawn
        drawn += 1

    begun = time.perf_counter()
    test()
    return time.perf_counter() - begun, drawn


def split(slug: str) -> None:
    """The table of groups for the lab's reference solution."""
    bundle = load_bundle(ROOT / "problems" / slug, None)
    properties = load_properties(bundle)
    path = ROOT / "solutions" / slug / "reference.py"
    submission = Submission(name="mine.py", source=path.read_bytes())
    print(
        "| group | runs | programs, s | ours, s | draws alone, s | ours / draws | ours / programs |"
    )
    print("|---|---|---|---|---|---|---|")
    with open_executor(submission, level="standard").executor as executor:
        walk = Walk(
            bundle=bundle,
            properties=properties,
            plan=plan(bundle, properties, staff=False),
            submission=submission,
            executor=executor,
            seed=0,
        )
        for group in bundle.groups:
            one = Walk(
                bundle=bundle,
                properties=properties,
                plan=walk.plan,
                submission=submission,
                executor=executor,
                seed=0,
                groups=(group.name,),
            )
            begun = time.perf_counter()
            rows = list(grade(one))
            whole = time.perf_counter() - begun
            programs = sum(row.usage.wall_seconds for row in rows)
            runs = sum(row.usage.runs for row in rows)
            ours, draws, ratio = whole - programs, "", ""
            if group.name in properties.strategies:
                alone, _ = draw_alone(walk, group)
                draws, ratio = f"{alone:.2f}", f"{ours / alone:.2f}"
            cells = f"{programs:.2f} | {ours:.2f} | {draws} | {ratio} | {ours / programs:.2f}"
            print(f"| {group.name} | {runs} | {cells} |")


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
