"""`grader class …` as course staff use it: real programs, a real journal."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from grader.cli.main import run as run_command
from grader.course.discover import discover
from grader.model.course import State
from grader.model.verdict import Verdict
from tests.cli.command import (
    RIGHT,
    WRONG,
    Finished,
    environment,
    grader,
    grader_as_nobody,
    replace_in,
)
from tests.conftest import LABS, copy_labs
from tests.course.scene import table, without_times

FEW = ("--examples", "5")
BY_PROF = ("--author", "prof", "--reason", "ill")
DASK = ("--engine", "dask")
PROGRAMS = {
    "ada": RIGHT,
    "bob": WRONG,
    "cy": f"# written by myself\n{RIGHT}",
    "dee": "raise SystemExit(3)\n",
}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    for student, program in PROGRAMS.items():
        folder = tmp_path / "handed in" / student
        folder.mkdir(parents=True)
        (folder / "double.py").write_text(program)
    return tmp_path


def run(place: Path, *words: str | Path, where: str = "handed in", **more: str) -> Finished:
    words = ("class", "run", where, "--out", "run", *FEW, *words)
    return grader(*words, cwd=place, **{"GRADER_JOBS": "2"} | more)


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class that has been graded; copy it to change it."""
    place = tmp_path_factory.mktemp("class")
    for student, program in PROGRAMS.items():
        folder = place / "handed in" / student
        folder.mkdir(parents=True)
        (folder / "double.py").write_text(program)
    (place / "handed in/ada/notes.txt").write_text("hello")
    told = run(place, "--metrics")
    assert told.status == 0, told.output
    (place / "told.txt").write_text(told.output)
    return place


@pytest.fixture
def copied(graded: Path, tmp_path: Path) -> Path:
    shutil.copytree(graded, tmp_path / "class")
    return tmp_path / "class"


def test_a_class_is_graded_and_told(graded: Path) -> None:
    told = (graded / "told.txt").read_text()
    assert "submissions: 4 new" in told
    assert "not understood: ada/notes.txt: it is not a Python file (.py)" in told
    assert "4/4" in told
    assert "4 gradings in" in told
    assert "p95" in told
    assert "waiting" in told
    lines = table(graded / "run")
    assert {name: line.report and line.report.verdict.value for name, line in lines.items()} == {
        "ada": "accepted",
        "bob": "wrong_answer",
        "cy": "accepted",
        "dee": "crashed",
    }


def test_a_report_of_a_class_is_that_of_grader_grade(graded: Path, tmp_path: Path) -> None:
    (tmp_path / "double.py").write_text(WRONG)
    words = ("grade", "double", "double.py", *FEW, "--staff", "--format", "json")
    alone = grader(*words, cwd=tmp_path).report
    kept = json.loads(without_times(table(graded / "run")["bob"].report))
    for times in ("usage", "started_at"):
        alone.pop(times)
    for group in alone["groups"]:
        for row in group["rows"]:
            del row["usage"], row["timing"]
    assert alone == kept


def test_status_tells_how_a_run_stands(graded: Path) -> None:
    told = grader("class", "status", "run", cwd=graded)
    assert told.status == 0
    words = ["done", "waiting", "given", "up", "by", "hand", "double", *"4000"]
    assert told.stdout.split()[: len(words)] == words


def test_a_new_submission_is_graded_and_no_other(copied: Path) -> None:
    (copied / "handed in/eve").mkdir()
    (copied / "handed in/eve/double.py").write_text(RIGHT + "# eve\n")
    told = run(copied)
    assert "1 new, 4 as before" in told.stderr
    assert "1/1 eve double: accepted, 100 points" in told.stderr
    assert told.status == 0


def test_a_lab_that_was_changed_regrades_and_shows_whose_points_change(
    copied: Path, tmp_path: Path
) -> None:
    copy_labs(tmp_path)
    replace_in(
        tmp_path / "problems/double/properties.py",
        'assert answer["twice"] == 2 * given["n"]',
        'assert given["n"] < 0 or answer["twice"] == 2 * given["n"] + 1',
    )
    labs = {"GRADER_PROBLEMS": str(tmp_path / "problems")}
    told = grader("class", "regrade", "run", "--student", "ada", "--diff", cwd=copied, **labs)
    assert told.status == 0, told.output
    assert "ada double: 100 points → " in told.stdout
    assert "because the lab changed" in told.stdout
    assert "normal/check_halves: accepted" in told.stdout
    assert "nothing was replaced" in told.stdout
    assert table(copied / "run")["ada"].points == 100
    assert grader("class", "regrade", "run", "--accept", cwd=copied).status == 0
    points = table(copied / "run")["ada"].points
    assert points is not None
    assert points < 100


