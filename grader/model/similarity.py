"""Which submissions of a lab resemble one another, and where: places to look, never a verdict."""

from __future__ import annotations

from dataclasses import dataclass

from grader.model.course import Submitted


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """Lines of a program, counted from 1 as `text_of` has them; both ends belong to it."""

    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """The same run of so many tokens, in the one program and in the other."""

    first: Lines
    second: Lines
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two submissions that share regions, in the order in which they stand in the first one.

    `matching_tokens` is the length of all regions together. `score`, from 0 to 1, is their share
    in that one of the two programs that has less of its own.
    """

    first: Submitted
    second: Submitted
    score: float
    matching_tokens: int
    regions: tuple[Region, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Submissions that are the same but for names, literals, comments and layout.

    `tokens` is how many each of them has outside given code.
    """

    members: tuple[Submitted, ...]
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Similarity:
    """What was found among the submissions of one lab.

    `pairs` are ranked, most alike first, and stand for programs: of a group only its first member
    is in them. `compared` counts the submissions. Passages that more than `common_above` different
    programs share were left out; `mostly_common` are programs that consist of such passages by
    more than half, so that the pairs say little about them. Of those in `cut` only the beginning
    was compared: they are longer than any program for a lab.
    """

    problem: str
    compared: int
    common_above: int
    groups: tuple[Group, ...]
    pairs: tuple[Pair, ...]
    mostly_common: tuple[Submitted, ...] = ()
    cut: tuple[Submitted, ...] = ()


def text_of(source: bytes) -> str:
    r"""A program as text whose lines end with `\n`: what is compared, and what regions count in.

    It is read as UTF-8 whatever it declares: a codec is code, and a program chooses it. What is
    no UTF-8 becomes U+FFFD.
    """
    text = source.decode("utf-8", "replace").removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n")
