"""Waiting for a core is not a program's time: how long it waited, and what that adds to its limit.

The kernel tells for each thread how long it was ready to run while others had the cores:

    /proc/<pid>/task/<tid>/schedstat      717676 136216 2
                                          │      └ waited, in nanoseconds
                                          └ ran

Standard library only: this module is loaded inside the sandbox's server.
"""

import contextlib
import os
from collections.abc import Iterable

MOST_STRETCH = 10.0
"""The wall limit grows at most to so many times itself. Labs allow three to four times as much wall
time as CPU time: a program that gets one turn in thirty can still use up its CPU time."""

LEAST_STEP_SECONDS = 0.01
"""Who waited less than this since the last look has not waited: a sleeper that wakes up now and
then must not put its end off for ever, in ever smaller steps."""


def waited_seconds(pid: int) -> float | None:
    """How long a process has waited for a core so far; None where the kernel does not tell."""
    return longest_wait(_texts(pid))


def longest_wait(texts: Iterable[str]) -> float | None:
    """The longest wait of all threads: they wait side by side, so that their sum says nothing.

    Args:
        texts: what `schedstat` says of each.
    """
    fields = [text.split() for text in texts]
    waits = [int(field[1]) for field in fields if len(field) == 3 and field[1].isdecimal()]
    return max(waits) / 1e9 if waits else None


def stretched(wall_seconds: float, waited: float | None) -> float:
    """The wall limit of a process that has waited so long for a core."""
    return min(wall_seconds + (waited or 0.0), wall_seconds * MOST_STRETCH)


def _texts(pid: int) -> list[str]:
    folder, texts = f"/proc/{pid}/task", []
    with contextlib.suppress(OSError):  # no /proc here
        for thread in os.listdir(folder):
            with (
                contextlib.suppress(OSError),  # it has just ended
                open(f"{folder}/{thread}/schedstat", encoding="ascii") as file,
            ):
                texts.append(file.read())
    return texts
