"""What a class's journal promises: one report each, nothing lost, nothing counted twice."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from grader.course import corrections
from grader.course.engines.engine import Order, Outcome
from grader.course.intake import take_in
from grader.course.journal import writing
from grader.course.key import LabOfClass, Setting, lab_of_class, result_key
from grader.course.merge import merge
from grader.course.results import MAX_TRIES
from grader.course.table import reading
from grader.course.waiting import Queue
from grader.course.which import Which
from grader.errors import BundleError, JournalError, UsageError
from grader.model.course import State
from grader.model.report import GradeReport
from grader.model.verdict import Verdict
from tests.cli.command import replace_in
from tests.conftest import copy_labs
from tests.course.scene import (
    DOUBLE,
    SETTING,
    FakeEngine,
    clock,
    count,
    drive,
    graded,
    handed_in,
    journal_of,
    table,
)
from tests.report.reports import report, row

CLASS = [handed_in(name) for name in ("ada", "bob", "cy", "dee", "eve")]


def broken(order: Order, *, again: bool = True) -> Outcome:
    return Outcome(id=order.id, seconds=0.5, error="the process was killed", again=again)


def partial(order: Order) -> Outcome:
    known = replace(graded(order, ok=False), graded_completely=False)
    return replace(broken(order, again=False), report=known)


def test_every_submission_gets_its_report(tmp_path: Path) -> None:
    with journal_of(tmp_path, *CLASS) as journal:
        steps = drive(journal, FakeEngine())
    assert [step.done for step in steps] == [1, 2, 3, 4, 5]
    assert {step.of for step in steps} == {5}
    for student, entry in table(tmp_path).items():
        assert entry.state is State.DONE
        assert entry.points == 2.5
        assert entry.digest == entry.report.submission.digest  # type: ignore[union-attr]
        assert entry.path == f"{student}/double.py"
        assert entry.graded_seconds == 1.5


def test_a_second_run_grades_nothing(tmp_path: Path) -> None:
    for expected in (5, 0):
        with journal_of(tmp_path, *CLASS) as journal:
            engine = FakeEngine()
            drive(journal, engine)
            assert len(engine.begun) == expected
    assert count(tmp_path, "results") == 5


def test_equal_submissions_are_graded_once(tmp_path: Path) -> None:
    twins = [handed_in(name, "# the same") for name in ("ada", "bob", "cy")]
    with journal_of(tmp_path, *twins, handed_in("dee")) as journal:
        engine = FakeEngine()
        steps = drive(journal, engine)
    assert sorted(engine.begun) == ["# dee", "# the same"]
    assert len(steps) == 4
    assert {entry.points for entry in table(tmp_path).values()} == {2.5}


def test_a_later_equal_submission_takes_the_known_report(tmp_path: Path) -> None:
    with journal_of(tmp_path, CLASS[0]) as journal:
        drive(journal, FakeEngine())
    with journal_of(tmp_path, CLASS[0], handed_in("zoe", "# ada")) as journal:
        assert journal.waiting() == []
    assert table(tmp_path)["zoe"].points == 2.5


def test_a_changed_submission_is_graded_again_and_the_old_report_counts_until_then(
    tmp_path: Path,
) -> None:
    with journal_of(tmp_path, *CLASS) as journal:
        drive(journal, FakeEngine())
    with journal_of(tmp_path, *CLASS[1:], handed_in("ada", "# better")) as journal:
        [todo] = journal.waiting()
        assert todo.student == "ada"
        assert table(tmp_path)["ada"].state is State.WAITING
        drive(journal, FakeEngine(lambda order: graded(order, ok=False)))
    entry = table(tmp_path)["ada"]
    assert (entry.state, entry.points) == (State.DONE, 0.0)
    assert entry.report is not None
    assert entry.report.submission.digest == entry.digest


def with_another_limit(tmp_path: Path) -> LabOfClass:
    """The lab, in a copy that grades in another way."""
    copy_labs(tmp_path)
    replace_in(tmp_path / "problems/double/problem.toml", "cpu_seconds = 1.0", "cpu_seconds = 2.0")
    return lab_of_class(tmp_path / "problems/double", tmp_path / "solutions/double")


def changed(tmp_path: Path, file: str, old: str, new: str) -> tuple[int, str]:
    """How many wait after a file of the lab was changed, and the changed lab's digest."""
    copy_labs(tmp_path)
    replace_in(tmp_path / file, old, new)
    lab = lab_of_class(tmp_path / "problems/double", tmp_path / "solutions/double")
    with journal_of(tmp_path / "run", *CLASS) as journal:
        drive(journal, FakeEngine())
    with journal_of(tmp_path / "run", *CLASS, lab=lab) as journal:
        return len(journal.waiting()), lab.digest


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("problems/double/problem.toml", "cpu_seconds = 1.0", "cpu_seconds = 2.0"),
        ("problems/double/properties.py", "is odd", "is not even"),
        ("solutions/double/reference.py", "import sys", "import sys  # again"),
    ],
)
def test_what_a_lab_grades_with_makes_its_reports_stale(
    tmp_path: Path, file: str, old: str, new: str
) -> None:
    assert changed(tmp_path, file, old, new)[0] == len(CLASS)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("problems/double/problem.toml", "Twice a number", "Two times a number"),
        ("problems/double/starter.py", "import json", "import json  # for the answer"),
    ],
)
def test_what_a_lab_only_says_regrades_nobody(
    tmp_path: Path, file: str, old: str, new: str
) -> None:
    assert changed(tmp_path, file, old, new) == (0, DOUBLE.digest)


