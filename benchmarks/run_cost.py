"""Milliseconds per sandboxed run, beside bare forks and a plain `python file.py`.

    python benchmarks/run_cost.py [--rounds 100]

bare fork     fork, exit and wait of the same loaded server
unconfined    the same with a child that becomes the program first, and nothing that confines it:
              no sandbox that forks can be cheaper
sandboxed     as the judge sees it, through the code path that grades
plain         `python file.py`

They are measured alternately, in one process.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from machine import describe

from grader.model.execution import Limits, RunRequest, Submission
from grader.sandbox.levels import open_executor

PROGRAMS = {
    "trivial": ("import json, sys\n", ["json", "sys"]),
    "numpy": ("import json, sys\nimport numpy\n", ["json", "sys", "numpy"]),
    "torch": ("import json, sys\nimport torch\n", ["json", "sys", "torch"]),
}
BODY = 'given = json.load(sys.stdin)\nprint(json.dumps({"ok": True, "n": given["n"]}))\n'
STDIN = b'{"n": 21}\n'
LIMITS = Limits(wall_seconds=30, cpu_seconds=20, memory_bytes=1 << 30, output_bytes=1 << 16)
TARGETS = {"trivial": 6.0, "numpy": 25.0, "torch": 100.0}
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
THREADS = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def timed(action: Callable[[], object]) -> float:
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun


def measure(name: str, rounds: int) -> dict[str, float]:
    """Medians in seconds of the ways of running one program."""
    imports, modules = PROGRAMS[name]
    submission = Submission(name="program.py", source=(imports + BODY).encode())
    request = RunRequest(submission=submission, stdin=STDIN, limits=LIMITS)
    opened = open_executor(submission, level="standard")
    times: dict[str, list[float]] = {
        way: [] for way in ("sandboxed", "bare fork", "unconfined", "plain python")
    }
    with tempfile.TemporaryDirectory() as folder, opened.executor as executor:
        path = Path(folder, "program.py")
        path.write_bytes(submission.source)
        words = ["benchmarks/bare_server.py", json.dumps(modules), str(path), STDIN.decode()]
        bare = subprocess.Popen(
            [sys.executable, "-P", "-s", "-B", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**ENVIRONMENT, **THREADS},
            cwd=Path(__file__).parent.parent,
        )
        assert bare.stdin and bare.stdout

        def one(what: str) -> float:
            bare.stdin.write(f"{what}\n")
            bare.stdin.flush()
            return float(bare.stdout.readline())

        def plain() -> None:
            subprocess.run(
                [sys.executable, str(path)],
                input=STDIN,
                stdout=subprocess.DEVNULL,
                check=True,
                env={**os.environ, **THREADS},
            )

        one("bare"), one("program"), plain(), executor.run(request)
        for turn in range(rounds):
            times["bare fork"].append(one("bare"))
            times["unconfined"].append(one("program"))
            times["sandboxed"].append(timed(lambda: executor.run(request)))
            if turn % 5 == 0:
                times["plain python"].append(timed(plain))
        bare.stdin.close()
        bare.wait()
    return {way: statistics.median(seconds) for way, seconds in times.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    rounds = parser.parse_args().rounds
    print(describe())
    print(f"medians of {rounds} alternating rounds (a fifth of them for plain python)\n")
    print(
        "| program | bare fork, ms | unconfined, ms | sandboxed, ms | plain, ms "
        "| sandboxed / bare | sandboxed / unconfined | plain / sandboxed |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for name in PROGRAMS:
        if name != "trivial" and importlib.util.find_spec(name) is None:
            print(f"| {name} | not installed | | | | | | |")
            continue
        found = {way: 1000 * seconds for way, seconds in measure(name, rounds).items()}
        bare, floor = found["bare fork"], found["unconfined"]
        boxed, plain = found["sandboxed"], found["plain python"]
        ratios = f"{boxed / bare:.2f} | {boxed / floor:.2f} | {plain / boxed:.1f}"
        ratios += f" (≥ {TARGETS[name]:g})"
        print(f"| {name} | {bare:.2f} | {floor:.2f} | {boxed:.2f} | {plain:.1f} | {ratios} |")


if __name__ == "__main__":
    main()
