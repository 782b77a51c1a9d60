"""`grader kit`: what it writes, what it says, and what it refuses."""

from __future__ import annotations

import json
import re
import shutil
import zipfile
from pathlib import Path

import pytest

from tests.cli.command import Finished, grader, replace_in


def names_in(path: Path) -> list[str]:
    with zipfile.ZipFile(path) as archive:
        return archive.namelist()


def kit(folder: Path, *words: str, **more: str) -> Finished:
    return grader("kit", *words, cwd=folder, **more)


def test_a_zip_for_gradescope_has_its_two_scripts_at_the_root_and_the_staff_files(
    tmp_path: Path,
) -> None:
    made = kit(tmp_path, "gradescope", "double", "--output", "double.zip", "--lang", "zh")
    assert made.status == 0
    names = names_in(tmp_path / "double.zip")
    assert names[:2] == ["setup.sh", "run_autograder"]
    assert "solutions/double/reference.py" in names
    assert f"written: double.zip ({len(names)} files" in made.stdout
    assert "solutions/double is in it: give it to Gradescope and to nobody else." in made.stdout
    with zipfile.ZipFile(tmp_path / "double.zip") as archive:
        assert json.loads(archive.read("kit.json"))["lang"] == "zh"


def test_a_public_zip_for_gradescope_has_none_and_says_what_it_is_worth(tmp_path: Path) -> None:
    made = kit(tmp_path, "gradescope", "double", "--public", "--output", "double.zip")
    assert not [name for name in names_in(tmp_path / "double.zip") if name.startswith("solutions/")]
    assert "Nothing of solutions/ is in it" in made.stdout
    assert "The assignment has 80 autograder points." in made.stdout


def test_a_kit_with_a_secret_seed_says_who_may_have_it(tmp_path: Path) -> None:
    words = ("--public", "--secret-seed", "987654321", "--output", "double.zip")
    made = kit(tmp_path, "gradescope", "double", *words)
    assert "the secret seed is in it: give it to Gradescope and to nobody else." in made.stdout


@pytest.mark.parametrize(
    ("platform", "path"),
    [("github", ".github/workflows/grade.yml"), ("gitlab", ".gitlab-ci.yml")],
)
def test_what_runs_in_a_students_repository_never_has_staff_files_and_says_so(
    tmp_path: Path, platform: str, path: str
) -> None:
    made = kit(tmp_path, platform, "double", "--output", "kit")
    assert made.status == 0
    assert (tmp_path / "kit" / path).is_file()
    assert not list((tmp_path / "kit").rglob("90-secret*"))
    assert "Nothing of solutions/ is in it" in made.stdout
    assert "in the student's repository" in made.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("gradescope", "double", "twice"), "grades one lab, not 2"),
        (("gradescope", "duoble"), "did you mean double?"),
        (("gradescope", "double", "--accept-weak"), "goes with --public only"),
        (("github", "double", "--accept-weak"), "--accept-weak is for gradescope"),
        (("gitlab", "double", "--secret-seed", "7"), "--secret-seed is for gradescope"),
        (
            ("gradescope", "double", "--public", "--accept-weak", "--secret-seed", "7"),
            "they can read a --secret-seed",
        ),
        (("github", "double", "twice"), "both want a file double.py"),
        (("github",), "Missing argument 'PROBLEM...'"),
        (("moodle", "double"), "'moodle' is not one of"),
    ],
)
def test_a_kit_that_cannot_be_made_is_refused_and_nothing_is_written(
    broken_lab: Path, words: tuple[str, ...], told: str
) -> None:
    for part in ("problems", "solutions"):
        shutil.copytree(broken_lab / part / "double", broken_lab / part / "twice")
    labs = str(broken_lab / "problems")
    made = kit(broken_lab, *words, "--output", "kit", GRADER_PROBLEMS=labs)
    assert made.status == 2
    assert told in re.sub(r"\s+", " ", made.stderr)
    assert sorted(path.name for path in broken_lab.iterdir()) == ["problems", "solutions"]


def test_without_staff_files_only_a_public_kit_is_made(broken_lab: Path) -> None:
    shutil.rmtree(broken_lab / "solutions")
    words = ("gradescope", "double", "--output", "kit.zip")
    labs = str(broken_lab / "problems")
    refused = kit(broken_lab, *words, GRADER_PROBLEMS=labs)
    assert refused.status == 2
    assert "--public makes a kit without it" in refused.stderr
    assert kit(broken_lab, *words, "--public", GRADER_PROBLEMS=labs).status == 0


def test_a_lab_named_twice_is_in_it_once(tmp_path: Path) -> None:
    assert kit(tmp_path, "gitlab", "double", "double/", "--output", "kit").status == 0
    assert (tmp_path / "kit" / ".gitlab-ci.yml").read_text().count("\ngrade double:") == 1


def test_a_broken_lab_makes_no_kit(broken_lab: Path) -> None:
    replace_in(broken_lab / "problems/double/problem.toml", "points = 60", "points = 61")
    labs = str(broken_lab / "problems")
    made = kit(broken_lab, "github", "double", "--output", "kit", GRADER_PROBLEMS=labs)
    assert made.status == 3
    assert "sum to 101" in made.stderr
    assert not (broken_lab / "kit").exists()


def test_a_large_lab_and_a_long_budget_say_what_to_choose(broken_lab: Path) -> None:
    replace_in(broken_lab / "problems/double/problem.toml", "memory_mib = 128", "memory_mib = 2048")
    labs = str(broken_lab / "problems")
    words = ("gradescope", "double", "--budget", "1200", "--output", "kit.zip")
    made = kit(broken_lab, *words, GRADER_PROBLEMS=labs)
    assert "at least 2560 MB of memory" in made.stdout
    assert "at least 21 minutes" in made.stdout
    small = kit(broken_lab, "gradescope", "double", "--output", "small.zip")
    assert "at least" not in small.stdout


def test_what_is_there_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "kit").mkdir()
    (tmp_path / "kit" / "mine.py").write_text("precious")
    made = kit(tmp_path, "github", "double", "--output", "kit")
    assert made.status == 2
    assert "kit is there already and was not touched" in made.stderr
    assert [path.name for path in (tmp_path / "kit").iterdir()] == ["mine.py"]