def test_three_failed_tries_are_given_up_and_the_others_finish(tmp_path: Path) -> None:
    def grade(order: Order) -> GradeReport | Outcome:
        return broken(order) if order.job.source == b"# bob" else graded(order)

    with journal_of(tmp_path, *CLASS) as journal:
        engine = FakeEngine(grade)
        steps = drive(journal, engine)
    assert engine.begun.count("# bob") == MAX_TRIES
    assert engine.begun[-2:] == ["# bob"] * 2, "a failed try goes behind all others"
    assert [step.done for step in steps if not step.waiting] == [1, 2, 3, 4, 5]
    lines = table(tmp_path)
    assert lines["bob"].state is State.JUDGE_ERROR
    assert lines["bob"].tries == MAX_TRIES
    assert lines["bob"].error == "the process was killed"
    assert lines["bob"].points is None
    del lines["bob"]
    assert {entry.state for entry in lines.values()} == {State.DONE}


def test_a_fault_of_the_lab_is_not_tried_three_times(tmp_path: Path) -> None:
    def grade(order: Order) -> Outcome:
        bad = row("normal/check", Verdict.JUDGE_ERROR, detail="raised", fault="author")
        told = replace(graded(order), graded_completely=False, groups=report(bad).groups)
        return Outcome(id=order.id, seconds=1.0, report=told, error="raised")

    with journal_of(tmp_path, CLASS[0]) as journal:
        engine = FakeEngine(grade)
        drive(journal, engine)
    assert len(engine.begun) == 1
    entry = table(tmp_path)["ada"]
    assert entry.state is State.JUDGE_ERROR
    assert entry.points is None
    assert entry.report is not None, "what is known of its rows is kept"


def test_twins_of_one_that_was_given_up_are_graded_themselves(tmp_path: Path) -> None:
    twins = [handed_in(name, "# the same") for name in ("ada", "bob")]
    failing = [True] * MAX_TRIES

    def grade(order: Order) -> GradeReport | Outcome:
        return broken(order) if failing and failing.pop() else graded(order)

    with journal_of(tmp_path, *twins) as journal:
        drive(journal, FakeEngine(grade))
    states = {name: entry.state for name, entry in table(tmp_path).items()}
    assert states == {"ada": State.JUDGE_ERROR, "bob": State.DONE}


def test_retry_tries_again_only_what_was_given_up(tmp_path: Path) -> None:
    with journal_of(tmp_path, *CLASS) as journal:
        drive(
            journal,
            FakeEngine(lambda o: broken(o, again=False) if o.job.source == b"# cy" else graded(o)),
        )
        assert corrections.retry(journal, Which()) == 1
        engine = FakeEngine()
        drive(journal, engine)
    assert engine.begun == ["# cy"]
    assert table(tmp_path)["cy"].points == 2.5


