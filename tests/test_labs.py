"""Every lab accepts what is right and catches every mistake where its author says."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from grader.bundles.load import load_bundle
from grader.bundles.properties import generate, load_properties
from grader.bundles.schemas import strict
from grader.judging.grade import Walk, grade
from grader.judging.rows import plan
from grader.model.bundle import Bundle
from grader.model.execution import Submission
from grader.model.report import CaseResult
from grader.model.verdict import Verdict
from grader.sandbox.levels import open_executor
from tests.conftest import REPOSITORY

PROBLEMS, SOLUTIONS = REPOSITORY / "problems", REPOSITORY / "solutions"
SLUGS = sorted(path.parent.name for path in PROBLEMS.glob("*/problem.toml"))
DEGENERATE_POINTS = 10
FEW_EXAMPLES, MANY_EXAMPLES = 40, 100


def bundle_of(slug: str, *, staff: bool = True) -> Bundle:
    return load_bundle(PROBLEMS / slug, SOLUTIONS / slug if staff else None)


def graded(
    slug: str,
    source: bytes,
    groups: tuple[str, ...] = (),
    *,
    staff: bool = True,
    examples: int | None = None,
) -> dict[str, CaseResult]:
    """Rows by id, through the sandbox."""
    bundle = bundle_of(slug, staff=staff)
    properties = load_properties(bundle)
    submission = Submission(name="mine.py", source=source)
    secrets = (bundle.staff,) if bundle.staff else ()
    with open_executor(submission, secrets=secrets, level="standard").executor as executor:
        walk = Walk(
            bundle=bundle,
            properties=properties,
            plan=plan(bundle, properties, staff=staff),
            submission=submission,
            executor=executor,
            seed=0,
            groups=groups,
            examples=examples,
            shrink=False,
        )
        return {row.id: row for row in grade(walk)}


def programs(kind: str) -> Iterator[tuple[str, str]]:
    for slug in SLUGS:
        for path in sorted((SOLUTIONS / slug).glob(kind)):
            yield slug, str(path.relative_to(SOLUTIONS / slug))


def expectations(slug: str) -> dict[str, dict[str, object]]:
    text = (SOLUTIONS / slug / "expect.toml").read_text(encoding="utf-8")
    table: dict[str, dict[str, object]] = tomllib.loads(text)["wrong"]
    return table


def not_accepted(rows: dict[str, CaseResult]) -> dict[str, str]:
    return {
        row.id: f"{row.verdict}: {row.detail}"
        for row in rows.values()
        if row.verdict is not Verdict.ACCEPTED
    }


def not_caught(caught_by: list[str], rows: dict[str, CaseResult]) -> list[str]:
    """The rows and groups in which nothing fails although the author says so."""
    failing = [row.id for row in rows.values() if row.verdict.is_failure]
    return [name for name in caught_by if not any(f"{i}/".startswith(f"{name}/") for i in failing)]


@pytest.mark.parametrize("slug", SLUGS)
def test_the_reference_earns_every_point(slug: str) -> None:
    rows = graded(slug, (SOLUTIONS / slug / "reference.py").read_bytes())
    assert not_accepted(rows) == {}
    assert sum(row.points for row in rows.values()) == pytest.approx(100)


@pytest.mark.parametrize(("slug", "path"), list(programs("right/*.py")))
def test_another_right_solution_is_accepted(slug: str, path: str) -> None:
    quick = tuple(group.name for group in bundle_of(slug).groups if group.name != "scale")
    rows = graded(slug, (SOLUTIONS / slug / path).read_bytes(), quick, examples=MANY_EXAMPLES)
    assert not_accepted(rows) == {}


@pytest.mark.soak
@pytest.mark.parametrize(("slug", "path"), list(programs("right/*.py")))
def test_another_right_solution_is_fast_enough(slug: str, path: str) -> None:
    rows = graded(slug, (SOLUTIONS / slug / path).read_bytes(), ("scale",))
    assert not_accepted(rows) == {}


def wrong_programs() -> Iterator[Any]:
    """A program that is too slow takes minutes, a limit at a time: `make soak` runs those."""
    for slug, path in programs("wrong/*.py"):
        too_slow = Path(path).stem.startswith("too_slow")
        yield pytest.param(slug, path, marks=[pytest.mark.soak] if too_slow else [])


@pytest.mark.parametrize(("slug", "path"), list(wrong_programs()))
def test_a_wrong_solution_is_caught_where_its_author_says(slug: str, path: str) -> None:
    expected = expectations(slug)[Path(path).stem]
    caught_by, passes = expected["caught_by"], expected["passes"]
    assert isinstance(caught_by, list)
    assert isinstance(passes, list)
    source = (SOLUTIONS / slug / path).read_bytes()
    groups = tuple(dict.fromkeys(row.partition("/")[0] for row in caught_by))
    rows = graded(slug, source, groups, examples=FEW_EXAMPLES)
    if not_caught(caught_by, rows):  # what fails on the first draws fails on all of them, too
        rows = graded(slug, source, groups)
    assert not_caught(caught_by, rows) == []
    assert all(row.graded for row in rows.values()), not_accepted(rows)
    quick = tuple(group for group in passes if group != "scale")
    if quick:
        fewer = graded(slug, source, quick, examples=FEW_EXAMPLES)
        assert {i: r for i, r in fewer.items() if r.verdict.is_failure} == {}


@pytest.mark.parametrize("slug", SLUGS)
def test_every_wrong_solution_is_in_the_author_s_table(slug: str) -> None:
    files = {path.stem for path in (SOLUTIONS / slug / "wrong").glob("*.py")}
    assert files == set(expectations(slug))
    assert all(str(entry["why"]).strip() for entry in expectations(slug).values())


def table_of_public_cases(bundle: Bundle) -> str:
    table = {
        case.stdin: json.dumps(case.answer)
        for group in bundle.groups
        for case in group.cases
        if case.stdin is not None
    }
    return f"import sys\nprint({table!r}.get(sys.stdin.buffer.read(), '{{}}'))\n"


def worked_example(bundle: Bundle) -> str:
    case = next(case for group in bundle.groups for case in group.cases)
    return f"print({json.dumps(case.answer)!r})\n"


DEGENERATE: dict[str, Callable[[Bundle], str]] = {
    "prints nothing": lambda _: "",
    "prints {}": lambda _: "print('{}')\n",
    "always malformed": lambda _: 'print(\'{"ok": false, "error": "malformed"}\')\n',
    "always the worked example": worked_example,
    "a table of the public cases": table_of_public_cases,
    "the untouched starter": lambda bundle: (bundle.path / "starter.py").read_text("utf-8"),
}


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("what", DEGENERATE)
def test_a_program_that_does_not_compute_earns_next_to_nothing(slug: str, what: str) -> None:
    source = DEGENERATE[what](bundle_of(slug, staff=False))
    rows = graded(slug, source.encode(), staff=False, examples=100)
    assert sum(row.points for row in rows.values()) <= DEGENERATE_POINTS


@pytest.mark.parametrize("slug", SLUGS)
def test_cases_keep_to_the_schemas(slug: str) -> None:
    bundle = bundle_of(slug)
    valid = strict(bundle.output_schema)
    advisory = jsonschema_rs.Draft202012Validator(bundle.input_schema)
    for group in bundle.groups:
        for case in group.cases:
            if case.stdin is None:
                given = json.loads(generate(bundle, case))
            elif case.answer["ok"]:
                assert valid(case.answer) is None, case.path
                given = json.loads(case.stdin)
            else:
                assert case.answer["error"] in bundle.refusals, case.path
                continue
            assert advisory.is_valid(given), case.path


@pytest.mark.parametrize("slug", SLUGS)
def test_the_two_statements_show_the_same_samples_and_the_worked_example(slug: str) -> None:
    english, chinese = (
        (PROBLEMS / slug / f"statement.{lang}.md").read_text(encoding="utf-8")
        for lang in ("en", "zh")
    )
    samples = [re.findall(r"```json\n(.*?)```", text, re.DOTALL) for text in (english, chinese)]
    assert samples[0] == samples[1]
    headings = [re.findall(r"^(#+) ", text, re.MULTILINE) for text in (english, chinese)]
    assert headings[0] == headings[1]
    assert len(headings[0]) > 5
    folder = PROBLEMS / slug / "cases" / "normal"
    example = json.loads((folder / "01-worked-example.in.json").read_bytes())
    answer = json.loads((folder / "01-worked-example.out.json").read_bytes())
    shown = [json.loads(sample) for sample in samples[0]]
    assert example in shown
    assert answer in shown


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_statement_names_the_limits_that_hold(slug: str, lang: str) -> None:
    bundle = bundle_of(slug, staff=False)
    text = (PROBLEMS / slug / f"statement.{lang}.md").read_text(encoding="utf-8")
    for group in bundle.groups:
        line = next(line for line in text.splitlines() if line.startswith(f"| `{group.name}` |"))
        cells = [cell.strip() for cell in line.split("|")]
        assert f"{group.limits.cpu_seconds:g}" in cells, line
        assert f"{group.limits.memory_bytes >> 20}" in cells, line
    for code in bundle.refusals:
        assert f"`{code}`" in text
