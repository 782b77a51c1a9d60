"""The files of a lab: which they are, what is in them, and their digest."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from grader.errors import BundleError


def content_of(path: Path) -> bytes:
    """The bytes of a lab's file.

    Raises:
        BundleError: it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise BundleError(path, "", f"cannot be read: {error.strerror}") from error


def fingerprint(folder: Path) -> str:
    """The digest of all files of a lab's folder, names and contents.

    Raises:
        BundleError: one of them cannot be read.
    """
    digest = hashlib.sha256()
    for path in files_of(folder):
        content = hashlib.sha256(content_of(path)).hexdigest()
        digest.update(f"{path.relative_to(folder).as_posix()}\0{content}\n".encode())
    return f"sha256:{digest.hexdigest()}"


def files_of(folder: Path) -> Iterable[Path]:
    """All files of a lab's folder, in order, without what running leaves there."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return [f for f in files if not any(map(is_by_product, f.relative_to(folder).parts))]


def is_by_product(name: str) -> bool:
    """What tools leave beside a lab's files: caches, reports of a grading in there, .DS_Store."""
    return name == "__pycache__" or name.startswith(".")
