"""TOML files with a published schema: `problem.toml`, `course.toml`, the staff's `expect.toml`."""

from __future__ import annotations

import json
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

from grader.bundles.files import content_of
from grader.bundles.schemas import strict
from grader.errors import BundleError


def published(name: str, package: str = "grader.bundles") -> dict[str, Any]:
    """The JSON Schema of `<name>.toml`, which lies in that package."""
    text = resources.files(package).joinpath(f"{name}.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def read_toml(path: Path, package: str = "grader.bundles") -> dict[str, Any]:
    """A TOML file as a dictionary that the schema of its name admits.

    Raises:
        BundleError: missing, not TOML, or against the schema.
    """
    try:
        found = tomllib.loads(content_of(path).decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BundleError(path, "", f"is not TOML: {error}") from error
    fault = strict(published(path.stem, package))(found)
    if fault:
        raise BundleError(path, dotted(fault[0]), fault[1])
    return found


def dotted(pointer: str) -> str:
    """`/group/0/points` → `group[0].points`."""
    parts = pointer.split("/")[1:]
    return "".join(f"[{part}]" if part.isdigit() else f".{part}" for part in parts).lstrip(".")
