"""`solutions/<slug>/expect.toml`: what a lab's author predicts, read and checked."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from grader.bundles.schemas import strict
from grader.errors import BundleError

FILE = "expect.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """A wrong solution: the mistake, where it is caught, and where it is not noticed."""

    why: str
    caught_by: tuple[str, ...]
    passes: tuple[str, ...]
    fails_the_example: str = ""
    only_staff_rows: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Equivalent:
    """A mutant that no input can tell from the reference, and why."""

    function: str
    was: str
    now: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectations:
    wrong: dict[str, Wrong]
    equivalent: tuple[Equivalent, ...]


def expect_schema() -> dict[str, Any]:
    """The published JSON Schema of `expect.toml`."""
    text = resources.files("grader.authoring").joinpath("expect.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def read_expectations(staff: Path) -> Expectations:
    """What `expect.toml` says.

    Raises:
        BundleError: missing, not TOML, or against the schema.
    """
    path = staff / FILE
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BundleError(path, "", f"cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BundleError(path, "", f"is not TOML: {error}") from error
    fault = strict(expect_schema())(content)
    if fault:
        raise BundleError(path, fault[0].strip("/").replace("/", "."), fault[1])
    return Expectations(
        wrong={
            name: Wrong(
                why=entry["why"],
                caught_by=tuple(entry["caught_by"]),
                passes=tuple(entry["passes"]),
                fails_the_example=entry.get("fails_the_example", ""),
                only_staff_rows=entry.get("only_staff_rows", ""),
            )
            for name, entry in content["wrong"].items()
        },
        equivalent=tuple(
            Equivalent(function=e["in"], was=e["was"], now=e["now"], why=e["why"])
            for e in content.get("equivalent", ())
        ),
    )