def test_what_a_dead_driver_had_begun_waits_again_and_loses_no_try(tmp_path: Path) -> None:
    with journal_of(tmp_path, *CLASS) as journal:
        for todo in journal.waiting()[:2]:
            journal.begin(todo)
        assert len(journal.waiting()) == 3
    with journal_of(tmp_path, *CLASS) as journal:
        order = [todo.student for todo in journal.waiting()]
        assert order == ["cy", "dee", "eve", "ada", "bob"], "the suspects go last"
        drive(journal, FakeEngine())
    assert {entry.tries for entry in table(tmp_path).values()} == {0}
    assert {entry.state for entry in table(tmp_path).values()} == {State.DONE}


def test_nobody_can_be_graded_stops_the_run_and_loses_nothing(tmp_path: Path) -> None:
    calls: list[Order] = []

    def grade(order: Order) -> GradeReport | Outcome:
        calls.append(order)
        if len(calls) == 3:
            return Outcome(id=order.id, seconds=0.1, error="torch is missing", everybody=True)
        return graded(order)

    with (
        journal_of(tmp_path, *CLASS) as journal,
        pytest.raises(UsageError, match=r"no submission for double .* torch is missing"),
    ):
        drive(journal, FakeEngine(grade))
    assert count(tmp_path, "results") == 2
    with journal_of(tmp_path, *CLASS) as journal:
        drive(journal, FakeEngine())
    assert count(tmp_path, "results") == 5


def test_a_lab_that_changes_while_it_is_graded_stops_the_run(tmp_path: Path) -> None:
    copy_labs(tmp_path)
    lab = lab_of_class(tmp_path / "problems/double", tmp_path / "solutions/double")

    def grade(order: Order) -> GradeReport:
        path = tmp_path / "problems/double/problem.toml"
        path.write_text(path.read_text().replace("cpu_seconds = 1.0", "cpu_seconds = 2.0"))
        return replace(graded(order), fingerprint="sha256:other")

    with (
        journal_of(tmp_path / "run", *CLASS, lab=lab) as journal,
        pytest.raises(UsageError, match="double was changed while it was graded"),
    ):
        drive(journal, FakeEngine(grade), lab)
    assert count(tmp_path / "run", "results") == 0


def test_another_setting_is_another_run(tmp_path: Path) -> None:
    with journal_of(tmp_path) as journal:
        with pytest.raises(UsageError, match="begun with seed 0, not 7, examples None, not 3"):
            journal.set_up(Setting(seed=7, examples=3))
        journal.set_up(SETTING)


def test_proposed_reports_count_when_they_are_accepted(tmp_path: Path) -> None:
    with journal_of(tmp_path, *CLASS) as journal:
        drive(journal, FakeEngine())
        corrections.queue_again(journal, Which(students=("ada", "bob")), Queue.PROPOSE)
        engine = FakeEngine(lambda order: graded(order, ok=order.job.source == b"# ada"))
        drive(journal, engine)
    assert sorted(engine.begun) == ["# ada", "# bob"]
    assert table(tmp_path)["bob"].points == 2.5
    with reading(tmp_path) as found:
        points = [(one.now.points, one.proposed.points) for one in found.proposals()]
    assert points == [(2.5, 2.5), (2.5, 0.0)]
    with writing(tmp_path, clock) as journal:
        assert corrections.accept_proposals(journal) == 2
        assert corrections.accept_proposals(journal) == 0
    assert table(tmp_path)["bob"].points == 0.0


def test_proposals_can_be_dropped_also_before_they_are_made(tmp_path: Path) -> None:
    with journal_of(tmp_path, *CLASS) as journal:
        drive(journal, FakeEngine())
        corrections.queue_again(journal, Which(), Queue.PROPOSE)
        with pytest.raises(UsageError, match="not everything has been graded again yet"):
            corrections.accept_proposals(journal)
        assert corrections.drop_proposals(journal) == 5
        assert journal.waiting() == []
    assert {entry.state for entry in table(tmp_path).values()} == {State.DONE}


