"""Several workers at a time, and all of them ended when one fails or the user interrupts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TypeVar

from grader.worker.process import Workers

Found = TypeVar("Found")


def in_parallel(
    jobs: int, workers: Workers, tasks: Sequence[Callable[[], Found]]
) -> Iterator[Found]:
    """The results of all tasks, as soon as each is there.

    Args:
        jobs: so many at a time.
        workers: what the tasks start their judging processes with.

    Raises:
        Whatever a task raises; then the others have ended.
    """
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        futures = [pool.submit(task) for task in tasks]
        try:
            for future in as_completed(futures):
                yield future.result()
        except BaseException:
            for future in futures:
                future.cancel()
            workers.stop()
            raise
