"""`grader grade`: exit statuses, formats, and where the report goes."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import jsonschema
import junitparser
import pytest

from tests.cli.command import RIGHT, WRONG, Finished, grader, grader_into, grader_process, rows

QUICK = ("--group", "minimal")


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A right program, in a folder of its own."""
    path = tmp_path / "mine.py"
    path.write_text(RIGHT)
    return path


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    path = tmp_path / "wrong.py"
    path.write_text(WRONG)
    return path


def kept_report(program: Path) -> dict[str, Any]:
    report = json.loads((program.parent / ".grader" / "double" / "report.json").read_bytes())
    assert isinstance(report, dict)
    return report


def test_a_right_program_earns_every_point_and_stdout_is_one_report(mine: Path) -> None:
    graded = grader_process(
        "grade", "double", "mine.py", "--examples", "20", "--format", "json", cwd=mine.parent
    )
    schema = grader("schema", "report", cwd=mine.parent).report
    report = graded.report
    jsonschema.Draft202012Validator(schema).validate(report)
    assert graded.status == 0
    assert (report["points"], report["verdict"]) == (100.0, "accepted")
    assert report["graded_completely"]
    assert not report["practice"]


def test_a_wrong_program_is_told_its_smallest_counterexample(wrong: Path) -> None:
    graded = grader_process(
        "grade", "double", "wrong.py", "--seed", "7", "--examples", "20", cwd=wrong.parent
    )
    report = kept_report(wrong)
    assert graded.status == 1
    assert report["seed"] == 7
    failing = rows(report)["normal/check_halves"]
    assert json.loads(failing["counterexample"]["given"]) == {"n": 1}
    saved = wrong.parent / ".grader/double/inputs/normal.check_halves.in.json"
    assert json.loads(saved.read_bytes()) == {"n": 1}
    assert "Failing rows: 6 of 13" in graded.stdout


def test_practice_without_solutions_is_complete_and_ends_with_status_0(mine: Path) -> None:
    words = ("grade", "double", "mine.py", "--public", "--examples", "3", "--format", "json")
    graded = grader(*words, cwd=mine.parent)
    report = graded.report
    assert graded.status == 0
    assert (report["points"], report["public_out_of"]) == (80.0, 80.0)
    assert report["practice"]
    assert report["graded_completely"]
    assert not any(row["staff_only"] for row in rows(report).values())


def test_junit_is_read_by_a_junit_parser_and_people_get_the_report_beside_it(wrong: Path) -> None:
    words = ("--public", "--examples", "3", "--format", "junit", "--output", "junit.xml")
    graded = grader("grade", "double", "wrong.py", *words, cwd=wrong.parent)
    suites = list(junitparser.JUnitXml.fromfile(str(wrong.parent / "junit.xml")))
    assert [suite.name for suite in suites] == ["normal", "minimal", "failure", "scale"]
    assert [suite.failures for suite in suites] == [4, 0, 0, 0]
    assert suites[3].skipped == 1
    assert "of 80 public points (practice)" in graded.stdout
    assert graded.stderr.startswith("✗ normal/01-worked-example wrong answer: at /twice")
    assert len(graded.stderr.splitlines()) == 1, "the first failure of each group is told at once"
    left = {path.name for path in wrong.parent.iterdir()}
    assert left == {"wrong.py", ".grader", "junit.xml"}, "no temporary file"


def test_one_group_alone_is_graded_but_not_completely(mine: Path) -> None:
    words = ("--group", "failure", "--examples", "3", "--format", "json")
    graded = grader("grade", "double", "mine.py", *words, cwd=mine.parent)
    report = graded.report
    assert [group["group"] for group in report["groups"]] == ["failure"]
    assert not report["graded_completely"]
    assert report["points"] == 20.0
    assert report["examples"] == 3


def _is_said_and_shown(graded: Finished, what: str, why: str) -> None:
    """The trouble is told in one sentence, and the report still stands on the terminal.

    Its status is not that of a verdict: whoever goes on with the file must not believe in it.
    """
    assert f"grader: {what} was not written: {why}; here is the report" in graded.stderr
    assert "So far 10 of 100 points" in graded.stdout
    assert not graded.shows_our_code


