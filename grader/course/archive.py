"""A zip becomes a Source: nothing is extracted, and what its headers promise is not believed.

A hostile entry costs itself alone: it is refused by name. What it may cost to read is bounded by
what really comes out, and by how much is really read for that.
"""

from __future__ import annotations

import io
import re
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

from grader.course.tree import EMPTY, NOISE, Aside, File, Refused, Source, Unreadable, too_large
from grader.errors import UsageError
from grader.report.shown import visible

MAX_ENTRIES = 50_000
MAX_DIRECTORY_BYTES = 16 << 20
"""The archive's own list of its entries, which is read before anything can be counted."""
MAX_TOTAL_BYTES = 512 << 20
"""What all programs of an archive may have together; they are kept in memory."""
MAX_RATIO = 200
"""Sources compress to a fifth; even 1 MiB of one letter is a mistake or a bomb."""
FREE_BYTES = 1 << 20
"""Below this an entry may be compressed to any extent."""

_PIECE = 64 << 10
_UTF8, _ENCRYPTED = 0x800, 0x1 | 0x40 | 0x2000
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError),
    *(NotImplementedError, RuntimeError, ValueError, OverflowError),
)
"""Whatever `zipfile` was seen to raise for a damaged archive."""


@contextmanager
def opened(
    path: Path, *, names: str = "cp437", most_bytes: int = MAX_TOTAL_BYTES
) -> Iterator[Source]:
    """The entries of an archive; they can be read as long as it is open.

    Args:
        names: the encoding of names that do not say theirs and are no UTF-8 (`gbk`: a zip made
            by the Chinese Windows).
        most_bytes: how many may come out of it altogether.

    Raises:
        UsageError: it is no zip, or has too many entries.
    """
    with ExitStack() as stack:
        try:
            counted = _Counted(stack.enter_context(path.open("rb")))
            archive = stack.enter_context(zipfile.ZipFile(counted))
        except _DAMAGED as error:
            why = visible(str(error) or type(error).__name__)
            raise UsageError(
                f"{path} cannot be read as a zip: {why}; unpack it, and name the folder"
            ) from error
        entries = archive.infolist()
        if len(entries) > MAX_ENTRIES:
            raise UsageError(
                f"{path} has {len(entries):,} entries, more than {MAX_ENTRIES:,}; "
                "unpack it, and name the folder"
            )
        yield _source(path.name, entries, _Reader(archive, counted, most_bytes), names)


class _Counted:
    """The archive's file, which counts what is read of it and gives no huge piece at once."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.taken = 0
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int | None = -1, /) -> bytes:
        wanted = MAX_DIRECTORY_BYTES + 1 if size is None or size < 0 else size
        piece = self._file.read(wanted) if wanted <= MAX_DIRECTORY_BYTES + 1 else None
        if piece is None or len(piece) > MAX_DIRECTORY_BYTES:
            raise zipfile.BadZipFile("its directory is too large")
        self.taken += len(piece)
        return piece


class _Reader:
    """Reads entries, and remembers how much has come out of the archive."""

    def __init__(self, archive: zipfile.ZipFile, file: _Counted, most_bytes: int) -> None:
        self._archive, self._file = archive, file
        self._left, self._most = most_bytes, most_bytes

    def read(self, entry: zipfile.ZipInfo, most: int, *, expands: bool = False) -> bytes:
        """The entry's bytes, as `tree.Read` says."""
        content = io.BytesIO()
        before = self._file.taken
        try:
            with self._archive.open(entry) as stream:
                while piece := stream.read(_PIECE):
                    self._left -= len(piece)
                    content.write(piece)
                    self._check(content.tell(), self._file.taken - before, most, expands)
        except _DAMAGED as error:
            why = visible(str(error) or type(error).__name__)
            raise Unreadable(f"it is damaged: {why}") from error
        return content.getvalue()

    def _check(self, size: int, taken: int, most: int, expands: bool) -> None:
        if size > most:
            raise Refused(too_large(most))
        if self._left < 0:
            limit = f"{self._most >> 20} MiB"
            raise Refused(
                f"the archive's files have more than {limit}; unpack it, and name the folder"
            )
        if size > FREE_BYTES and size > MAX_RATIO * taken and not expands:
            raise Refused(f"it is compressed to less than 1/{MAX_RATIO}, as no program is")


