"""`grader new` writes a whole lab or nothing."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from grader.authoring.lab import open_lab
from grader.authoring.mutate import LEAST_KILLED
from grader.authoring.scaffold import create, slug_of
from grader.bundles.load import load_bundle
from grader.bundles.properties import load_properties
from grader.errors import UsageError
from tests.authoring.conftest import Folders, found, gathered
from tests.cli.command import environment, grader


def everything(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def test_the_lab_bears_its_name_and_can_be_loaded(tmp_path: Path) -> None:
    files = create("my-lab", tmp_path / "problems", tmp_path / "solutions")
    public, staff = tmp_path / "problems" / "my_lab", tmp_path / "solutions" / "my_lab"
    bundle = load_bundle(public, staff)
    assert (bundle.slug, bundle.file_name) == ("my_lab", "my_lab.py")
    assert [group.name for group in bundle.groups] == [
        *("normal", "minimal", "edge", "failure", "scale"),
    ]
    assert len(load_properties(bundle).checks) == 5
    written = [
        f"{part}/{name}"
        for part in ("problems", "solutions")
        for name in everything(tmp_path / part)
    ]
    assert {str(file.relative_to(tmp_path)) for file in files} <= set(written)
    assert all(file.is_file() for file in files)
    assert not any("SLUG" in file.read_text("utf-8") for file in files)


def test_programs_that_were_measured_are_the_same_under_every_name(tmp_path: Path) -> None:
    labs = []
    for name in ("one", "another"):
        create(name, tmp_path / "problems", tmp_path / "solutions")
        labs.append(open_lab(tmp_path / "problems" / name, tmp_path / "solutions" / name))
    one, another = labs
    assert (one.reference, one.right, one.wrong) == (
        another.reference,
        another.right,
        another.wrong,
    )


@pytest.mark.parametrize(
    ("name", "slug"), [("top-p-sets", "top_p_sets"), ("kv2", "kv2"), ("a", "a")]
)
def test_a_name_may_have_hyphens(name: str, slug: str) -> None:
    assert slug_of(name) == slug


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("Top P", "did you mean top_p?"),
        ("2fast", "did you mean fast?"),
        ("../escape", "did you mean escape?"),
        ("a\n", "did you mean a?"),
        ("名字", "not '名字'"),
        ("", "not ''"),
        ("_x", "did you mean x?"),
    ],
)
def test_what_can_be_no_name_is_refused_with_one_that_can(
    tmp_path: Path, name: str, hint: str
) -> None:
    with pytest.raises(UsageError) as refused:
        create(name, tmp_path / "problems", tmp_path / "solutions")
    assert str(refused.value).endswith(hint)
    assert everything(tmp_path) == []


@pytest.mark.parametrize("part", ["problems", "solutions"])
def test_a_folder_that_is_there_is_not_touched(tmp_path: Path, part: str) -> None:
    (tmp_path / part / "admit").mkdir(parents=True)
    before = everything(tmp_path)
    with pytest.raises(UsageError, match="admit is there already and was not touched"):
        create("admit", tmp_path / "problems", tmp_path / "solutions")
    assert everything(tmp_path) == before


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-B", "-m", "grader", "new", "admit"],  # else truncated bytecode stays
        cwd=tmp_path,
        env=_without_a_library(),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (told.returncode, told.stdout) == (4, "")
    assert told.stderr.startswith("grader: admit was not written: File too large")
    assert everything(tmp_path) == []


def _without_a_library() -> dict[str, str]:
    return {name: value for name, value in environment().items() if name != "GRADER_PROBLEMS"}


def test_a_folder_that_cannot_be_made_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "solutions").write_text("a file")
    with pytest.raises(UsageError, match="admit was not written: Not a directory"):
        create("admit", tmp_path / "problems", tmp_path / "solutions")
    assert everything(tmp_path) == ["solutions"]


def test_without_labs_the_folders_are_made_here_and_the_next_commands_work(tmp_path: Path) -> None:
    made = grader("new", "admit", cwd=tmp_path, GRADER_PROBLEMS="")
    assert made.status == 0, made.output
    lines = made.stdout.splitlines()
    assert lines[0].startswith("written: problems/admit/ (")
    assert lines[1].startswith("written: solutions/admit/ (")
    assert lines[2:] == [
        "Next:",
        "  grader verify admit",
        "  grader show admit",
        "  grader grade admit solutions/admit/wrong/boundary_excluded.py",
    ]
    shown = grader(*lines[4].split()[1:], cwd=tmp_path, GRADER_PROBLEMS="")
    assert shown.stdout.startswith("# admit: replace this title\n")
    wrong = grader(*lines[5].split()[1:], "--group", "edge", cwd=tmp_path, GRADER_PROBLEMS="")
    assert wrong.status == 1
    assert "edge/check_next_does_not_fit" in wrong.stdout


def test_a_lab_is_written_beside_the_nearest_ones(tmp_path: Path) -> None:
    create("first", tmp_path / "problems", tmp_path / "solutions")
    below = tmp_path / "problems" / "first" / "cases"
    assert grader("new", "second", cwd=below, GRADER_PROBLEMS="").status == 0
    assert sorted(path.name for path in (tmp_path / "problems").iterdir()) == ["first", "second"]
    assert (tmp_path / "solutions" / "second" / "reference.py").is_file()


def test_the_commands_shown_name_the_folder_that_was_named(tmp_path: Path) -> None:
    (tmp_path / "labs").mkdir()
    made = grader("new", "admit", "--problems", "labs", cwd=tmp_path)
    assert "  grader verify admit --problems labs\n" in made.stdout
    assert (tmp_path / "labs" / "admit" / "problem.toml").is_file()


def test_a_folder_that_is_named_and_is_none_is_a_matter_of_usage(tmp_path: Path) -> None:
    refused = grader("new", "admit", "--problems", "lost", cwd=tmp_path)
    assert (refused.status, refused.stdout) == (2, "")
    assert "lost is not a folder of problems" in refused.stderr
    assert everything(tmp_path) == []


def test_a_new_lab_verifies_as_it_stands(lab: Folders) -> None:
    evidence = gathered(lab)
    assert found(evidence) == {}
    assert len(evidence.wrong) == 8
    assert all(evidence.wrong.values())


@pytest.mark.soak
def test_a_new_lab_is_strong_enough_under_any_name(tmp_path: Path) -> None:
    for name in ("admit", "another_name"):
        create(name, tmp_path / "problems", tmp_path / "solutions")
        own = {"GRADER_PROBLEMS": str(tmp_path / "problems")}
        verified = grader("verify", name, cwd=tmp_path, **own)
        assert (verified.status, verified.stdout) == (0, f"✓ {name}: 23 rules hold\n")
        told = grader("mutate", name, "--format", "json", cwd=tmp_path, **own)
        assert told.status == 0
        assert json.loads(told.stdout)["killed_rate"] >= LEAST_KILLED
