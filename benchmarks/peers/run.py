"""Milliseconds per case with other graders, side by side, and what they let through.

    python benchmarks/peers/run.py [--cases 200] [--peers FOLDER]

Installs the peers from PyPI into a virtual environment in FOLDER (default: beside this file, not
kept in the repository), makes the same small problem for each, and times whole commands: with many
cases and with one, so that what a tool needs to start is not counted against it. Our own figure is
that of `grader grade`, which runs the first five cases twice.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import packages

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent))
PEERS = ("problemtools", "bapctools", "check50")
ENVIRONMENT = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")

Make = Callable[[Path, str, int], Path]


@dataclass(frozen=True)
class Way:
    """One way of grading: how its package is made, the command, what its output has if all is well.

    `inside` is the folder in the package in which the command runs.
    """

    name: str
    make: Make
    command: Callable[[Path, Path], list[str]]
    passed: str
    inside: str = "."


def plain(folder: Path, program: str, count: int) -> Path:
    """A script that starts the program for each case and compares."""
    made = packages.pytest_file(folder, program, count)
    loop = (
        "import subprocess, sys\n"
        f"CASES = {packages.cases(count)!r}\n"
        "for _, given, answer in CASES:\n"
        "    told = subprocess.run([*sys.argv[1:], sys.executable, 'program.py'], input=given,\n"
        "                          text=True, capture_output=True, check=True)\n"
        "    assert told.stdout == answer\n"
        "print('all well')\n"
    )
    (made / "loop.py").write_text(loop)
    return made


def ways(peers: Path) -> list[Way]:
    """All ways that can be gone here."""
    tools = peers / "bin"
    enclose = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]
    python = sys.executable
    found = [
        Way(
            "grader grade",
            packages.bundle,
            lambda made, _: [
                python,
                "-m",
                "grader",
                "grade",
                "double",
                str(made / "program.py"),
                "--group",
                "minimal",
            ],
            "Every row that was graded holds",
        ),
        Way("plain python", plain, lambda _made, _t: [python, "loop.py"], "all well"),
        Way(
            "bwrap + python",
            plain,
            lambda _made, _t: [python, "loop.py", *enclose],
            "all well",
        ),
        Way(
            "pytest + subprocess",
            packages.pytest_file,
            lambda _made, _t: [python, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
            " passed",
        ),
        Way(
            "verifyproblem",
            packages.kattis_legacy,
            lambda made, _: [str(tools / "verifyproblem"), str(made), "-p", "submissions"],
            "OK: AC",
        ),
        Way(
            "bt run",
            packages.kattis_2025,
            lambda _made, _t: [str(tools / "bt"), "run", "--no-bar"],
            "AC ",
        ),
        Way(
            "check50 --dev",
            packages.check50_checks,
            lambda made, _: [str(tools / "check50"), "--dev", str(made / "checks")],
            ":)",
            inside="submission",
        ),
    ]
    here = {"grader grade", "plain python", "pytest + subprocess"}
    if shutil.which("bwrap"):
        here.add("bwrap + python")
    return [way for way in found if way.name in here or Path(way.command(HERE, HERE)[0]).exists()]


def timed(way: Way, program: str, count: int, peers: Path) -> tuple[float, str]:
    """Seconds of one whole command, and all that it said."""
    with tempfile.TemporaryDirectory(prefix="peers-") as folder:
        made = way.make(Path(folder) / "package", program, count)
        environment = {**os.environ, **ENVIRONMENT, "PYTHONPATH": str(ROOT)}
        # Programs need the packages of this interpreter, whatever the tool itself runs on.
        path = f"{Path(sys.executable).parent}:{peers / 'bin'}:{os.environ['PATH']}"
        environment |= {"PATH": path, "GRADER_PROBLEMS": str(made / "problems"), "HOME": folder}
        begun = time.perf_counter()
        told = subprocess.run(
            way.command(made, peers),
            cwd=made / way.inside,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        return time.perf_counter() - begun, told.stdout + told.stderr


def per_case(way: Way, program: str, count: int, peers: Path) -> float | None:
    """Milliseconds per case; None where the tool did not accept the right program."""
    few, _ = timed(way, program, 1, peers)
    many, words = timed(way, program, count, peers)
    return 1000 * (many - few) / (count - 1) if way.passed in words else None


CHEAT = (HERE / "cheat.py").read_text()


def falls_for_the_cheat(way: Way, count: int, peers: Path) -> bool:
    """Whether a program that computes nothing is accepted."""
    return way.passed in timed(way, CHEAT, count, peers)[1]


def install(peers: Path) -> None:
    if not (peers / "bin" / "python").exists():
        subprocess.run([sys.executable, "-m", "venv", str(peers)], check=True)
    for name in PEERS:
        words = [str(peers / "bin" / "pip"), "install", "--quiet", name]
        if subprocess.run(words, check=False, capture_output=True).returncode != 0:
            print(f"{name} cannot be installed here", file=sys.stderr)


def versions(peers: Path) -> str:
    words = [str(peers / "bin" / "pip"), "list", "--format", "freeze"]
    lines = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    return ", ".join(line for line in lines if line.partition("==")[0] in PEERS)


def main() -> None:
    from machine import describe

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--peers", type=Path, default=HERE / ".peers")
    options = parser.parse_args()
    install(options.peers)
    print(describe(), versions(options.peers), sep="\n", end="\n\n")
    names = [n for n in packages.PROGRAMS if n == "trivial" or importlib.util.find_spec(n)]
    print("| | " + " | ".join(f"{n}, ms a case | × ours" for n in names) + " | reads the answers |")
    print("|---|" + "---|" * (2 * len(names) + 1))
    ours: dict[str, float] = {}
    for way in ways(options.peers):
        cells = []
        for name in names:
            # torch takes more than a second to import: fewer cases tell as much.
            count = max(3, options.cases // 20) if name == "torch" else options.cases
            if way.name == "grader grade":
                count = options.cases
            found = per_case(way, packages.PROGRAMS[name], count, options.peers)
            if way.name == "grader grade" and found:
                ours[name] = found
            ratio = f"{found / ours[name]:.1f}" if found and name in ours else "–"
            cells.append(f"{found:.1f} | {ratio}" if found else "– | –")
        cheat = "**accepted**" if falls_for_the_cheat(way, 5, options.peers) else "refused"
        print(f"| {way.name} | {' | '.join((*cells, cheat))} |", flush=True)


if __name__ == "__main__":
    main()