def _source(archive: str, entries: list[zipfile.ZipInfo], reader: _Reader, encoding: str) -> Source:
    same: defaultdict[str, list[tuple[str, zipfile.ZipInfo]]] = defaultdict(list)
    refused: list[Aside] = []
    told_if_empty: dict[str, bool] = {}
    for entry in entries:
        name = _name(entry, encoding)
        path = "/".join(part for part in name.split("/") if part not in ("", "."))
        is_folder, is_noise = name.endswith("/"), not NOISE.isdisjoint(path.split("/"))
        why = _hostile_name(name)
        if why is None:
            told_if_empty[path + "/"] = is_folder and not is_noise
            if not (is_folder or is_noise):
                why = _no_plain_file(entry)
        if why is not None:
            refused.append(Aside(path=f"{archive}!/{name}", why=why))
        elif not (is_folder or is_noise):
            same[_folded(path)].append((path, entry))
    tree: dict[str, File] = {}
    for alike in same.values():
        if len(alike) == 1:
            [(path, entry)] = alike
            shown = f"{archive}!/{path}"
            tree[path] = File(path=shown, changed_at=None, read=partial(reader.read, entry))
        else:
            refused += _alike(archive, [path for path, _ in alike])
    unknown = [Aside(path=f"{archive}!/{at}", why=EMPTY) for at in _empty(told_if_empty)]
    return Source(tree=tree, unknown=tuple(unknown), refused=tuple(refused))


def _empty(told: Mapping[str, bool]) -> Iterator[str]:
    """Folders that nothing lies in. In order, what lies in a folder comes right behind it."""
    for path, following in pairwise((*sorted(told), "")):
        if told[path] and not following.startswith(path):
            yield path


def _name(entry: zipfile.ZipInfo, encoding: str) -> str:
    """The name as it stands in the archive: `filename` ends at a NUL.

    macOS writes UTF-8 without the flag that says so.
    """
    name = entry.orig_filename
    if entry.flag_bits & _UTF8:
        return name
    for known in ("utf-8", encoding):
        with suppress(UnicodeError):
            return name.encode("cp437").decode(known)
    return name


def _hostile_name(name: str) -> str | None:
    if "\0" in name:
        return "its name has a NUL character"
    if "\\" in name:
        return "its name has a backslash"
    if name.startswith("/"):
        return "its path is absolute"
    if re.match("[A-Za-z]:", name):
        return "its path begins with a drive letter"
    if ".." in name.split("/"):
        return "its path leads upwards (`..`)"
    if not name.strip("/."):
        return "it has no name"
    return None


def _no_plain_file(entry: zipfile.ZipInfo) -> str | None:
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return "it is a symbolic link"
    if kind not in (0, stat.S_IFREG):
        return "it is no regular file"
    if entry.flag_bits & _ENCRYPTED:
        return "it is encrypted"
    if entry.compress_type not in _METHODS:
        return f"it is compressed with method {entry.compress_type}; only deflate is read"
    return None


def _folded(path: str) -> str:
    """Equal for names that some file system holds to be the same."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", path).casefold())


def _alike(archive: str, paths: list[str]) -> Iterator[Aside]:
    for path, count in Counter(paths).items():
        if count > 1:
            why = f"the archive has {count} entries of this name"
        else:
            other = next(other for other in paths if other != path)
            why = f"only case or Unicode normalisation tells its name from {visible(other)}"
        yield Aside(path=f"{archive}!/{path}", why=why)
