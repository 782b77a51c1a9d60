"""Kill drivers of a class at random moments, continue, and tell what differs from a quiet run.

python -m tests.course.kills <how often> <seed>      prints a JSON list of what is wrong
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.cli.command import RIGHT, WRONG, environment
from tests.course.scene import count, table, without_times

PROGRAMS = {"ada": RIGHT, "bob": WRONG, "cy": f"# cy\n{RIGHT}", "dee": f"# dee\n{WRONG}"}
_LATEST_SECONDS = 3.0
"""Most of a whole run: some drivers die while they start, most in the middle of a grading."""


def kill_drivers(times: int, seed: int) -> list[str]:
    """Start a driver and kill it, so many times, each time on what the last one left."""
    chance, wrong = random.Random(seed), list[str]()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for student, program in PROGRAMS.items():
            (place / "in" / student).mkdir(parents=True)
            (place / "in" / student / "double.py").write_text(program)
        quiet = _finish(place, "quiet")
        number, run = 0, 0
        while number < times:
            run += 1
            name = f"run-{run}"
            while number < times and not _is_done(place / name):
                _kill_one(place, name, chance.uniform(0.1, _LATEST_SECONDS))
                number += 1
            found = _finish(place, name)
            wrong += [f"{name}: {who}" for who in quiet if found.get(who) != quiet[who]]
            if count(place / name, "results") != len(PROGRAMS):
                wrong.append(f"{name}: {count(place / name, 'results')} results")
    return wrong


def _driver(place: Path, name: str) -> subprocess.Popen[bytes]:
    words = ["class", "run", "in", "--out", name, "--examples", "3", "--jobs", "2"]
    return subprocess.Popen(
        [sys.executable, "-m", "grader", *words],
        cwd=place,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def _kill_one(place: Path, name: str, seconds: float) -> None:
    driver = _driver(place, name)
    time.sleep(seconds)
    os.kill(driver.pid, signal.SIGKILL)
    driver.communicate()


def _is_done(run: Path) -> bool:
    return (run / "journal.sqlite").exists() and count_or_none(run) == len(PROGRAMS)


def count_or_none(run: Path) -> int | None:
    """How many results there are; None while the first driver has not made the journal."""
    import sqlite3

    try:
        return count(run, "results")
    except sqlite3.OperationalError:
        return None


def _finish(place: Path, name: str) -> dict[str, str]:
    driver = _driver(place, name)
    _, stderr = driver.communicate()
    assert driver.returncode == 0, stderr.decode()
    return {who: without_times(entry.report) for who, entry in table(place / name).items()}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(kill_drivers(int(sys.argv[1]), int(sys.argv[2]))))
