"""Several workers at a time, and all of them ended when one fails or the user interrupts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
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
        futures: list[Future[Found]] = []
        try:
            for task in tasks:  # one by one: an interruption must find those that were submitted
                futures.append(pool.submit(task))
            for future in as_completed(futures):
                yield future.result()
        except BaseException:
            for future in futures:
                future.cancel()
            workers.stop()
            raise
