"""Who grades what next, when several judging processes share a grading."""

from __future__ import annotations

import threading

from grader.worker.job import PlannedGroup, Turn
from grader.worker.turns import Turns


def group(name: str, *parts: str, after: tuple[str, ...] = ()) -> PlannedGroup:
    rows = tuple((f"{name}/{part}",) for part in parts or ("answers",))
    return PlannedGroup(name=name, after=after, parts=rows)


def planned(*groups: PlannedGroup) -> Turns:
    turns = Turns()
    turns.plan(groups)
    return turns


def taken(turns: Turns) -> Turn:
    turn = turns.take()
    assert turn is not None
    return turn


def test_parts_are_taken_in_order_and_each_once() -> None:
    turns = planned(group("normal"), group("scale", "01", "02"))
    turns.plan((group("other"),))  # a second worker tells the same; only the first counts
    rows = [taken(turns).rows for _ in range(3)]
    assert rows == [("normal/answers",), ("scale/01",), ("scale/02",)]
    assert turns.take() is None


def test_what_waits_is_passed_over_until_every_part_of_the_other_is_settled() -> None:
    turns = planned(group("normal", "01", "02"), group("scale", after=("normal",)), group("edge"))
    first, second, third = taken(turns), taken(turns), taken(turns)
    assert [first.rows, second.rows, third.group] == [("normal/01",), ("normal/02",), "edge"]
    turns.settle(first, passed=True)
    found: list[Turn | None] = []
    waiting = threading.Thread(target=lambda: found.append(turns.take()))
    waiting.start()
    turns.settle(third, passed=False)
    assert not found
    turns.settle(second, passed=True)
    waiting.join()
    assert found == [Turn(group="scale", rows=("scale/answers",), passed=("normal",))]


def test_one_part_that_fails_holds_up_what_waits_for_its_group() -> None:
    turns = planned(group("normal", "01", "02"), group("scale", after=("normal",)))
    first, second = taken(turns), taken(turns)
    turns.settle(first, passed=False)
    turns.settle(second, passed=True)
    assert taken(turns).passed == ()


def test_closing_sends_away_who_waits() -> None:
    turns = planned(group("normal"), group("scale", after=("normal",)))
    taken(turns)
    found: list[Turn | None] = []
    waiting = threading.Thread(target=lambda: found.append(turns.take()))
    waiting.start()
    turns.close()
    waiting.join()
    assert found == [None]


def test_a_plan_that_comes_after_closing_is_none() -> None:
    turns = Turns()
    turns.close()
    turns.plan((group("normal"),))
    assert turns.take() is None
