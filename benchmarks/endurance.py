"""100,000 runs in one server: do memory, descriptors or the time for a run grow?

    python benchmarks/endurance.py [--runs 100000]

After every tenth of the runs: memory and descriptors of the grader and of the server, and the
medians of a few hundred runs, in turns with a server that was started just then. Exit status 1
when the last tenth is worse than the first (a descriptor more, or 5 % more memory), or when a run
takes 20 % longer than in the fresh server.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import sys
import time
from pathlib import Path

from machine import describe

from grader.model.execution import Limits, RunRequest, Submission
from grader.sandbox import landlock
from grader.sandbox.client import SandboxExecutor

PROGRAM = b"import json, sys\nprint(json.dumps(json.load(sys.stdin)))\n"
LIMITS = Limits(wall_seconds=30, cpu_seconds=20, memory_bytes=256 << 20, output_bytes=1 << 16)
IN_TURNS = 500


def footprint(pid: int) -> tuple[int, int]:
    """(open descriptors, resident KiB) of a process."""
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    resident = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
    return len(os.listdir(f"/proc/{pid}/fd")), resident


class Bench:
    """A server, and runs in it."""

    def __init__(self, executor: SandboxExecutor) -> None:
        self._executor = executor
        self._submission = Submission(name="program.py", source=PROGRAM)
        self._count = 0

    @property
    def server(self) -> int:
        return self._executor.server(self._submission).process_id

    def run(self) -> float:
        """Seconds of one more run."""
        self._count += 1
        stdin = b'{"n": %d}' % self._count
        request = RunRequest(submission=self._submission, stdin=stdin, limits=LIMITS)
        begun = time.perf_counter()
        outcome = self._executor.run(request)
        seconds = time.perf_counter() - begun
        assert outcome.stdout == stdin + b"\n"
        return seconds


def executor() -> SandboxExecutor:
    return SandboxExecutor(machine=platform.machine(), abi=landlock.abi())


def in_turns(old: Bench) -> tuple[float, float]:
    """Medians of runs in this server and in a fresh one."""
    with executor() as another:
        fresh = Bench(another)
        fresh.run()
        pairs = [(old.run(), fresh.run()) for _ in range(IN_TURNS)]
    one, other = zip(*pairs, strict=True)
    return statistics.median(one), statistics.median(other)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100_000)
    runs = parser.parse_args().runs
    print(describe(), end="\n\n")
    print(
        "| runs | grader: files | KiB | server: files | KiB | a run, ms | in a fresh server, ms |\n"
        "|---|---|---|---|---|---|---|"
    )
    seen: list[tuple[int, ...]] = []
    with executor() as only:
        bench = Bench(only)
        server = bench.server
        for tenth in range(1, 11):
            for _ in range(runs // 10 - IN_TURNS):
                bench.run()
            old, fresh = in_turns(bench)
            seen.append((*footprint(os.getpid()), *footprint(server)))
            figures = " | ".join(map(str, seen[-1]))
            medians = f"{1000 * old:.2f} | {1000 * fresh:.2f}"
            print(f"| {tenth * runs // 10:,} | {figures} | {medians} |", flush=True)
        assert bench.server == server
    # A descriptor comes and goes with the child that is forked ahead.
    first, last = (list(map(max, zip(*some, strict=True))) for some in (seen[:3], seen[-3:]))
    grown = last[0] > first[0] or last[2] > first[2]
    grown |= last[1] > 1.05 * first[1] or last[3] > 1.05 * first[3]
    return int(grown or old > 1.2 * fresh)


if __name__ == "__main__":
    sys.exit(main())
