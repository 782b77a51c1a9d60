"""The commands for instructors: exit status, explanations, and an interruption in the middle."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.authoring.scaffold import create
from grader.authoring.verify import RULES
from tests.cli.command import Finished, environment, grader, replace_in
from tests.cli.test_interruption import Descendants, stopped

QUICK = ("--rule", "statements_agree", "--rule", "limits_leave_room")
"""Rules that need no program to be run."""

ZH = Path("problems/admit/statement.zh.md")
ANSWER = Path("problems/admit/cases/normal/01-worked-example.out.json")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with the template lab."""
    create("admit", tmp_path / "problems", tmp_path / "solutions")
    return tmp_path


def command(root: Path, *words: str) -> Finished:
    return grader(*words, cwd=root, GRADER_PROBLEMS=str(root / "problems"))


def test_what_is_well_is_status_0(root: Path) -> None:
    assert command(root, "new", "another").status == 0
    told = command(root, "verify", "admit", "another", *QUICK)
    assert (told.status, told.stdout) == (0, "✓ admit: 2 rules hold\n✓ another: 2 rules hold\n")
    assert command(root, "answers", "admit").status == 0


def test_all_labs_are_verified_when_none_is_named(root: Path) -> None:
    create("another", root / "problems", root / "solutions")
    assert command(root, "verify", *QUICK).stdout.count(" rules hold\n") == 2


@pytest.mark.parametrize("name", ["verify", "answers", "pace", "mutate"])
def test_an_unknown_lab_is_a_matter_of_usage(root: Path, name: str) -> None:
    told = command(root, name, "admitt")
    assert (told.status, told.stdout) == (2, "")
    assert "no problem 'admitt' in " in told.stderr
    assert told.stderr.endswith("did you mean admit?\n")


@pytest.mark.parametrize("name", ["verify", "answers", "pace", "mutate"])
def test_a_lab_without_its_solutions_is_a_matter_of_usage(root: Path, name: str) -> None:
    (root / "solutions").rename(root / "hidden")
    told = command(root, name, "admit")
    assert (told.status, told.stdout) == (2, "")
    assert "this needs the staff's part of the lab" in told.stderr


def test_a_name_that_is_taken_is_a_matter_of_usage(root: Path) -> None:
    told = command(root, "new", "admit")
    assert (told.status, told.stdout) == (2, "")
    assert "admit is there already and was not touched" in told.stderr


def _broken_text(root: Path) -> None:
    replace_in(root / ZH, '"requests": [4, 3, 5, 6]', '"requests": [4,3,5,6]')


def _broken_answer(root: Path) -> None:
    replace_in(root / ANSWER, '"tokens": 7', '"tokens": 8')


def _broken_toml(root: Path) -> None:
    replace_in(root / "problems/admit/problem.toml", "points = 20\n", "points = 21\n")


@pytest.mark.parametrize(
    ("words", "break_it", "says"),
    [
        (("verify", "admit", *QUICK), _broken_text, "✗ statements_agree: problems/admit/stat"),
        (("verify", "admit", *QUICK), _broken_toml, "✗ loads: problems/admit/problem.toml: grou"),
        (("answers", "admit"), _broken_answer, "differs: problems/admit/cases/normal/01-worked"),
        (("pace", "admit"), _broken_toml, "the points of all groups sum to 101, not to 100"),
        (("mutate", "admit"), _broken_toml, "the points of all groups sum to 101, not to 100"),
    ],
    ids=["verify", "verify: loads", "answers", "pace", "mutate"],
)
def test_a_lab_at_fault_is_status_3(
    root: Path, words: tuple[str, ...], break_it: Callable[[Path], None], says: str
) -> None:
    break_it(root)
    told = command(root, *words)
    assert told.status == 3
    assert says in told.output
    assert not told.shows_our_code


def test_one_finding_is_told_as_one(root: Path) -> None:
    _broken_text(root)
    last = command(root, "verify", "admit", *QUICK).stdout.splitlines()[-1]
    assert last == "admit: 1 finding; `grader verify --explain statements_agree` says more"


def test_findings_for_programs_are_one_json_value(root: Path) -> None:
    _broken_text(root)
    told = command(root, "verify", "admit", *QUICK, "--format", "json")
    assert told.status == 3
    assert told.stdout.startswith("[")
    assert '"rule": "statements_agree"' in told.stdout
    assert '"key": "JSON sample 1"' in told.stdout


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_can_be_explained(root: Path, rule: object) -> None:
    name = rule.name  # type: ignore[attr-defined]
    told = command(root, "verify", "--explain", name)
    assert (told.status, told.stderr) == (0, "")
    assert told.stdout == f"{name}\n\n{rule.explanation}\n"  # type: ignore[attr-defined]


def test_the_rules_are_listed_in_order_with_their_sentences(root: Path) -> None:
    told = command(root, "verify", "--list")
    assert told.stdout.splitlines()[::2] == [rule.name for rule in RULES]
    assert told.stdout.splitlines()[1::2] == [f"    {rule.sentence}" for rule in RULES]


@pytest.mark.parametrize("option", ["--rule", "--explain"])
def test_an_unknown_rule_gets_the_nearest_name(root: Path, option: str) -> None:
    told = command(root, "verify", option, "statement_agree")
    assert (told.status, told.stdout) == (2, "")
    assert "there is no rule 'statement_agree': did you mean statements_agree?" in told.stderr


@pytest.mark.parametrize("name", ["verify", "answers", "pace", "mutate"])
def test_an_interruption_is_status_130_and_leaves_no_process(root: Path, name: str) -> None:
    (root / "solutions/admit/reference.py").write_text("import time\n\ntime.sleep(99)\n\nx = 1\n")
    replace_in(root / "problems/admit/problem.toml", "wall_seconds = 8.0", "wall_seconds = 90.0")
    process = subprocess.Popen(
        [sys.executable, "-m", "grader", name, "admit"],
        cwd=root,
        env=environment(GRADER_PROBLEMS=str(root / "problems")),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    with process:
        started = _busy(process)
        stdout, stderr = stopped(process, signal.SIGINT)
    assert (process.returncode, stdout) == (130, "")
    assert stderr.splitlines()[-1] == "interrupted; nothing is left running"
    assert started.left() == []
    started.close()


def _busy(process: subprocess.Popen[str]) -> Descendants:
    """Wait until a program runs, confined."""
    while True:
        found = Descendants(process.pid)
        if found.confined() or process.poll() is not None:
            return found
        found.close()
