"""How fast this machine is just now: a short fixed piece of work, and the CPU time that it takes.

A time limit was measured on one machine and holds on another: it is multiplied by `factor`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction

MOST_FACTOR = 10.0
"""A machine that is even slower is broken, or no place to grade on."""

_TIMES = 4
"""The best of so many: what disturbs a piece of work only ever makes it slower."""


def calibrate() -> float:
    """Seconds of CPU time that a fixed workload takes here and now: about 0.011 on a server
    core of 2024, and the whole measurement takes four times that.

    The work is what the labs' programs do: sorting, dictionaries, integers and fractions. Each
    piece takes a few ms and counts with the best of its turns. Other processes that have the
    cores do not count; that they slow down caches and the other half of a core does, as it does
    for a program.
    """
    return sum(min(_seconds(piece) for _ in range(_TIMES)) for piece in _PIECES)


def factor(measured_seconds: float, paced_seconds: float | None) -> float:
    """What limits are multiplied by: how much slower this machine is than the lab's.

    Args:
        measured_seconds: `calibrate` now.
        paced_seconds: `calibrate` on the machine on which the lab's limits were measured; None
            where nobody did so, then limits stand as they are.

    Returns:
        At least 1, so that a fast machine is no stricter, and at most `MOST_FACTOR`.
    """
    if paced_seconds is None:
        return 1.0
    return min(max(1.0, measured_seconds / paced_seconds), MOST_FACTOR)


def _seconds(piece: Callable[[], object]) -> float:
    begun = time.thread_time()
    piece()
    return time.thread_time() - begun


def _numbers(count: int) -> list[int]:
    """Always the same numbers in no order."""
    numbers, value = [], 1
    for _ in range(count):
        value = value * 48271 % 0x7FFFFFFF
        numbers.append(value)
    return numbers


def _sort() -> list[tuple[int, int]]:
    return sorted((number % 1009, number) for number in _numbers(4000))


def _count() -> dict[str, int]:
    found: dict[str, int] = {}
    for number in _numbers(6000):
        key = f"{number % 997}"
        found[key] = found.get(key, 0) + number
    return found


def _add() -> Fraction:
    total = Fraction(0)
    for number in _numbers(900):
        total += Fraction(number % 1000, 1 + number % 60)
    return total


_PIECES = (_sort, _count, _add)
