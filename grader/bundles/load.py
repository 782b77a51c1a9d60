"""A folder becomes a `Bundle`: read, checked, and never executed (that is `properties`)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from grader.bundles.files import content_of, fingerprint, is_by_product
from grader.bundles.schemas import read_schema, strict
from grader.bundles.toml_files import dotted, read_toml
from grader.errors import BundleError
from grader.model.bundle import Bundle, Case, Pace, TestGroup
from grader.model.execution import Limits, Submission

DEFAULT_EXAMPLES = 300
_SCALE_KEYS = {"generator", "seed", "stdin_sha256", "answer_sha256"}
_SECONDS = {"type": "number", "exclusiveMinimum": 0, "maximum": 3600}


def read_problem(folder: Path) -> dict[str, Any]:
    """`problem.toml` as a dictionary that its schema admits.

    Raises:
        BundleError: missing, not TOML, or against the schema.
    """
    return read_toml(folder / "problem.toml")


def load_bundle(folder: Path, staff: Path | None) -> Bundle:
    """Read one lab, and the staff's part of it where `staff` is given.

    Raises:
        BundleError: anything in it is broken; which file, which key, and why.
    """
    problem = read_problem(folder)
    names = [group["name"] for group in problem["group"]]
    _check_groups(folder / "problem.toml", problem["group"], names)
    for cases in (folder / "cases", *([staff / "cases"] if staff else [])):
        folders = {path.name for path in cases.glob("*") if path.is_dir()}
        strays = {name for name in folders if not is_by_product(name)} - set(names)
        if strays:
            raise BundleError(cases / min(strays), "", "no group has this name")
    return Bundle(
        slug=folder.name,
        path=folder,
        staff=staff,
        title=problem["title"],
        summary=problem["summary"],
        file_name=problem["file_name"],
        needs_packages=tuple(problem.get("needs_packages", ())),
        refusals=tuple(problem["refusals"]),
        groups=tuple(_group(folder, staff, problem, group) for group in problem["group"]),
        input_schema=read_schema(folder / "input.schema.json"),
        output_schema=read_schema(folder / "output.schema.json"),
        reference=_reference(staff) if staff else None,
        fingerprint=fingerprint(folder),
        staff_fingerprint=fingerprint(staff) if staff else None,
        pace=_pace(folder / "pace.json", names),
    )


def _check_groups(path: Path, groups: list[dict[str, Any]], names: list[str]) -> None:
    total = sum(group["points"] for group in groups)
    if abs(total - 100) > 1e-9:
        raise BundleError(path, "group", f"the points of all groups sum to {total}, not to 100")
    for place, group in enumerate(groups):
        key = f"group[{place}]"
        if group["name"] in names[:place]:
            raise BundleError(path, f"{key}.name", f"{group['name']!r} stands twice")
        for other in group.get("after_groups", ()):
            if other not in names[:place]:
                raise BundleError(path, f"{key}.after_groups", f"no earlier group {other!r}")
        if group.get("staff_points", 0) > group["points"]:
            raise BundleError(path, f"{key}.staff_points", "more than the group's points")


def _group(
    folder: Path, staff: Path | None, problem: dict[str, Any], group: dict[str, Any]
) -> TestGroup:
    name = group["name"]
    cases = list(_cases(folder / "cases" / name, problem["refusals"], staff_only=False))
    if staff:
        cases += _cases(staff / "cases" / name, problem["refusals"], staff_only=True)
    twice = {case.name for case in cases if [c.name for c in cases].count(case.name) > 1}
    if twice:
        raise BundleError(folder / "cases" / name, min(twice), "two cases have this name")
    return TestGroup(
        name=name,
        points=group["points"],
        staff_points=group.get("staff_points", 0),
        examples=group.get("examples", DEFAULT_EXAMPLES),
        limits=limits_of(problem, group),
        after_groups=tuple(group.get("after_groups", ())),
        cases=tuple(cases),
    )


def limits_of(problem: dict[str, Any], group: dict[str, Any]) -> Limits:
    """What holds in a group: its own limits, and for the rest those of the lab."""
    limits = problem["limits"] | group.get("limits", {})
    return Limits(
        wall_seconds=limits["wall_seconds"],
        cpu_seconds=limits["cpu_seconds"],
        memory_bytes=limits["memory_mib"] << 20,
        output_bytes=limits["output_kib"] << 10,
    )


def _cases(folder: Path, refusals: list[str], *, staff_only: bool) -> Iterator[Case]:
    for path in sorted(folder.glob("*")):
        name, _, kind = path.name.partition(".")
        if is_by_product(path.name):
            continue
        if kind == "in.json":
            answer = _read_json(path.with_name(f"{name}.out.json"))
            if not isinstance(answer, dict) or not isinstance(answer.get("ok"), bool):
                raise BundleError(path.with_name(f"{name}.out.json"), "ok", "must be true or false")
            if not answer["ok"] and answer.get("error") not in refusals:
                why = f"must be one of the refusals of problem.toml: {', '.join(refusals)}"
                raise BundleError(path.with_name(f"{name}.out.json"), "error", why)
            stdin = content_of(path)
            yield Case(name=name, path=path, staff_only=staff_only, stdin=stdin, answer=answer)
        elif kind == "scale.json":
            call = _read_json(path)
            if not isinstance(call, dict) or set(call) != _SCALE_KEYS:
                keys = ", ".join(sorted(_SCALE_KEYS))
                raise BundleError(path, "", f"must be an object with the keys {keys}")
            yield Case(name=name, path=path, staff_only=staff_only, **call)
        elif kind != "out.json" or not path.with_name(f"{name}.in.json").exists():
            why = "not NN-name.in.json with its .out.json, and not NN-name.scale.json"
            raise BundleError(path, "", why)


def _read_json(path: Path) -> Any:
    try:
        return json.loads(content_of(path), parse_constant=_refuse)
    except ValueError as error:
        raise BundleError(path, "", f"is not JSON: {error}") from error


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"it has {name}")


def _pace(path: Path, groups: list[str]) -> Pace | None:
    """How fast the machine was on which the limits were measured, where somebody measured it."""
    if not path.exists():
        return None
    by_group = dict.fromkeys(groups, _SECONDS)
    properties = {
        "calibration_seconds": _SECONDS,
        "reference_cpu_seconds": {
            "type": "object",
            "properties": by_group,
            "additionalProperties": False,
        },
    }
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    pace = _read_json(path)
    fault = strict(schema)(pace)
    if fault:
        raise BundleError(path, dotted(fault[0]), fault[1])
    return Pace(**pace)


def _reference(staff: Path) -> Submission | None:
    path = staff / "reference.py"
    return Submission(name=path.name, source=content_of(path)) if path.is_file() else None
