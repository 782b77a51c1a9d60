"""Makes classes for the tests of discovery: files by their paths, as a folder or as a zip of it."""

from __future__ import annotations

import os
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

from grader.course.discover import Found, discover
from grader.course.tree import Aside

LABS = ("top_p_sets", "kv_sizing", "block_allocation")
CHANGED = 1_795_953_600
"""2026-11-29T12:00:00Z, when every file of a folder was changed last."""
CHANGED_AT = "2026-11-29T12:00:00Z"

Files = Mapping[str, str | bytes]
Build = Callable[[Files], Path]
Entry = tuple[str, bytes, int, int]
"""A name, content, the mode of a Unix file, and flags."""

PLAIN = {"bob/top_p_sets.py": "b", "alice/kv-sizing.py": "ak", "alice/top-p-sets/main.py": "at"}
"""A class as most tests want it: a file, a file with hyphens, a folder for a lab."""


def in_folder(at: Path, files: Files) -> Path:
    """A folder with these files."""
    folder = at / "class"
    folder.mkdir()
    for path, content in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(_bytes(content))
        os.utime(file, (CHANGED, CHANGED))
    return folder


def in_zip(at: Path, files: Files) -> Path:
    """`class.zip` with these files."""
    path = at / "class.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, _bytes(content))
    return path


WAYS = {"folder": in_folder, "zip": in_zip}


def _bytes(content: str | bytes) -> bytes:
    return content if isinstance(content, bytes) else content.encode()


def found(where: Path, *only: str) -> Found:
    return discover(where, LABS, only=only)


def named(where: Path, path: str) -> str:
    """How a file of that class is named in a `Found`."""
    return path if where.is_dir() else f"{where.name}!/{path}"


def whose(found: Found) -> dict[tuple[str, str], bytes]:
    return {(one.student, one.problem): one.source for one in found.submitted}


def told(asides: tuple[Aside, ...]) -> dict[str, str]:
    """Each path, without the archive's name, and why it is left out."""
    return {aside.path.rpartition("!/")[2]: aside.why for aside in asides}


def packed(entries: list[Entry]) -> bytes:
    """A zip with names, modes and flags as no tool would write them."""
    bodies, directory = bytearray(), bytearray()
    for name, content, mode, flags in entries:
        raw = name.encode()
        sizes = struct.pack("<III", zlib.crc32(content), len(content), len(content))
        same = struct.pack("<HHHHH", 20, flags | 0x800, 0, 0, 0) + sizes
        directory += b"PK\x01\x02" + struct.pack("<H", 3 << 8 | 20) + same
        directory += struct.pack("<HHHHHII", len(raw), 0, 0, 0, 0, mode << 16, len(bodies)) + raw
        bodies += b"PK\x03\x04" + same + struct.pack("<HH", len(raw), 0) + raw + content
    ends = struct.pack("<HHHHIIH", 0, 0, *[len(entries)] * 2, len(directory), len(bodies), 0)
    return bytes(bodies + directory + b"PK\x05\x06" + ends)
