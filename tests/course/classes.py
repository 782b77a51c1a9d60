"""Makes classes for the tests of discovery: files by their paths, as a folder or as a zip of it."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Mapping
from pathlib import Path

from grader.course.discover import Found, discover

LABS = ("top_p_sets", "kv_sizing", "block_allocation")
CHANGED = 1_795_953_600
"""2026-11-29T12:00:00Z, when every file of a folder was changed last."""
CHANGED_AT = "2026-11-29T12:00:00Z"

Files = Mapping[str, str | bytes]


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
