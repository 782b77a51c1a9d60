"""The kit for Gradescope, run as Gradescope runs it: who gets which score, and who gets none."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from grader.bundles.properties import load_properties
from grader.errors import UsageError
from grader.judging.drawing import draw
from grader.judging.grade import Walk, group_seed
from grader.kits.kit import as_zip
from grader.kits.on_gradescope import NotHandedIn, Order, chosen, without_points
from tests.cli.command import RIGHT, WRONG, replace_in
from tests.conftest import FakeExecutor, submission
from tests.kits.container import Container
from tests.kits.labs import for_gradescope, lab
from tests.report.hostile import forbidden_in
from tests.report.schemas import read_as
from tests.worker.test_weak import BLOCK

ORDER = Order(
    problem="double",
    file_name="double.py",
    budget=540,
    lang="en",
    with_staff=True,
    accept_weak=False,
)


@pytest.fixture(scope="module")
def zipped() -> bytes:
    return as_zip(for_gradescope(lab()).files)


@pytest.fixture
def container(zipped: bytes, tmp_path: Path) -> Container:
    made = Container.built(zipped, tmp_path / "autograder")
    made.draw_few()
    return made


def has_no_score(results: dict[str, Any]) -> bool:
    return not any("score" in part for part in (results, *results["tests"]))


def test_a_right_program_earns_all_points(container: Container) -> None:
    container.hand_in(double=RIGHT)
    status, results = container.run()
    assert (status, results["score"]) == (0, 100.0)
    assert len(results["tests"]) == 13


def test_a_wrong_program_is_told_why_and_nothing_of_the_staffs(container: Container) -> None:
    container.hand_in(double=WRONG)
    status, results = container.run()
    assert status == 0
    assert 0 < results["score"] < 60
    outputs = {test["name"]: test["output"] for test in results["tests"]}
    assert "is not 2 × " in outputs["normal/check_halves"]
    assert "this row is checked with inputs that are not shown" in outputs["normal/90-secret"]
    assert "Input" not in outputs["normal/90-secret"]


SECRET_SEED = 987654321


def drawn_with(seed: int, examples: int = 3) -> set[int]:
    """The numbers that the group `normal` draws."""
    bundle = lab()
    properties = load_properties(bundle)
    walk = Walk(
        bundle=bundle,
        properties=properties,
        plan={},
        submission=submission(RIGHT),
        executor=FakeExecutor(lambda _: b""),
        seed=seed,
    )
    numbers: set[int] = set()
    draw(
        "normal",
        properties.strategies["normal"],
        group_seed(walk, "normal"),
        examples,
        lambda an_input: numbers.add(an_input.given["n"]),
    )
    return numbers


def test_a_secret_seed_is_drawn_with_and_no_report_has_it(zipped: bytes, tmp_path: Path) -> None:
    number = max(drawn_with(SECRET_SEED) - drawn_with(0))
    wrong_there = RIGHT.replace("2 * given", f'(2 + (given["n"] == {number})) * given')
    secret = as_zip(for_gradescope(lab(), secret_seed=SECRET_SEED).files)
    scores = []
    for kit in (zipped, secret):
        made = Container.built(kit, tmp_path / f"autograder-{len(scores)}")
        made.draw_few()
        made.hand_in(double=wrong_there)
        status, results = made.run()
        assert status == 0
        assert str(SECRET_SEED) not in json.dumps(results)
        scores.append(results["score"])
    assert scores[0] == 100 > scores[1]


@pytest.mark.parametrize("programs", [{}, {"first": RIGHT, "second": WRONG}])
def test_without_one_file_to_grade_the_score_is_0_and_says_which_is_expected(
    container: Container, programs: dict[str, str]
) -> None:
    container.hand_in(**programs)
    status, results = container.run()
    assert (status, results["score"]) == (0, 0)
    assert "Hand in" in results["output"] and "double.py" in results["output"]
    assert all(f"{name}.py" in results["output"] for name in programs)


def test_a_link_to_the_reference_earns_nothing(container: Container) -> None:
    reference = container.source / "solutions" / "double" / "reference.py"
    (container.root / "submission" / "double.py").symlink_to(reference)
    status, results = container.run()
    assert (status, results["score"]) == (0, 0)
    assert "double.py is a link" in results["output"]


def test_a_link_where_reports_are_kept_leads_nowhere(container: Container) -> None:
    container.hand_in(double=WRONG)
    (container.root / "submission" / ".grader").symlink_to(container.source)
    before = sorted(container.source.iterdir())
    assert container.run()[0] == 0
    assert sorted(container.source.iterdir()) == before


def test_a_fault_of_the_lab_gives_no_score(container: Container) -> None:
    properties = container.source / "problems" / "double" / "properties.py"
    replace_in(properties, "    other = run(", "    1 / 0\n    other = run(")
    container.hand_in(double=RIGHT)
    status, results = container.run()
    assert status == 3
    assert has_no_score(results)
    assert "The lab is at fault" in results["output"]


@pytest.mark.parametrize("broken", ["problem.toml", "properties.py"])
def test_a_lab_that_cannot_be_loaded_gives_no_score(container: Container, broken: str) -> None:
    (container.source / "problems" / "double" / broken).write_text("=")
    container.hand_in(double=RIGHT)
    status, results = container.run()
    assert status == 3
    assert has_no_score(results)
    assert "no fault of your program" in results["output"]
    assert broken in container.log


def test_a_budget_that_is_used_up_gives_no_score(container: Container) -> None:
    replace_in(container.source / "kit.json", "540", "0.1")
    container.hand_in(double=RIGHT)
    status, results = container.run()
    assert status == 5
    assert has_no_score(results)


def test_a_kit_that_was_not_set_up_gives_no_score(container: Container) -> None:
    container.hand_in(double=RIGHT)
    status, results = container.run(python=str(container.root / "venv" / "bin" / "python"))
    assert status != 0
    assert has_no_score(results)


def test_a_grader_that_dies_gives_no_score(container: Container) -> None:
    (container.source / "grader" / "cli" / "main.py").write_text("raise SystemExit(1)\n")
    container.hand_in(double=RIGHT)
    status, results = container.run()
    assert status == 1
    assert has_no_score(results)
    assert "`grader grade` ended with status 1" in container.log


def test_where_programs_are_not_confined_nothing_is_graded(container: Container) -> None:
    (container.source / "sitecustomize.py").write_text(BLOCK)
    container.hand_in(double=RIGHT)
    status, results = container.run()
    assert status == 4
    assert has_no_score(results)
    assert "does not give level standard" in container.log


def test_a_public_kit_may_grade_there_and_says_so(tmp_path: Path) -> None:
    kit = for_gradescope(lab(), with_staff=False, accept_weak=True)
    container = Container.built(as_zip(kit.files), tmp_path / "autograder")
    container.draw_few()
    (container.source / "sitecustomize.py").write_text(BLOCK)
    container.hand_in(double=RIGHT)
    status, results = container.run()
    assert (status, results["score"]) == (0, 80.0)
    assert "WEAK SANDBOX" in results["output"]
    assert "The assignment has 80 autograder points." in kit.notes


def test_a_kit_with_staff_files_never_accepts_a_weak_sandbox() -> None:
    with pytest.raises(UsageError, match="can read the staff files"):
        for_gradescope(lab(), accept_weak=True)


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["double.py"], "double.py"),
        (["mine.py"], "mine.py"),
        (["double.py", "other.py", "old/double.py"], "double.py"),
        (["lab/double.py", "lab/notes.txt", "other.py"], "lab/double.py"),
        (["--help.py"], "--help.py"),
        (["double.py", "__MACOSX/._double.py", "__pycache__/x.py", ".git/y.py"], "double.py"),
    ],
)
def test_the_file_with_the_labs_name_is_graded_or_else_the_only_one(
    tmp_path: Path, paths: list[str], expected: str
) -> None:
    for path in paths:
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).touch()
    assert chosen(tmp_path, ORDER) == tmp_path / expected


@pytest.mark.parametrize(
    ("paths", "told"),
    [
        ([], "no Python file"),
        (["double.txt", "__MACOSX/double.py"], "no Python file"),
        (["a/double.py", "b/double.py"], "a/double.py, b/double.py"),
        ([f"{number}.py" for number in range(10, 30)], "19.py, …)"),
        (["\x1b[2J=cmd\n.py", f"{'x' * 200}.py"], "\\x1b[2J=cmd\\n.py, xxx"),
        ([os.fsdecode(b"\xff.py"), "a.py"], "\ufffd.py"),
    ],
)
def test_otherwise_the_student_is_told_what_to_hand_in(
    tmp_path: Path, paths: list[str], told: str
) -> None:
    for path in paths:
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).touch()
    with pytest.raises(NotHandedIn) as refused:
        chosen(tmp_path, ORDER)
    text = without_points(str(refused.value)).decode()
    assert not forbidden_in(text)
    output = read_as("gradescope-results", text)["output"]
    assert told in output and "double.py" in output
    assert len(output) < 1_000


def test_a_file_that_is_too_large_is_refused_and_not_read(tmp_path: Path) -> None:
    with (tmp_path / "double.py").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(NotHandedIn, match=r"double\.py is larger than 16 MiB"):
        chosen(tmp_path, ORDER)


def test_every_refusal_is_in_chinese_as_well(tmp_path: Path) -> None:
    order = Order.read(_written(tmp_path / "kit.json", lang="zh"))
    (tmp_path / "submission").mkdir()
    with pytest.raises(NotHandedIn, match=r"请提交 double\.py"):
        chosen(tmp_path / "submission", order)


def _written(path: Path, **changes: object) -> Path:
    path.write_text(json.dumps(json.loads(ORDER.to_json()) | changes))
    return path


STUB_PYTHON = """\
#!/bin/sh
case "$1" in
  -c) exit {too_old} ;;
  *) mkdir -p "$4/bin" && printf '#!/bin/sh\\necho "$0 $*" >>"{log}"\\n' >"$4/bin/python" &&
     chmod +x "$4/bin/python" && echo "{name} makes a venv" >>"{log}" ;;
