"""Submissions that a CSV names one by one, with paths from the folder that it lies in:

student,problem,path,name,email,submitted_at         the last three may be left out
s0012,top_p_sets,late/ada.py,Ada Lovelace,,2026-11-29T12:00:00Z
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from grader.bundles.find import nearest
from grader.course.labs import Labs, shown
from grader.course.layouts.moodle import MARK
from grader.course.layouts.reading import Claim, Reading
from grader.course.times import in_utc
from grader.course.tree import Aside, File, NotRead, Tree
from grader.errors import UsageError
from grader.report.shown import visible

MAX_LIST_BYTES = 16 << 20
_NEEDED = ("student", "problem", "path")
_OPTIONAL = ("name", "email", "submitted_at")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the list that says what it must; `where` names it in messages."""

    where: str
    student: str
    problem: str
    path: str
    name: str
    email: str
    submitted_at: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A whole list: its good lines, and those that cannot be used."""

    lines: tuple[Line, ...]
    bad: tuple[Aside, ...]


def read(tree: Tree, labs: Labs) -> Reading:
    """Take everything where one CSV at the top has this header: files it does not name are unknown.

    Raises:
        UsageError: there are several.
    """
    lists = {
        path: content
        for path, file in tree.items()
        if _may_be_staff_s(path) and (content := _list_in(file))
    }
    if not lists:
        return Reading(rest=tree)
    if len(lists) > 1:
        names = ", ".join(shown(path) for path in lists)
        raise UsageError(f"several lists of submissions: {names}; leave one, or name it itself")
    [(path, content)] = lists.items()
    listed = parse(content, tree[path].path, labs)
    named = {line.path for line in listed.lines}
    why = f"{shown(path)} does not name it"
    unnamed = [
        Aside(path=file.path, why=why)
        for other, file in tree.items()
        if other not in named and other != path
    ]
    reading = claims(listed, tree)
    return Reading(claims=reading.claims, unknown=(*reading.unknown, *unnamed))


def _may_be_staff_s(path: str) -> bool:
    """Whether a file may be a list: at the top, but no upload that a flat download puts there."""
    return "/" not in path and path.lower().endswith(".csv") and MARK not in path


def claims(listed: Listed, tree: Tree) -> Reading:
    """The files that the lines name."""
    found: list[Claim] = []
    unknown = list(listed.bad)
    for line in listed.lines:
        file = tree.get(line.path)
        if file is None:
            why = f"{shown(line.path)} does not exist, or is refused"
            unknown.append(Aside(path=line.where, why=why))
            continue
        found.append(
            Claim(
                student=line.student,
                problem=line.problem,
                file=file,
                submitted_at=line.submitted_at or file.changed_at,
                name=line.name,
                email=line.email,
            )
        )
    return Reading(claims=tuple(found), unknown=tuple(unknown))


def parse(content: bytes, name: str, labs: Labs) -> Listed:
    """Read a list.

    Args:
        name: how the list is named in messages.

    Raises:
        UsageError: it is not UTF-8, or its header is another.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{visible(name)} is not UTF-8 ({error}); save it as CSV UTF-8") from error
    rows = _rows(text)
    _, header = next(rows, (1, []))
    columns = _columns(header, name)
    lines: list[Line] = []
    bad: list[Aside] = []
    for number, row in rows:
        where = f"{name}, line {number}"
        try:
            if row:
                lines.append(_line(where, columns, row, labs))
        except ValueError as error:
            bad.append(Aside(path=where, why=str(error)))
    return Listed(lines=tuple(lines), bad=tuple(bad))


def _list_in(file: File) -> bytes | None:
    """The bytes of a file whose first line is the header of a list of submissions."""
    try:
        content = file.read(MAX_LIST_BYTES)
        _, header = next(_rows(content.decode("utf-8-sig")), (1, []))
    except (NotRead, UnicodeDecodeError):
        return None
    names = _names(header)
    return content if names >= {*_NEEDED} and names <= {*_NEEDED, *_OPTIONAL} else None


def _rows(text: str) -> Iterator[tuple[int, list[str] | csv.Error]]:
    """Each row with the number of the line on which it begins; a broken one as what is wrong."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    while True:
        number = reader.line_num + 1
        try:
            yield number, [cell.strip() for cell in next(reader)]
        except StopIteration:
            return
        except csv.Error as error:
            yield number, error


def _names(header: list[str] | csv.Error) -> set[str]:
    return set() if isinstance(header, csv.Error) else set(header)


def _columns(header: list[str] | csv.Error, name: str) -> list[str]:
    columns = [] if isinstance(header, csv.Error) else header
    known = {*_NEEDED, *_OPTIONAL}
    if {*_NEEDED} <= {*columns} <= known and len({*columns}) == len(columns):
        return columns
    needed, optional, found = ",".join(_NEEDED), ", ".join(_OPTIONAL), shown(",".join(columns))
    raise UsageError(
        f"the first line of {visible(name)} must be {needed}, each once, in any order"
        f" ({optional} may be there too); it is {found!r}"
    )


def _line(where: str, columns: list[str], row: list[str] | csv.Error, labs: Labs) -> Line:
    """Raises ValueError, which says what is wrong."""
    if isinstance(row, csv.Error):
        raise ValueError(f"it is not CSV: {row}")
    if len(row) != len(columns):
        raise ValueError(f"it has {len(row)} cells, the first line has {len(columns)}")
    cells = dict(zip(columns, row, strict=True))
    for column in _NEEDED:
        if not cells[column]:
            raise ValueError(f"it has no {column}")
    problem = labs.slug(cells["problem"])
    if problem is None:
        hint = nearest(cells["problem"][:60], sorted(labs.slugs))
        raise ValueError(f"no problem {shown(cells['problem'])}: {hint}")
    written = cells.get("submitted_at", "")
    submitted_at = in_utc(written)
    if written and submitted_at is None:
        raise ValueError(f"{shown(written)} is no time with a zone, such as 2026-11-29T12:00:00Z")
    return Line(
        where=where,
        student=cells["student"],
        problem=problem,
        path=_path(cells["path"]),
        name=cells.get("name", ""),
        email=cells.get("email", ""),
        submitted_at=submitted_at,
    )


def _path(written: str) -> str:
    """A path as trees have it; Windows writes it with backslashes."""
    path = written.replace("\\", "/")
    parts = path.split("/")
    if path.startswith("/") or re.match("[A-Za-z]:", path) or ".." in parts:
        raise ValueError(f"{shown(written)} leads out of the folder in which the CSV lies")
    return "/".join(part for part in parts if part not in ("", "."))
