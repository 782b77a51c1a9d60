"""`solutions/<slug>/expect.toml`: what a lab's author predicts, read and checked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from grader.bundles.toml_files import read_toml

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


def read_expectations(staff: Path) -> Expectations:
    """What `expect.toml` says.

    Raises:
        BundleError: missing, not TOML, or against the schema.
    """
    content = read_toml(staff / FILE, "grader.authoring")
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
