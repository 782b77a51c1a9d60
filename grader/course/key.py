"""What a result depends on, as one digest: equal digests, equal reports (but for times).

    submission ─┐
    lab ────────┤   the files that grading reads: not its statement, starter or wrong solutions
    grader ─────┼─► key
    setting ────┘   seed, number of inputs, level

A typo mended in a statement regrades nobody; another limit, case or check regrades that lab.
"""

from __future__ import annotations

import hashlib
import json
import platform
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path

import grader
from grader.bundles.files import content_of, files_of
from grader.bundles.load import read_problem
from grader.sandbox.libraries import versions

_NOT_GRADED_WITH = {"statement.en.md", "statement.zh.md", "starter.py", "expect.toml"}
_NOT_GRADED_WITH_FOLDERS = {"right", "wrong"}
_WORDS_ONLY = ("title", "summary")
_GRADES = ("bundles", "judging", "model", "sandbox", "worker")
"""Packages of this program that a report can depend on; another column in an export cannot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """How a class is graded: the same for every submission, and kept in its journal.

    `examples` None draws each group's own number of inputs; `level` None takes the best level of
    the sandbox that the machine has; `public` leaves the staff's rows aside.
    """

    seed: int = 0
    seed_is_secret: bool = False
    examples: int | None = None
    level: str | None = None
    accept_weak: bool = False
    public: bool = False

    def as_json(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Setting:
        return cls(**json.loads(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class LabOfClass:
    """A lab that a class is graded with: its two folders, and the digest of what grading reads."""

    slug: str
    folder: Path
    staff: Path | None
    digest: str


def lab_of_class(folder: Path, staff: Path | None) -> LabOfClass:
    """Take a lab as it is now.

    Raises:
        BundleError: a file cannot be read, or problem.toml is not TOML or against its schema.
    """
    text = "\0".join(_of_folder(part) if part else "" for part in (folder, staff))
    return LabOfClass(slug=folder.name, folder=folder, staff=staff, digest=_sha256(text.encode()))


def _of_folder(folder: Path) -> str:
    lines = []
    for path in files_of(folder):
        name = path.relative_to(folder)
        if name.as_posix() in _NOT_GRADED_WITH or name.parts[0] in _NOT_GRADED_WITH_FOLDERS:
            continue
        content = content_of(path)
        if name.as_posix() == "problem.toml":
            problem = read_problem(folder)
            graded = {key: problem[key] for key in problem.keys() - set(_WORDS_ONLY)}
            content = json.dumps(graded, sort_keys=True).encode()
        lines.append(f"{name.as_posix()}\0{_sha256(content)}")
    return "\n".join(lines)


@cache
def grader_digest() -> str:
    """Of this program: the modules that grade, Hypothesis, libraries, and the Python below them."""
    root = Path(grader.__file__).parent
    parts = [platform.python_version(), version("hypothesis"), json.dumps(versions())]
    for package in _GRADES:
        for path in sorted((root / package).rglob("*.py")):
            name = path.relative_to(root).as_posix()
            parts.append(f"{name}\0{_sha256(path.read_bytes())}")
    return _sha256("\n".join(parts).encode())


def result_key(submission_digest: str, lab: LabOfClass, setting: Setting) -> str:
    """The digest of everything that a report depends on."""
    parts = [submission_digest, lab.slug, lab.digest, grader_digest(), asdict(setting)]
    return _sha256(json.dumps(parts, sort_keys=True).encode())


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
