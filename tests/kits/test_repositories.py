"""The kits for GitHub and GitLab: their files parse, and their commands do what they shall."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from junitparser import JUnitXml

from grader.kits.github import github_kit
from grader.kits.gitlab import gitlab_kit
from grader.kits.kit import Kit, write
from grader.model.bundle import Bundle
from tests.cli.command import RIGHT, WRONG
from tests.conftest import LABS
from tests.kits.labs import lab
from tests.report.workflow_commands import read


@pytest.fixture
def bundles(tmp_path: Path) -> list[Bundle]:
    """`double`, and the same lab with another name for its file."""
    root = tmp_path / "labs"
    for slug in ("double", "twice"):
        shutil.copytree(LABS / "problems" / "double", root / "problems" / slug)
        toml = root / "problems" / slug / "problem.toml"
        text = toml.read_text().replace("examples = 60", "examples = 3")
        toml.write_text(text.replace("double.py", f"{slug}.py"))
    return [lab(slug, staff=False, root=root) for slug in ("double", "twice")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What is left of a script: how it ended and what it printed."""

    status: int
    log: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """A student's repository with a kit in it, and a machine that runs scripts there."""

    root: Path
    document: dict[Any, Any]

    @classmethod
    def made(cls, kit: Kit, root: Path, path: str) -> Repository:
        write(kit.files, root)
        # Files by the names of modules that the grader imports: people have such files.
        for name in ("random", "numpy", "grader"):
            (root / f"{name}.py").write_text("raise SystemExit('not what was meant')\n")
        return cls(root=root, document=yaml.safe_load((root / path).read_text(encoding="utf-8")))

    def run(self, script: str, variables: dict[str, str]) -> Done:
        """As both systems do it: bash that ends at the first command that fails."""
        commands = self.root.parent / "commands"
        commands.mkdir(exist_ok=True)
        (commands / "python").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
        (commands / "python").chmod(0o755)
        done = subprocess.run(
            ["bash", "-e", "-c", script],
            cwd=self.root,
            env={"PATH": f"{commands}:{os.environ['PATH']}", "LANG": "C.UTF-8"} | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return Done(status=done.returncode, log=done.stdout)


@pytest.fixture
def github(bundles: list[Bundle], tmp_path: Path) -> Repository:
    kit = github_kit(bundles, budget=540, lang="en")
    return Repository.made(kit, tmp_path / "repository", ".github/workflows/grade.yml")


@pytest.fixture
def gitlab(bundles: list[Bundle], tmp_path: Path) -> Repository:
    kit = gitlab_kit(bundles, budget=540, lang="en")
    return Repository.made(kit, tmp_path / "repository", ".gitlab-ci.yml")


def steps(repository: Repository) -> dict[str, dict[str, Any]]:
    """The steps of the workflow that have a name."""
    listed = repository.document["jobs"]["grade"]["steps"]
    return {step["name"]: step for step in listed if "name" in step}


def on_github(repository: Repository, name: str) -> Done:
    summary = repository.root.parent / "summary.md"
    more = {"GITHUB_STEP_SUMMARY": str(summary), "GITHUB_WORKSPACE": str(repository.root)}
    variables = repository.document["jobs"]["grade"]["env"] | more
    return repository.run(steps(repository)[name]["run"], variables)


def on_gitlab(repository: Repository, name: str) -> Done:
    job = repository.document[name]
    variables: dict[str, str] = {}
    if "extends" in job:
        base = repository.document[job["extends"]]
        variables = base["variables"] | job["variables"]
        job = base | job
    return repository.run("\n".join(job["script"]), variables)


def test_the_workflow_may_only_read_and_ends_in_time(github: Repository) -> None:
    document = github.document
    assert document[True] == ["push", "workflow_dispatch"], "`on` is a truth value in YAML 1.1"
    assert document["permissions"] == {"contents": "read"}
    assert document["jobs"]["grade"]["timeout-minutes"] == 2 * 9 + 10
    used = [step.get("uses", "") for step in document["jobs"]["grade"]["steps"]]
    assert [use for use in used if use] == ["actions/checkout@v7", "actions/setup-python@v7"]


def test_a_lab_is_graded_also_when_another_one_failed_but_not_without_packages(
    github: Repository,
) -> None:
    """What else a step's condition looks at is whether the whole run was cancelled."""
    for name in ("grade double", "grade twice"):
        condition = steps(github)[name]["if"]
        assert condition == "${{ !cancelled() && steps.install.outcome == 'success' }}"
    assert steps(github)["install what the grader needs"]["id"] == "install"


def test_every_lab_has_a_job_with_a_report_for_gitlab(gitlab: Repository) -> None:
    jobs = [name for name in gitlab.document if name.startswith("grade ")]
    assert jobs == ["grade double", "grade twice"]
    grade = gitlab.document[".grade"]
    assert grade["artifacts"]["reports"] == {"junit": "grade.junit.xml"}
    assert grade["artifacts"]["when"] == "always"
    assert "bubblewrap" in grade["before_script"][0]
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    default = {"image": f"python:{version}-slim", "timeout": "19 minutes"}
    assert gitlab.document["default"] == default


@pytest.mark.parametrize(
    ("kind", "install"),
    [
        ("github", lambda d: d["jobs"]["grade"]["steps"][3]["run"]),
        ("gitlab", lambda d: d[".grade"]["before_script"][1]),
    ],
)
def test_what_is_installed_is_what_is_pinned(
    kind: str, install: Callable[[Any], str], request: pytest.FixtureRequest
) -> None:
    repository: Repository = request.getfixturevalue(kind)
    words = install(repository.document).split()
    assert words[:4] == ["python", "-m", "pip", "install"]
    assert (repository.root / words[-1]).read_text().count("==") > 10


@pytest.mark.parametrize("kind", ["github", "gitlab"])
def test_a_repository_without_any_program_fails_and_says_what_is_expected(
    kind: str, request: pytest.FixtureRequest
) -> None:
    repository: Repository = request.getfixturevalue(kind)
    run = {"github": on_github, "gitlab": on_gitlab}[kind]
    told = run(repository, "something was handed in")
    assert told.status == 1
    assert "double.py twice.py" in told.log
    (repository.root / "twice.py").write_text(RIGHT)
    assert run(repository, "something was handed in").status == 0


@pytest.mark.parametrize(("source", "status"), [(RIGHT, 0), (WRONG, 1)])
def test_github_shows_what_is_wrong_and_names_the_lab_that_is_not_there(
    github: Repository, source: str, status: int
) -> None:
    (github.root / "double.py").write_text(source)
    graded = on_github(github, "grade double")
    assert graded.status == status
    errors = read(graded.log).of("error")
    assert bool(errors) == bool(status)
    assert all(properties["file"] == "double.py" for properties, _ in errors)
    assert "double.py" in (github.root.parent / "summary.md").read_text()
    skipped = on_github(github, "grade twice")
    assert skipped.status == 0
    assert read(skipped.log).of("notice")[0][1].startswith("not graded: there is no twice.py")


@pytest.mark.parametrize(("source", "status"), [(RIGHT, 0), (WRONG, 1)])
def test_gitlab_gets_a_report_of_what_was_graded_and_none_of_what_was_not(
    gitlab: Repository, source: str, status: int
) -> None:
    (gitlab.root / "double.py").write_text(source)
    graded = on_gitlab(gitlab, "grade double")
    assert graded.status == status
    report = gitlab.root / "grade.junit.xml"
    assert bool(JUnitXml.fromfile(str(report)).failures) == bool(status)
    report.unlink()
    skipped = on_gitlab(gitlab, "grade twice")
    assert skipped.status == 0
    assert "twice is not graded: there is no twice.py" in skipped.log
    assert not report.exists()


def test_the_commands_for_students_are_those_that_work(github: Repository) -> None:
    text = (github.root / "grading" / "README.md").read_text()
    command = next(line for line in text.splitlines() if " grade twice " in line)
    (github.root / "twice.py").write_text(RIGHT)
    told = github.run(command.replace(".venv/bin/python", sys.executable), {})
    assert told.status == 0
    assert "of 80 public points" in told.log
