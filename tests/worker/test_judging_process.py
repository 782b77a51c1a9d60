"""What a lab's code does in the judging process can hurt one row or one group, and nothing else."""

from __future__ import annotations

import json
import queue
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from grader.cli.exit_status import ExitStatus, of_report
from grader.errors import BundleError, WorkerError
from grader.judging.author import CHECK_SECONDS
from grader.model.report import CaseResult, GradeReport
from grader.model.verdict import Verdict
from grader.report.to_json import to_json
from grader.worker.job import Done, Job, encode
from grader.worker.process import Worker
from grader.worker.run import Grading
from tests.cli.command import PROBLEMS, RIGHT, grader
from tests.conftest import REPOSITORY

DOCSTRING = '"""A sentence.\n\n    一句话。\n    """'
CHECKS = {
    "check_raises": 'raise ValueError("a canary of the author")',
    "check_loops": "while True:\n        pass",
    "check_eats_memory": "bytearray(1 << 40)",
    "check_recurses": "check_recurses(given, answer)",
    "check_prints": 'print(\'{"not": "the report"}\')',
    "check_warns": "import warnings\n    warnings.warn('not an error')",
}
"""What an author may write, by the name of the check."""


def lab_with(folder: Path, *names: str, more: str = "") -> Path:
    """A copy of the lab `double` with these of `CHECKS` besides its own."""
    path = folder / "problems/double/properties.py"
    functions = (f"\n\ndef {n}(given, answer):\n    {DOCSTRING}\n    {CHECKS[n]}\n" for n in names)
    path.write_text(path.read_text() + "".join(functions) + more)
    return path.parent


def graded(lab: Path, *groups: str, source: str = RIGHT, jobs: int = 1) -> GradeReport:
    job = Job(problem=str(lab), staff=None, name="mine.py", source=source.encode(), groups=groups)
    grading = Grading(job=job, jobs=jobs)
    assert list(grading.rows())
    return grading.report()


def by_id(report: GradeReport) -> dict[str, CaseResult]:
    return {row.id: row for row in report.rows}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> GradeReport:
    """A right program, graded with every strange check but the one that loops."""
    folder = tmp_path_factory.mktemp("strange")
    shutil.copytree(PROBLEMS, folder / "problems")
    return graded(lab_with(folder, *(name for name in CHECKS if name != "check_loops")))


def test_a_check_that_is_broken_costs_its_own_row_and_no_other(report: GradeReport) -> None:
    rows = by_id(report)
    for name, error in (
        ("check_raises", "ValueError"),
        ("check_eats_memory", "MemoryError"),
        ("check_recurses", "RecursionError"),
    ):
        row = rows.pop(f"normal/{name}")
        assert (row.verdict, row.graded, row.fault) == (Verdict.JUDGE_ERROR, False, "author")
        assert row.detail == f"{name} raised {error}"
        assert row.points == 0
    held_back = rows.pop("scale/01-many-digits")
    assert "normal has to pass first" in held_back.detail
    assert {row.verdict for row in rows.values()} == {Verdict.ACCEPTED}
    assert rows["normal/check_prints"].points > 0
    assert not report.graded_completely
    assert of_report(report) is ExitStatus.BUNDLE


def test_the_traceback_of_a_broken_check_is_the_staffs_alone(report: GradeReport) -> None:
    for text in (to_json(report.for_students()), repr(report.for_students())):
        assert "a canary of the author" not in text
        assert "Traceback" not in text
    trace = by_id(report)["normal/check_raises"].staff_detail
    assert trace is not None
    assert "ValueError: a canary of the author" in trace


def test_a_check_that_loops_ends_within_its_time_and_the_others_are_graded(
    broken_lab: Path,
) -> None:
    rows = by_id(graded(lab_with(broken_lab, "check_loops"), "normal"))
    looping = rows.pop("normal/check_loops")
    assert looping.detail == f"check_loops did not end within {CHECK_SECONDS:g} s"
    assert (looping.verdict, looping.graded) == (Verdict.JUDGE_ERROR, False)
    assert {row.verdict for row in rows.values()} == {Verdict.ACCEPTED}


DIES = """

import os, signal


def check_dies(given, answer):
    \"\"\"A sentence.

    一句话。
    \"\"\"
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_judging_process_that_is_killed_costs_what_it_was_at(broken_lab: Path, jobs: int) -> None:
    report = graded(lab_with(broken_lab, more=DIES), jobs=jobs)
    rows = by_id(report)
    assert rows["normal/01-worked-example"].verdict is Verdict.ACCEPTED
    lost = [row for row in report.rows if row.group == "normal" and not row.graded]
    assert [row.id.partition("/")[2] for row in lost] == [
        "answers",
        "check_is_even",
        "check_halves",
        "check_next",
        "check_dies",
    ]
    for row in lost:
        assert row.verdict is Verdict.JUDGE_ERROR
        assert row.detail == "the judging process ended with status -9"
    assert rows["minimal/01-zero"].verdict is Verdict.ACCEPTED
    assert rows["failure/answers"].verdict is Verdict.ACCEPTED
    assert rows["scale/01-many-digits"].verdict is Verdict.SKIPPED
    assert of_report(report) in (ExitStatus.BUNDLE, ExitStatus.GRADER)


def test_what_came_while_everything_was_stopped_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-Z, and `fg` much later: the time is over, and a line is on its way."""
    monkeypatch.setattr("grader.worker.process._AFTER_A_STOP_SECONDS", 30.0)
    worker = Worker.__new__(Worker)
    worker._events, worker._stopped = queue.SimpleQueue(), False
    late = threading.Timer(0.1, worker._events.put, [encode(Done()) + b"\n"])
    late.start()
    assert isinstance(worker.hear(0.0, None), Done)


