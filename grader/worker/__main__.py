"""The judging process: reads a Job, executes the lab's code, grades, and tells what it found.

A process of its own because the lab's code may hang, eat memory or print, and because what
Hypothesis draws must not depend on what else is loaded. It dies with its parent.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import hypothesis

from grader.bundles.load import load_bundle
from grader.bundles.properties import load_properties
from grader.errors import BundleError, GraderError, SandboxError
from grader.judging.grade import Walk, grade
from grader.judging.replay import replay
from grader.judging.rows import Row, plan
from grader.judging.score import points
from grader.model.bundle import Bundle
from grader.model.execution import Submission
from grader.sandbox import levels
from grader.worker.job import (
    Done,
    Event,
    Failed,
    Job,
    Opened,
    PlannedRow,
    Progress,
    Result,
    decode_job,
    encode,
)

MEMORY_BYTES = 4 << 30
"""For judging: the largest answer of a lab as Python objects, several times over."""

_PROGRESS_SECONDS = 0.1


class _Voice:
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
    _die_with_parent()
    _limit_memory()
    job = decode_job(sys.stdin.buffer.readline())
    voice = _Voice()
    try:
        for event in _events(job, voice):
            voice.say(event)
    except BundleError as error:
        voice.say(Failed(fault="bundle", message=error.why, path=error.path, key=error.key))
    except SandboxError as error:
        voice.say(Failed(fault="sandbox", message=str(error)))
    except GraderError as error:
        voice.say(Failed(fault="usage", message=str(error)))


def _events(job: Job, voice: _Voice) -> Iterator[Event]:
    staff = Path(job.staff) if job.staff else None
    bundle = load_bundle(Path(job.problem), staff)
    missing = [name for name in bundle.needs_packages if not importlib.util.find_spec(name)]
    if missing:
        extra = f"pip install 'inference-labs[{missing[0]}]'"
        yield Failed(fault="packages", message=f"this lab needs {missing[0]}: {extra}")
        return
    properties = load_properties(bundle)
    submission = Submission(name=job.name, source=job.source)
    secrets = (bundle.staff,) if bundle.staff else ()
    opened = levels.open_executor(submission, secrets=secrets, level=job.level)
    weak = opened.containment.level == "weak"
    with contextlib.closing(opened.executor):
        with_staff = bundle.staff is not None and (not weak or job.accept_weak)
        rows = plan(bundle, properties, staff=with_staff)
        yield _opened(bundle, opened, rows, practice=not with_staff)
        walk = Walk(
            bundle=bundle,
            properties=properties,
            plan=rows,
            submission=submission,
            executor=opened.executor,
            seed=job.seed,
            examples=job.examples,
            groups=job.groups,
            done=job.done,
            sparing=weak,
        )
        results = [replay(walk, job.replay)] if job.replay else grade(walk, voice.progress)
        for result in results:
            yield Result(row=result)
        yield Done()


def _opened(
    bundle: Bundle, opened: levels.Opened, rows: dict[str, tuple[Row, ...]], *, practice: bool
) -> Opened:
    every = [row for group in rows.values() for row in group]
    return Opened(
        slug=bundle.slug,
        fingerprint=bundle.fingerprint,
        staff_fingerprint=None if practice else bundle.staff_fingerprint,
        practice=practice,
        public_out_of=points(row.out_of for row in every if not row.staff_only),
        level=opened.containment.level,
        layers=opened.containment.layers,
        why_not_better=opened.why,
        longest_run_seconds=max(group.limits.wall_seconds for group in bundle.groups),
        hypothesis_version=hypothesis.__version__,
        rows=tuple(
            PlannedRow(
                id=row.id, out_of=row.out_of, sentence=row.sentence, staff_only=row.staff_only
            )
            for row in every
        ),
    )


def _die_with_parent() -> None:
    if sys.platform == "linux":
        set_pdeathsig, kill = 1, 9
        ctypes.CDLL(None).prctl(set_pdeathsig, kill, 0, 0, 0)


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:
        return
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))


if __name__ == "__main__":
    main()
