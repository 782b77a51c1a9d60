"""Kill graders at random moments and write what is left of them, as JSON.

python -m tests.hostile.killed <how often> <seed>
"""

from __future__ import annotations

import ctypes
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.conftest import LABS, REPOSITORY
from tests.hostile.siege import children

_PR_SET_CHILD_SUBREAPER = 36
_LATEST_SECONDS = 2.0
"""By then a grading of the lab `double` is over, unless the program never ends."""
_END_SECONDS = 30.0
PROGRAMS = {
    "one that ends": "import json, sys\nprint(json.dumps({'ok': True, 'value': 0}))\n",
    "one that sleeps": "import time\ntime.sleep(60)\n",
    "one that computes": "while True:\n    pass\n",
}


def kill_graders(times: int, seed: int) -> list[str]:
    """Start a grading and kill it, so many times; everything that is left, and when it was."""
    # What the grader leaves becomes a child of this process.
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    chance, left = random.Random(seed), list[str]()
    for number in range(times):
        what = list(PROGRAMS)[number % len(PROGRAMS)]
        seconds = chance.uniform(0, _LATEST_SECONDS)
        left += [f"{thing}, {what}, after {seconds:.3f} s" for thing in _kill_one(what, seconds)]
    return left


def _kill_one(what: str, seconds: float) -> list[str]:
    before = _traces()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as spare:
        (Path(folder) / "mine.py").write_text(PROGRAMS[what])
        grader = subprocess.Popen(
            [sys.executable, "-m", "grader", "grade", "double", "mine.py"],
            cwd=folder,
            env=environment(spare),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(seconds)
        grader.kill()
        grader.wait()
        alive = _wait_for_orphans()
        left = [f"process {pid} is alive" for pid in alive]
        left += [f"{path} is left" for path in os.listdir(spare)]
    return left + [f"{trace} is new" for trace in _traces() - before]


def environment(spare: str | Path) -> dict[str, str]:
    """Of a grader that may write temporary files to `spare`."""
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.environ.get("PYTHONPATH", str(REPOSITORY)),
        "GRADER_PROBLEMS": str(LABS / "problems"),
        "TMPDIR": str(spare),
    }


def _wait_for_orphans() -> set[int]:
    """Those that do not end by themselves."""
    deadline = time.monotonic() + _END_SECONDS
    while children(os.getpid()) and time.monotonic() < deadline:
        os.waitpid(-1, os.WNOHANG)
        time.sleep(0.005)
    return children(os.getpid())


def _traces() -> set[str]:
    """Shared memory and mounts, as everybody sees them."""
    mounts = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    segments = Path("/proc/sysvipc/shm").read_text().splitlines()[1:]
    return {*mounts, *segments, *(f"/dev/shm/{name}" for name in os.listdir("/dev/shm"))}


if __name__ == "__main__":
    json.dump(kill_graders(int(sys.argv[1]), int(sys.argv[2])), sys.stdout)
