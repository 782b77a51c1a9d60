"""Which submissions of a lab resemble one another: where to look, never a verdict.

    source ─► tokens ─► without given code ─► fingerprints ─► index ─► pairs ─► regions
              python_tokens        winnowing                            tiling

Renamed variables, moved functions, other literals, comments and layout hide nothing. Two programs
that share a run of `winnowing.GUARANTEED` tokens, none of which given code covers, are a pair; of
what is shorter, down to `winnowing.K`, some is found. Fingerprints that many different programs
share are dropped, as Moss does: they are how everybody writes this lab. Two programs are compared
only where they share a fingerprint that is left, and programs that are the same after
normalisation count as one.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from grader.course.python_tokens import Tokens, tokens_of
from grader.course.tiling import Tile, tiles
from grader.course.winnowing import GIVEN, W, fingerprints, k_grams, without
from grader.errors import UsageError
from grader.model.course import Submitted
from grader.model.similarity import Group, Lines, Pair, Region, Similarity

COMMON_SHARE = 0.1
COMMON_AT_LEAST = 10
"""Dropped is what more than this share of the different programs has, and more than so many: in a
small class even a few who copied from one another are a large share. Ten is the default of Moss."""

SHORT = 100
"""Tokens. Of a program that has less of its own, the score is the share in so many: that twenty
tokens of twenty are found elsewhere says nothing."""

_SHORT_IN_MARKS = SHORT * 2 // (W + 1)  # one mark for every (W + 1) / 2 tokens

CANDIDATES = 4
"""For every pair that is asked for, so many are looked at in full. The fingerprints choose them,
and the score by fingerprints differs from that by tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Program:
    """What one or more submissions are after normalisation."""

    members: tuple[Submitted, ...]
    students: frozenset[str]
    tokens: Tokens
    own: bytes
    own_tokens: int
    marks: dict[int, list[int]]


def similar(
    submissions: Iterable[Submitted],
    *,
    starter: bytes,
    given: Sequence[bytes] = (),
    most: int = 50,
) -> Similarity:
    """Compare the submissions of one lab. Their order does not matter.

    Args:
        submissions: all of one lab; several of one student are not compared with one another.
        starter: the lab's starter file. What stands in it is nobody's own.
        given: other code that everybody was given, such as a statement's examples.
        most: how many pairs to return.

    Raises:
        UsageError: the submissions are of several labs.
    """
    ordered = sorted(submissions, key=lambda one: (one.student, one.path, one.source))
    problems = sorted({one.problem for one in ordered})
    if len(problems) > 1:
        names = ", ".join(problems)
        raise UsageError(f"these submissions are of several labs ({names}): compare each alone")
    programs = _programs(ordered, [starter, *given])
    common_above = max(COMMON_AT_LEAST, int(COMMON_SHARE * len(programs)))
    holders = _holders(programs)
    rare = {mark: who for mark, who in holders.items() if 1 < len(who) <= common_above}
    pairs = [_pair(*two) for two in _candidates(programs, rare, CANDIDATES * most)]
    pairs.sort(key=_rank)
    return Similarity(
        problem="".join(problems),
        compared=len(ordered),
        common_above=common_above,
        groups=_groups(programs),
        pairs=tuple(pairs[:most]),
        mostly_common=_mostly_common(programs, holders, common_above),
        cut=tuple(sub for one in programs if not one.tokens.whole for sub in one.members),
    )


def _programs(submissions: list[Submitted], given: list[bytes]) -> list[_Program]:
    """The different programs, in the order of the first submission of each."""
    given_grams = {gram for source in given for gram in k_grams(tokens_of(source).classes)}
    alike: defaultdict[tuple[bytes, bytes], list[tuple[Submitted, Tokens]]] = defaultdict(list)
    for one in submissions:
        read = tokens_of(one.source)
        unread = b"" if read.whole else one.source  # may differ in what was not read
        alike[read.classes, unread].append((one, read))
    programs = []
    for members in alike.values():
        read = members[0][1]
        own = without(read.classes, given_grams)
        programs.append(
            _Program(
                members=tuple(one for one, _ in members),
                students=frozenset(one.student for one, _ in members),
                tokens=read,
                own=own,
                own_tokens=len(own) - own.count(GIVEN),
                marks=fingerprints(own),
            )
        )
    return programs


