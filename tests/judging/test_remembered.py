"""What a reference gave is shared between gradings, and only that, and only where it can be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from grader.judging.remembered import Remembered
from grader.judging.runs import Runs
from grader.model.execution import Ending, RunOutcome
from tests.conftest import FakeExecutor, outcome, submission
from tests.sandbox.conftest import LIMITS, request

MINE = request("pass", b"1")
ANSWER = outcome(b'{"ok": true}\n')


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "shared.sqlite"


@pytest.fixture
def shared(place: Path) -> Iterator[Remembered]:
    with closing(Remembered(place)) as found:
        yield found


def test_another_grading_recalls_what_one_has_kept(shared: Remembered, place: Path) -> None:
    assert shared.recall(MINE) is None
    shared.keep(MINE, ANSWER)
    with closing(Remembered(place)) as other:
        assert other.recall(MINE) == ANSWER


@pytest.mark.parametrize(
    "other",
    [
        request("pass", b"2"),
        request("pass # another", b"1"),
        replace(MINE, limits=replace(LIMITS, cpu_seconds=1.0)),
    ],
    ids=["input", "program", "limits"],
)
def test_another_run_is_not_known(shared: Remembered, other: object) -> None:
    shared.keep(MINE, ANSWER)
    assert shared.recall(other) is None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "failed",
    [outcome(ending=Ending.OVER_TIME, status=9), outcome(status=1)],
    ids=["over time", "crashed"],
)
def test_a_run_that_failed_is_made_again(shared: Remembered, failed: RunOutcome) -> None:
    shared.keep(MINE, failed)
    assert shared.recall(MINE) is None


def test_a_program_runs_once_for_all_gradings_and_counts_where_it_ran(shared: Remembered) -> None:
    executor = FakeExecutor(lambda stdin: stdin)
    first, second = (Runs(executor, submission(), LIMITS, shared=shared) for _ in range(2))
    first.foretell(b"1")
    outcomes = [runs.run(b"1").stdout for runs in (first, second, second)]
    second.foretell(b"1")
    assert outcomes == [b"1"] * 3
    assert (first.count, second.count) == (1, 0)


@pytest.mark.parametrize("there", [b"no database, but long enough to be none" * 9, None])
def test_a_file_that_cannot_be_used_costs_nothing_but_time(
    place: Path, there: bytes | None
) -> None:
    place.write_bytes(there) if there else place.mkdir()
    with closing(Remembered(place)) as shared:
        shared.keep(MINE, ANSWER)
        assert shared.recall(MINE) is None
    executor = FakeExecutor(lambda stdin: stdin)
    with closing(Remembered(place)) as shared:
        assert Runs(executor, submission(), LIMITS, shared=shared).run(b"1").stdout == b"1"
