"""Who resembles whom: no disguise hides a copy, and who worked alone ranks far below."""

from __future__ import annotations

import builtins
import hashlib
import keyword
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.course.similar import COMMON_AT_LEAST, similar
from grader.errors import UsageError
from grader.model.course import Submitted
from grader.model.similarity import Lines, Similarity

ROOT = Path(__file__).parent.parent.parent
LABS = sorted(path.name for path in (ROOT / "solutions").iterdir())


def starter(lab: str) -> bytes:
    return (ROOT / "problems" / lab / "starter.py").read_bytes()


def solutions(lab: str) -> dict[str, str]:
    """The reference and other right solutions: programs that were not written from one another."""
    folder = ROOT / "solutions" / lab
    paths = [folder / "reference.py", *sorted((folder / "right").glob("*.py"))]
    return {path.stem: path.read_text(encoding="utf-8") for path in paths}


def handed_in(student: str, source: str | bytes, lab: str = "top_p_sets") -> Submitted:
    raw = source.encode() if isinstance(source, str) else source
    return Submitted(student=student, problem=lab, path=f"{student}/mine.py", source=raw)


def compared(*sources: str | bytes, starter: str = "", most: int = 50) -> Similarity:
    """Students a, b, c … hand these in."""
    given = [handed_in(chr(ord("a") + place), source) for place, source in enumerate(sources)]
    return similar(given, starter=starter.encode(), most=most)


def names(found: Similarity) -> list[set[str]]:
    return [{pair.first.student, pair.second.student} for pair in found.pairs]


# --- disguises -------------------------------------------------------------------------------


def renamed(source: str) -> str:
    kept = {*keyword.kwlist, *dir(builtins)}
    name = re.compile(r"""\b[A-Za-z_]\w*\b(?!["'])""")  # the letter before a quote is no name
    return name.sub(lambda found: found[0] if found[0] in kept else f"my_{found[0]}", source)


def other_comments(source: str) -> str:
    without = re.sub(r'""".*?"""', '"""My own words."""', re.sub(r"  #.*", "", source), flags=re.S)
    return without.replace("\n    return", "\n\n    # and so it is\n    return")


def other_layout(source: str) -> str:
    tabs = source.replace("    ", "\t").replace(", ", " ,  ").replace("\n\n", "\n\n\n# -\n")
    return tabs.replace("\n", "\r\n")


def other_literals(source: str) -> str:
    return re.sub(r'(?<![\w"])"[\w ]+"', "'changed'", re.sub(r"\b[0-9]+\b", "77", source))


def reordered(source: str) -> str:
    parts = source.split("\n\n\n")
    return "\n\n\n".join([parts[0], *reversed(parts[1:-1]), parts[-1]])


def does_not_parse(source: str) -> str:
    return source.replace("\n\n\n", "\n\n\ndef broken(:\n\n\n", 1) + "\n(\n'''"


def statements_put_in(source: str) -> str:
    return source.replace("\n    return", "\n    seen = len(str(0))\n    return")


def everything(source: str) -> str:
    for disguise in (statements_put_in, reordered, other_comments, other_literals, renamed):
        source = disguise(source)
    return does_not_parse(other_layout(source))


IDENTICAL: list[Callable[[str], str]] = [renamed, other_comments, other_layout, other_literals]
CHANGED: list[Callable[[str], str]] = [
    *(reordered, does_not_parse, statements_put_in, everything),
]


@pytest.mark.parametrize("lab", LABS)
@pytest.mark.parametrize("disguise", IDENTICAL, ids=lambda f: f.__name__)
def test_names_comments_layout_and_literals_make_no_other_program(
    lab: str, disguise: Callable[[str], str]
) -> None:
    original = solutions(lab)["reference"]
    copy = disguise(original)
    assert copy != original
    (group,) = compared(original, copy, starter=starter(lab).decode()).groups
    assert [member.student for member in group.members] == ["a", "b"]


@pytest.mark.parametrize("lab", LABS)
@pytest.mark.parametrize("disguise", CHANGED, ids=lambda f: f.__name__)
def test_a_copy_ranks_far_above_programs_that_were_written_alone(
    lab: str, disguise: Callable[[str], str]
) -> None:
    alone = [handed_in(name, source, lab) for name, source in solutions(lab).items()]
    copy = handed_in("copy", disguise(solutions(lab)["reference"]), lab)
    first, *others = similar([*alone, copy], starter=starter(lab)).pairs
    assert {first.first.student, first.second.student} == {"copy", "reference"}
    assert first.score > 0.75
    assert all(other.score < 0.15 for other in others)


