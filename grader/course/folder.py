"""A folder on disk becomes a Source; no link leads out of the folder that it lies in."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from grader.course.times import of_file
from grader.course.tree import (
    EMPTY,
    NOISE,
    Aside,
    File,
    NotRead,
    Refused,
    Source,
    Unreadable,
    put_aside,
    too_large,
)
from grader.errors import UsageError


def whole(folder: Path) -> Source:
    """All files below a folder.

    Raises:
        UsageError: the folder itself cannot be listed.
    """
    root = folder.resolve()
    tree, unknown, refused = dict[str, File](), list[Aside](), list[Aside]()
    ahead = [""]
    while ahead:
        here = ahead.pop()
        try:
            entries = _listed(root / here)
        except OSError as error:
            if not here:
                raise UsageError(f"{folder} cannot be read: {error.strerror}") from error
            unknown.append(Aside(path=here, why=_unreadable(error)))
            continue
        if not entries and here:
            unknown.append(Aside(path=here, why=EMPTY))
        for entry in entries:
            if entry.name in NOISE:
                continue
            path = here + entry.name
            try:
                _check_name(entry.name)
                if entry.is_dir(follow_symlinks=False):
                    ahead.append(path + "/")
                else:
                    tree[path] = _file(root, path)
            except NotRead as error:
                put_aside(path, error, unknown, refused)
    return Source(tree=tree, unknown=tuple(unknown), refused=tuple(refused))


def only(folder: Path, paths: Iterable[str]) -> Source:
    """Some files below a folder, by their paths from it; those that do not exist are missing."""
    root = folder.resolve()
    tree, unknown, refused = dict[str, File](), list[Aside](), list[Aside]()
    for path in dict.fromkeys(paths):
        try:
            if os.path.lexists(root / path):
                tree[path] = _file(root, path)
        except NotRead as error:
            put_aside(path, error, unknown, refused)
    return Source(tree=tree, unknown=tuple(unknown), refused=tuple(refused))


def read_file(path: Path, most: int) -> bytes:
    """The bytes of a file that are at most so many.

    Raises:
        Refused: there are more.
        Unreadable: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise Unreadable(_unreadable(error)) from error
    if len(content) > most:
        raise Refused(too_large(most))
    return content


def _listed(folder: Path) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _check_name(name: str) -> None:
    try:
        name.encode()
    except UnicodeEncodeError:
        raise Refused("its name is not UTF-8; rename it") from None


def _file(root: Path, path: str) -> File:
    """A file or a link to one. The root has no links in its path, so that any other is seen."""
    try:
        real = (root / path).resolve(strict=True)
        found = real.stat()
    except (OSError, RuntimeError, ValueError) as error:
        if os.path.islink(root / path):
            raise Refused("it is a link that leads nowhere") from error
        raise Unreadable(_unreadable(error)) from error
    if real != root / path and not real.is_relative_to((root / path).parent):
        raise Refused("it is a link that leads out of its folder")
    if stat.S_ISDIR(found.st_mode):
        raise Refused("it is a link to a folder, or a folder where a file is due")
    if not stat.S_ISREG(found.st_mode):
        raise Refused("it is a device, a pipe or a socket")
    return File(path=path, changed_at=of_file(found.st_mtime), read=partial(_read, real))


def _read(path: Path, most: int, *, expands: bool = False) -> bytes:
    return read_file(path, most)


def _unreadable(error: Exception) -> str:
    why = error.strerror if isinstance(error, OSError) else ""
    return f"it cannot be read: {why or type(error).__name__}"
