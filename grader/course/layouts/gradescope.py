"""The folder that Gradescope gives with "Export submissions":

assignment_123456_export/
├── submission_metadata.yml      who handed in which submission, and when
└── submission_7654321/          one submission, of one student or of a group
    └── top_p_sets.py
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from grader.course.labs import Labs, shown
from grader.course.layouts.gradescope_metadata import Submission, Submitter, submissions
from grader.course.layouts.reading import Claim, Reading, programs
from grader.course.tree import Aside, File, NotRead, Tree, by_folder

METADATA = "submission_metadata.yml"
MAX_METADATA_BYTES = 64 << 20
"""It holds what the autograder printed for every submission, also for earlier ones."""
_EXPORT = re.compile(r"assignment_.+_export.*", re.DOTALL)


def read_whole(tree: Tree, labs: Labs) -> Reading:
    """Take everything where the whole tree is one export, whatever its folder is called."""
    return _export(tree, labs) if METADATA in tree else Reading(rest=tree)


def read(tree: Tree, labs: Labs) -> Reading:
    """Take each folder at the top that is called as Gradescope calls an export.

    Metadata in any other folder may be a student's own, and is not believed.
    """
    claims: list[Claim] = []
    unknown: list[Aside] = []
    loose, folders = by_folder(tree)
    rest: dict[str, File] = dict(loose)
    for name, below in folders.items():
        if _EXPORT.fullmatch(name):
            reading = _export(below, labs)
            claims += reading.claims
            unknown += reading.unknown
        else:
            own = below.pop(METADATA, None)
            if own is not None:
                why = "it is read only in a folder called assignment_<number>_export"
                unknown.append(Aside(path=own.path, why=why))
            rest |= {f"{name}/{path}": file for path, file in below.items()}
    return Reading(claims=tuple(claims), unknown=tuple(unknown), rest=rest)


def _export(tree: Tree, labs: Labs) -> Reading:
    loose, folders = by_folder(tree)
    metadata = loose.pop(METADATA, None)
    if metadata is None:
        return _nothing(tree, f"{METADATA} is missing in this export; export it again")
    try:
        listed = submissions(metadata.read(MAX_METADATA_BYTES, expands=True))
    except (NotRead, ValueError) as error:
        broken = Aside(path=metadata.path, why=str(error))
        others = {path: file for path, file in tree.items() if file is not metadata}
        rest = _nothing(others, f"{METADATA} of this export cannot be read")
        return Reading(unknown=(broken, *rest.unknown))
    claims: list[Claim] = []
    unknown = [*_nothing(loose, "it lies in no submission's folder").unknown]
    for folder, below in folders.items():
        if folder not in listed:
            why = f"{METADATA} does not say whose submission this is"
            unknown += _nothing(below, why).unknown
            continue
        found, others_of_it = programs(below, labs)
        unknown += others_of_it
        claims += [
            claim
            for problem, file in found
            for claim in _claims(listed[folder], folder, problem, file)
        ]
    for folder in listed.keys() - folders.keys() - loose.keys():
        why = f"it names {shown(folder)}, of which there is no file here"
        unknown.append(Aside(path=metadata.path, why=why))
    return Reading(claims=tuple(claims), unknown=tuple(unknown))


def _claims(submission: Submission, folder: str, problem: str, file: File) -> Iterator[Claim]:
    """One for each student of a group; without a student number or address the folder's name."""
    for student in submission.submitters or (Submitter(),):
        yield Claim(
            student=student.sid or student.email or folder,
            problem=problem,
            file=file,
            submitted_at=submission.created_at,
            name=student.name,
            email=student.email,
        )


def _nothing(tree: Tree, why: str) -> Reading:
    return Reading(unknown=tuple(Aside(path=file.path, why=why) for file in tree.values()))