def test_one_that_is_graded_again_and_given_up_leaves_the_twins_of_others_alone(
    tmp_path: Path,
) -> None:
    twins = [handed_in(name, "# the same") for name in ("ada", "bob", "cy")]
    with journal_of(tmp_path, twins[0]) as journal:
        drive(journal, FakeEngine(lambda order: broken(order, again=False)))
        corrections.queue_again(journal, Which(students=("ada",)), Queue.AGAIN)
    calls: list[Order] = []

    def grade(order: Order) -> GradeReport | Outcome:
        calls.append(order)
        return broken(order, again=False) if len(calls) == 1 else graded(order)

    with journal_of(tmp_path, *twins) as journal:
        drive(journal, FakeEngine(grade, slots=1))
    assert len(calls) == 2, "bob's report is cy's, too"
    states = {name: entry.state for name, entry in table(tmp_path).items()}
    assert states == {"ada": State.JUDGE_ERROR, "bob": State.DONE, "cy": State.DONE}


def test_a_proposal_for_a_program_that_has_changed_is_forgotten(tmp_path: Path) -> None:
    with journal_of(tmp_path, *CLASS) as journal:
        drive(journal, FakeEngine())
        corrections.queue_again(journal, Which(students=("ada",)), Queue.PROPOSE)
        drive(journal, FakeEngine(lambda order: graded(order, ok=False)))
    with journal_of(tmp_path, handed_in("ada", "# better")) as journal:
        drive(journal, FakeEngine())
        assert corrections.accept_proposals(journal) == 0
    assert table(tmp_path)["ada"].points == 2.5


def test_what_somebody_wants_graded_again_is_not_settled_by_what_is_known(tmp_path: Path) -> None:
    with journal_of(tmp_path, *CLASS) as journal:
        drive(journal, FakeEngine())
        corrections.queue_again(journal, Which(students=("ada",)), Queue.AGAIN)
    with journal_of(tmp_path, *CLASS) as journal:
        engine = FakeEngine()
        drive(journal, engine)
    assert engine.begun == ["# ada"]


def test_a_changed_program_that_is_given_up_does_not_keep_the_points_of_the_old_one(
    tmp_path: Path,
) -> None:
    with journal_of(tmp_path, *CLASS) as journal:
        drive(journal, FakeEngine())
    with journal_of(tmp_path, handed_in("ada", "# better")) as journal:
        drive(journal, FakeEngine(broken))
    entry = table(tmp_path)["ada"]
    assert (entry.state, entry.points, entry.report) == (State.JUDGE_ERROR, None, None)
    with writing(tmp_path, clock) as journal:
        assert corrections.retry(journal, Which()) == 1
        drive(journal, FakeEngine())
    assert table(tmp_path)["ada"].points == 2.5


def test_a_stale_one_that_is_given_up_has_no_points_until_it_is_graded(tmp_path: Path) -> None:
    with journal_of(tmp_path / "run", *CLASS) as journal:
        drive(journal, FakeEngine())
    lab = with_another_limit(tmp_path)
    with journal_of(tmp_path / "run", CLASS[0], lab=lab) as journal:
        drive(journal, FakeEngine(broken), lab)
    assert table(tmp_path / "run")["ada"].state is State.JUDGE_ERROR


@pytest.mark.parametrize("queue", [Queue.AGAIN, Queue.PROPOSE])
def test_what_cannot_be_graded_again_keeps_its_report_and_stays_stale(
    tmp_path: Path, queue: Queue
) -> None:
    """Its key is that of the report that counts: a changed lab is noticed by it."""
    with journal_of(tmp_path / "run", *CLASS) as journal:
        drive(journal, FakeEngine())
    lab = with_another_limit(tmp_path)
    with writing(tmp_path / "run", clock) as journal:
        corrections.queue_again(journal, Which(students=("ada",)), queue)
        drive(journal, FakeEngine(partial), lab)
    entry = table(tmp_path / "run")["ada"]
    assert (entry.state, entry.points, entry.error) == (State.DONE, 2.5, "the process was killed")
    with journal_of(tmp_path / "run", *CLASS, lab=lab) as journal:
        assert "ada" in {todo.student for todo in journal.waiting()}