esac
"""


def stub_python(path: Path, log: Path, *, too_old: int = 0) -> str:
    text = STUB_PYTHON.format(too_old=too_old, log=log, name=path.name)
    path.write_text(text)
    path.chmod(0o755)
    return text


@pytest.mark.parametrize(
    ("there", "too_old", "made_by"),
    [("python3.12", 0, "python3.12"), ("python3", 0, "python3"), ("python3", 1, "python3.11")],
)
def test_set_up_takes_a_python_that_is_there_or_else_installs_one(
    container: Container, tmp_path: Path, there: str, too_old: int, made_by: str
) -> None:
    commands, log = tmp_path / "commands", tmp_path / "log"
    commands.mkdir()
    for name in ("mkdir", "chmod", "cp", "sh"):
        (commands / name).symlink_to(Path("/bin") / name)
    stub_python(tmp_path / "python3.11", log)
    stub_python(commands / there, log, too_old=too_old)
    apt = commands / "apt-get"
    new = f'case "$*" in *"python3.11 python3.11-venv") cp {tmp_path}/python3.11 {commands} ;; esac'
    apt.write_text(f'#!/bin/sh\necho "apt-get $*" >>"{log}"\n{new}\n')
    apt.chmod(0o755)
    subprocess.run(
        ["/bin/bash", container.source / "setup.sh"],
        env={"PATH": str(commands), "AUTOGRADER_ROOT": str(container.root)},
        check=True,
    )
    told = log.read_text()
    assert told.startswith("apt-get update\napt-get install -y bubblewrap\n")
    assert f"{made_by} makes a venv" in told
    assert ("-venv" in told) == bool(too_old)
    assert f"--requirement {container.source}/requirements.txt" in told
    assert told.splitlines()[-1].endswith(f"list --problems {container.source}/problems")
    assert container.source.stat().st_mode & 0o077 == 0
