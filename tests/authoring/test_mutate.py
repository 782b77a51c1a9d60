"""`grader mutate` on the tiny lab `double`: survivors, declarations, the journal."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.authoring.mutate import Analysis, Fate, analyse
from grader.errors import BundleError, UsageError
from tests.cli.command import Finished, grader, replace_in
from tests.conftest import copy_labs

LIMIT = 'if given["n"] < 0:'


def prepared(root: Path) -> Path:
    """The lab `double`, in which nothing is drawn near zero and no case is: one bound is open."""
    copy_labs(root)
    (root / "solutions/double/expect.toml").write_text("[wrong]\n")
    for ending in ("in", "out"):
        (root / f"problems/double/cases/minimal/01-zero.{ending}.json").write_text(
            '{"n": 3}\n' if ending == "in" else '{"ok": true, "twice": 6}\n'
        )
    failure = root / "problems/double/cases/failure"
    (failure / "02-a-list.in.json").write_text('["n"]\n')
    (failure / "02-a-list.out.json").write_text('{"ok": false, "error": "malformed"}\n')
    properties = root / "problems/double/properties.py"
    replace_in(properties, "st.integers(0, 10**6)", "st.integers(5, 10**6)")
    return root


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return prepared(tmp_path)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Analysis]:
    """The same after an analysis, and what it found. Nobody changes it."""
    root = prepared(tmp_path_factory.mktemp("undisturbed"))
    return root, analysis(root)


@pytest.fixture
def analysed(undisturbed: tuple[Path, Analysis], tmp_path: Path) -> Path:
    """A copy of it, with its journal."""
    return shutil.copytree(undisturbed[0], tmp_path / "analysed")


def analysis(root: Path, notice: Callable[[int, int], None] = lambda _d, _a: None) -> Analysis:
    return analyse(
        root / "problems/double",
        root / "solutions/double",
        jobs=1,
        journal_folder=root,
        examples=20,
        notice=notice,
    )


def command(root: Path, *words: str) -> Finished:
    own = {"GRADER_PROBLEMS": str(root / "problems")}
    return grader("mutate", "double", "--jobs", "1", "--examples", "20", *words, cwd=root, **own)


def fates(found: Analysis) -> dict[str, tuple[Fate, str | None]]:
    return {one.mutant.name: (one.fate, one.row) for one in found.judged}


def journal(root: Path) -> list[dict[str, Any]]:
    lines = (root / ".grader/double/mutants.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def test_a_survivor_is_shown_with_its_difference_and_an_input_that_tells(root: Path) -> None:
    told = command(root)
    assert told.status == 3
    assert " survived: comparison, line 12, twice" in told.stdout
    assert """-    if given["n"] < 0:\n+    if given['n'] <= 0:""" in told.stdout
    assert " 18 of 20 mutants killed (90.0%)" in told.stdout


def test_a_declared_survivor_is_left_out_of_the_rate_and_keeps_its_reason(
    root: Path, undisturbed: tuple[Path, Analysis]
) -> None:
    _, before = undisturbed
    survivors = [one for one in before.judged if one.fate is Fate.SURVIVED]
    assert [one.mutant.was for one in survivors] == [LIMIT, LIMIT]
    assert not before.strong_enough
    for one in survivors:
        _declare(root, one.mutant.now, "Zero is never sent.")
    found = analysis(root)
    declared = [one for one in found.judged if one.fate is Fate.EQUIVALENT]
    assert [one.why for one in declared] == ["Zero is never sent."] * 2
    assert (found.rate, found.raw_rate, found.declared_rate) == (1.0, 0.9, 0.1)
    assert found.strong_enough


def _declare(root: Path, now: str, why: str) -> None:
    entry = {"in": "twice", "was": LIMIT, "now": now, "why": why}
    lines = [f"{key} = {json.dumps(value)}" for key, value in entry.items()]
    with (root / "solutions/double/expect.toml").open("a") as file:
        file.write("\n[[equivalent]]\n" + "\n".join(lines) + "\n")


def test_a_killed_mutant_that_is_declared_is_a_wrong_declaration(root: Path) -> None:
    _declare(root, "if given['n'] >= 0:", "Nobody ever asks.")
    told = command(root, "--format", "json")
    assert told.status == 3
    (one,) = [o for o in told.report["fates"] if o["fate"] == "wrongly_declared"]
    assert (one["now"], one["why"]) == ("if given['n'] >= 0:", "Nobody ever asks.")
    assert one["row"]
    shown = command(root).stdout
    assert f"{one['name']} wrongly declared: comparison, line 12, twice" in shown
    assert f"failed {one['row']}: " in shown


def test_a_declaration_of_no_mutant_is_stale(root: Path) -> None:
    _declare(root, "if given['n'] < -0:", "It was there once.")
    told = command(root)
    assert told.status == 3
    assert "declared equivalent, but no such mutant: in twice: if given['n'] < -0:" in told.stdout


def test_an_interrupted_analysis_goes_on_where_it_was(
    root: Path, undisturbed: tuple[Path, Analysis]
) -> None:
    expected, first = fates(undisturbed[1]), journal(undisturbed[0])

    def interrupt(done: int, _of: int) -> None:
        if done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        analysis(root, interrupt)
    half = journal(root)
    assert 7 <= len(half) - 1 < 20
    told: list[int] = []
    assert fates(analysis(root, lambda done, _of: told.append(done))) == expected
    assert told == list(range(len(half) - 1, 21))
    names = [entry["name"] for entry in journal(root)[1:]]
    assert sorted(names) == sorted(set(names)) == sorted(entry["name"] for entry in first[1:])
    told.clear()
    assert fates(analysis(root, lambda done, _of: told.append(done))) == expected
    assert told == [20]


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("problems/double/problem.toml", "Twice a number", "Two times a number"),
        ("solutions/double/reference.py", "import json", "import json  # mended"),
    ],
)
def test_a_changed_lab_begins_anew(analysed: Path, file: str, old: str, new: str) -> None:
    replace_in(analysed / file, old, new)
    told: list[int] = []

    def stop(done: int, _of: int) -> None:
        told.append(done)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        analysis(analysed, stop)
    assert told[0] == 0


def test_a_line_that_was_cut_off_is_done_again(analysed: Path) -> None:
    path = analysed / ".grader/double/mutants.jsonl"
    path.write_text(path.read_text()[:-20])
    told: list[int] = []
    assert len(analysis(analysed, lambda done, _of: told.append(done)).judged) == 20
    assert told == [19, 20]


def test_an_endless_loop_is_timed_out(root: Path) -> None:
    (root / "solutions/double/reference.py").write_text(LOOPING)
    found = {one.mutant.now: one for one in analysis(root).judged if one.mutant.was == COUNTING}
    assert found["n -= 1"].fate is found["pass"].fate is Fate.TIMED_OUT


COUNTING = "n += 1"
LOOPING = """import json
import sys