def test_what_was_proposed_and_dropped_never_counts(tmp_path: Path) -> None:
    with journal_of(tmp_path, *CLASS) as journal:
        drive(journal, FakeEngine())
        corrections.queue_again(journal, Which(students=("ada",)), Queue.PROPOSE)
        drive(journal, FakeEngine(lambda order: graded(order, ok=False)))
    with journal_of(tmp_path, *CLASS, handed_in("zoe", "# ada")):
        pass
    assert {table(tmp_path)[name].points for name in ("ada", "zoe")} == {2.5}
    with writing(tmp_path, clock) as journal:
        assert corrections.drop_proposals(journal) == 1
    with journal_of(tmp_path, *CLASS, handed_in("yan", "# ada")):
        pass
    assert {table(tmp_path)[name].points for name in ("ada", "yan")} == {2.5}
    assert count(tmp_path, "results") == 5


def test_what_was_changed_and_put_back_before_it_was_graded_keeps_its_report(
    tmp_path: Path,
) -> None:
    with journal_of(tmp_path / "run", *CLASS) as journal:
        drive(journal, FakeEngine())
    lab = with_another_limit(tmp_path)
    with journal_of(tmp_path / "run", *CLASS, lab=lab) as journal:
        assert len(journal.waiting()) == 5
    with journal_of(tmp_path / "run", *CLASS) as journal:
        assert journal.waiting() == []
    assert {entry.points for entry in table(tmp_path / "run").values()} == {2.5}


@pytest.mark.parametrize("queue", [Queue.AGAIN, Queue.PROPOSE])
def test_what_changed_is_not_made_something_to_be_graded_again(
    tmp_path: Path, queue: Queue
) -> None:
    """Else the old program's report would go on counting if the new one cannot be graded."""
    with journal_of(tmp_path, *CLASS) as journal:
        drive(journal, FakeEngine())
    with journal_of(tmp_path, handed_in("ada", "# better")) as journal:
        assert corrections.queue_again(journal, Which(), queue) == 4
        drive(journal, FakeEngine(broken))
    assert table(tmp_path)["ada"].state is State.JUDGE_ERROR


def test_a_result_that_counts_somewhere_outlives_a_proposal_of_it(tmp_path: Path) -> None:
    """Journals of before may have such a one."""
    with journal_of(tmp_path, *CLASS) as journal:
        drive(journal, FakeEngine())
        journal.database.execute("INSERT INTO proposals VALUES (1, 1, 0.0)")
        assert corrections.drop_proposals(journal) == 1
    assert table(tmp_path)["ada"].points == 2.5


def test_a_new_result_of_an_equal_program_replaces_nobody_s(tmp_path: Path) -> None:
    twins = [handed_in(name, "# the same") for name in ("ada", "bob")]
    with journal_of(tmp_path, *twins) as journal:
        drive(journal, FakeEngine())
        corrections.queue_again(journal, Which(students=("ada",)), Queue.AGAIN)
        drive(journal, FakeEngine(lambda order: graded(order, ok=False)))
    with journal_of(tmp_path, *twins):
        pass
    assert [table(tmp_path)[name].points for name in ("ada", "bob")] == [0.0, 2.5]


def test_dropping_forgets_why_something_could_not_be_graded_again(tmp_path: Path) -> None:
    with journal_of(tmp_path, *CLASS) as journal:
        drive(journal, FakeEngine())
        corrections.queue_again(journal, Which(students=("ada",)), Queue.PROPOSE)
        drive(journal, FakeEngine(broken))
        assert corrections.drop_proposals(journal) == 1
    assert table(tmp_path)["ada"].error == ""


@pytest.mark.parametrize("complete_first", [False, True])
def test_of_two_runs_that_are_merged_the_complete_report_counts(
    tmp_path: Path, complete_first: bool
) -> None:
    engines = [FakeEngine(), FakeEngine(partial)]
    for name, engine in zip(("one", "two"), engines, strict=True):
        with journal_of(tmp_path / name, CLASS[0]) as journal:
            journal.note_not_taken(["ambiguous: bob", f"only in {name}"])
            drive(journal, engine)
    with writing(tmp_path / "all", clock, create=True) as journal:
        for name in ("one", "two") if complete_first else ("two", "one"):
            merge(journal, tmp_path / name)
    entry = table(tmp_path / "all")["ada"]
    assert (entry.state, entry.points, entry.error) == (State.DONE, 2.5, "")
    with reading(tmp_path / "all") as found:
        assert sorted(found.not_taken) == ["ambiguous: bob", "only in one", "only in two"]


