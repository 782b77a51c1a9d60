"""`grader grade --format` for other systems: what they read, and what they set."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import RIGHT, WRONG, Finished, grader, replace_in
from tests.report.classroom import ENVIRON
from tests.report.schemas import read_as
from tests.report.workflow_commands import read

WORDS = ("grade", "double", "mine.py", "--public", "--examples", "3")


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(RIGHT)
    return path


@pytest.fixture
def wrong(mine: Path) -> Path:
    mine.write_text(WRONG)
    return mine


def exported(program: Path, format_: str, *words: str, **more: str) -> Finished:
    return grader(*WORDS, "--format", format_, *words, cwd=program.parent, **more)


@pytest.mark.parametrize(
    ("format_", "score"), [("gradescope", 80.0), ("prairielearn", 1.0), ("classroom50", 8_000)]
)
def test_what_is_printed_is_what_the_system_reads(mine: Path, format_: str, score: float) -> None:
    graded = exported(mine, format_, **ENVIRON)
    assert graded.status == 0
    schema = {"classroom50": "classroom50-result"}.get(format_, f"{format_}-results")
    assert read_as(schema, graded.stdout)["score"] == score


def test_classroom50_without_its_runner_is_refused_before_anything_is_graded(mine: Path) -> None:
    graded = exported(mine, "classroom50")
    assert graded.status == 2
    assert "classroom50 needs CLASSROOM" in graded.stderr
    assert not (mine.parent / ".grader").exists()


def test_classroom50_gets_no_result_where_no_score_is_final(mine: Path) -> None:
    words = ("--group", "minimal", "--output", "result.json")
    graded = exported(mine, "classroom50", *words, **ENVIRON)
    assert not (mine.parent / "result.json").exists()
    assert "result.json was not written: this submission has no final score" in graded.stderr
    assert "So far" in graded.stdout
    assert graded.status == 2


def test_a_fault_of_the_lab_outweighs_that_there_is_nothing_to_export(
    mine: Path, broken_lab: Path
) -> None:
    properties = broken_lab / "problems" / "double" / "properties.py"
    replace_in(properties, "    other = run(", "    1 / 0\n    other = run(")
    words = ("--output", "result.json", "--problems", str(broken_lab / "problems"))
    graded = exported(mine, "classroom50", *words, **ENVIRON)
    assert "result.json was not written: this submission has no final score" in graded.stderr
    assert graded.status == 3


def test_github_gets_annotations_and_the_summary_of_the_step(wrong: Path) -> None:
    summary = wrong.parent / "summary.md"
    summary.write_text("what an earlier command wrote\n")
    more = {"GITHUB_STEP_SUMMARY": str(summary), "GITHUB_WORKSPACE": str(wrong.parent.parent)}
    graded = exported(wrong, "github", **more)
    assert graded.status == 1
    properties, _ = read(graded.stdout).of("error")[0]
    assert properties["file"] == f"{wrong.parent.name}/mine.py"
    written = summary.read_text()
    assert written.startswith("what an earlier command wrote\n")
    assert "`normal/check_halves` wrong answer" in written


def test_without_a_step_github_gets_annotations_only(wrong: Path) -> None:
    graded = exported(wrong, "github", GITHUB_STEP_SUMMARY="")
    assert len(read(graded.stdout).of("error")) == 4
    assert sorted(path.name for path in wrong.parent.iterdir()) == [".grader", "mine.py"]


def test_a_summary_that_cannot_be_written_is_said_and_the_annotations_are_there(
    wrong: Path,
) -> None:
    graded = exported(wrong, "github", GITHUB_STEP_SUMMARY=str(wrong.parent))
    assert f"grader: {wrong.parent} was not written: Is a directory" in graded.stderr
    assert read(graded.stdout).of("error")
    assert graded.status == 1


FORGING = """\
import sys
print("::error::forged")
print("  ##[error]forged ##[add-path]/tmp/evil")
print("::add-mask::e", file=sys.stderr)
raise SystemExit("::error::forged")
"""


@pytest.mark.parametrize("words", [(), ("--output", "log.txt")])
def test_on_github_no_line_of_a_program_is_a_command(mine: Path, words: tuple[str, ...]) -> None:
    """Runners read both streams of a step as one log; failures are told on stderr at once."""
    mine.write_text(FORGING)
    graded = exported(mine, "github", *words)
    opened, _, rest = graded.stdout.partition("\n")
    log = read(f"{opened}\n{graded.stderr}{rest}")
    assert "forged" in graded.output
    assert all(properties.get("file") == "mine.py" for properties, _ in log.of("error"))
    assert bool(log.of("error")) != bool(words), "with --output they are in the file"
    assert not log.of("add-mask")
    assert not log.of("add-path")