def test_an_output_that_cannot_be_written_leaves_the_report_on_the_terminal(mine: Path) -> None:
    words = (*QUICK, "--format", "json", "--output", "nowhere/report.json")
    graded = grader("grade", "double", "mine.py", *words, cwd=mine.parent)
    _is_said_and_shown(graded, "nowhere/report.json", "No such file or directory")
    assert graded.status == 2


def full_device(folder: Path) -> Path:
    """A device that is always full, in the test's own folder: no test names the machine's."""
    path = folder / "full"
    if os.geteuid() == 0:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 7))
    else:
        path.symlink_to("/dev/full")  # which only root could replace
    return path


def test_an_output_on_a_full_device_leaves_the_report_on_the_terminal(mine: Path) -> None:
    device = full_device(mine.parent)
    words = (*QUICK, "--format", "json", "--output", "full")
    graded = grader("grade", "double", "mine.py", *words, cwd=mine.parent)
    assert not device.is_file(), "the device was replaced by a file"
    _is_said_and_shown(graded, "full", "No space left on device")
    assert graded.status == 4


def test_an_output_that_is_a_pipe_is_written_into_and_never_replaced(mine: Path) -> None:
    pipe = mine.parent / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)  # a reader, so that writing does not wait
    words = (*QUICK, "--format", "json", "--output", "pipe")
    graded = grader("grade", "double", "mine.py", *words, cwd=mine.parent)
    assert graded.status == 0
    assert pipe.is_fifo(), "the pipe was replaced by a file"
    assert json.loads(os.read(reading, 1 << 16))["problem"] == "double"
    os.close(reading)


def test_an_output_that_is_a_link_is_followed_and_never_replaced(mine: Path) -> None:
    (mine.parent / "elsewhere").mkdir()
    target, link = mine.parent / "elsewhere" / "report.json", mine.parent / "link.json"
    target.write_text("an older report")
    link.symlink_to(target)
    words = (*QUICK, "--format", "json", "--output", "link.json")
    assert grader("grade", "double", "mine.py", *words, cwd=mine.parent).status == 0
    assert link.is_symlink(), "the link was replaced by a file"
    assert json.loads(target.read_bytes())["problem"] == "double"


@pytest.mark.parametrize("format_", ["terminal", "json"])
def test_a_stdout_that_is_full_is_said_and_is_no_verdict(mine: Path, format_: str) -> None:
    with full_device(mine.parent).open("wb") as device:
        words = ("grade", "double", "mine.py", *QUICK, "--format", format_)
        graded = grader_into(device.fileno(), words, mine.parent, {})
    assert not graded.shows_our_code
    assert "No space left on device" in graded.stderr
    assert graded.status == 4


def test_a_folder_that_cannot_keep_the_report_is_said_and_grading_goes_on(mine: Path) -> None:
    (mine.parent / ".grader").write_text("a file where the folder should be")
    graded = grader("grade", "double", "mine.py", *QUICK, cwd=mine.parent)
    assert graded.status == 0
    assert "grader: the report was not kept in .grader:" in graded.stderr
    assert "So far 10 of 100 points" in graded.stdout
    assert not graded.shows_our_code


def without_times(value: Any) -> Any:
    """A report but for what differs from run to run."""
    if isinstance(value, dict):
        times = ("usage", "timing", "started_at")
        return {key: without_times(v) for key, v in value.items() if key not in times}
    return [without_times(item) for item in value] if isinstance(value, list) else value


def test_the_same_submission_lab_and_seed_give_the_same_report(wrong: Path) -> None:
    words = ("grade", "double", "wrong.py", "--seed", "7", "--format", "json")
    first, second = (grader(*words, cwd=wrong.parent).report for _ in range(2))
    assert without_times(first) == without_times(second)
    assert first["seed"] == 7
    assert rows(first)["normal/check_halves"]["counterexample"]["fully_shrunk"]
