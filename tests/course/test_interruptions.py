"""A class run whose driver, judging processes or cluster workers are killed in the middle."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.course.drive import Drive, Step
from grader.course.engines.dask_engine import DaskEngine
from grader.course.engines.engine import Engine
from grader.course.engines.local import LocalEngine
from grader.course.intake import take_in
from grader.course.journal import writing
from grader.course.key import LabOfClass, Setting, lab_of_class, result_key
from grader.course.results import MAX_TRIES
from grader.model.course import State
from tests.cli.command import RIGHT, WRONG, replace_in
from tests.conftest import REPOSITORY
from tests.course.scene import clock, handed_in, table, without_times
from tests.hostile.siege import children

POISON = RIGHT.replace("2 * given", "666 + 2 * given")
KILLS_ITS_JUDGE = """
    if answer["twice"] == 666 + 2 * given["n"]:
        import os

        os.kill(os.getpid(), 9)
"""
SETTING = Setting(examples=3)


def killed(times: int, seed: int) -> list[str]:
    words = [sys.executable, "-m", "tests.course.kills", str(times), str(seed)]
    told = subprocess.run(words, cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    wrong: list[str] = json.loads(told.stdout)
    return wrong


def test_a_driver_that_is_killed_at_random_moments_loses_nothing() -> None:
    assert killed(5, seed=0) == []


@pytest.mark.soak
def test_drivers_that_are_killed_at_fifty_random_moments_lose_nothing() -> None:
    assert killed(50, seed=1) == []


@pytest.fixture
def deadly(broken_lab: Path) -> LabOfClass:
    """A lab with a check that kills its own process when it sees a certain wrong answer."""
    properties = broken_lab / "problems/double/properties.py"
    replace_in(
        properties,
        '    assert answer["twice"] % 2 == 0',
        f'{KILLS_ITS_JUDGE}    assert answer["twice"] % 2 == 0',
    )
    return lab_of_class(broken_lab / "problems/double", broken_lab / "solutions/double")


def graded(run: Path, engine: Engine, lab: LabOfClass, **programs: str) -> list[Step]:
    steps: list[Step] = []
    with writing(run, clock, create=True) as journal, engine:
        journal.set_up(SETTING)
        journal.recover()
        take_in(
            journal,
            [handed_in(name, source) for name, source in programs.items()],
            lambda _, digest: result_key(digest, lab, SETTING),
        )
        Drive(journal, engine, {"double": lab}, SETTING, steps.append).run()
    return steps


def test_a_submission_that_kills_its_judge_every_time_holds_nobody_up(
    deadly: LabOfClass, tmp_path: Path
) -> None:
    graded(tmp_path / "run", LocalEngine(2), deadly, ada=RIGHT, bob=POISON, cy=WRONG)
    lines = table(tmp_path / "run")
    assert lines["bob"].state is State.JUDGE_ERROR
    assert lines["bob"].tries == MAX_TRIES
    assert lines["bob"].points is None
    assert "the judging process ended with status -9" in lines["bob"].error
    assert lines["ada"].points == 100
    assert lines["cy"].state is State.DONE


def test_what_gradings_share_changes_no_report_and_goes_with_the_engine(
    deadly: LabOfClass, tmp_path: Path
) -> None:
    class_ = {"ada": RIGHT, "bob": WRONG, "cy": RIGHT + "# another"}
    graded(tmp_path / "alone", LocalEngine(2), deadly, **class_)
    run = tmp_path / "together"
    run.mkdir()
    (run / f"shared-{deadly.digest}.sqlite").write_text("by an engine that was killed")
    (run / "shared-notes.sqlite").write_text("of somebody else")
    graded(run, LocalEngine(1, run), deadly, **class_)
    assert [path.name for path in run.glob("shared*")] == ["shared-notes.sqlite"]
    alone, together = table(tmp_path / "alone"), table(tmp_path / "together")
    for student in class_:
        assert without_times(alone[student].report) == without_times(together[student].report)


def test_each_slot_keeps_to_a_core(deadly: LabOfClass, tmp_path: Path) -> None:
    cores = os.sched_getaffinity(0)
    if len(cores) < 2:
        pytest.skip("one core")
    endless = "while True: pass\n"
    before = set(_below(os.getpid()))
    engine = LocalEngine(2)
    with engine:
        from grader.course.engines.engine import Order
        from grader.worker.job import Job

        for number in range(2):
            job = Job(
                problem=str(deadly.folder), staff=None, name="double.py", source=endless.encode()
            )
            engine.begin(Order(id=number, job=job, lab=deadly.digest, seed_is_secret=False))
        seen = set[frozenset[int]]()
        until = time.monotonic() + 60
        while len(seen) < 2 and time.monotonic() < until:
            judges = set(_below(os.getpid())) - before
            seen = {frozenset(cores) for cores in map(_cores, judges) if len(cores) == 1}
    assert seen == {frozenset({core}) for core in sorted(cores)[:2]}


def _below(pid: int) -> Iterator[int]:
    for child in children(pid):
        yield child
        yield from _below(child)


def _cores(pid: int) -> set[int]:
    try:
        return os.sched_getaffinity(pid)
    except ProcessLookupError:
        return set()


@pytest.fixture
def cluster() -> Iterator[str]:
    """A Dask cluster on this machine, and its scheduler's address."""
    import dask
    import distributed

    with dask.config.set({"distributed.scheduler.allowed-failures": 0}):
        made = distributed.LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=1, threads_per_worker=1, dashboard_address=None
        )
        with made:
            yield made.scheduler_address


@pytest.mark.filterwarnings("default")
def test_a_cluster_gives_the_reports_that_this_machine_gives(
    deadly: LabOfClass, tmp_path: Path, cluster: str
) -> None:
    class_ = {"ada": RIGHT, "bob": WRONG}
    graded(tmp_path / "here", LocalEngine(2), deadly, **class_)
    there = DaskEngine({"double": deadly}, scheduler=cluster)
    graded(tmp_path / "there", there, deadly, **class_)
    here, there_ = table(tmp_path / "here"), table(tmp_path / "there")
    for student in class_:
        assert without_times(here[student].report) == without_times(there_[student].report)


@pytest.mark.filterwarnings("default")
def test_a_cluster_worker_that_is_killed_costs_a_try_and_no_submission(
    deadly: LabOfClass, tmp_path: Path
) -> None:
    """The only worker is killed in the middle of the first grading; its nanny starts another."""
    engine = DaskEngine({"double": deadly}, jobs=1)
    victims = list(engine._client.run(os.getpid).values())
    slow = RIGHT.replace("import sys", "import sys, time\ntime.sleep(0.3)")
    begin = engine.begin

    def begin_and_kill(order: object) -> None:
        begin(order)  # type: ignore[arg-type]
        if victims:
            time.sleep(1)
            os.kill(victims.pop(), signal.SIGKILL)

    engine.begin = begin_and_kill  # type: ignore[method-assign]
    steps = graded(tmp_path / "run", engine, deadly, ada=slow, bob=WRONG)
    lines = table(tmp_path / "run")
    assert {entry.state for entry in lines.values()} == {State.DONE}
    assert any(step.waiting for step in steps), "the kill came too late to cost a try"
    assert sum(entry.tries for entry in lines.values()) >= 1