def test_points_by_hand_are_exported_with_author_and_reason(copied: Path) -> None:
    words = ("--points", "60", "--author", "prof", "--reason", "ill, with a note")
    told = grader("class", "override", "run", "dee", "double", *words, cwd=copied)
    assert told.stdout == "dee double: 60 points by prof\n"
    lines = exported(copied, "jsonl", "--staff").splitlines()
    [dee] = [line for line in map(json.loads, lines) if line["student"] == "dee"]
    assert dee["points"] == 60
    assert dee["override"]["author"] == "prof"
    assert dee["override"]["reason"] == "ill, with a note"
    assert dee["report"]["verdict"] == "crashed"


def exported(place: Path, format_: str, *words: str) -> str:
    told = grader("class", "export", "run", "--format", format_, *words, cwd=place)
    assert told.status == 0, told.output
    return told.stdout


@pytest.mark.parametrize("format_", ["jsonl", "junit", "nbgrader", "canvas", "markdown", "html"])
def test_every_export_names_every_student_or_counts_them(graded: Path, format_: str) -> None:
    text = exported(graded, format_)
    if format_ in ("markdown", "html"):
        assert "4 of 4 submissions have a final score" in text
    else:
        assert all(student in text for student in PROGRAMS)


def test_a_gradebook_is_written_for_spreadsheets(graded: Path, tmp_path: Path) -> None:
    exported(graded, "canvas", "--output", str(tmp_path / "grades.csv"))
    raw = (tmp_path / "grades.csv").read_bytes()
    assert raw.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(raw.decode("utf-8-sig").splitlines()))
    assert [row[0] for row in rows[2:]] == sorted(PROGRAMS)


def test_reports_of_students_show_nothing_of_the_staff(graded: Path, tmp_path: Path) -> None:
    exported(graded, "reports", "--output", str(tmp_path / "feedback"))
    bob = json.loads((tmp_path / "feedback/bob/double.json").read_text())
    hidden = [row for group in bob["groups"] for row in group["rows"] if row["staff_only"]]
    assert hidden
    assert all(row["counterexample"] is None for row in hidden)


def test_a_csv_and_a_zip_are_read_as_well(place: Path) -> None:
    (place / "list.csv").write_text(
        "student,problem,path\nada,double,handed in/ada/double.py\nzoe,double,nowhere.py\n"
    )
    told = run(place, where="list.csv")
    assert "1/1 ada double: accepted" in told.stderr
    assert "nowhere.py" in told.stderr
    with zipfile.ZipFile(place / "all.zip", "w") as archive:
        archive.write(place / "handed in/ada/double.py", "ada/double.py")
        archive.writestr("../evil/double.py", RIGHT)
    told = run(place, where="all.zip")
    assert "submissions: 1 as before" in told.stderr
    assert "refused: all.zip!/../evil/double.py" in told.stderr


def test_shards_are_graded_apart_and_merged(place: Path, graded: Path) -> None:
    for part in ("1/2", "2/2"):
        name = f"part {part[0]}"
        words = ("class", "run", "handed in", "--out", name, *FEW, "--shard", part)
        told = grader(*words, cwd=place)
        assert told.status in (0, 5), told.output
    told = grader("class", "merge", "part 1", "part 2", "--out", "whole", cwd=place)
    assert told.status == 0, told.output
    merged, whole = table(place / "whole"), table(graded / "run")
    assert merged.keys() == whole.keys()
    for student in merged:
        assert without_times(merged[student].report) == without_times(whole[student].report)


def test_runs_that_contradict_each_other_are_not_merged(copied: Path, graded: Path) -> None:
    (copied / "handed in/ada/double.py").write_text(WRONG)
    run(copied)
    told = grader("class", "merge", str(graded / "run"), "run", "--out", "both", cwd=copied)
    assert told.status == 2
    assert "ada double handed in another file there" in told.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("export", "run", "--student", "nobody"), "no submission with the student 'nobody'"),
        (("regrade", "run", "--problem", "dubble"), "no submission with the problem 'dubble'"),
        (("regrade", "run", "--accept"), "no reports are kept aside"),
        (("regrade", "run", "--problems", "empty"), "no problem 'double'"),
        (("run", "handed in", "--out", "run", *FEW, "--problems", "empty"), "no problem 'double'"),
        (("run", "handed in", "--out", "run", "--seed", "7"), "begun with seed 0, not 7"),
        (("run", "handed in", "--out", "handed in/run"), "choose a folder outside"),
        (("run", "handed in", "--out", "told.txt"), "told.txt is a file"),
        (("merge", "run", "--out", "run"), "cannot be merged into itself"),
        (
            ("override", "run", "ada", "double", *BY_PROF, "--points", "nan"),
            "nan is no number of points",
        ),
        (("override", "run", "ada", "double", *BY_PROF, "--undo"), "nothing to undo"),
        (
            ("run", "handed in", "--out", "run", *FEW, *DASK, "--scheduler", "tls://127.0.0.1:1"),
            "needs --tls-ca, --tls-cert, --tls-key",
        ),
    ],
)
def test_what_cannot_be_done_with_a_run_is_told_and_changes_nothing(
    copied: Path, words: tuple[str, ...], says: str
) -> None:
    (copied / "empty").mkdir()
    told = grader("class", *words, cwd=copied)
    assert told.status == 2, told.output
    assert says in told.stderr
    assert not told.shows_our_code
    assert {entry.state.value for entry in table(copied / "run").values()} == {"done"}