def test_regions_say_which_lines_are_the_same_where_functions_changed_places() -> None:
    one = "def f(a):\n    b = [a[i] + 1 for i in range(2, len(a))]\n    return {b[0]: (b, a)}\n"
    other = "def g(x, y):\n    while x is not y:\n        x, y = y % x, x << 3\n    yield from x\n"
    found = compared(f"{one}\n{other}", f"# mine\n\n{other}{one}pass\n")
    (pair,) = found.pairs
    where = [(region.first, region.second) for region in pair.regions]
    assert where == [
        (Lines(first=1, last=3), Lines(first=7, last=9)),
        (Lines(first=5, last=8), Lines(first=3, last=6)),
    ]
    assert pair.matching_tokens == sum(region.tokens for region in pair.regions)


def test_programs_that_share_nothing_are_no_pair() -> None:
    found = compared("a = 1\n" * 20, "if x: pass\n" * 20)
    assert (found.pairs, found.groups, found.compared) == ((), (), 2)


def test_a_score_says_little_of_a_program_that_is_short() -> None:
    """A few lines that stand in a long program as well are not a whole copy."""
    line = "a = [b(c) for c in d if e[c] > 1 or f] or None\n"
    (pair,) = compared(line, solutions("top_p_sets")["objects"] + line).pairs
    assert pair.score < 0.3


# --- given code ------------------------------------------------------------------------------


@pytest.mark.parametrize("lab", LABS)
def test_the_starter_is_nobodys_own(lab: str) -> None:
    untouched = starter(lab).decode()
    marked = untouched.replace("given", "data") + "\n# by me\n"
    found = compared(untouched, marked, untouched + "\nx = 1\n", starter=untouched)
    assert (found.pairs, found.groups, found.mostly_common) == ((), (), ())


def test_other_given_code_is_left_out_as_well() -> None:
    example, one, other = solutions("top_p_sets")["reference"], "x = 1\n", "while True: print()\n"
    students = [handed_in("a", example + one), handed_in("b", other + example)]
    assert similar(students, starter=b"").pairs
    assert not similar(students, starter=b"", given=[example.encode()]).pairs


def test_what_stands_around_given_code_is_compared() -> None:
    given_code = starter("top_p_sets").decode()
    own = solutions("kv_sizing")["reference"]
    (pair,) = compared(given_code + own, own + given_code + "pass\n", starter=given_code).pairs
    assert pair.score > 0.95
    assert all(region.first.first > given_code.count("\n") for region in pair.regions)


def test_how_everybody_writes_it_makes_no_pair() -> None:
    idiom = solutions("top_p_sets")["reference"]
    variants = [f"{idiom}\nx {sign}= 1\n" for sign in "+ - * / % @ & | ^ << >>".split()]
    assert len(variants) == COMMON_AT_LEAST + 1
    assert compared(*variants[1:]).pairs
    found = compared(*variants)
    assert not found.pairs
    assert len(found.mostly_common) == len(variants)


# --- who counts ------------------------------------------------------------------------------


def test_identical_programs_are_one_group_and_one_side_of_pairs() -> None:
    program = solutions("top_p_sets")["reference"]
    found = compared(program, program, renamed(program), reordered(program))
    assert [[member.student for member in group.members] for group in found.groups] == [list("abc")]
    assert names(found) == [{"a", "d"}]


def test_a_students_own_attempts_are_not_compared() -> None:
    program = solutions("top_p_sets")["reference"]
    tries = [handed_in("a", program), handed_in("a", program), handed_in("a", reordered(program))]
    found = similar(tries, starter=b"")
    assert (found.pairs, found.groups) == ((), ())


def test_submissions_of_several_labs_are_refused() -> None:
    two = [handed_in("a", "", "kv_sizing"), handed_in("b", "", "top_p_sets")]
    with pytest.raises(UsageError, match="several labs \\(kv_sizing, top_p_sets\\)"):
        similar(two, starter=b"")


def test_a_class_without_submissions_is_compared_too() -> None:
    assert similar([], starter=b"pass").compared == 0


def test_only_so_many_pairs_are_returned_and_they_are_the_first() -> None:
    programs = [
        *solutions("top_p_sets").values(),
        *map(reordered, solutions("top_p_sets").values()),
    ]
    every = compared(*programs).pairs
    assert len(every) > 6
    assert compared(*programs, most=4).pairs == every[:4]
    assert [pair.score for pair in every] == sorted((pair.score for pair in every), reverse=True)