given = json.loads(sys.stdin.buffer.read())
n = 0
while n < 2:
    n += 1
print(json.dumps({"ok": True, "twice": n * given["n"]}))
"""


def test_one_mutant_can_be_tried_alone(root: Path) -> None:
    told = command(root, "--format", "json", "--only", "91958d82", "--only", "91958d82")
    assert told.status == 0
    (one,) = told.report["fates"]
    assert (one["name"], one["fate"]) == ("91958d82", "killed")
    assert one["now"] == 'return {"ok": True, "twice": 3 * given["n"]}'


def test_an_unknown_mutant_is_a_matter_of_usage(root: Path) -> None:
    with pytest.raises(UsageError, match="double has no mutant '123'; see --format json"):
        analyse(
            root / "problems/double",
            root / "solutions/double",
            jobs=1,
            journal_folder=root,
            only=("123",),
        )


@pytest.mark.parametrize(
    ("text", "says"),
    [(None, "reference.py: is missing"), ("def", "reference.py: is no Python: ")],
    ids=["missing", "no Python"],
)
def test_a_reference_that_cannot_be_changed_is_named(
    root: Path, text: str | None, says: str
) -> None:
    path = root / "solutions/double/reference.py"
    path.unlink() if text is None else path.write_text(text)
    with pytest.raises(BundleError, match=says):
        analysis(root)
