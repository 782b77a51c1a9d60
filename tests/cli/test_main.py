"""What no command can tell: memory that ends, threads that cannot start, our own faults."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.cli.exit_status import ExitStatus
from grader.cli.main import cli, run
from tests.cli.command import RIGHT, environment
from tests.conftest import REPOSITORY


def without(module: str, error: str) -> subprocess.CompletedProcess[str]:
    """`grader --version` where importing a module fails like this."""
    fails = (
        "import runpy, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}: raise {error}\n"
        "sys.meta_path.insert(0, Finder())\n"
        "sys.argv = ['grader', '--version']\n"
        "runpy.run_module('grader', run_name='__main__')\n"
    )
    return subprocess.run(
        [sys.executable, "-c", fails], capture_output=True, text=True, check=False, cwd=REPOSITORY
    )


@pytest.mark.parametrize("error", ["MemoryError", "SystemError('error return without exception')"])
def test_an_import_that_runs_out_of_memory_is_no_verdict(error: str) -> None:
    told = without("click", error)
    assert told.returncode == ExitStatus.GRADER
    assert told.stderr.startswith("grader: the grader itself had too little memory: raise `ulimit")
    assert "Traceback" not in told.stderr


def test_a_fault_of_the_grader_is_no_verdict() -> None:
    told = without("click", "ZeroDivisionError('one')")
    assert told.returncode == ExitStatus.GRADER
    assert "ZeroDivisionError: one" in told.stderr
    assert told.stderr.endswith("grader: this is a fault of the grader; please report it\n")


def test_a_machine_without_threads_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object, **_more: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(cli, "main", refuse)
    assert run(["list"]) == ExitStatus.GRADER
    assert capsys.readouterr().err.startswith("grader: no thread can be started: raise `ulimit")


ACCEPTED = ("grade", "double", "right.py", "--public", "--examples", "2")


@pytest.mark.parametrize(
    ("words", "gone", "status"),
    [
        (("list",), "stdout", ExitStatus.READER_GONE),
        (("--help",), "stdout", ExitStatus.READER_GONE),
        (ACCEPTED, "stdout", ExitStatus.READER_GONE),
        (ACCEPTED, "stderr", ExitStatus.ACCEPTED),
        ((*ACCEPTED, "--verbose"), "stderr", ExitStatus.READER_GONE),
        (("grade", "no_such_lab"), "stdout", ExitStatus.USAGE),
        (("grade", "no_such_lab"), "stderr", ExitStatus.READER_GONE),
    ],
)
def test_a_reader_that_goes_away_is_no_verdict(
    words: tuple[str, ...], gone: str, status: ExitStatus, tmp_path: Path
) -> None:
    """Only where something is said to it is it missed."""
    (tmp_path / "right.py").write_text(RIGHT)
    reads, writes = os.pipe()
    os.close(reads)
    with open(writes, "wb") as nobody:
        told = subprocess.run(
            [sys.executable, "-m", "grader", *words],
            stdout=nobody if gone == "stdout" else subprocess.DEVNULL,
            stderr=nobody if gone == "stderr" else subprocess.DEVNULL,
            check=False,
            cwd=tmp_path,
            env=environment(),
        )
    assert told.returncode == status
