"""100,000 runs in one server: do memory, descriptors or the time for a run grow?

    python benchmarks/endurance.py [--runs 100000]

After every tenth of the runs: memory and descriptors of the grader and of the server, and the
median of the last thousand runs. Exit status 1 when the last tenth is worse than the first: a
descriptor more, 5 % more memory, or 20 % more time.
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
LAST = 1000


def footprint(pid: int) -> tuple[int, int]:
    """(open descriptors, resident KiB) of a process."""
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    resident = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
    return len(os.listdir(f"/proc/{pid}/fd")), resident


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100_000)
    runs = parser.parse_args().runs
    print(describe(), end="\n\n")
    print(
        "| runs | grader: files | KiB | server: files | KiB | median run, ms |\n"
        "|---|---|---|---|---|---|"
    )
    submission = Submission(name="program.py", source=PROGRAM)
    seen: list[tuple[int, ...]] = []
    medians: list[float] = []
    with SandboxExecutor(machine=platform.machine(), abi=landlock.abi()) as executor:
        server = executor.server(submission).process_id
        times: list[float] = []
        for count in range(1, runs + 1):
            stdin = b'{"n": %d}' % count
            begun = time.perf_counter()
            outcome = executor.run(RunRequest(submission=submission, stdin=stdin, limits=LIMITS))
            times.append(time.perf_counter() - begun)
            assert outcome.stdout == stdin + b"\n"
            if count % (runs // 10) == 0:
                seen.append((*footprint(os.getpid()), *footprint(server)))
                medians.append(statistics.median(times[-LAST:]))
                times.clear()
                figures = " | ".join(map(str, seen[-1]))
                print(f"| {count:,} | {figures} | {1000 * medians[-1]:.2f} |", flush=True)
        assert executor.server(submission).process_id == server
    first, last = seen[0], seen[-1]
    grown = last[0] > first[0] or last[2] > first[2]
    grown |= last[1] > 1.05 * first[1] or last[3] > 1.05 * first[3]
    return int(grown or statistics.median(medians[-3:]) > 1.2 * statistics.median(medians[:3]))


if __name__ == "__main__":
    sys.exit(main())
