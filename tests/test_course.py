"""The course is whole: its order names every lab, and both guides describe each one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grader.bundles.course import chapters
from grader.bundles.find import find
from grader.bundles.load import read_problem
from tests.conftest import REPOSITORY

LABS = find(REPOSITORY / "problems", Path.cwd())


def test_every_lab_is_in_a_chapter() -> None:
    assert all(chapter.title for chapter in chapters(LABS))


@pytest.mark.parametrize(("file", "lang"), [("course.md", "en"), ("course.zh.md", "zh")])
def test_the_guide_has_every_lab_in_the_order_of_the_course(file: str, lang: str) -> None:
    guide = (REPOSITORY / "docs" / file).read_text(encoding="utf-8")
    order = [slug for chapter in chapters(LABS) for slug in chapter.slugs]
    assert re.findall(r"^\| \d+ \| `(\w+)`", guide, re.M) == order
    assert re.findall(r"^\| `(\w+)` \|", guide, re.M) == order
    for chapter in chapters(LABS):
        assert chapter.title is not None
        assert f"## {chapter.title[lang]}\n" in guide
    for slug in order:
        assert read_problem(LABS.folder(slug))["title"][lang] in guide


def test_the_readme_names_the_labs_in_the_order_of_the_course() -> None:
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    order = [slug for chapter in chapters(LABS) for slug in chapter.slugs]
    assert re.findall(r"^\| `(\w+)` \|", readme, re.M) == order


def test_a_lab_needs_only_labs_that_come_before_it() -> None:
    guide = (REPOSITORY / "docs" / "course.md").read_text(encoding="utf-8")
    seen: set[str] = set()
    for slug, needs in re.findall(r"^\| \d+ \| `(\w+)`[^|]*\| ([^|]*) \|", guide, re.M):
        assert set(re.findall(r"`(\w+)`", needs)) <= seen, slug
        seen.add(slug)
