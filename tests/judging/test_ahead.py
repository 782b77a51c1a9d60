"""Runs that are begun before the last one is judged change nothing but the time it takes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grader.errors import SandboxError
from grader.judging.runs import AHEAD, MAX_TIMEOUTS, Runs, looking_ahead
from grader.model.bundle import Bundle
from grader.model.execution import Ending, Executor, RunOutcome, RunRequest
from tests.conftest import FakeExecutor, outcome, submission
from tests.judging.test_grade import but, right, rows
from tests.sandbox.conftest import LIMITS


class Ahead:
    """A fake that can be given runs ahead, and remembers in which order they began and ended."""

    def __init__(self, inner: Executor) -> None:
        self._inner = inner
        self.begun: list[bytes] = []
        self.waiting: list[bytes] = []
        self.most = 0

    def run(self, request: RunRequest) -> RunOutcome:
        return self.begin(request)()

    def begin(self, request: RunRequest) -> Callable[[], RunOutcome]:
        self.begun.append(request.stdin)
        self.waiting.append(request.stdin)
        self.most = max(self.most, len(self.waiting))
        found = self._inner.run(request)

        def finish() -> RunOutcome:
            self.waiting.remove(request.stdin)
            return found

        return finish


def test_inputs_are_foretold_and_come_in_their_order() -> None:
    told: list[int] = []
    seen = [(n, len(told)) for n in looking_ahead(range(6), told.append)]
    assert [n for n, _ in seen] == told == list(range(6))
    assert [ahead - n for n, ahead in seen[:3]] == [AHEAD + 1] * 3
    assert list(looking_ahead([], told.append)) == []


@pytest.mark.parametrize(
    "program",
    [right, but(lambda n: b'{"ok": true, "twice": 1}' if n > 50 else None), but(lambda _: b"no")],
    ids=["right", "wrong above 50", "no JSON"],
)
def test_a_report_is_the_same_whether_runs_are_begun_ahead_or_not(
    double: Bundle, program: Callable[[bytes], bytes]
) -> None:
    ahead = Ahead(FakeExecutor(program))
    assert rows(double, ahead) == rows(double, FakeExecutor(program))
    assert 1 < ahead.most <= 2 * AHEAD + 1
    assert ahead.waiting == []


def test_an_input_is_run_once_whether_it_was_foretold_or_not() -> None:
    executor = Ahead(FakeExecutor(lambda stdin: stdin))
    runs = Runs(executor, submission(), LIMITS)
    for stdin in (b"1", b"2", b"1"):
        runs.foretell(stdin)
    assert [runs.run(stdin).stdout for stdin in (b"1", b"2", b"3", b"1")] == [
        b"1",
        b"2",
        b"3",
        b"1",
    ]
    assert executor.begun == [b"1", b"2", b"3"]
    assert runs.count == 3
    runs.foretell(b"3")
    assert executor.begun == [b"1", b"2", b"3"]


def test_after_a_time_out_nothing_is_begun_ahead(double: Bundle) -> None:
    """Each costs seconds, and the third ends the group."""
    late = outcome(ending=Ending.OVER_TIME, status=9)
    executor = Ahead(FakeExecutor(lambda _: late))
    rows(double, executor, groups=("normal",))
    assert len(executor.begun) <= MAX_TIMEOUTS + AHEAD


def test_a_failure_of_the_sandbox_shows_where_the_outcome_is_asked_for() -> None:
    class Broken:
        def run(self, request: RunRequest) -> RunOutcome:
            return self.begin(request)()

        def begin(self, _request: RunRequest) -> Callable[[], RunOutcome]:
            def finish() -> RunOutcome:
                raise SandboxError("the server is gone")

            return finish

    runs = Runs(Broken(), submission(), LIMITS)
    runs.foretell(b"1")
    with pytest.raises(SandboxError):
        runs.run(b"1")
