"""A broken lab is named: which file, which key in it, and why. It is never a traceback of ours."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.bundles.load import load_bundle
from grader.bundles.properties import generate, load_properties
from grader.errors import BundleError
from grader.judging.rows import plan
from tests.cli.command import replace_in

Break = Callable[[Path], object]
"""Breaks the lab in a folder, which holds `problems/` and `solutions/`."""

LAB = Path("problems/double")
TOML, CHECKS = LAB / "problem.toml", LAB / "properties.py"
CASES = LAB / "cases"
SCALE = CASES / "scale" / "01-many-digits.scale.json"


def edited(path: Path, old: str, new: str) -> Break:
    return lambda folder: replace_in(folder / path, old, new)


def written(path: Path, text: str) -> Break:
    return lambda folder: (folder / path).write_text(text, encoding="utf-8")


def appended(path: Path, text: str) -> Break:
    def add(folder: Path) -> None:
        with (folder / path).open("a", encoding="utf-8") as file:
            file.write(text)

    return add


def removed(path: Path) -> Break:
    return lambda folder: (folder / path).unlink()


def check(arguments: str, docstring: str = "Even.\n\n    偶数。") -> str:
    return f'\n\ndef check_new({arguments}):\n    """{docstring}"""\n'


PACE = '{"calibration_seconds": %s, "reference_cpu_seconds": {%s}%s}'


def paced(*parts: str) -> Break:
    return written(LAB / "pace.json", PACE % parts)


AS_DATA: dict[str, tuple[Break, str]] = {
    "pace.json is not JSON": (
        paced("NaN", "", ""),
        "pace.json: is not JSON: it has NaN",
    ),
    "pace.json has an unknown key": (
        paced("0.02", "", ', "pace": 1'),
        'pace.json: unknown key "pace"',
    ),
    "pace.json lacks a key": (
        written(LAB / "pace.json", "{}"),
        "pace.json: the key 'calibration_seconds' is missing",
    ),
    "pace.json is of a machine that needs no time": (
        paced("0", "", ""),
        "pace.json: calibration_seconds: 0; exclusiveMinimum is 0",
    ),
    "pace.json names no group": (
        paced("0.02", '"norml": 1', ""),
        "pace.json: reference_cpu_seconds: unknown key \"norml\": did you mean 'normal'?",
    ),
    "problem.toml is not TOML": (
        edited(TOML, "[title]", "[title"),
        "problem.toml: is not TOML:",
    ),
    "problem.toml is not UTF-8": (
        lambda folder: (folder / TOML).write_bytes(b'format = "\xff"'),
        "problem.toml: is not TOML:",
    ),
    "problem.toml is missing": (removed(TOML), "problem.toml: cannot be read: No such file"),
    "an unknown key": (
        edited(TOML, "staff_points = 20", "staf_points = 20"),
        "problem.toml: group[0]: unknown key \"staf_points\": did you mean 'staff_points'?",
    ),
    "a key is missing": (
        edited(TOML, 'file_name = "double.py"\n', ""),
        "problem.toml: the key 'file_name' is missing",
    ),
    "points that are not 100": (
        edited(TOML, "points = 60", "points = 61"),
        "problem.toml: group: the points of all groups sum to 101, not to 100",
    ),
    "after_groups names no group": (
        edited(TOML, '["normal"]', '["norml"]'),
        "problem.toml: group[3].after_groups: no earlier group 'norml'",
    ),
    "after_groups names a later group": (
        edited(TOML, 'name = "normal"\n', 'name = "normal"\nafter_groups = ["scale"]\n'),
        "problem.toml: group[0].after_groups: no earlier group 'scale'",
    ),
    "a group stands twice": (
        edited(TOML, 'name = "minimal"', 'name = "normal"'),
        "problem.toml: group[1].name: 'normal' stands twice",
    ),
    "a limit that is none": (
        edited(TOML, "cpu_seconds = 1.0", "cpu_seconds = 0"),
        "problem.toml: limits.cpu_seconds: 0; exclusiveMinimum is 0",
    ),
    "a schema is not JSON": (
        written(LAB / "output.schema.json", '{"type": '),
        "output.schema.json: cannot be read as JSON:",
    ),
    "a schema is no schema": (
        written(LAB / "output.schema.json", '{"type": "objekt"}'),
        "output.schema.json: /type: not a JSON Schema:",
    ),
    "a schema points nowhere": (
        written(LAB / "output.schema.json", '{"$ref": "#/$defs/nmae"}'),
        "output.schema.json: $ref: #/$defs/nmae is nothing in this file",
    ),
    "a schema is no object": (
        written(LAB / "input.schema.json", "[]"),
        "input.schema.json: a schema is a JSON object",
    ),
    "a case without an answer": (
        removed(CASES / "normal/01-worked-example.out.json"),
        "01-worked-example.out.json: cannot be read: No such file",
    ),
    "an answer that is not JSON": (
        written(CASES / "normal/01-worked-example.out.json", "42"),
        "01-worked-example.out.json: ok: must be true or false",
    ),
    "a refusal without a code": (
        written(CASES / "failure/01-not-utf-8.out.json", '{"ok": false}'),
        "01-not-utf-8.out.json: error:",
    ),
    "a stray file": (
        written(CASES / "normal/notes.txt", "to do"),
        "notes.txt: not NN-name.in.json with its .out.json",
    ),
    "an answer without a case": (
        written(CASES / "normal/02-lost.out.json", '{"ok": true}'),
        "02-lost.out.json: not NN-name.in.json",
    ),
    "cases of no group": (
        lambda folder: (folder / CASES / "edgy").mkdir(),
        "cases/edgy: no group has this name",
    ),
    "a scale case without its digest": (
        edited(SCALE, '"seed": 1, ', ""),
        "01-many-digits.scale.json: must be an object with the keys answer_sha256, generator",
    ),
}
"""What is found by reading: how to break the lab, and how the message begins after the folder."""

AS_CODE: dict[str, tuple[Break, str]] = {
    "a syntax error": (
        appended(CHECKS, "\n\ndef check_new(given:\n"),
        r"properties.py: line \d+: SyntaxError",
    ),
    "an exception at import": (
        appended(CHECKS, "\n1 / 0\n"),
        r"properties.py: line \d+: ZeroDivisionError: division by zero",
    ),
    "an exit at import": (
        appended(CHECKS, "\nimport sys\n\nsys.exit(0)\n"),
        r"properties.py: line \d+: SystemExit",
    ),
    "properties.py is missing": (removed(CHECKS), "properties.py: cannot be read"),
    "a strategy that is none": (
        appended(CHECKS, "\nminimal = [1, 2]\n"),
        "properties.py: minimal: is named after a group but is no strategy",
    ),
    "an unknown argument": (
        appended(CHECKS, check("given, anwser")),
        "properties.py: check_new: unknown argument 'anwser'; a check may name given, answer, run",
    ),
    "a check without its Chinese sentence": (
        appended(CHECKS, check("given", "Twice is even.")),
        "properties.py: check_new: its docstring is the sentence: English, blank line, Chinese",
    ),
    "GROUPS is no table": (
        appended(CHECKS, '\nGROUPS = ["check_next"]\n'),
        "properties.py: GROUPS:",
    ),
    "GROUPS lacks a comma": (
        appended(CHECKS, '\nGROUPS = {"check_next": ("normal")}\n'),
        r"properties.py: GROUPS\['check_next'\]: must be a tuple of names of groups",
    ),
    "GROUPS names no check": (
        appended(CHECKS, '\nGROUPS = {"check_nothing": ("normal",)}\n'),
        r"properties.py: GROUPS\['check_nothing'\]: no check has this name",
    ),
    "GROUPS names no drawn group": (
        appended(CHECKS, '\nGROUPS = {"check_next": ("scale",)}\n'),
        r"properties.py: GROUPS\['check_next'\]: 'scale' is no drawn group",
    ),
    "staff_points without rows of the staff": (
        edited(TOML, "points = 10\n\n", "points = 10\nstaff_points = 5\n\n"),
        "problem.toml: group minimal: staff_points is 5, with 0 shares of staff rows",
    ),
    "rows of the staff without staff_points": (
        edited(TOML, "staff_points = 20\n", ""),
        "problem.toml: group normal: staff_points is 0, with 2 shares of staff rows",
    ),
}
"""What is found by executing the lab's code: how to break the lab, and a pattern of the message."""

