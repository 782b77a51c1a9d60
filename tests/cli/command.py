"""The command line as a person uses it: in a folder and an environment of its own."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from grader.cli.main import run
from tests.conftest import LABS, REPOSITORY
from tests.hostile.unprivileged import become_ordinary, open_the_way

PROBLEMS = LABS / "problems"
RIGHT = (LABS / "solutions" / "double" / "reference.py").read_text()
WRONG = RIGHT.replace("2 * given", "3 * given")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """What is left of a command when it has ended."""

    status: int
    stdout: str
    stderr: str

    @property
    def output(self) -> str:
        return self.stdout + self.stderr

    @property
    def report(self) -> dict[str, Any]:
        """Its stdout, which must be one JSON object and nothing else."""
        value = json.loads(self.stdout)
        assert isinstance(value, dict)
        return value

    @property
    def shows_our_code(self) -> bool:
        """Whether a traceback of ours got through to the person at the keyboard."""
        frames = [line for line in self.output.splitlines() if 'File "' in line]
        return any("/grader/" in line or "<frozen runpy>" in line for line in frames)


def environment(**more: str) -> dict[str, str]:
    """As little as possible of the environment that the tests run in, and what is given."""
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    ours = {"PYTHONPATH": str(REPOSITORY), "LANG": "C.UTF-8", "GRADER_PROBLEMS": str(PROBLEMS)}
    # A second judging process would cost more than it helps with so little to do.
    return kept | ours | {"COLUMNS": "100", "GRADER_JOBS": "1"} | more


def grader(*words: str | Path, cwd: Path, **more: str) -> Finished:
    """Run `grader …` to its end in this process; keyword arguments are variables."""
    stdout, stderr = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    before = signal.getsignal(signal.SIGTERM)
    with (
        contextlib.chdir(cwd),
        patch.dict(os.environ, environment(**more), clear=True),
        contextlib.redirect_stdout(stdout),
        contextlib.redirect_stderr(stderr),
    ):
        try:
            status = run([str(word) for word in words])
        finally:
            signal.signal(signal.SIGTERM, before)
    return Finished(status=status, stdout=_written(stdout), stderr=_written(stderr))


def _written(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


def grader_process(*words: str | Path, cwd: Path, **more: str) -> Finished:
    """The same in a process of its own: slower, and nearer to a person."""
    return grader_into(subprocess.PIPE, words, cwd, more)


def grader_into(
    stdout: int, words: Sequence[str | Path], cwd: Path, variables: Mapping[str, str]
) -> Finished:
    """The same with a stdout of one's own."""
    process = subprocess.run(
        [sys.executable, "-m", "grader", *map(str, words)],
        cwd=cwd,
        env=environment(**variables),
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        check=False,
    )
    encoding = variables.get("PYTHONIOENCODING", "utf-8")
    return Finished(
        status=process.returncode,
        stdout=(process.stdout or b"").decode(encoding),
        stderr=process.stderr.decode(encoding),
    )


def grader_as_nobody(place: Path, *words: str, **more: str) -> Finished:
    """The same as an ordinary user, who can get into the folders above."""
    open_the_way(place)
    told = subprocess.run(
        [sys.executable, "-m", "grader", *words],
        cwd=place,
        env=environment(**{"HOME": "/nowhere"} | more),
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=become_ordinary,
    )
    return Finished(status=told.returncode, stdout=told.stdout, stderr=told.stderr)


def rows(report: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The rows of a report by their ids."""
    return {row["id"]: row for group in report["groups"] for row in group["rows"]}


def replace_in(path: Path, old: str, new: str) -> None:
    """Change one place of a file; it has to be there."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path}"
    path.write_text(text.replace(old, new), encoding="utf-8")
