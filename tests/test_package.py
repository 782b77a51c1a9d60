"""What is published: the wheel has the labs and not the solutions, and draws the same inputs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import RIGHT
from tests.conftest import LABS, REPOSITORY

CANARY = "canary-of-the-staff-4711"
PARTS = ("grader", "problems", "pyproject.toml", "README.md", ".gitignore")
DRAW = REPOSITORY / "tests" / "worker" / "draw.py"
PLAIN = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}


def run(*words: object, cwd: Path, **variables: str) -> str:
    """The stdout of a command that has to succeed."""
    told = subprocess.run(
        [sys.executable, *map(str, words)],
        cwd=cwd,
        env=PLAIN | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout + told.stderr
    return told.stdout


def copied(source: Path, target: Path) -> None:
    clutter = shutil.ignore_patterns("__pycache__", ".grader", ".hypothesis")
    if source.is_dir():
        shutil.copytree(source, target, ignore=clutter)
    else:
        shutil.copy(source, target)


def planted(checkout: Path) -> None:
    """Canaries where staff keep their secrets, and where a grading leaves its own."""
    for place in (
        "solutions/top_p_sets/reference.py",
        "solutions/top_p_sets/cases/edge/90-secret.in.json",
        "problems/top_p_sets/.grader/top_p_sets/report.json",
        "problems/top_p_sets/__pycache__/properties.cpython-311.pyc",
        ".grader/top_p_sets/report.json",
    ):
        (checkout / place).parent.mkdir(parents=True, exist_ok=True)
        (checkout / place).write_text(CANARY)


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a wheel and an sdist, built from a checkout with canaries in it."""
    checkout = tmp_path_factory.mktemp("checkout")
    for part in PARTS:
        copied(REPOSITORY / part, checkout / part)
    planted(checkout)
    run(
        "-m",
        "build",
        "--sdist",
        "--wheel",
        "--no-isolation",
        "--outdir",
        checkout / "dist",
        checkout,
        cwd=checkout,
    )
    return checkout / "dist"


@pytest.fixture(scope="module")
def wheel(dist: Path) -> dict[str, bytes]:
    """The files of the wheel."""
    (path,) = dist.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def sdist(dist: Path) -> dict[str, bytes]:
    """The files of the sdist, without the folder that they are all in."""
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        files = {member.name: archive.extractfile(member) for member in archive if member.isfile()}
        return {name.partition("/")[2]: file.read() for name, file in files.items() if file}


@pytest.fixture(scope="module")
def installed(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the wheel is installed."""
    target = tmp_path_factory.mktemp("installed")
    (path,) = dist.glob("*.whl")
    quiet = ("--quiet", "--no-deps", "--no-index", "--no-compile", "--disable-pip-version-check")
    run("-m", "pip", "install", *quiet, "--target", target, path, cwd=target)
    return target


def labs(files: dict[str, bytes], folder: str) -> set[str]:
    ending = "/problem.toml"
    return {name for name in files if name.startswith(folder) and name.endswith(ending)}


def test_the_wheel_has_every_lab_and_every_schema(wheel: dict[str, bytes]) -> None:
    names = {path.parent.name for path in (REPOSITORY / "problems").glob("*/problem.toml")}
    assert labs(wheel, "grader/problems/") == {f"grader/problems/{n}/problem.toml" for n in names}
    for name in ("grader/report/report.schema.json", "grader/bundles/problem.schema.json"):
        assert json.loads(wheel[name])
    assert any(name.endswith("/entry_points.txt") for name in wheel)


def test_the_sdist_has_every_lab(sdist: dict[str, bytes], wheel: dict[str, bytes]) -> None:
    assert len(labs(sdist, "problems/")) == len(labs(wheel, "grader/problems/")) > 0


@pytest.mark.parametrize("archive", ["wheel", "sdist"])
def test_no_solution_and_nothing_of_a_grading_is_published(
    archive: str, request: pytest.FixtureRequest
) -> None:
    files: dict[str, bytes] = request.getfixturevalue(archive)
    assert len(files) > 100
    template = "grader/authoring/template/"  # of `grader new`, and no secret
    assert not [n for n in files if "solutions" in n.split("/") and template not in n]
    assert any(f"{template}solutions/SLUG/reference.py" in name for name in files)
    assert not [name for name, content in files.items() if CANARY.encode() in content]


def test_the_packaged_labs_are_found_outside_a_checkout(installed: Path, tmp_path: Path) -> None:
    listed = run("-m", "grader", "list", cwd=tmp_path, PYTHONPATH=str(installed))
    for path in (REPOSITORY / "problems").glob("*/problem.toml"):
        assert path.parent.name in listed


def test_the_installed_grader_grades(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(RIGHT)
    words = ("grade", "double", "mine.py", "--public", "--group", "minimal", "--format", "json")
    own = {"PYTHONPATH": str(installed), "GRADER_PROBLEMS": str(LABS / "problems")}
    report = json.loads(run("-m", "grader", *words, cwd=tmp_path, **own))
    assert (report["points"], report["verdict"]) == (10.0, "accepted")


def drawn(root: Path, lab: Path, *words: str, seed: int = 0, **variables: str) -> dict[str, Any]:
    """What the grader below `root` draws."""
    own = {"PYTHONPATH": str(root)} | variables
    told = json.loads(run("-P", DRAW, lab, seed, *words, cwd=lab, **own))
    assert Path(told.pop("from")).is_relative_to(root)
    assert told["runs"] > 100
    return dict(told)


@pytest.fixture(scope="module")
def here() -> dict[str, Any]:
    """What is drawn from this checkout."""
    return drawn(REPOSITORY, LABS / "problems" / "double")


def test_another_seed_draws_other_inputs(here: dict[str, Any]) -> None:
    assert drawn(REPOSITORY, LABS / "problems" / "double", seed=1) != here


def test_the_wheel_draws_what_the_checkout_draws(installed: Path, here: dict[str, Any]) -> None:
    assert drawn(installed, LABS / "problems" / "double") == here


def test_a_copy_below_a_folder_of_tests_draws_the_same(
    tmp_path: Path, here: dict[str, Any]
) -> None:
    copied(REPOSITORY / "grader", tmp_path / "tests" / "grader")
    copied(LABS / "problems" / "double", tmp_path / "tests" / "double")
    assert drawn(tmp_path / "tests", tmp_path / "tests" / "double") == here


def test_other_modules_and_a_ci_server_draw_the_same(tmp_path: Path, here: dict[str, Any]) -> None:
    (tmp_path / "local.py").write_text(f"CONSTANTS = {tuple(range(1001, 1201))}\n")
    path = f"{REPOSITORY}{os.pathsep}{tmp_path}"
    words = ("statistics", "numpy", "sqlite3", "local")
    lab = LABS / "problems" / "double"
    assert drawn(REPOSITORY, lab, *words, PYTHONPATH=path, CI="1", GITHUB_ACTIONS="1") == here