def test_what_is_in_the_log_is_read_also_where_nobody_may_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A driver that was killed leaves committed reports there; the folder may be read-only."""
    with journal_of(tmp_path, *CLASS) as journal:
        drive(journal, FakeEngine())
        monkeypatch.setattr("os.access", lambda *_: False)
        assert len(table(tmp_path)) == 5


def test_a_lab_that_is_broken_when_it_is_executed_is_the_author_s_fault(tmp_path: Path) -> None:
    def grade(order: Order) -> Outcome:
        return Outcome(id=order.id, seconds=0.1, error="line 3", everybody=True, fault="author")

    with (
        journal_of(tmp_path, *CLASS) as journal,
        pytest.raises(BundleError, match=r"no submission for double can be graded: line 3"),
    ):
        drive(journal, FakeEngine(grade))


def test_regrade_by_verdict(tmp_path: Path) -> None:
    with journal_of(tmp_path, *CLASS) as journal:
        drive(journal, FakeEngine(lambda o: graded(o, ok=o.job.source != b"# eve")))
        which = Which(verdicts=("wrong_answer",), problems=("double",))
        assert corrections.queue_again(journal, which, Queue.AGAIN) == 1
        engine = FakeEngine()
        drive(journal, engine)
    assert engine.begun == ["# eve"], "an equal key does not stand in for another grading"
    assert table(tmp_path)["eve"].points == 2.5


def test_points_by_hand_count_with_author_and_reason_and_can_be_taken_back(tmp_path: Path) -> None:
    with journal_of(tmp_path, *CLASS) as journal:
        drive(journal, FakeEngine())
        corrections.override(journal, "ada", "double", 60.0, author="prof", reason="ill")
        entry = table(tmp_path)["ada"]
        assert entry.points == 60.0
        assert entry.override is not None
        assert (entry.override.author, entry.override.reason) == ("prof", "ill")
        corrections.override(journal, "ada", "double", None, author="prof", reason="a mistake")
        assert table(tmp_path)["ada"].points == 2.5
        with pytest.raises(UsageError, match="zoe has no submission for double"):
            corrections.override(journal, "zoe", "double", 1.0, author="prof", reason="?")
    assert count(tmp_path, "overrides") == 2


def test_a_second_driver_is_refused_while_the_first_works(tmp_path: Path) -> None:
    with journal_of(tmp_path, *CLASS):
        refused = pytest.raises(UsageError, match=r"another grader .* is at work")
        with refused, writing(tmp_path, clock):
            pass
        assert len(table(tmp_path)) == 5, "reading is allowed"
    with writing(tmp_path, clock):
        pass


def test_a_full_disk_loses_nothing_that_was_committed(tmp_path: Path) -> None:
    with journal_of(tmp_path, *CLASS) as journal:
        pages = journal.database.execute("PRAGMA page_count").fetchone()[0]

        def grade(order: Order) -> GradeReport:
            if order.job.source == b"# cy":
                journal.database.execute(f"PRAGMA max_page_count = {pages}")
            return replace(graded(order), grader_version=order.job.source.hex() * 9000)

        with pytest.raises(JournalError, match="free some space and run the command again"):
            drive(journal, FakeEngine(grade, slots=1))
    done = {name for name, entry in table(tmp_path).items() if entry.state is State.DONE}
    assert {"ada", "bob"} <= done
    with journal_of(tmp_path, *CLASS) as journal:
        engine = FakeEngine()
        drive(journal, engine)
    assert len(engine.begun) == 5 - len(done)
    assert count(tmp_path, "results") == 5


def test_a_lab_that_was_mended_grades_again_what_was_given_up(tmp_path: Path) -> None:
    lab = replace(DOUBLE, digest="the lab with its bug")

    def fails(order: Order) -> Outcome:
        return broken(order, again=False)

    for now, grade, begun in ((lab, fails, 5), (lab, graded, 0), (DOUBLE, graded, 5)):
        with journal_of(tmp_path, *CLASS, lab=now) as journal:
            engine = FakeEngine(grade)
            drive(journal, engine, now)
        assert len(engine.begun) == begun
    assert {entry.state for entry in table(tmp_path).values()} == {State.DONE}


def test_a_damaged_report_names_whose_it_is_and_what_to_do(tmp_path: Path) -> None:
    with journal_of(tmp_path, *CLASS) as journal:
        drive(journal, FakeEngine())
        journal.database.execute("UPDATE results SET report = x'00112233' WHERE id = 2")
    with pytest.raises(JournalError, match=r"report of \w+ for double is damaged.* class regrade"):
        table(tmp_path)


@pytest.mark.parametrize("content", ["nothing", "another table"])
def test_a_file_that_is_no_journal_is_not_taken_for_one(tmp_path: Path, content: str) -> None:
    path = tmp_path / "journal.sqlite"
    path.touch()
    if content == "another table":
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.execute("CREATE TABLE a (b)")
    with (
        pytest.raises(UsageError, match="is no journal of a run, or was emptied"),
        writing(tmp_path, clock, create=True),
    ):
        pass


def merged(tmp_path: Path, *runs: str) -> dict[str, float | None]:
    with writing(tmp_path / "whole", clock, create=True) as journal:
        for run in runs:
            merge(journal, tmp_path / run)
    return {name: entry.points for name, entry in table(tmp_path / "whole").items()}


def test_points_by_hand_are_merged_in_any_order_or_refused(tmp_path: Path) -> None:
    for part, students in (("one", CLASS[:2]), ("two", CLASS[2:])):
        with journal_of(tmp_path / part, *students) as journal:
            drive(journal, FakeEngine())
    shutil.copytree(tmp_path / "one", tmp_path / "copy")
    for run, points in (("one", 10.0), ("one", 55.0), ("copy", 10.0)):
        with writing(tmp_path / run, clock) as journal:
            corrections.override(journal, "ada", "double", points, author="prof", reason="ill")
    for runs in (("one", "copy", "two"), ("copy", "two", "one"), ("two", "one", "one")):
        assert merged(tmp_path, *runs)["ada"] == 55.0
        shutil.rmtree(tmp_path / "whole")
    with writing(tmp_path / "copy", clock) as journal:
        corrections.override(journal, "ada", "double", 1.0, author="other", reason="?")
    with pytest.raises(UsageError, match="ada has other points by hand for double there"):
        merged(tmp_path, "one", "copy")


def test_a_run_is_not_merged_into_itself(tmp_path: Path) -> None:
    with (
        journal_of(tmp_path / "one", *CLASS) as journal,
        pytest.raises(UsageError, match="cannot be merged into itself"),
    ):
        merge(journal, tmp_path / "one")


def test_a_damaged_journal_is_named(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").write_bytes(b"this is no database at all" * 100)
    with pytest.raises(JournalError, match="damaged"), writing(tmp_path, clock):
        pass


def test_a_folder_without_a_run_is_named() -> None:
    with pytest.raises(UsageError, match="nowhere has no run"), writing(Path("nowhere"), clock):
        pass


def test_the_clock_may_go_back(tmp_path: Path) -> None:
    times = iter(["2026-11-30T12:00:00Z", "2025-01-01T00:00:00Z", "2026-11-30T12:00:01Z"] * 9)
    with writing(tmp_path, lambda: next(times), create=True) as journal:
        journal.set_up(SETTING)
        take_in(journal, CLASS, lambda _, digest: result_key(digest, DOUBLE, SETTING))
        drive(journal, FakeEngine())
        corrections.override(journal, "ada", "double", 10.0, author="prof", reason="first")
        corrections.override(journal, "ada", "double", 20.0, author="prof", reason="second")
    lines = table(tmp_path)
    assert lines["ada"].points == 20.0, "the last one counts, whatever the clock said"
    assert {entry.state for entry in lines.values()} == {State.DONE}
    assert all((entry.waited_seconds or 0.0) >= 0.0 for entry in lines.values())
