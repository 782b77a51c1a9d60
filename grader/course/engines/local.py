"""The engine of one machine: a judging process for each submission, one core for each slot.

A slow or hostile submission holds up its own slot and nobody else's.
"""

from __future__ import annotations

import contextlib
import os
import queue
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from grader.course.engines.engine import Order, Outcome, carry_out
from grader.worker.process import Workers

_DIGEST = 64 * "[0-9a-f]"


class LocalEngine:
    """Grades on this machine.

    Args:
        jobs: so many submissions at a time. Each slot keeps to one core, with the judging process
            and all programs of its submission, as long as there are cores for all slots.
        run: a folder in which gradings keep for one another what a lab's reference gave, in a file
            that is there as long as the engine is open.
    """

    def __init__(self, jobs: int, run: Path | None = None) -> None:
        self.slots = jobs
        self._run = run
        self._workers = Workers()
        self._ended: queue.SimpleQueue[Future[Outcome]] = queue.SimpleQueue()
        self._cores: queue.SimpleQueue[int] = queue.SimpleQueue()
        cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        for core in cores if len(cores) >= jobs else ():
            self._cores.put(core)
        self._pool = ThreadPoolExecutor(jobs, "slot", initializer=self._keep_to_a_core)

    def _keep_to_a_core(self) -> None:
        """What a slot's thread starts inherits its core."""
        try:
            core = self._cores.get_nowait()
        except queue.Empty:
            return
        os.sched_setaffinity(threading.get_native_id(), {core})

    def begin(self, order: Order) -> None:
        if self._run is not None:
            file = self._run / f"shared-{order.lab}.sqlite"
            order = replace(order, job=replace(order.job, shared=str(file)))
        future = self._pool.submit(carry_out, order, self._workers)
        future.add_done_callback(self._ended.put)

    def next(self) -> Outcome:
        return self._ended.get().result()

    def __enter__(self) -> LocalEngine:
        self._forget()  # what an engine that was killed has left
        return self

    def __exit__(self, *_: object) -> None:
        self._workers.stop()
        self._pool.shutdown(cancel_futures=True)
        self._forget()

    def _forget(self) -> None:
        if self._run is None:
            return
        for file in self._run.glob(f"shared-{_DIGEST}.sqlite*"):
            with contextlib.suppress(OSError):
                file.unlink()
