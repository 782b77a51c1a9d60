"""A lab as its author sees it: both folders, read, and every program that lies in them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from grader.authoring.expect import Expectations, read_expectations
from grader.bundles.files import content_of
from grader.bundles.load import load_bundle
from grader.bundles.schemas import strict
from grader.model.bundle import LANGUAGES, Bundle, Case

REQUIRED_GROUPS = ("normal", "minimal", "edge", "failure")
SCALE = "scale"

_JSON_BLOCK = re.compile(r"^```json\n(.*?)^```", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A program and what it is called: `right/objects.py`, or `prints nothing`."""

    name: str
    source: bytes

    @property
    def stem(self) -> str:
        return Path(self.name).stem


@dataclass(frozen=True, kw_only=True)
class Lab:
    """Both parts of a lab; its code is not executed here.

    Raises (where it is read):
        BundleError: what is broken.
    """

    bundle: Bundle
    staff: Path

    @cached_property
    def expectations(self) -> Expectations:
        return read_expectations(self.staff)

    @cached_property
    def reference(self) -> Program:
        return self._program(self.staff / "reference.py")

    @cached_property
    def right(self) -> tuple[Program, ...]:
        return tuple(map(self._program, sorted(self.staff.glob("right/*.py"))))

    @cached_property
    def wrong(self) -> tuple[Program, ...]:
        return tuple(map(self._program, sorted(self.staff.glob("wrong/*.py"))))

    def groups_of(self, program: Program) -> set[str]:
        """The groups about which the author of a wrong solution says anything."""
        expected = self.expectations.wrong.get(program.stem)
        names = (*expected.caught_by, *expected.passes) if expected else ()
        return {name.partition("/")[0] for name in names}

    @cached_property
    def too_slow(self) -> tuple[Program, ...]:
        """Wrong solutions that only `scale` catches."""
        return tuple(p for p in self.wrong if self.caught_in(p) == {SCALE})

    def caught_in(self, program: Program) -> set[str]:
        """The groups in which the author predicts a wrong solution to fail."""
        expected = self.expectations.wrong.get(program.stem)
        return {name.partition("/")[0] for name in expected.caught_by} if expected else set()

    def _program(self, path: Path) -> Program:
        return Program(name=path.relative_to(self.staff).as_posix(), source=content_of(path))

    @cached_property
    def statements(self) -> dict[str, str]:
        """The text in each language; empty where it is missing."""
        paths = {lang: self.bundle.path / f"statement.{lang}.md" for lang in LANGUAGES}
        return {
            lang: path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
            for lang, path in paths.items()
        }

    @cached_property
    def public_cases(self) -> tuple[Case, ...]:
        cases = (case for group in self.bundle.groups for case in group.cases)
        return tuple(case for case in cases if not case.staff_only)

    @cached_property
    def quick_groups(self) -> tuple[str, ...]:
        """All groups but `scale`."""
        return tuple(group.name for group in self.bundle.groups if group.name != SCALE)

    def samples(self, lang: str) -> list[tuple[str, Any]]:
        """The JSON blocks of a statement as (text, value); the value of bad JSON is None."""
        return [(text, _value(text)) for text in _JSON_BLOCK.findall(self.statements[lang])]

    @cached_property
    def examples(self) -> list[tuple[Any, Any]]:
        """The worked examples: an input of the English statement and the answer that follows it.

        A sample that the input schema admits is an input; the next object with `ok` true that
        comes before another input is its answer, None where there is none.
        """
        admits = strict(self.bundle.input_schema)
        found: list[tuple[Any, Any]] = []
        for _, value in self.samples("en"):
            if isinstance(value, dict) and value.get("ok") is True:
                if found and found[-1][1] is None:
                    found[-1] = (found[-1][0], value)
            elif isinstance(value, dict) and "ok" not in value and admits(value) is None:
                found.append((value, None))
        return found

    def case_of(self, given: Any) -> tuple[str, Case] | None:
        """The public case with this input: its row's id, and the case."""
        for group in self.bundle.groups:
            for case in group.cases:
                if not case.staff_only and case.stdin is not None and _value(case.stdin) == given:
                    return f"{group.name}/{case.name}", case
        return None


def _value(text: str | bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def open_lab(folder: Path, staff: Path) -> Lab:
    """Read a lab.

    Raises:
        BundleError: it is broken.
    """
    return Lab(bundle=load_bundle(folder, staff), staff=staff)
