"""What is in a kit, what is never in one, and how it is written."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

import grader
from grader.bundles.files import files_of
from grader.errors import GraderError, OutputError, UsageError
from grader.kits.github import github_kit
from grader.kits.kit import KitFile, as_zip, write
from grader.kits.pins import own_package, requirements
from tests.conftest import REPOSITORY, files_of_at_most
from tests.kits.container import unpack
from tests.kits.labs import PUBLIC, for_gradescope, lab

SLUGS = sorted(path.parent.name for path in (REPOSITORY / "problems").glob("*/problem.toml"))
FILES = {
    "run": KitFile(content=b"#!/bin/sh\n", executable=True),
    "folder/inner/data": KitFile(content=bytes(range(256)) * 64),
}


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("platform", PUBLIC)
def test_nothing_of_the_staffs_is_in_a_public_kit(platform: str, slug: str) -> None:
    public = lab(slug, root=REPOSITORY)
    assert public.staff is not None
    may_be_seen = {path.read_bytes() for path in files_of(public.path)}
    secret = {path.read_bytes() for path in files_of(public.staff)} - may_be_seen
    files = PUBLIC[platform](public).files
    assert len(secret) > 10
    assert not [path for path, file in files.items() if file.content in secret]
    template = "grader/authoring/template/"  # of `grader new`, and no secret
    assert not [path for path in files if "solutions/" in path and template not in path]


@pytest.mark.parametrize("slug", SLUGS)
def test_a_kit_for_staff_has_all_their_files_and_those_of_the_lab(slug: str) -> None:
    bundle = lab(slug, root=REPOSITORY)
    files = for_gradescope(bundle).files
    assert bundle.staff is not None
    for folder in (bundle.path, bundle.staff):
        for path in files_of(folder):
            assert files[path.relative_to(REPOSITORY).as_posix()].content == path.read_bytes()


@pytest.mark.parametrize("platform", PUBLIC)
def test_every_placeholder_is_filled_in(platform: str) -> None:
    files = PUBLIC[platform](lab()).files
    own = [file.content for path, file in files.items() if "grader/" not in path]
    assert not [text for text in own if re.search(rb"@[A-Z_]+@", text)]


def test_pinned_are_the_versions_that_are_installed_and_no_others() -> None:
    lines = requirements().content.decode().splitlines()[1:]
    pins = dict(line.split("==") for line in lines)
    assert pins == {name: metadata.version(name) for name in pins}
    ours = {line for line in metadata.requires("inference-labs") or () if "extra ==" not in line}
    assert {re.split("[<>=]", line)[0].lower() for line in ours} < set(pins)
    assert {"sortedcontainers", "referencing"} < set(pins), "what the dependencies need"
    assert not {"pytest", "torch", "distributed", "inference-labs"} & set(pins)


def test_what_a_lab_needs_beside_is_pinned_without_the_name_of_a_build() -> None:
    pins = requirements(["torch"]).content.decode()
    version = metadata.version("torch").partition("+")[0]
    assert f"\ntorch=={version}\n" in pins


def test_a_package_that_is_not_there_cannot_be_pinned() -> None:
    with pytest.raises(UsageError, match="no-such-package is not installed"):
        requirements(["no-such-package"])


def test_the_grader_in_a_kit_is_the_one_that_made_it() -> None:
    root = Path(grader.__file__).parent
    files = own_package()
    assert {"grader/__main__.py", "grader/kits/templates/gradescope/setup.sh"} < set(files)
    for path, file in files.items():
        assert file.content == (root.parent / path).read_bytes()
    assert not [path for path in files if "__pycache__" in path]


def test_the_labs_that_are_packaged_with_the_grader_are_not_in_it(tmp_path: Path) -> None:
    clutter = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(grader.__file__).parent, tmp_path / "grader", ignore=clutter)
    shutil.copytree(REPOSITORY / "problems", tmp_path / "grader" / "problems", ignore=clutter)
    code = "from grader.kits.pins import own_package; print(*own_package(), sep='\\n')"
    told = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert sorted(told.stdout.split()) == sorted(own_package())


def test_a_zip_made_twice_is_the_same_bytes(tmp_path: Path) -> None:
    first, second = (as_zip(for_gradescope(lab()).files) for _ in range(2))
    assert first == second


def test_zip_and_folder_hold_the_same_files_and_programs(tmp_path: Path) -> None:
    write(FILES, tmp_path / "kit.zip")
    write(FILES, tmp_path / "kit")
    unpack((tmp_path / "kit.zip").read_bytes(), tmp_path / "unpacked")
    for name in ("kit", "unpacked"):
        for path, file in FILES.items():
            assert (tmp_path / name / path).read_bytes() == file.content
            assert os.access(tmp_path / name / path, os.X_OK) == file.executable
    with zipfile.ZipFile(tmp_path / "kit.zip") as archive:
        assert archive.namelist() == list(FILES)
    assert sorted(os.listdir(tmp_path)) == ["kit", "kit.zip", "unpacked"]


def test_an_empty_folder_is_filled_also_when_we_are_in_it(tmp_path: Path) -> None:
    (tmp_path / "kit").mkdir()
    with contextlib.chdir(tmp_path / "kit"):
        write(FILES, Path())
        assert sorted(os.listdir()) == ["folder", "run"]


@pytest.mark.parametrize("name", ["kit.zip", "KIT.ZIP", "file", "folder", "link"])
def test_what_is_there_is_not_touched(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "mine").write_text("precious")
    for file in ("kit.zip", "KIT.ZIP", "file"):
        (tmp_path / file).write_text("precious")
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(UsageError, match=f"{name} is there already and was not touched"):
        write(FILES, tmp_path / name)
    texts = [path.read_text() for path in tmp_path.rglob("*") if path.is_file()]
    assert texts == ["precious"] * 4
    assert os.readlink(tmp_path / "link") == "nowhere"


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("kit.zip", OutputError),
        ("kit", OutputError),
        ("empty", OutputError),
        ("missing/kit", UsageError),
        ("missing/kit.zip", UsageError),
    ],
)
def test_a_kit_that_cannot_be_written_leaves_nothing(
    tmp_path: Path, name: str, error: type[GraderError]
) -> None:
    (tmp_path / "empty").mkdir()
    with files_of_at_most(100), pytest.raises(error, match=f"{name} was not written: "):
        write(FILES, tmp_path / name)
    assert [path.name for path in tmp_path.rglob("*")] == ["empty"]


def test_a_name_that_would_act_in_a_script_is_refused(broken_lab: Path) -> None:
    (broken_lab / "problems" / "double").rename(broken_lab / "problems" / "a$(b)")
    bundle = lab("a$(b)", staff=False, root=broken_lab)
    for make in PUBLIC.values():
        with pytest.raises(UsageError, match="named with a-z"):
            make(bundle)


def test_two_labs_that_want_the_same_file_are_refused(broken_lab: Path) -> None:
    shutil.copytree(broken_lab / "problems" / "double", broken_lab / "problems" / "twice")
    bundles = [lab(slug, staff=False, root=broken_lab) for slug in ("double", "twice")]
    with pytest.raises(UsageError, match=r"double and twice both want a file double\.py"):
        github_kit(bundles, budget=540, lang="en")
