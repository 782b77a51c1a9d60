"""Submissions in a folder for each student:

alice/top_p_sets.py
bob/top-p-sets/anything.py
"""

from __future__ import annotations

from grader.course.labs import Labs, is_program, why_no_program
from grader.course.layouts.reading import Claim, Reading
from grader.course.tree import Aside, Tree


def read(tree: Tree, labs: Labs) -> Reading:
    """Every file is a submission or is unknown; the folder's name is the student's identity."""
    claims: list[Claim] = []
    unknown: list[Aside] = []
    for path, file in tree.items():
        parts = path.split("/")
        problem = _problem(parts, labs)
        if problem is None:
            unknown.append(Aside(path=file.path, why=_why_not(parts, labs)))
        else:
            at = file.changed_at
            claims.append(Claim(student=parts[0], problem=problem, file=file, submitted_at=at))
    return Reading(claims=tuple(claims), unknown=tuple(unknown))


def _problem(parts: list[str], labs: Labs) -> str | None:
    match parts:
        case [_, file]:
            return labs.of_program(file)
        case [_, folder, file] if is_program(file):
            return labs.slug(folder)
        case _:
            return None


def _why_not(parts: list[str], labs: Labs) -> str:
    if not parts[-1].lower().endswith(".py"):
        return why_no_program(parts[-1])
    match parts:
        case [_]:
            return "it lies in no student's folder"
        case [_, file]:
            return labs.why_none(file)
        case [_, folder, _] if labs.slug(folder) is None:
            return labs.why_none(folder)
        case [_, _, _]:
            return "its name is not that of a Python file (.py)"
        case _:
            return "it lies deeper than student/problem/file.py"
