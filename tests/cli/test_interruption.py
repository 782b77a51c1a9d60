"""Gradings that are stopped: by a budget, by Ctrl-C, by SIGTERM. Nothing is left behind."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.model.verdict import Verdict
from tests.cli.command import environment, grader, replace_in, rows
from tests.hostile.siege import filters

SLEEPS = """
import sys
import time

if sys.stdin.read() != '{"n": 21}\\n':
    time.sleep(99)
print('{"ok": true, "twice": 42}')
"""
"""Answers the worked example, and sleeps on every other input."""

PATIENCE = 60.0
"""How long a test waits for what must happen; on a machine that is not stuck it never does."""


@pytest.fixture
def patient_lab(broken_lab: Path) -> Path:
    """A lab that lets a program sleep for longer than any test lasts, and a program that does."""
    toml = broken_lab / "problems/double/problem.toml"
    replace_in(toml, "wall_seconds = 3.0", "wall_seconds = 90.0")
    (broken_lab / "sleeps.py").write_text(SLEEPS)
    (broken_lab / "tmp").mkdir()
    return broken_lab


def test_a_budget_that_is_used_up_leaves_the_rest_ungraded_and_a_report(patient_lab: Path) -> None:
    words = ("grade", "double", "sleeps.py", "--public", "--budget", "4", "--format", "json")
    graded = grader(*words, cwd=patient_lab, GRADER_PROBLEMS=str(patient_lab / "problems"))
    report = graded.report
    kept = json.loads((patient_lab / ".grader/double/report.json").read_bytes())
    assert kept == report
    assert not report["graded_completely"]
    assert graded.status == 1
    by_id = rows(report)
    assert by_id.pop("normal/01-worked-example")["verdict"] == Verdict.ACCEPTED
    assert len(by_id) == 10
    for row in by_id.values():
        assert not row["graded"]
        assert row["points"] == 0
        assert "the budget of 4 s was used up" in row["detail"]


def test_a_budget_too_small_to_begin_is_nobodys_fault(patient_lab: Path) -> None:
    graded = grader("grade", "double", "sleeps.py", "--budget", "0.1", cwd=patient_lab)
    assert "nothing was graded: the budget of 0.1 s is used up" in graded.stderr
    assert graded.status == 5
    assert not graded.shows_our_code


class Descendants:
    """Processes that a grading started, held so that a later one cannot be taken for them."""

    def __init__(self, ancestor: int) -> None:
        self._handles = {}
        for pid in list(_below(ancestor)):
            try:
                self._handles[pid] = os.pidfd_open(pid)
            except ProcessLookupError:
                continue  # it has ended meanwhile

    def __len__(self) -> int:
        return len(self._handles)

    def confined(self) -> list[int]:
        """Those under more seccomp filters than this process."""
        return [pid for pid in self._handles if filters(pid) > filters("self")]

    def left(self) -> list[int]:
        """Those that do not end, in spite of waiting for them."""
        return [pid for pid, handle in self._handles.items() if not _ends(handle)]

    def close(self) -> None:
        for handle in self._handles.values():
            os.close(handle)


def _ends(handle: int) -> bool:
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    return bool(poll.poll(PATIENCE * 1000))


def _below(ancestor: int) -> Iterator[int]:
    """Children of a process, and theirs."""
    try:
        tasks = list(Path(f"/proc/{ancestor}/task").iterdir())
        children = [int(pid) for task in tasks for pid in (task / "children").read_text().split()]
    except OSError:
        return  # it has ended meanwhile
    for child in children:
        yield child
        yield from _below(child)


def _asleep(process: subprocess.Popen[str]) -> Descendants:
    """Wait until the grading is in the middle: its judge, the server and the program are there."""
    assert process.stderr is not None
    first_row = process.stderr.readline()
    assert first_row == "✓ normal/01-worked-example\n"
    while True:
        found = Descendants(process.pid)
        if found.confined() or process.poll() is not None:
            return found
        found.close()


def stopped(process: subprocess.Popen[str], how: signal.Signals) -> tuple[str, str]:
    """Its stdout and stderr when a signal has ended it; one that it does not heed is a failure."""
    process.send_signal(how)
    try:
        return process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        raise


@pytest.mark.parametrize(
    ("how", "status", "words"),
    [
        (signal.SIGINT, 130, "interrupted; nothing is left running"),
        (signal.SIGTERM, 143, ""),
    ],
)
def test_a_grading_that_is_stopped_leaves_no_process_and_no_file(
    patient_lab: Path, how: signal.Signals, status: int, words: str
) -> None:
    own = {"TMPDIR": str(patient_lab / "tmp"), "GRADER_PROBLEMS": str(patient_lab / "problems")}
    process = subprocess.Popen(
        [sys.executable, "-m", "grader", "grade", "double", "sleeps.py", "--public", "--verbose"],
        cwd=patient_lab,
        env=environment(**own),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    with process:
        started = _asleep(process)
        stdout, stderr = stopped(process, how)
    assert (process.returncode, stdout, stderr.strip()) == (status, "", words)
    assert started.left() == []
    started.close()
    assert list((patient_lab / "tmp").iterdir()) == []
    assert not (patient_lab / ".grader").exists()
