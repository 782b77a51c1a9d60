"""`course.toml`: the labs in the order of the course, in chapters. It may be missing."""

from __future__ import annotations

from dataclasses import dataclass

from grader.bundles.find import Library, nearest
from grader.bundles.toml_files import read_toml
from grader.errors import BundleError
from grader.model.bundle import Text

FILE = "course.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """Some labs in their order; `title` is None for those that no chapter has."""

    title: Text | None
    slugs: tuple[str, ...]


def chapters(labs: Library) -> tuple[Chapter, ...]:
    """All labs in the order of the course; last those that it does not name.

    Raises:
        BundleError: course.toml is broken, names a lab that is not there, or one twice.
    """
    path, known = labs.problems / FILE, labs.slugs()
    found: list[Chapter] = []
    for chapter in read_toml(path)["chapter"] if path.is_file() else ():
        found.append(Chapter(title=chapter["title"], slugs=tuple(chapter["labs"])))
    named = [slug for chapter in found for slug in chapter.slugs]
    for place, slug in enumerate(named):
        if slug not in known:
            raise BundleError(path, "chapter", f"there is no lab {slug!r}: {nearest(slug, known)}")
        if slug in named[:place]:
            raise BundleError(path, "chapter", f"names the lab {slug!r} twice")
    rest = tuple(slug for slug in known if slug not in named)
    return (*found, Chapter(title=None, slugs=rest)) if rest else tuple(found)
