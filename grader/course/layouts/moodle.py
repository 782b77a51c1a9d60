"""What Moodle gives with "Download all submissions", in folders or flat:

Ada Lovelace_4711_assignsubmission_file_/top_p_sets.py     (newer: without the last `_`)
Ada Lovelace_4711_assignsubmission_file_top_p_sets.py

Moodle writes a full name without `_`, so that the first number is the participant's, whatever a
student called a file. The number is the student's identity: full names are not unique.
"""

from __future__ import annotations

import re

from grader.course.labs import Labs
from grader.course.layouts.reading import Claim, Reading, programs
from grader.course.tree import Aside, File, Tree

MARK = "_assignsubmission_"
_PREFIX = re.compile(
    rf"(?P<name>[^_]*)_(?P<number>[0-9]+){MARK}(?P<kind>[a-z]+)(?:_(?P<file>.*))?", re.DOTALL
)


def read(tree: Tree, labs: Labs) -> Reading:
    """Take what bears Moodle's mark at the top, by participant; the rest is left."""
    names: dict[str, str] = {}
    files: dict[str, dict[str, File]] = {}
    unknown: list[Aside] = []
    rest: dict[str, File] = {}
    for path, file in tree.items():
        top, slash, _ = path.partition("/")
        match = _PREFIX.fullmatch(top)
        if MARK not in top:
            rest[path] = file
        elif match is None or bool(slash) == bool(match["file"]):
            why = "its name is not as Moodle writes it: Full Name_<number>_assignsubmission_file_"
            unknown.append(Aside(path=file.path, why=why))
        elif match["kind"] != "file":
            unknown.append(Aside(path=file.path, why="it is not an uploaded file"))
        else:
            names.setdefault(match["number"], match["name"])
            own = files.setdefault(match["number"], {})
            own[path if slash else f"{path}/{match['file']}"] = file
    claims: list[Claim] = []
    for number, own in files.items():
        found, others = programs(own, labs)
        unknown += others
        claims += [
            Claim(
                student=number,
                problem=problem,
                file=file,
                submitted_at=file.changed_at,
                name=names[number],
            )
            for problem, file in found
        ]
    return Reading(claims=tuple(claims), unknown=tuple(unknown), rest=rest)