def test_the_order_of_submissions_changes_nothing() -> None:
    programs = [handed_in(name, source) for name, source in solutions("top_p_sets").items()]
    programs += [handed_in(f"copy of {one.student}", b"x=1\n" + one.source) for one in programs]
    found = similar(programs, starter=b"")
    random.Random(7).shuffle(programs)
    assert similar(programs, starter=b"") == found


def test_another_process_finds_the_same() -> None:
    program = (
        "import sys; from tests.course.test_similar import *;"
        "print(hashlib.sha256(repr(compared(*solutions('kv_sizing').values())).encode()).hexdigest())"
    )
    environment = os.environ | {"PYTHONHASHSEED": "7", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", program]
    printed = subprocess.run(command, env=environment, capture_output=True, check=True).stdout
    here = repr(compared(*solutions("kv_sizing").values())).encode()
    assert printed.decode().strip() == hashlib.sha256(here).hexdigest()


def test_one_copy_is_found_among_a_thousand() -> None:
    lines = [
        line
        for lab in LABS[1:]
        for source in solutions(lab).values()
        for line in source.split("\n")
    ]
    draw = random.Random(1)
    others = [handed_in(f"s{i}", "\n".join(draw.sample(lines, 20))) for i in range(998)]
    program = solutions(LABS[0])["reference"]
    copies = [handed_in("one", program), handed_in("other", everything(program))]
    assert names(similar([*others, *copies], starter=b""))[0] == {"one", "other"}


# --- hostile programs ------------------------------------------------------------------------

LONG = 1 << 20
PASSAGE = solutions("top_p_sets")["reference"]
HOSTILE: dict[str, bytes] = {
    "null bytes": b"\0" * LONG,
    "no UTF-8": bytes(range(256)) * (LONG >> 8),
    "one long line": b"x=1;" * (LONG >> 2),
    "one long name": b"x" * LONG,
    "one long number": b"1" * LONG,
    "one long comment": b"#" * LONG,
    "deep brackets": b"(" * LONG,
    "deep brackets on lines": b"[\n" * (LONG >> 1),
    "deep f-strings": b"f'{" * LONG,
    "deep indentation": b"".join(b" " * depth + b"if x:\n" for depth in range(1500)),
    "escaped quotes": b"'\\" * LONG,
    "lines of escaped quotes": (b"'\\" * 900 + b"\n") * 500,
    "long strings that never end": b'"""\\' * LONG + b"'''\\" * LONG,
    "continued strings": b"x='\\\n" * LONG,
    "continued lines": b"\\\n" * LONG,
    "carriage returns": b"\r" * LONG,
    "a codec that is slow": b"# coding: punycode\n" + b"x=1\n" * LONG,
    "a period": b"x=" * LONG,
    "blocks": ((PASSAGE + "\nx = 1\n") * 20).encode(),
    "other blocks": (("\npass\n" + PASSAGE) * 20).encode(),
    "shifted period": b"y+" + b"x=" * LONG,
    "surrogates": "\ud800 = '\udfff'".encode("utf-8", "surrogatepass"),
    "nothing": b"",
}


@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE.keys())
def test_no_program_stops_the_comparison(source: bytes) -> None:
    began = time.process_time()
    hostile = [handed_in("x", source), handed_in("y", b"pass\n" + source)]
    others = [handed_in("a", PASSAGE), handed_in("b", everything(PASSAGE))]
    found = similar([*hostile, *others], starter=b"")
    assert {"a", "b"} in names(found)
    assert time.process_time() - began < 30


def test_a_hostile_starter_does_not_stop_the_comparison() -> None:
    two = [handed_in("a", PASSAGE), handed_in("b", everything(PASSAGE))]
    given_code = [source for name, source in HOSTILE.items() if "blocks" not in name]
    assert names(similar(two, starter=b"\0", given=given_code)) == [{"a", "b"}]


def test_hostile_programs_are_compared_with_one_another() -> None:
    found = similar([handed_in(*item) for item in HOSTILE.items()], starter=b"")
    assert {"a period", "shifted period"} in names(found)
    assert {"blocks", "other blocks"} in names(found)
    assert "one long line" in {one.student for one in found.cut}


def test_programs_that_were_not_read_to_the_end_are_not_called_identical() -> None:
    beginning = "x = y[z] + 1\n" * 5000
    found = compared(beginning + "a = 1", beginning + "b = (2)")
    assert not found.groups
    assert found.pairs[0].score == 1
    assert len(found.cut) == 2