GENERATED: dict[str, tuple[Break, str]] = {
    "no such generator": (
        edited(LAB / "scale.py", "def many_digits", "def few_digits"),
        "scale.py: many_digits: no such function, wanted by 01-many-digits",
    ),
    "a generator that fails": (
        edited(LAB / "scale.py", "return", "return 1 / 0 and"),
        "scale.py: many_digits: ZeroDivisionError: division by zero",
    ),
    "a text of another digest": (
        edited(LAB / "scale.py", "899", "898"),
        "01-many-digits.scale.json: stdin_sha256: the generated text is not the one",
    ),
    "scale.py is missing": (removed(LAB / "scale.py"), "scale.py: cannot be read"),
}
"""What is found only when a large input is made."""


@pytest.mark.parametrize("fault", AS_DATA)
def test_a_fault_in_the_data_of_a_lab_is_named(broken_lab: Path, fault: str) -> None:
    break_it, message = AS_DATA[fault]
    break_it(broken_lab)
    with pytest.raises(BundleError, match=re.escape(message)) as caught:
        load_bundle(broken_lab / LAB, broken_lab / "solutions/double")
    assert caught.value.path.startswith(str(broken_lab / LAB))


@pytest.mark.parametrize("fault", AS_CODE)
def test_a_fault_in_the_code_of_a_lab_is_named(broken_lab: Path, fault: str) -> None:
    break_it, message = AS_CODE[fault]
    break_it(broken_lab)
    bundle = load_bundle(broken_lab / LAB, broken_lab / "solutions/double")
    with pytest.raises(BundleError, match=message) as caught:
        plan(bundle, load_properties(bundle), staff=True)
    assert caught.value.path.startswith(str(broken_lab / LAB))


