"""Rules about the other files: groups, cases, schemas, the text of checks, and secrecy."""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from grader.authoring.evidence import Evidence
from grader.authoring.lab import REQUIRED_GROUPS
from grader.authoring.rules.rule import Finding, rule
from grader.bundles.files import content_of, files_of
from grader.bundles.schemas import strict

_SAME_LINES = 8
"""So many lines of a solution in a public file are no coincidence."""


@rule()
def required_groups(evidence: Evidence) -> Iterator[Finding]:
    """The groups normal, minimal, edge and failure are there, each with a fixed case.

    Most mistakes live in the last three; a lab of ordinary inputs accepts them all.

    Add the [[group]] to problem.toml, its strategy to properties.py, and a case.
    """
    bundle = evidence.lab.bundle
    groups = {group.name: group for group in bundle.groups}
    for name in REQUIRED_GROUPS:
        if name not in groups:
            yield Finding(path=bundle.path / "problem.toml", key="group", why=f"no group {name!r}")
        elif not any(not case.staff_only for case in groups[name].cases):
            yield Finding(path=bundle.path / "cases" / name, why="has no public case")


@rule()
def cases_fit_the_schemas(evidence: Evidence) -> Iterator[Finding]:
    """The schemas admit the input and the answer of every case that is answered.

    A schema that is narrower than the lab rejects right answers; one that is wider misleads.

    Mend the case, or the schema.
    """
    bundle = evidence.lab.bundle
    admits_input, admits_answer = strict(bundle.input_schema), strict(bundle.output_schema)
    for group in bundle.groups:
        for case in group.cases:
            if case.stdin is None or not case.answer["ok"]:
                continue
            fault = admits_answer(case.answer)
            if fault:
                answer = case.path.with_name(f"{case.name}.out.json")
                yield Finding(path=answer, key=fault[0], why=f"output.schema.json: {fault[1]}")
            try:
                given = json.loads(case.stdin)
            except ValueError:
                yield Finding(path=case.path, why="is answered, but is not JSON")
                continue
            fault = admits_input(given)
            if fault:
                yield Finding(path=case.path, key=fault[0], why=f"input.schema.json: {fault[1]}")


@rule()
def answers_are_bounded(evidence: Evidence) -> Iterator[Finding]:
    """The output schema bounds every array, object and string.

    An answer is hostile until it has passed the schema; what is not bounded there costs the
    memory and the time of whatever reads it next.

    Give arrays maxItems, strings maxLength (or const, enum, or a pattern of limited length), and
    objects additionalProperties: false or maxProperties.
    """
    bundle = evidence.lab.bundle
    for where, why in _unbounded(bundle.output_schema, ""):
        yield Finding(path=bundle.path / "output.schema.json", key=where, why=why)


def _unbounded(schema: Any, where: str, *, refines: bool = False) -> Iterator[tuple[str, str]]:
    """Args: refines: whether it only says more of what the schema around it bounds."""
    if schema is True:
        yield where, "true: anything at all is admitted"
    if not isinstance(schema, dict):
        return
    for key in ("$defs", "properties", "patternProperties"):
        for name, inner in schema.get(key, {}).items():
            yield from _unbounded(inner, f"{where}/{key}/{name}")
    typed = refines or "type" in schema
    for key in ("items", "additionalProperties"):
        yield from _unbounded(schema.get(key), f"{where}/{key}")
    for key in ("then", "else"):
        yield from _unbounded(schema.get(key), f"{where}/{key}", refines=typed)
    for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        for place, inner in enumerate(schema.get(key, ())):
            below = typed and key != "prefixItems"
            yield from _unbounded(inner, f"{where}/{key}/{place}", refines=below)
    if "const" in schema or "enum" in schema:
        return
    kinds = schema.get("type", ())
    kinds = (kinds,) if isinstance(kinds, str) else kinds
    if "array" in kinds and "maxItems" not in schema:
        yield where, "an array without maxItems"
    if "array" in kinds and not {"items", "prefixItems"} & schema.keys():
        yield where, "an array without items: anything at all may be in it"
    if "string" in kinds and "maxLength" not in schema and not _limited(schema.get("pattern")):
        yield where, "a string without maxLength"
    closed = schema.get("additionalProperties") is False and "patternProperties" not in schema
    if "object" in kinds and not closed and "maxProperties" not in schema:
        yield where, "an object without additionalProperties: false or maxProperties"
    if "object" in kinds and not closed and "additionalProperties" not in schema:
        yield where, "an object without additionalProperties: anything at all may be in it"
    if not kinds and not refines and not {"$ref", "anyOf", "oneOf", "allOf"} & schema.keys():
        yield where, "no type: anything at all is admitted"


def _limited(pattern: str | None) -> bool:
    return pattern is not None and not any(sign in pattern for sign in ("*", "+", ",}"))


@rule()
def assertions_speak(evidence: Evidence) -> Iterator[Finding]:
    """Every assertion in properties.py has a message.

    The message is what the student reads as the reason; `assert x == y` alone tells nothing.

    Write `assert found == expected, f"query {i}: expected {expected}, found {found}"`.
    """
    for path in (evidence.lab.bundle.path, evidence.lab.staff):
        file = path / "properties.py"
        if not file.is_file():
            continue
        try:
            tree = ast.parse(file.read_bytes())
        except SyntaxError:
            continue  # loading it says so
        for node in ast.walk(tree):
            if isinstance(node, ast.Assert) and node.msg is None:
                yield Finding(
                    path=file, key=f"line {node.lineno}", why="an assertion without a message"
                )


@rule()
def nothing_secret_is_public(evidence: Evidence) -> Iterator[Finding]:
    """No file of solutions/ lies in problems/, and no text of a solution is in a public file.

    problems/ is published as it stands; what lies in it once is known for ever.

    Move the file, or write the public text anew.
    """
    public = evidence.lab.bundle.path
    given = _stripped_lines(public / "starter.py")
    digests = {_digest(path): path for path in files_of(evidence.lab.staff) if path.stat().st_size}
    blocks: dict[str, Path] = {}
    for path in sorted(evidence.lab.staff.rglob("*.py")):
        lines = [line for line in _stripped_lines(path) if line not in given]
        for start in range(len(lines) - _SAME_LINES + 1):
            blocks.setdefault("\n".join(lines[start : start + _SAME_LINES]), path)
    for path in files_of(public):
        other = digests.get(_digest(path))
        if other and len(path.read_bytes()) > _SAME_LINES * 8:
            yield Finding(path=path, why=f"is the staff's file {_name(evidence, other)}")
            continue
        lines = [line for line in _stripped_lines(path) if line not in given]
        for start in range(len(lines) - _SAME_LINES + 1):
            other = blocks.get("\n".join(lines[start : start + _SAME_LINES]))
            if other:
                why = f"has {_SAME_LINES} lines of {_name(evidence, other)}: {lines[start]}"
                yield Finding(path=path, why=why)
                break


def _name(evidence: Evidence, path: Path) -> str:
    return path.relative_to(evidence.lab.staff).as_posix()


def _digest(path: Path) -> str:
    return hashlib.sha256(content_of(path)).hexdigest()


def _stripped_lines(path: Path) -> list[str]:
    if path.suffix not in (".py", ".md", ".toml") or not path.is_file():
        return []
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return [line.strip() for line in lines if line.strip()]


RULES = (
    required_groups,
    cases_fit_the_schemas,
    answers_are_bounded,
    assertions_speak,
    nothing_secret_is_public,
)