def _groups(programs: list[_Program]) -> tuple[Group, ...]:
    """Programs of several students. Who hands in the starter has nothing of his own."""
    groups = [
        Group(members=one.members, tokens=one.own_tokens)
        for one in programs
        if len(one.students) > 1 and one.marks
    ]
    return tuple(sorted(groups, key=lambda group: (-group.tokens, -len(group.members))))


def _holders(programs: list[_Program]) -> dict[int, list[int]]:
    """The index: every fingerprint, and the numbers of the programs that have it."""
    holders: defaultdict[int, list[int]] = defaultdict(list)
    for number, one in enumerate(programs):
        for mark in one.marks:
            holders[mark].append(number)
    return holders


def _mostly_common(
    programs: list[_Program], holders: dict[int, list[int]], common_above: int
) -> tuple[Submitted, ...]:
    found: list[Submitted] = []
    for one in programs:
        common = sum(len(holders[mark]) > common_above for mark in one.marks)
        if 2 * common > len(one.marks):
            found += one.members
    return tuple(found)


def _candidates(
    programs: list[_Program], rare: dict[int, list[int]], most: int
) -> Iterator[tuple[_Program, _Program, set[int]]]:
    """The pairs that are most alike by their rare fingerprints, and those that they share.

    A rare fingerprint makes pairs of few programs, so that the work grows with the number of
    submissions times what is rare, not with the square.
    """
    for _, _, first, second in heapq.nlargest(most, _ranked(programs, rare)):
        one, other = programs[-first], programs[-second]
        yield one, other, one.marks.keys() & other.marks.keys() & rare.keys()


def _ranked(
    programs: list[_Program], rare: dict[int, list[int]]
) -> Iterator[tuple[float, int, int, int]]:
    """Containment, shared fingerprints, and both programs (negative: the first is the largest)."""
    for first, one in enumerate(programs):
        counts: Counter[int] = Counter()
        for mark in one.marks.keys() & rare.keys():
            counts.update(rare[mark])
        for second, shared in counts.items():
            other = programs[second]
            if second <= first or len(one.students | other.students) == 1:
                continue
            least = max(_SHORT_IN_MARKS, min(len(one.marks), len(other.marks)))
            yield shared / least, shared, -first, -second


def _rank(pair: Pair) -> tuple[float, int, str, str, str, str]:
    """Containment first, then size; the rest only makes the order the same every time."""
    first, second = pair.first, pair.second
    names = first.student, first.path, second.student, second.path
    return -pair.score, -pair.matching_tokens, *names


def _pair(one: _Program, other: _Program, shared: set[int]) -> Pair:
    seeds = [(at, to) for mark in shared for at in one.marks[mark] for to in other.marks[mark]]
    found = tiles(one.own, other.own, seeds)
    matching = sum(tile.tokens for tile in found)
    return Pair(
        first=one.members[0],
        second=other.members[0],
        score=matching / max(SHORT, min(one.own_tokens, other.own_tokens)),
        matching_tokens=matching,
        regions=tuple(_region(one, other, tile) for tile in found),
    )


def _region(one: _Program, other: _Program, tile: Tile) -> Region:
    return Region(
        first=_lines(one.tokens, tile.first, tile.tokens),
        second=_lines(other.tokens, tile.second, tile.tokens),
        tokens=tile.tokens,
    )


def _lines(tokens: Tokens, begin: int, count: int) -> Lines:
    return Lines(first=tokens.lines[begin], last=tokens.lines[begin + count - 1])
