"""Judging processes from a nursery are like those that are started directly, also in their end."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

from grader.report.to_json import to_json
from grader.worker import process
from grader.worker.job import Job, encode
from grader.worker.run import Grading
from grader.worker.spawn import Process, Starting
from tests.cli.command import PROBLEMS, REPOSITORY, WRONG
from tests.hostile.siege import children

_READY_SECONDS = 60.0
_TIMES = re.compile(r"seconds|_at$|memory_bytes")


@pytest.fixture
def words() -> Iterator[BinaryIO]:
    with tempfile.TemporaryFile() as file:
        yield file


@pytest.fixture(scope="module")
def warm() -> Starting:
    """One whose nursery is ready."""
    if not hasattr(os, "pidfd_open"):
        pytest.skip("no nursery without pidfd_open")
    starting = Starting(directly=0)
    with tempfile.TemporaryFile() as file:
        deadline = time.monotonic() + _READY_SECONDS
        while isinstance(end(starting.spawn(file)), subprocess.Popen):
            assert time.monotonic() < deadline, "no nursery became ready"
    return starting


def end(started: Process) -> Process:
    started.kill()
    started.wait()
    for stream in (started.stdin, started.stdout):
        assert stream is not None
        with contextlib.suppress(BrokenPipeError):
            stream.close()
    return started


def without_times(value: object) -> object:
    if isinstance(value, dict):
        return {key: without_times(v) for key, v in value.items() if not _TIMES.search(key)}
    return [without_times(v) for v in value] if isinstance(value, list) else value


def report() -> object:
    job = Job(problem=str(PROBLEMS / "double"), staff=None, name="mine.py", source=WRONG.encode())
    grading = Grading(job=job)
    assert list(grading.rows())
    return without_times(json.loads(to_json(grading.report())))


def test_reports_are_the_same(warm: Starting, monkeypatch: pytest.MonkeyPatch) -> None:
    direct = report()
    monkeypatch.setattr(process, "spawn", warm.spawn)
    assert report() == direct


def test_its_end_is_told(warm: Starting, words: BinaryIO) -> None:
    killed = warm.spawn(words)
    with pytest.raises(subprocess.TimeoutExpired):
        killed.wait(0.01)
    killed.kill()
    assert killed.wait(_READY_SECONDS) == killed.wait() == -signal.SIGKILL
    end(killed)  # it is nobody's any more


def test_what_it_says_last_is_kept(warm: Starting, words: BinaryIO) -> None:
    started = warm.spawn(words)
    assert started.stdin is not None
    started.stdin.write(b"no job\n")
    started.stdin.close()
    assert started.wait(_READY_SECONDS) == 1
    end(started)
    words.seek(0)
    assert b"msgspec.DecodeError" in words.read()


_TELLS = """
import os, sys
here = os.environ["GRADER_OF_NOW"], os.getcwd(), os.sched_getaffinity(0)
links = [os.readlink(f"/proc/self/fd/{number}") for number in range(3, 20)
         if os.path.exists(f"/proc/self/fd/{number}")]
print(*here, [link for link in links if "pidfd" in link or "epoll" in link], file=sys.stderr)
"""


def test_it_gets_the_environment_the_folder_and_the_cores_of_now_and_nothing_of_others(
    warm: Starting, words: BinaryIO, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shutil.copytree(PROBLEMS / "double", tmp_path / "double")
    with open(tmp_path / "double/properties.py", "a") as properties:
        properties.write(_TELLS)
    monkeypatch.setenv("GRADER_OF_NOW", "yes")
    monkeypatch.setitem(os.environb, b"GRADER_NO_UTF8", b"\xff")  # type: ignore[misc]
    monkeypatch.chdir(tmp_path)
    other, started = warm.spawn(words), warm.spawn(words)
    assert started.stdin is not None
    job = Job(problem="double", staff=None, name="mine.py", source=b"pass", level="weak")
    started.stdin.write(encode(job) + b"\n")
    started.stdin.close()
    assert started.wait(_READY_SECONDS) == 0
    end(started), end(other)
    words.seek(0)
    assert words.read().decode().strip() == f"yes {tmp_path} {os.sched_getaffinity(0)} []"


def test_another_start_of_the_interpreter_is_a_direct_one(
    warm: Starting, words: BinaryIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONWARNINGS", "error")
    assert isinstance(end(warm.spawn(words)), subprocess.Popen)


_DRIVER = """\
import sys, tempfile, time
from grader.worker.spawn import Starting
starting, words = Starting(directly=0), tempfile.TemporaryFile()
while True:
    started = starting.spawn(words)
    if not hasattr(started, "pid"):
        break
    started.kill(), started.wait()
print("ready", flush=True)
print(started.wait(), hasattr(starting.spawn(words), "pid"), flush=True)
time.sleep(600)
"""


@pytest.fixture
def driver() -> Iterator[subprocess.Popen[str]]:
    """Has one judging process from a nursery; when that ends, it tells how, and starts another."""
    command = [sys.executable, "-c", _DRIVER]
    with subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True) as started:
        assert isinstance(started.stdout, io.TextIOBase)
        assert started.stdout.readline() == "ready\n"
        yield started
        started.kill()


def test_a_nursery_that_is_killed_takes_its_own_along_and_nobody_else(
    driver: subprocess.Popen[str],
) -> None:
    (nursery,) = children(driver.pid)
    os.kill(nursery, signal.SIGKILL)
    assert driver.stdout is not None
    assert driver.stdout.readline() == "255 True\n"


def test_nothing_outlives_a_driver_that_is_killed(driver: subprocess.Popen[str]) -> None:
    (nursery,) = children(driver.pid)
    (judging,) = children(nursery)
    handles = [os.pidfd_open(pid) for pid in (nursery, judging)]
    driver.kill()
    for handle in handles:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        assert poll.poll(_READY_SECONDS * 1000)  # it has ended
        os.close(handle)