def test_a_check_that_raises_is_the_labs_fault(copied: Path, tmp_path: Path) -> None:
    copy_labs(tmp_path)
    old = 'assert answer["twice"] % 2 == 0'
    properties = tmp_path / "problems/double/properties.py"
    replace_in(properties, old, f"raise RuntimeError(1)\n    {old}")
    labs = ("--problems", str(tmp_path / "problems"))
    told = run(copied, *labs)
    assert told.status == 3, told.output
    assert "the lab is at fault: mend it" in told.stderr
    told = run(copied)
    assert told.status == 0, told.output
    assert "4 as before" in told.stderr or "graded with something" in told.stderr


def test_what_was_not_taken_stands_in_the_status(graded: Path) -> None:
    told = grader("class", "status", "run", cwd=graded)
    assert "not taken: not understood: ada/notes.txt" in told.stderr
    assert "not taken: 1" in told.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("run", "nowhere", "--out", "r"), "nowhere does not exist"),
        (("run", "in", "--out", "r", "--shard", "3/2"), "'3/2' is not one of 1/n to n/n"),
        (("run", "in", "--out", "r", "--problem", "dubble"), "did you mean double?"),
        (("run", "in", "--out", "r", "--scheduler", "tls://x:1"), "is for `--engine dask`"),
        (("status", "nowhere"), "nowhere has no run"),
        (("export", "nowhere"), "nowhere has no run"),
        (("merge", "nowhere", "--out", "r"), "nowhere has no run"),
        (("regrade", "nowhere", "--diff", "--accept"), "exclude one another"),
        (("override", "r", "a", "b", "--author", "x", "--reason", "y"), "give --points, or --undo"),
        (("runn",), "Did you mean 'run'?"),
    ],
)
def test_bad_use_is_told(tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    (tmp_path / "in").mkdir()
    told = grader("class", *words, cwd=tmp_path)
    assert told.status == 2
    assert says in told.stderr
    assert not told.shows_our_code


def test_a_run_without_submissions_says_so(tmp_path: Path) -> None:
    (tmp_path / "handed in").mkdir()
    told = run(tmp_path)
    assert told.status == 5
    assert "run has no submissions" in told.stdout


def test_a_run_that_cannot_be_written_is_refused(graded: Path, tmp_path: Path) -> None:
    place = tmp_path / "closed"
    shutil.copytree(graded, place)
    for path in (place / "run", place / "run/journal.sqlite", place / "run/lock"):
        path.chmod(0o555 if path.is_dir() else 0o444)
    for command, status in (
        (("run", "handed in", "--out", "run", *FEW), 4),
        (("status", "run"), 0),
    ):
        told = grader_as_nobody(place, "class", *command)
        assert told.status == status, told.output
    assert (
        "run cannot be used: Permission denied"
        in grader_as_nobody(place, "class", "run", "handed in", "--out", "run", *FEW).stderr
    )


def driver(place: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "grader", "class", "run", "handed in", "--out", "run", *FEW, *words],
        cwd=place,
        env=environment(GRADER_JOBS="2"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # It is ignored in what a shell starts in the background, these tests perhaps.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def until(running: subprocess.Popen[str], said: str) -> None:
    """Read what it tells until it has said this."""
    assert running.stderr is not None
    for line in running.stderr:
        if said in line:
            return
    raise AssertionError(f"it ended and never said {said!r}")


def test_a_program_that_changes_during_the_run_is_graded_as_it_was_read(place: Path) -> None:
    running = driver(place, "--jobs", "1")
    until(running, "submissions: 4 new")
    (place / "handed in/dee/double.py").write_text(RIGHT)
    _, stderr = running.communicate()
    assert "1 submissions have changed since they were read (dee double)" in stderr
    dee = table(place / "run")["dee"]
    assert dee.report is not None
    assert dee.report.verdict is Verdict.CRASHED
    told = run(place)
    assert "1 changed, 3 as before" in told.stderr
    assert table(place / "run")["dee"].points == 100


def test_an_interrupted_run_says_how_to_continue(place: Path) -> None:
    (place / "handed in/ada/double.py").write_text("while True: pass\n")
    running = driver(place)
    until(running, "1/4 ")
    os.kill(running.pid, signal.SIGINT)
    _, stderr = running.communicate()
    assert running.returncode == 130
    assert "interrupted" in stderr
    done = sum(1 for entry in table(place / "run").values() if entry.report)
    assert 1 <= done < 4
    (place / "handed in/ada/double.py").write_text(RIGHT)
    told = run(place)
    assert told.status == 0, told.output
    assert f"{4 - done}/{4 - done} " in told.stderr
    assert len(table(place / "run")) == 4


def test_without_the_staff_s_part_a_class_is_graded_only_where_practice_is_asked_for(
    place: Path,
) -> None:
    problems = copy_labs(place / "course") / "problems"
    shutil.rmtree(problems.parent / "solutions")
    refused = run(place, "--problems", problems)
    assert refused.status == 2
    assert (
        "there is no solutions/double that you may read, so that the rows of the staff"
        in refused.stderr
    )
    told = run(place, "--problems", problems, "--public")
    assert told.status == 0, told.output
    assert "practice: the rows of the staff took no part" in told.stdout


def test_a_level_that_this_machine_does_not_give_refuses_the_class(
    place: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Nobody is tried three times and given up for it."""
    broken = tmp_path_factory.mktemp("bin") / "bwrap"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    path = {"PATH": f"{broken.parent}:{os.environ['PATH']}", "XDG_CACHE_HOME": str(place)}
    refused = run(place, "--sandbox", "strong", **path)  # others may look into solutions/
    assert refused.status == 2, refused.output
    assert "can be graded: this machine does not give level strong" in refused.stderr
    assert {line.tries for line in table(place / "run").values()} == {0}


def test_a_lab_that_breaks_when_it_is_executed_is_the_author_s_fault(place: Path) -> None:
    copy_labs(place / "course")
    replace_in(
        place / "course/problems/double/properties.py", "def check_halves", "def )check_halves"
    )
    told = run(place, "--problems", place / "course/problems")
    assert told.status == 3, told.output
    assert "properties.py" in told.stderr


def test_points_by_hand_settle_what_was_given_up(copied: Path) -> None:
    with contextlib.closing(sqlite3.connect(copied / "run/journal.sqlite")) as database, database:
        database.execute("UPDATE submissions SET result = NULL, error = 'killed', tries = 3")
    assert grader("class", "status", "run", cwd=copied).status == 4
    for student in PROGRAMS:
        words = ("--points", "60", *BY_PROF)
        assert grader("class", "override", "run", student, "double", *words, cwd=copied).status == 0
    assert grader("class", "status", "run", cwd=copied).status == 0


def test_what_could_not_be_graded_again_is_told_and_its_report_counts(copied: Path) -> None:
    with contextlib.closing(sqlite3.connect(copied / "run/journal.sqlite")) as database, database:
        database.execute("UPDATE submissions SET error = 'killed' WHERE student = 'ada'")
    told = grader("class", "status", "run", cwd=copied)
    assert told.status == 4
    assert "not graded again, the report of before counts: ada double: killed" in told.stderr


def test_submissions_that_are_gone_when_the_run_ends_lose_nothing(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A share was unmounted meanwhile, or a second list of submissions came in."""
    looked = list[Path]()

    def look(path: Path, *words: Any, **more: Any) -> Any:
        looked.append(path)
        return discover(path if len(looked) == 1 else path / "gone", *words, **more)

    monkeypatch.setattr("grader.course.discover.discover", look)
    monkeypatch.chdir(place)
    words = ["class", "run", "handed in", "--out", "run", *FEW]
    assert run_command([*words, "--problems", str(LABS / "problems")]) == 0
    assert len(looked) == 2
    assert "whether anything was changed meanwhile is not known" in capsys.readouterr().err
    assert {line.state for line in table(place / "run").values()} == {State.DONE}


def test_where_programs_are_not_confined_nobody_gets_points_without_the_staff_s_rows(
    place: Path,
) -> None:
    refused = run(place, "--sandbox", "weak")
    assert refused.status == 2
    assert "no submission for double can be graded: programs are not confined" in refused.stderr
    assert {line.points for line in table(place / "run").values()} == {None}
