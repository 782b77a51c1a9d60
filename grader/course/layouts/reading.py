"""What a layout's reader says: whose files are whose for which lab, and what it leaves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from grader.course.labs import Labs, is_program, why_no_program
from grader.course.tree import Aside, File, Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A file that a student handed in for a lab; two for the same lab are ambiguous."""

    student: str
    problem: str
    file: File
    submitted_at: str | None
    name: str = ""
    email: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A tree as one layout understands it; `rest` is not of this layout at all."""

    claims: tuple[Claim, ...] = ()
    unknown: tuple[Aside, ...] = ()
    rest: Tree = field(default_factory=dict)


Reader = Callable[[Tree, Labs], Reading]
"""What a layout is: its files are told from others by where they lie and what they are called."""


def programs(files: Tree, labs: Labs) -> tuple[list[tuple[str, File]], list[Aside]]:
    """Tell by their names which of one student's files is for which lab.

    Where one lab is asked for and no file is named after any, every Python file may be for it.
    """
    found: list[tuple[str, File]] = []
    unnamed: list[tuple[str, File]] = []
    unknown: list[Aside] = []
    for path, file in files.items():
        name = path.rpartition("/")[2]
        if slug := labs.of_program(name):
            found.append((slug, file))
        elif is_program(name):
            unnamed.append((name, file))
        else:
            unknown.append(Aside(path=file.path, why=_why_not(name, labs)))
    if labs.sole and not found:
        return [(labs.sole, file) for _, file in unnamed], unknown
    unknown += [Aside(path=file.path, why=labs.why_none(name)) for name, file in unnamed]
    return found, unknown


def _why_not(name: str, labs: Labs) -> str:
    return labs.why_none(name) if name.lower().endswith(".py") else why_no_program(name)
