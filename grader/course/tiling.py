"""The regions that two programs share: few, long, and no token in two of them.

Greedy string tiling (Wise 1993) from the places of shared fingerprints: each is extended to both
sides as far as the tokens are the same, and the longest runs are taken first.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

from grader.course.winnowing import GIVEN, K

MOST_STEPS = 200_000
"""Tokens that are compared for one pair of programs. Long programs that repeat themselves need
more; then some of their regions are missing."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Tile:
    """A run of tokens that begins at `first` in the one program and at `second` in the other."""

    first: int
    second: int
    tokens: int


def tiles(first: bytes, second: bytes, seeds: list[tuple[int, int]]) -> list[Tile]:
    """Regions without overlap, as they stand in the first program.

    Args:
        first, second: tokens; what is `GIVEN` is the same as nothing.
        seeds: places in both where the same `K` tokens begin.
    """
    longest = [(-run.tokens, run.first, run.second) for run in _runs(first, second, seeds)]
    heapq.heapify(longest)
    free_in_first, free_in_second = bytearray(b"\1") * len(first), bytearray(b"\1") * len(second)
    taken = []
    while longest:
        negative, at, there = heapq.heappop(longest)
        length = -negative
        # Only an end can be taken: a tile inside would be shorter, and the longer came first.
        while length >= K and not (free_in_first[at] and free_in_second[there]):
            at, there, length = at + 1, there + 1, length - 1
        while length >= K and not (
            free_in_first[at + length - 1] and free_in_second[there + length - 1]
        ):
            length -= 1
        if length < K:
            continue
        if length < -negative:
            heapq.heappush(longest, (-length, at, there))
            continue
        free_in_first[at : at + length] = free_in_second[there : there + length] = bytes(length)
        taken.append(Tile(first=at, second=there, tokens=length))
    return sorted(taken)


def _runs(first: bytes, second: bytes, seeds: list[tuple[int, int]]) -> list[Tile]:
    """Each seed extended as far as the programs agree; a seed inside a run gives no other run."""
    runs: list[Tile] = []
    reached: dict[int, int] = {}
    steps = 0
    for at, there in sorted(seeds):
        if reached.get(there - at, 0) > at:
            continue
        if steps > MOST_STEPS:
            break
        begin, end = at, at + K
        shift = there - at
        while begin and begin + shift and _same(first, second, begin - 1, shift):
            begin -= 1
        while end < len(first) and end + shift < len(second) and _same(first, second, end, shift):
            end += 1
        steps += end - begin
        reached[shift] = end
        runs.append(Tile(first=begin, second=begin + shift, tokens=end - begin))
    return runs


def _same(first: bytes, second: bytes, at: int, shift: int) -> bool:
    return first[at] == second[at + shift] != GIVEN
