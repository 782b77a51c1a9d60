"""Fingerprints of a string of tokens, by winnowing.

    k-grams   every run of K tokens, as a number
    window    W k-grams, one after the other
    kept      of every window the smallest number: a fingerprint

Schleimer, Wilkerson, Aiken: Winnowing: Local Algorithms for Document Fingerprinting, SIGMOD 2003.
Two programs that share a run of at least W + K - 1 tokens share a whole window, and so keep the
same fingerprint. Nothing shorter than K tokens is ever found.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable, Iterator

K = 16
"""Tokens of a k-gram. The scores that were measured with the labs' solutions (three or four a
lab, written in different ways) and with copies in which up to five tokens in a row were changed,
put in or taken out at random places:

     K   most alike solutions   copies, changed every 15 tokens   every 40 tokens
     8                   0.31                      0.64 to 0.76      0.86 to 0.94
    12                   0.21                      0.53 to 0.69      0.85 to 0.94
    16                   0.12                      0.45 to 0.68      0.79 to 0.95
    23                   0.07                      0.29 to 0.54      0.71 to 0.92
"""

W = 9
"""k-grams of a window: a fingerprint for about every fifth token."""

GUARANTEED = W + K - 1
"""Tokens, about three lines: a shared run of this length is found."""

MOST_PLACES = 8
"""Of one fingerprint in one program: more say nothing new, and pairs of places are compared."""

GIVEN = 0xFF
"""Stands in a string of tokens for one that was given to all. No class is so large."""


def k_grams(classes: bytes) -> Iterator[bytes]:
    """Every run of `K` tokens."""
    return (classes[start : start + K] for start in range(len(classes) - K + 1))


def without(classes: bytes, given: set[bytes]) -> bytes:
    """The same string with `GIVEN` for every token that stands in one of the given k-grams."""
    own = bytearray(classes)
    for start, gram in enumerate(k_grams(classes)):
        if gram in given:
            own[start : start + K] = bytes([GIVEN]) * K
    return bytes(own)


def fingerprints(own: bytes) -> dict[int, list[int]]:
    """The fingerprints of what is not `GIVEN`, each with where its k-grams begin.

    What is given divides the string, and every part has fingerprints of its own.
    """
    found: dict[int, list[int]] = {}
    for begin, part in _parts(own):
        numbers = [_number(gram) for gram in k_grams(part)]
        for place in _smallest(numbers):
            places = found.setdefault(numbers[place], [])
            if len(places) < MOST_PLACES:
                places.append(begin + place)
    return found


def _parts(own: bytes) -> Iterator[tuple[int, bytes]]:
    begin = 0
    for part in own.split(bytes([GIVEN])):
        yield begin, part
        begin += len(part) + 1


def _number(gram: bytes) -> int:
    """The same in every process, unlike `hash`, and in no order that a program could choose."""
    return int.from_bytes(hashlib.blake2b(gram, digest_size=8).digest())


def _smallest(numbers: list[int]) -> Iterable[int]:
    """Where the smallest number of every window stands, the last one of equal ones.

    `rising` holds the places of the window that are smaller than all that follow them, so that
    every place is put in and taken out once. Fewer numbers than `W` are one short window.
    """
    rising: deque[int] = deque()
    kept: dict[int, None] = {}
    for place, number in enumerate(numbers):
        while rising and numbers[rising[-1]] >= number:
            rising.pop()
        rising.append(place)
        if rising[0] <= place - W:
            rising.popleft()
        if place >= W - 1 or place == len(numbers) - 1:
            kept[rising[0]] = None
    return kept