def test_a_line_that_was_cut_off_is_the_end_of_its_process(broken_lab: Path) -> None:
    job = Job(problem=str(broken_lab / "problems/double"), staff=None, name="a.py", source=b"")
    with Worker(job) as worker:
        worker._process.kill()
        worker._events.put(b'{"type": "Res')
        with pytest.raises(WorkerError, match="ended with status -9"):
            worker.hear(20.0, None)


def test_the_judge_s_own_limit_of_memory_is_not_the_programs(broken_lab: Path) -> None:
    """A lab may allow more than judging takes."""
    code = (
        "import resource, grader.worker.__main__ as worker\n"
        "before = resource.getrlimit(resource.RLIMIT_DATA)[1]\n"
        "worker._limit_memory()\n"
        "soft, hard = resource.getrlimit(resource.RLIMIT_DATA)\n"
        "assert (soft, hard) == (worker.MEMORY_BYTES, before), (soft, hard)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=REPOSITORY)


WRONG = RIGHT.replace("2 * ", "3 * ")


@pytest.mark.parametrize("source", [RIGHT, WRONG])
def test_who_grades_a_part_changes_nothing_in_the_report(source: str) -> None:
    one, two, many = (
        untimed(graded(PROBLEMS / "double", source=source, jobs=jobs)) for jobs in (1, 2, 9)
    )
    assert one == two == many


def untimed(report: GradeReport) -> dict[str, Any]:
    """A report as it is written, without what was measured."""

    def bare(value: Any) -> Any:
        if isinstance(value, dict):
            left_out = {"usage", "started_at", "timing"}
            return {key: bare(inner) for key, inner in value.items() if key not in left_out}
        return [bare(inner) for inner in value] if isinstance(value, list) else value

    found: dict[str, Any] = bare(json.loads(to_json(report)))
    return found


def test_a_lab_that_cannot_be_opened_is_told_of_once_however_many_open_it(broken_lab: Path) -> None:
    lab = lab_with(broken_lab, more="\n\nraise RuntimeError('at the top')\n")
    with pytest.raises(BundleError, match="at the top"):
        graded(lab, jobs=2)


EXITS = DIES.replace("os.kill(os.getpid(), signal.SIGKILL)", "raise SystemExit(0)")


def test_a_check_that_exits_is_the_authors_fault_and_costs_its_own_row(broken_lab: Path) -> None:
    rows = by_id(graded(lab_with(broken_lab, more=EXITS), "normal"))
    assert rows["normal/check_dies"].verdict is Verdict.JUDGE_ERROR
    assert rows["normal/check_halves"].verdict is Verdict.ACCEPTED


@pytest.mark.parametrize(
    ("strategy", "why"),
    [
        ("st.integers(5, 1)", "InvalidArgument"),
        ("st.builds(lambda: 1 / 0)", "ZeroDivisionError"),
    ],
)
def test_a_strategy_that_is_broken_costs_the_drawn_rows_of_its_group(
    broken_lab: Path, strategy: str, why: str
) -> None:
    rows = by_id(graded(lab_with(broken_lab, more=f"\n\nnormal = {strategy}\n"), "normal"))
    assert rows.pop("normal/01-worked-example").verdict is Verdict.ACCEPTED
    assert len(rows) == 4
    for row in rows.values():
        assert (row.verdict, row.fault) == (Verdict.JUDGE_ERROR, "author")
        assert why in row.detail


def test_the_command_line_shows_an_authors_traceback_to_staff_only(broken_lab: Path) -> None:
    lab = lab_with(broken_lab, "check_raises", "check_prints")
    (broken_lab / "mine.py").write_text(RIGHT)
    words = ("grade", "double", "mine.py", "--group", "normal", "--examples", "3")
    own = {"GRADER_PROBLEMS": str(lab.parent)}
    student = grader(*words, "--format", "json", cwd=broken_lab, **own)
    staff = grader(*words, "--staff", cwd=broken_lab, **own)
    assert (student.status, staff.status) == (3, 3)
    assert student.report["graded_completely"] is False
    assert "canary" not in student.output
    assert not student.shows_our_code
    assert "ValueError: a canary of the author" in staff.stdout
    assert "There is no final score." in staff.stdout