@pytest.mark.parametrize("fault", GENERATED)
def test_a_fault_in_a_large_input_is_named(broken_lab: Path, fault: str) -> None:
    break_it, message = GENERATED[fault]
    break_it(broken_lab)
    bundle = load_bundle(broken_lab / LAB, None)
    (case,) = bundle.groups[3].cases
    with pytest.raises(BundleError, match=re.escape(message)):
        generate(bundle, case)


def test_a_fault_in_the_staff_s_part_is_named(broken_lab: Path) -> None:
    staff = broken_lab / "solutions/double"
    bundle = load_bundle(broken_lab / LAB, staff)
    appended(Path("solutions/double/properties.py"), check("given").replace("_new", "_next"))(
        broken_lab
    )
    with pytest.raises(BundleError, match="check_next: a public check has this name, too"):
        load_properties(bundle)
    (staff / "cases/egde").mkdir()
    with pytest.raises(BundleError, match="solutions/double/cases/egde: no group has this name"):
        load_bundle(broken_lab / LAB, staff)


def test_the_lab_that_is_broken_here_is_whole(broken_lab: Path) -> None:
    bundle = load_bundle(broken_lab / LAB, broken_lab / "solutions/double")
    assert len(plan(bundle, load_properties(bundle), staff=True)["normal"]) == 7
    assert generate(bundle, bundle.groups[3].cases[0]).startswith(b'{"n": 177')


def test_what_tools_leave_in_a_lab_is_no_part_of_it(broken_lab: Path) -> None:
    before = load_bundle(broken_lab / LAB, None)
    for name in (".DS_Store", ".01-a.in.json.swp"):
        (broken_lab / CASES / "normal" / name).write_text("x")
    (broken_lab / CASES / ".idea").mkdir()
    assert load_bundle(broken_lab / LAB, None) == before


def test_the_pace_of_a_lab_is_read_where_somebody_has_measured_it(broken_lab: Path) -> None:
    assert load_bundle(broken_lab / LAB, None).pace is None
    paced("0.02", '"normal": 0.003, "scale": 1', "")(broken_lab)
    pace = load_bundle(broken_lab / LAB, None).pace
    assert pace is not None
    assert pace.calibration_seconds == 0.02
    assert pace.reference_cpu_seconds == {"normal": 0.003, "scale": 1}
