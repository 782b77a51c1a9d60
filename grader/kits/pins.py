"""What runs in a kit: the grader as it is installed here, and what it needs in these versions.

    requirements.txt    click==8.5.1 …    what it needs, and what that needs
    grader/…            its modules, without the labs that are packaged with it

The grader is in no package registry; with its folder in PYTHONPATH, `python -m grader` is it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

import grader
from grader.bundles.files import files_of
from grader.errors import UsageError
from grader.kits.kit import Files, KitFile

DISTRIBUTION = "inference-labs"

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_LABS = "problems"


def python_version() -> str:
    """`3.11`: the version of Python for which the pinned versions are known to exist."""
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def requirements(packages: Iterable[str] = ()) -> KitFile:
    """`requirements.txt` with the versions that are installed here.

    Args:
        packages: what the labs need beside what the grader needs (`torch`).

    Raises:
        UsageError: a package is not installed, or the grader itself is not.
    """
    try:
        needed = [*map(_name, _requires(DISTRIBUTION)), *packages]
    except metadata.PackageNotFoundError:
        why = "the versions to pin are those that are installed with the grader, and it is not"
        raise UsageError(f"{why}: run `pip install .` in its checkout first") from None
    for name in needed:
        if _version(name) is None:
            raise UsageError(f"{name} is not installed here, so that its version is not known")
    lines = [f"{name}=={version}" for name, version in sorted(_closure(needed).items())]
    heading = f"# What the grader needs, as it was installed with Python {python_version()}."
    return KitFile(content="\n".join([heading, *lines, ""]).encode())


def _closure(names: Iterable[str]) -> dict[str, str]:
    """These packages and all that they need, as far as it is installed.

    What is not installed here is for another system or another version of Python.
    """
    found: dict[str, str] = {}
    left = [*names]
    while left:
        name = _normal(left.pop())
        version = None if name in found else _version(name)
        if version is not None:
            found[name] = version.partition("+")[0]  # `+cpu` is a build, which registries lack
            left += map(_name, _requires(name))
    return found


def _requires(name: str) -> list[str]:
    """The requirements of a package, without those of its extras."""
    return [line for line in metadata.requires(name) or () if not _is_of_an_extra(line)]


def _is_of_an_extra(requirement: str) -> bool:
    return re.search(r"\bextra\s*==", requirement.partition(";")[2]) is not None


def _name(requirement: str) -> str:
    found = _NAME.match(requirement)
    assert found, requirement
    return found[0]


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def own_package() -> Files:
    """The files of this package as it is installed, below `grader/`."""
    root = Path(grader.__file__).resolve().parent
    paths = {path: path.relative_to(root) for path in files_of(root)}
    return {
        f"{root.name}/{inner.as_posix()}": KitFile(content=path.read_bytes())
        for path, inner in paths.items()
        if inner.parts[0] != _LABS
    }
