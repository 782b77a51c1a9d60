"""Level weak, where a machine cannot confine programs: it grades, and says what it is."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.command import RIGHT, WRONG, Finished, environment, grader, grader_process, rows
from tests.conftest import REPOSITORY

LINUX_ONLY = {
    "begun",
    "cgroup",
    "canary",
    "client",
    "confine",
    "fork_server",
    "identity",
    "landlock",
    "launch",
    "seccomp",
    "server",
    "watch",
}
"""Modules of the sandbox that level standard alone imports."""

BLOCK = """
import os
import sys


class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name in ("fcntl", "pwd", "resource"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Blocked())
del os.wait3, os.wait4  # they import `resource` themselves
"""
"""As `sitecustomize`, in every Python that is started: it lacks what Windows does not have."""


def graded(folder: Path, source: str, *words: str, **more: str) -> Finished:
    (folder / "mine.py").write_text(source)
    fixed = ("grade", "double", "mine.py", "--examples", "3", *words)
    return (grader_process if more else grader)(*fixed, cwd=folder, **more)


@pytest.fixture
def elsewhere(tmp_path: Path) -> dict[str, str]:
    """Variables of an environment in which Python lacks what Windows lacks."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site/sitecustomize.py").write_text(BLOCK)
    return {"PYTHONPATH": f"{REPOSITORY}:{tmp_path / 'site'}"}


def test_level_weak_says_in_its_first_line_what_it_is_and_leaves_staff_rows_aside(
    tmp_path: Path,
) -> None:
    told = graded(tmp_path, RIGHT, "--sandbox", "weak")
    assert told.status == 0
    assert told.stdout.startswith("! WEAK SANDBOX: programs are not confined here")
    assert "80 of 80 public points (practice)" in told.stdout


def test_level_weak_grades_rows_of_the_staff_only_when_that_is_accepted(tmp_path: Path) -> None:
    words = ("--sandbox", "weak", "--accept-weak", "--format", "json")
    report = graded(tmp_path, WRONG, *words).report
    assert report["sandbox"]["level"] == "weak"
    assert not report["practice"]
    assert rows(report)["normal/90-secret"]["staff_only"]


def test_level_weak_ends_a_group_at_its_first_failure(tmp_path: Path) -> None:
    told = graded(tmp_path, WRONG, "--sandbox", "weak", "--format", "json")
    by_id = rows(told.report)
    assert told.status == 1
    assert by_id["normal/01-worked-example"]["verdict"] == "wrong_answer"
    assert by_id["normal/answers"]["verdict"] == "skipped"
    assert by_id["failure/answers"]["verdict"] == "accepted"


def test_level_weak_leaves_no_program_and_no_folder_when_it_is_stopped(tmp_path: Path) -> None:
    """There is no PDEATHSIG on macOS: the judging process ends its program itself."""
    spare, started = tmp_path / "spare", tmp_path / "started"
    spare.mkdir()
    tell = f"open({str(started)!r}, 'w').write(str(os.getpid()))"
    (tmp_path / "mine.py").write_text(f"import os, time\n{tell}\ntime.sleep(600)")
    process = subprocess.Popen(
        [sys.executable, "-m", "grader", "grade", "double", "mine.py", "--sandbox", "weak"],
        cwd=tmp_path,
        env=environment(TMPDIR=str(spare)),
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    deadline = time.monotonic() + 60
    while not (started.exists() and started.read_text()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    program = os.pidfd_open(int(started.read_text()))
    with contextlib.closing(os.fdopen(program)):
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert select.select([program], [], [], 20)[0] == [program]
    assert list(spare.iterdir()) == []


def test_without_the_modules_of_unix_a_program_is_graded_at_level_weak(
    tmp_path: Path, elsewhere: dict[str, str]
) -> None:
    told = graded(tmp_path, RIGHT, "--format", "json", **elsewhere)
    assert told.status == 0, told.stderr
    assert told.report["sandbox"]["level"] == "weak"
    assert not any(told.report["sandbox"]["layers"].values())


def test_without_the_modules_of_unix_level_standard_is_refused(
    tmp_path: Path, elsewhere: dict[str, str]
) -> None:
    told = graded(tmp_path, RIGHT, "--sandbox", "standard", **elsewhere)
    assert (told.status, told.stdout) == (4, "")
    assert "this Python has no module fcntl" in told.stderr
    assert not told.shows_our_code


def test_the_grader_is_imported_without_the_modules_of_unix(
    tmp_path: Path, elsewhere: dict[str, str]
) -> None:
    root = REPOSITORY / "grader"
    files = [path for path in root.rglob("*.py") if path.stem not in LINUX_ONLY | {"__main__"}]
    names = [".".join(path.relative_to(REPOSITORY).with_suffix("").parts) for path in files]
    script = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)"
    words = [sys.executable, "-c", script, "grader.worker.__main__", *names]
    told = subprocess.run(words, cwd=tmp_path, env=environment(**elsewhere), capture_output=True)
    assert told.returncode == 0, told.stderr.decode()


def test_the_modules_of_unix_are_really_missing_there(
    tmp_path: Path, elsewhere: dict[str, str]
) -> None:
    words = [sys.executable, "-c", "import grader.sandbox.fork_server"]
    told = subprocess.run(words, cwd=tmp_path, env=environment(**elsewhere), capture_output=True)
    assert b"No module named 'fcntl'" in told.stderr
