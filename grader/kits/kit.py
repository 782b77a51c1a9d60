"""What a kit is: files by their paths; and how it is written, whole or not at all.

    PATH.zip   a zip of these files, always the same bytes
    PATH       a folder, new or empty

Nothing that is there already is replaced.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.errors import UsageError, writing_to
from grader.worker.record import write_atomically

_BEGINNING = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip can hold."""
_UNIX = 3
_REGULAR = 0o100000


@dataclass(frozen=True, slots=True, kw_only=True)
class KitFile:
    """A file of a kit, and whether it is a program."""

    content: bytes
    executable: bool = False

    @property
    def mode(self) -> int:
        return 0o755 if self.executable else 0o644


Files = Mapping[str, KitFile]
"""Paths, with `/` and relative to the kit's root, in the order in which they are written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """The files, and sentences that whoever made it has to know (in English)."""

    files: Files
    notes: tuple[str, ...] = ()


def write(files: Files, path: Path) -> None:
    """Write a kit as a zip (`path` ends in .zip) or as a folder.

    Raises:
        UsageError: something is there already, or there is no place of that name.
        OutputError: there is no room. Then, and when it is interrupted, nothing is left behind
            and nothing is lost.
    """
    with writing_to(path):
        if path.suffix.lower() == ".zip":
            if os.path.lexists(path):
                raise UsageError(f"{path} is there already and was not touched")
            write_atomically(path, as_zip(files))
        else:
            _write_folder(files, path.absolute(), shown=path)


def as_zip(files: Files) -> bytes:
    """The zip, which depends on nothing but the files (and the version of zlib)."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, file in files.items():
            entry = zipfile.ZipInfo(path, _BEGINNING)
            entry.create_system = _UNIX  # else a kit made on Windows has no executable bits
            entry.external_attr = (_REGULAR | file.mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, file.content)
    return buffer.getvalue()


def _write_folder(files: Files, target: Path, *, shown: Path) -> None:
    """All of it is written beside the target first; a full disk is met there."""
    if os.path.lexists(target) and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{shown} is there already and was not touched; name an empty folder")
    with TemporaryDirectory(dir=target.parent, prefix=".kit-") as hidden, ExitStack() as undo:
        draft = Path(hidden) / "kit"
        for path, file in files.items():
            place = draft.joinpath(*path.split("/"))
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(file.content)
            if file.executable:
                place.chmod(place.stat().st_mode | 0o111)
        if not target.exists():
            os.rename(draft, target)
            return
        for part in sorted(draft.iterdir()):  # an empty folder may be the one that we are in
            os.rename(part, target / part.name)
            undo.callback(_remove, target / part.name)
        undo.pop_all()


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def below(folder: str, files: Files) -> Iterator[tuple[str, KitFile]]:
    """The same files in a folder, for another kit."""
    for path, file in files.items():
        yield f"{folder}/{path}", file
