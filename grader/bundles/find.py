"""Where labs lie: `--problems`, GRADER_PROBLEMS, the nearest `problems/`, or the package's."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import grader
from grader.errors import UsageError

VARIABLE = "GRADER_PROBLEMS"


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """A folder of labs and, where it is at hand, the staff's folder beside it."""

    problems: Path
    solutions: Path | None

    def slugs(self) -> list[str]:
        return sorted(path.parent.name for path in self.problems.glob("*/problem.toml"))

    def folder(self, name: str) -> Path:
        """The folder of a lab; `top-p-sets` is accepted for `top_p_sets`.

        Raises:
            UsageError: there is no such lab; the message has the nearest name.
        """
        slug = name.replace("-", "_").strip("/")
        slugs = self.slugs()
        if slug in slugs:
            return self.problems / slug
        hint = nearest(slug, slugs, cutoff=0.4)
        raise UsageError(f"no problem {name!r} in {self.problems}: {hint}")

    def staff_folder(self, slug: str) -> Path | None:
        """The staff's part of a lab; None where it is not at hand, or closed to this user."""
        folder = self.solutions / slug if self.solutions else None
        if folder is None or not os.path.isdir(folder):
            return None
        return folder if os.access(folder, os.R_OK | os.X_OK) else None


def nearest(
    name: str, known: list[str], *, cutoff: float = 0.6, show: Callable[[str], str] = str
) -> str:
    """A hint for a name that is not known: the nearest one, as `show` gives it, or else all."""
    guess = difflib.get_close_matches(name, known, 1, cutoff)
    return (
        f"did you mean {show(guess[0])}?" if guess else f"there are: {', '.join(known) or 'none'}"
    )


def find(chosen: Path | None, start: Path) -> Library:
    """The library to use, looking in the order that this module's first line gives.

    Args:
        chosen: the folder from `--problems`.
        start: the folder from which the nearest `problems/` is looked for.

    Raises:
        UsageError: a folder was named and does not exist, or none is found at all.
    """
    named = chosen or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
    if named is not None:
        if not named.is_dir():
            raise UsageError(f"{named} is not a folder of problems")
        return _library(named.resolve())
    for folder in (start.resolve(), *start.resolve().parents):
        if any(folder.glob("problems/*/problem.toml")):
            return _library(folder / "problems")
    packaged = Path(grader.__file__).parent / "problems"
    if packaged.is_dir():
        return Library(problems=packaged, solutions=None)
    raise UsageError(f"no problems found; name their folder with --problems or {VARIABLE}")


def _library(problems: Path) -> Library:
    solutions = problems.parent / "solutions"
    return Library(problems=problems, solutions=solutions if solutions.is_dir() else None)
