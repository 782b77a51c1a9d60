"""Find the submissions of a class in a folder, in a zip of one, or by a CSV that names them.

What is not understood is listed, never guessed at. Sources are read here, once; nothing is
written. A layout is looked for at the top, or in the one folder that holds everything.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from grader.course import archive, folder
from grader.course.labs import Labs
from grader.course.layouts import gradescope, listed, moodle, student_folders
from grader.course.layouts.reading import Claim, Reader, Reading
from grader.course.tree import Aside, NotRead, Source, Tree, by_folder, put_aside
from grader.errors import UsageError
from grader.model.course import Submitted
from grader.model.execution import MAX_SOURCE_BYTES

_ANYWHERE = (gradescope.read, moodle.read)
_AT_THE_TOP = (listed.read, gradescope.read_whole, *_ANYWHERE)
"""Readers in their order: each takes what is of its layout, `student_folders` in the end all else.

A list or metadata that says who is who counts at the top alone: further down it may be a student's.
"""
_MOST_WRAPPERS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Ambiguous:
    """Several files of a student for one lab: none is graded until a person has chosen."""

    student: str
    problem: str
    paths: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """All that was found. Names and paths may be hostile: show them with `visible`.

    Attributes:
        submitted: sorted by problem and student.
        ambiguous: where one of several files has to be chosen; sorted likewise.
        unknown: files that were not understood or cannot be read, and lines of a CSV.
        refused: what is not read because of its name, kind or size.
        left_aside: submissions for labs that were not asked for.
    """

    submitted: tuple[Submitted, ...]
    ambiguous: tuple[Ambiguous, ...]
    unknown: tuple[Aside, ...]
    refused: tuple[Aside, ...]
    left_aside: tuple[Aside, ...] = ()


def discover(
    where: Path,
    problems: Sequence[str],
    *,
    only: Collection[str] = (),
    zip_names: str = "cp437",
) -> Found:
    """Find and read the submissions of a class.

    Args:
        where: a folder, a zip, or a CSV with the header `student,problem,path`.
        problems: the slugs of all labs.
        only: the labs that are asked for; none means all. Where it is one, a student's only
            Python file in an export of a course system is for it, whatever its name is.
        zip_names: the encoding of names in a zip that do not say theirs and are no UTF-8.

    Raises:
        UsageError: there is nothing at `where`, it is nothing of these, the whole of it cannot be
            read, or `only` names no lab.
    """
    labs = Labs.of(problems, only)
    if where.suffix.lower() == ".csv" and os.path.isfile(where):
        lines = listed.parse(_list(where), where.name, labs)
        source = folder.only(where.parent, (line.path for line in lines.lines))
        return _found(source, listed.claims(lines, source.tree), labs)
    with _opened(where, zip_names) as source:
        return _found(source, _understood(source.tree, labs), labs)


@contextmanager
def _opened(where: Path, zip_names: str) -> Iterator[Source]:
    if os.path.isdir(where):
        yield folder.whole(where)
    elif not os.path.isfile(where):
        what = "is neither file nor folder" if os.path.lexists(where) else "does not exist"
        kinds = "a folder of submissions, a zip of it, or a CSV that lists them"
        raise UsageError(f"{where} {what}; name {kinds}")
    elif where.suffix.lower() == ".py":
        raise UsageError(f"{where} is one program: `grader grade` grades it")
    else:
        with archive.opened(where, names=zip_names) as source:
            yield source


def _list(where: Path) -> bytes:
    try:
        return folder.read_file(where, listed.MAX_LIST_BYTES)
    except NotRead as error:
        raise UsageError(f"{where}: {error}") from error


def _understood(tree: Tree, labs: Labs) -> Reading:
    """`zip -r hw1.zip hw1` puts one folder around everything; it is looked into if need be."""
    first = reading = _read(tree, labs, _AT_THE_TOP)
    beside: list[Aside] = []
    for _ in range(_MOST_WRAPPERS):
        loose, folders = by_folder(tree)
        if reading.claims or len(folders) != 1 or len(reading.rest) < len(tree):
            break
        beside += student_folders.read(loose, labs).unknown
        [tree] = folders.values()
        reading = _read(tree, labs, _ANYWHERE)
    if not reading.claims:
        return first
    return replace(reading, unknown=(*beside, *reading.unknown))


def _read(tree: Tree, labs: Labs, readers: Sequence[Reader]) -> Reading:
    """What all layouts make of a tree; `rest` is what only the last of them was left with."""
    claims: list[Claim] = []
    unknown: list[Aside] = []
    rest = tree
    for read in readers:
        reading = read(rest, labs)
        claims += reading.claims
        unknown += reading.unknown
        rest = reading.rest
    last = student_folders.read(rest, labs)
    claims += last.claims
    unknown += last.unknown
    return Reading(claims=tuple(claims), unknown=tuple(unknown), rest=rest)


def _found(source: Source, reading: Reading, labs: Labs) -> Found:
    unknown = [*source.unknown, *reading.unknown]
    refused = [*source.refused]
    certain: list[Claim] = []
    ambiguous: list[Ambiguous] = []
    for (problem, student), claims in sorted(_by_submission(reading, labs).items()):
        if len(claims) == 1:
            certain += claims
        else:
            paths = tuple(sorted(claim.file.path for claim in claims))
            why = f"{len(paths)} files for one lab; keep the one that counts"
            ambiguous.append(Ambiguous(student=student, problem=problem, paths=paths, why=why))
    others = [claim for claim in reading.claims if claim.problem not in labs.wanted]
    return Found(
        submitted=tuple(_submitted(certain, unknown, refused)),
        ambiguous=tuple(ambiguous),
        unknown=_sorted(unknown),
        refused=_sorted(refused),
        left_aside=_sorted(
            Aside(path=claim.file.path, why=f"{claim.problem} is not asked for") for claim in others
        ),
    )


def _by_submission(reading: Reading, labs: Labs) -> dict[tuple[str, str], list[Claim]]:
    claims: defaultdict[tuple[str, str], list[Claim]] = defaultdict(list)
    for claim in reading.claims:
        if claim.problem in labs.wanted:
            claims[claim.problem, claim.student].append(claim)
    return claims


def _submitted(
    claims: list[Claim], unknown: list[Aside], refused: list[Aside]
) -> Iterator[Submitted]:
    """Read the files, each once: that of a group has a claim for each student."""
    contents: dict[str, bytes | None] = {}
    for claim in claims:
        path = claim.file.path
        if path not in contents:
            try:
                contents[path] = claim.file.read(MAX_SOURCE_BYTES)
            except NotRead as error:
                contents[path] = None
                put_aside(path, error, unknown, refused)
        source = contents[path]
        if source is not None:
            yield Submitted(
                student=claim.student,
                problem=claim.problem,
                path=path,
                source=source,
                submitted_at=claim.submitted_at,
                name=claim.name,
                email=claim.email,
            )


def _sorted(asides: Iterable[Aside]) -> tuple[Aside, ...]:
    return tuple(sorted(set(asides), key=lambda aside: (aside.path, aside.why)))
