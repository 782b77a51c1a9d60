"""The judging process: reads a Job, executes the lab's code, grades, and tells what it found.

A process of its own because the lab's code may hang, eat memory or print, and because what
Hypothesis draws must not depend on what else is loaded. It dies with its parent. The sandbox's
server starts first: it needs as long as loading Hypothesis, which this module leaves to `inside`.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from pathlib import Path
from typing import BinaryIO

from grader.errors import BundleError, GraderError, LevelMissing, SandboxError
from grader.model.execution import Submission
from grader.sandbox.levels import Opening
from grader.worker.job import Event, Failed, Job, Progress, decode_job, decode_turn, encode

MEMORY_BYTES = 4 << 30
"""For judging: the largest answer of a lab as Python objects, several times over."""

_PROGRESS_SECONDS = 0.1


class Voice:
    """Writes events on what was stdout; what the lab's code prints goes nowhere."""

    def __init__(self) -> None:
        self._out: BinaryIO = os.fdopen(os.dup(1), "wb")
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.close(nowhere)
        self._last = 0.0

    def say(self, event: Event) -> None:
        self._out.write(encode(event) + b"\n")
        self._out.flush()

    def progress(self, group: str, runs: int) -> None:
        now = time.monotonic()
        if now - self._last >= _PROGRESS_SECONDS:
            self._last = now
            self.say(Progress(group=group, runs=runs))


def main() -> None:
    die_with_parent()
    _limit_memory()
    signal.signal(signal.SIGTERM, _tidy_up)
    job = decode_job(sys.stdin.buffer.readline())
    voice = Voice()
    try:
        _grade(job, voice)
    except _Terminated:
        sys.exit(143)
    except BundleError as error:
        voice.say(Failed(fault="bundle", message=error.why, path=error.path, key=error.key))
    except LevelMissing as error:
        voice.say(Failed(fault="level", message=str(error)))
    except SandboxError as error:
        voice.say(Failed(fault="sandbox", message=str(error)))
    except GraderError as error:
        voice.say(Failed(fault="usage", message=str(error)))


def _grade(job: Job, voice: Voice) -> None:
    submission = Submission(name=job.name, source=job.source)
    secrets = (Path(job.staff),) if job.staff else ()
    opening = Opening(submission, secrets=secrets, level=job.level, hash_seed=job.hash_seed)
    with contextlib.closing(opening):
        from grader.worker.inside import events

        turns = map(decode_turn, sys.stdin.buffer)
        for event in events(job, submission, opening, voice.progress, turns):
            voice.say(event)


class _Terminated(BaseException):
    """Ends the judging, and goes through whatever it is at."""


def _tidy_up(*_: object) -> None:
    """At level weak a program and its folder would be left; elsewhere it is merely polite."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise _Terminated


def die_with_parent() -> None:
    if sys.platform == "linux":
        with contextlib.suppress(ImportError):  # a Python without it: level weak
            import ctypes

            set_pdeathsig, kill = 1, 9
            ctypes.CDLL(None).prctl(set_pdeathsig, kill, 0, 0, 0)


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:
        return
    with contextlib.suppress(ValueError, OSError):
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]  # programs may be allowed more
        soft = MEMORY_BYTES if hard == resource.RLIM_INFINITY else min(MEMORY_BYTES, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


if __name__ == "__main__":
    main()
