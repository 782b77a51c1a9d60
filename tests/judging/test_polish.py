"""The last steps down: only what is shorter, still fails and is legal."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from grader.judging import drawing
from grader.judging.drawing import Drawn
from grader.judging.polish import polished, shorter, steps
from grader.judging.runs import OutOfAllowance
from tests.cli.command import Finished, grader, replace_in, rows
from tests.conftest import LABS

drawn = partial(drawing.drawn, "normal")


@pytest.mark.parametrize(
    ("value", "smaller"),
    [
        (0, []),
        (7, [3]),
        (-40, [-20, 0, -4]),
        (1000, [500, 0, 100]),
        (True, []),
        (None, []),
        ("a1b", ["ab"]),
        ([5, []], [[[]], [5], [2, []]]),
        ({"a": 2, "b": "x"}, [{"b": "x"}, {"a": 2}, {"a": 1, "b": "x"}]),
    ],
)
def test_each_step_leaves_out_or_halves_or_drops_one_thing(value: Any, smaller: list[Any]) -> None:
    assert list(steps(value)) == smaller


def test_only_what_is_shorter_is_a_step() -> None:
    assert [i.given for i in shorter(drawn([9, 64]))] == [[64], [9], [9, 4], [9, 6]]
    assert list(shorter(Drawn(stdin=b"{", given="{"))) == []


def test_it_goes_on_until_no_legal_step_fails() -> None:
    found = polished(
        drawn({"sizes": [64, 4096, 128], "note": 1}),
        fails=lambda i: sum(i.given.get("sizes", [])) >= 50,
        is_legal=lambda i: len(i.given.get("sizes", [])) >= 2,
    )
    assert found.given == {"sizes": [6, 64]}


def test_what_was_in_vain_is_not_tried_again_after_each_step() -> None:
    large, tried = 98765432109876543210, 0

    def fails(an_input: Drawn) -> bool:
        nonlocal tried
        tried += 1
        return an_input.given.get("large") == large and "small" in an_input.given

    found = polished(drawn({"large": large, "small": [7] * 20}), fails, lambda _: True)
    assert found.given == {"large": large, "small": []}
    steps_of_large = 1 + 20
    assert tried < 3 * steps_of_large + 20


def test_no_check_sees_an_input_that_is_not_legal() -> None:
    def fails(an_input: Drawn) -> bool:
        assert len(an_input.given) >= 2, "a check is written for legal inputs"
        return True

    assert len(polished(drawn([1, 2, 3]), fails, lambda i: len(i.given) >= 2).given) == 2


def test_without_runs_the_best_so_far_stands() -> None:
    left = 3

    def fails(_: Drawn) -> bool:
        nonlocal left
        left -= 1
        if left < 0:
            raise OutOfAllowance
        return True

    assert polished(drawn([1, 2, 3, 4]), fails, lambda _: True).given == [4]


@pytest.fixture
def far_from_zero(broken_lab: Path) -> Path:
    """The lab `double`, in which `normal` draws 4096 and nothing else."""
    properties = broken_lab / "problems/double/properties.py"
    replace_in(properties, "st.integers(0, 10**6)", "st.just(4096)")
    return broken_lab


def test_with_a_reference_an_input_becomes_smaller_than_any_that_is_drawn(
    far_from_zero: Path,
) -> None:
    program = far_from_zero / "mine.py"
    right = (LABS / "solutions/double/reference.py").read_text()
    program.write_text(right.replace("2 * given", "3 * given"))
    own = {"GRADER_PROBLEMS": str(far_from_zero / "problems")}
    words = ("grade", "double", program, "--format", "json", "--group", "normal")
    with_reference = grader(*words, cwd=far_from_zero, **own)
    without = grader(*words, "--public", cwd=far_from_zero, **own)
    assert shown(with_reference, "normal/check_halves") == '{"n": 6}\n'
    assert shown(without, "normal/check_halves") == '{"n": 4096}\n'


def shown(told: Finished, row: str) -> str:
    stdin: str = rows(told.report)[row]["counterexample"]["exchanges"][-1]["stdin"]
    return stdin
