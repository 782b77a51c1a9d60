"""A folder or an archive as both are read: names of files, and bytes when they are asked for.

    where ──folder.py, archive.py──► Source ──layouts/──► Reading ──discover.py──► Found

A `Tree` maps a file's path, with `/`, to the `File`. An empty folder is told as
unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

NOISE = frozenset(
    ("__MACOSX", ".DS_Store", "__pycache__", ".git", "Thumbs.db", ".grader"),
)
"""What systems and tools leave behind; everything below such a name is skipped silently."""


class NotRead(Exception):
    """A file's bytes are not to be had; `str(error)` says why."""


class Unreadable(NotRead):
    """It is damaged, or may not be read."""


class Refused(NotRead):
    """It is larger than a program can be, or behaves like a zip bomb."""


class Read(Protocol):
    """Gives a file's bytes."""

    def __call__(self, most: int, *, expands: bool = False) -> bytes:
        """All bytes of the file.

        Args:
            most: how many there may be.
            expands: whether it may be compressed to any extent, as long as it is small enough.

        Raises:
            Refused: there are more, or it is compressed as no program is.
            Unreadable: it cannot be read.
        """
        ...


EMPTY = "this folder is empty"


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file: how its path is told, when it was changed last (ISO 8601 in UTC), its bytes."""

    path: str
    changed_at: str | None
    read: Read


Tree = Mapping[str, File]


@dataclass(frozen=True, slots=True, kw_only=True)
class Aside:
    """A file that is left out, and why. The path may be hostile: show it with `visible`."""

    path: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What was given, without noise: its files, and what of it is not looked at."""

    tree: Tree
    unknown: tuple[Aside, ...] = ()
    refused: tuple[Aside, ...] = ()


def by_folder(tree: Tree) -> tuple[dict[str, File], dict[str, dict[str, File]]]:
    """The files at the top, and the tree below each folder at the top."""
    loose: dict[str, File] = {}
    folders: dict[str, dict[str, File]] = {}
    for path, file in tree.items():
        name, slash, rest = path.partition("/")
        if slash:
            folders.setdefault(name, {})[rest] = file
        else:
            loose[name] = file
    return loose, folders


def too_large(most: int) -> str:
    return f"it is larger than {most >> 20} MiB"


def put_aside(path: str, error: NotRead, unknown: list[Aside], refused: list[Aside]) -> None:
    """List a file that is not read where it belongs."""
    aside = refused if isinstance(error, Refused) else unknown
    aside.append(Aside(path=path, why=str(error)))
