"""What winnowing promises: a run that two programs share is found, and is shown as it is."""

from __future__ import annotations

import random

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grader.course.python_tokens import tokens_of
from grader.course.similar import similar
from grader.course.tiling import tiles
from grader.course.winnowing import GIVEN, GUARANTEED, K, fingerprints, k_grams, without
from grader.model.course import Submitted

words = st.sampled_from("a 1 if + [ =".split())
"""Few, so that runs are met again by chance; none that normalisation drops."""

many_words = st.lists(words, max_size=GUARANTEED)
runs = st.lists(words, min_size=GUARANTEED, max_size=GUARANTEED)


def source(*parts: list[str]) -> bytes:
    return " ".join(word for part in parts for word in part).encode()


def handed_in(student: str, program: bytes) -> Submitted:
    return Submitted(student=student, problem="p", path="mine.py", source=program)


@settings(deadline=None)
@given(runs, *[many_words] * 4, many_words)
def test_a_shared_run_outside_given_code_is_always_found(
    run: list[str],
    before: list[str],
    after: list[str],
    before_other: list[str],
    after_other: list[str],
    starter: list[str],
) -> None:
    one, other = source(before, run, after), source(before_other, run, after_other)
    grams = set(k_grams(tokens_of(source(starter)).classes))
    for program, start in ((one, len(before)), (other, len(before_other))):
        own = without(tokens_of(program).classes, grams)
        assume(GIVEN not in own[start : start + GUARANTEED])
    students = [handed_in("a", one), handed_in("b", other)]
    found = similar(students, starter=source(starter))
    if one.split() == other.split():
        assert len(found.groups) == 1
    else:
        (pair,) = found.pairs
        assert pair.matching_tokens >= GUARANTEED


@settings(deadline=None)
@given(st.binary(max_size=200).map(lambda raw: bytes(byte % 3 for byte in raw)), st.data())
def test_given_code_leaves_no_fingerprint_of_itself(classes: bytes, data: st.DataObject) -> None:
    begin = data.draw(st.integers(0, len(classes)))
    given_code = classes[begin : data.draw(st.integers(begin, len(classes)))]
    grams = set(k_grams(given_code))
    own = without(classes, grams)
    assert len(own) == len(classes)
    for places in fingerprints(own).values():
        for place in places:
            assert own[place : place + K] == classes[place : place + K]
            assert classes[place : place + K] not in grams


letters = st.binary(max_size=120).map(
    lambda raw: bytes((0, 1, GIVEN)[byte % 9 // 4] for byte in raw)
)


@settings(deadline=None)
@given(letters, letters, letters)
def test_tiles_are_the_same_on_both_sides_and_never_overlap(
    common: bytes, one: bytes, other: bytes
) -> None:
    first, second = one + common + other + common, common + other + one
    marks, other_marks = fingerprints(first), fingerprints(second)
    shared = marks.keys() & other_marks.keys()
    seeds = [(at, to) for mark in shared for at in marks[mark] for to in other_marks[mark]]
    found = tiles(first, second, seeds)
    assert bool(found) == bool(seeds)
    taken_first: list[int] = []
    taken_second: list[int] = []
    for tile in found:
        here = range(tile.first, tile.first + tile.tokens)
        there = range(tile.second, tile.second + tile.tokens)
        assert tile.tokens >= K
        assert bytes(first[at] for at in here) == bytes(second[at] for at in there)
        assert GIVEN not in first[here.start : here.stop]
        taken_first += here
        taken_second += there
    assert len(set(taken_first)) == len(taken_first)
    assert len(set(taken_second)) == len(taken_second)


def test_a_fingerprint_stands_for_about_every_fifth_token() -> None:
    draw = random.Random(3)
    classes = bytes(draw.choices(range(60), k=5_000))
    assert 900 < len(fingerprints(classes)) < 1_100
