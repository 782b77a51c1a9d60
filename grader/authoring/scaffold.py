"""The template lab under a name of one's own, whole or not at all: `grader new`.

template/problems/SLUG/…  ──► problems/<slug>/…       in texts SLUG becomes the name; programs that
template/solutions/SLUG/… ──► solutions/<slug>/…      were measured for pace.json do not have it
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from contextlib import ExitStack
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from tempfile import TemporaryDirectory

from grader.errors import UsageError, writing_to

PLACEHOLDER = "SLUG"


def slug_of(name: str) -> str:
    """A lab's name as its folders have it: `top-p-sets` is taken as `top_p_sets`.

    Raises:
        UsageError: it cannot be one; the message has one that can.
    """
    slug = name.replace("-", "_")
    if re.fullmatch("[a-z][a-z0-9_]*", slug):
        return slug
    near = re.sub("[^a-z0-9]+", "_", slug.lower()).lstrip("_0123456789").rstrip("_")
    hint = f"; did you mean {near}?" if near else ""
    raise UsageError(f"a lab's name is a small letter, then a-z, 0-9 and _, not {name!r}{hint}")


def create(name: str, problems: Path, solutions: Path) -> list[Path]:
    """Write a lab that verifies as it stands; returns its files.

    Args:
        name: what it is called, see `slug_of`.
        problems, solutions: where its two folders shall lie; made where they do not exist.

    Raises:
        UsageError: the name cannot be one, there is such a lab, or no place for it.
        OutputError: there is no room. Then, and when it is interrupted, nothing is left behind.
    """
    slug = slug_of(name)
    targets = {"problems": problems / slug, "solutions": solutions / slug}
    for target in targets.values():
        if os.path.lexists(target):
            raise UsageError(f"{target} is there already and was not touched")
    with writing_to(slug), ExitStack() as undo, ExitStack() as always:
        drafts = {part: _draft(part, target, undo, always) for part, target in targets.items()}
        for part, target in targets.items():
            os.rename(drafts[part], target)
            undo.callback(shutil.rmtree, target, ignore_errors=True)
        undo.pop_all()
    files = (path for target in targets.values() for path in sorted(target.rglob("*")))
    return [path for path in files if path.is_file()]


def _draft(part: str, target: Path, undo: ExitStack, always: ExitStack) -> Path:
    """One of the two folders, complete, beside the place where it belongs."""
    if not target.parent.exists():
        target.parent.mkdir(parents=True)
        undo.callback(_remove_if_empty, target.parent)
    hidden = always.enter_context(TemporaryDirectory(dir=target.parent, prefix=".new-"))
    template = resources.files("grader.authoring") / "template" / part / PLACEHOLDER
    draft = Path(hidden) / target.name
    _copy(template, draft, slug=target.name)
    return draft


def _copy(source: Traversable, target: Path, *, slug: str) -> None:
    if source.is_file():
        target.write_bytes(source.read_bytes().replace(PLACEHOLDER.encode(), slug.encode()))
        return
    target.mkdir()
    for inner in source.iterdir():
        if inner.name != "__pycache__":
            _copy(inner, target / inner.name, slug=slug)


def _remove_if_empty(folder: Path) -> None:
    with contextlib.suppress(OSError):
        folder.rmdir()
