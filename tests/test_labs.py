"""Every lab accepts what is right and catches every mistake where its author says."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import os
import re
import runpy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.authoring.degenerate import MOST_POINTS, degenerate
from grader.authoring.lab import open_lab
from grader.authoring.mutate import Fate, analyse
from grader.authoring.rules.rule import Finding, Rule
from grader.authoring.verify import RULES, verify
from grader.bundles.load import load_bundle
from grader.bundles.properties import load_properties
from grader.judging.grade import Walk, grade
from grader.judging.ground import Ground
from grader.judging.hunt import try_out
from grader.judging.rows import plan
from grader.judging.survey import survey
from grader.model.bundle import Bundle
from grader.model.execution import Executor, Submission
from grader.model.report import CaseResult
from grader.model.verdict import Verdict
from grader.sandbox.levels import open_executor
from tests.conftest import REPOSITORY

PROBLEMS, SOLUTIONS = REPOSITORY / "problems", REPOSITORY / "solutions"
SLUGS = sorted(path.parent.name for path in PROBLEMS.glob("*/problem.toml"))
FEW_EXAMPLES, MANY_EXAMPLES = 25, 100
"""Of a hundred inputs some concern every row; of few, those that none concerns are not settled."""


_IS_CASE = re.compile(r"/\d")


def bundle_of(slug: str, *, staff: bool = True) -> Bundle:
    return load_bundle(PROBLEMS / slug, SOLUTIONS / slug if staff else None)


def graded(
    slug: str,
    source: bytes,
    groups: tuple[str, ...] = (),
    *,
    staff: bool = True,
    examples: int = MANY_EXAMPLES,
) -> dict[str, CaseResult]:
    """Rows by id, through the sandbox."""
    bundle = bundle_of(slug, staff=staff)
    submission = Submission(name="mine.py", source=source)
    secrets = (bundle.staff,) if bundle.staff else ()
    with open_executor(submission, secrets=secrets, level="standard").executor as executor:
        walk = walk_of(bundle, submission, executor, staff=staff)
        walk = replace(walk, groups=groups, examples=examples)
        return {row.id: row for row in grade(walk)}


def walk_of(
    bundle: Bundle, submission: Submission, executor: Executor, *, staff: bool = True
) -> Walk:
    properties = load_properties(bundle)
    return Walk(
        bundle=bundle,
        properties=properties,
        plan=plan(bundle, properties, staff=staff),
        submission=submission,
        executor=executor,
        seed=0,
        examples=FEW_EXAMPLES,
        shrink=False,
    )


def programs(kind: str) -> Iterator[tuple[str, str]]:
    for slug in SLUGS:
        for path in sorted((SOLUTIONS / slug).glob(kind)):
            yield slug, str(path.relative_to(SOLUTIONS / slug))


def not_accepted(rows: dict[str, CaseResult], *, settled: bool) -> dict[str, str]:
    return {
        row.id: f"{row.verdict}: {row.detail}"
        for row in rows.values()
        if row.verdict is not Verdict.ACCEPTED
        and (settled or not row.detail.startswith("not settled: no input that was drawn"))
    }


def quick_groups(slug: str) -> tuple[str, ...]:
    return tuple(group.name for group in bundle_of(slug).groups if group.name != "scale")


@pytest.mark.parametrize("slug", SLUGS)
def test_the_reference_is_accepted(slug: str) -> None:
    reference = (SOLUTIONS / slug / "reference.py").read_bytes()
    rows = graded(slug, reference, quick_groups(slug), examples=FEW_EXAMPLES)
    assert not_accepted(rows, settled=False) == {}
    settled = [row for row in rows.values() if row.verdict is Verdict.ACCEPTED]
    assert len(settled) > 0.9 * len(rows)


@pytest.mark.soak
@pytest.mark.parametrize("slug", SLUGS)
def test_the_reference_earns_every_point(slug: str) -> None:
    rows = graded(slug, (SOLUTIONS / slug / "reference.py").read_bytes())
    assert not_accepted(rows, settled=True) == {}
    assert sum(row.points for row in rows.values()) == pytest.approx(100)


@pytest.fixture(scope="module")
def grounds() -> Iterator[Callable[[str], list[Ground]]]:
    """The inputs of a lab with what the reference gives, drawn once for all its wrong solutions."""
    with contextlib.ExitStack() as stack:

        @functools.cache
        def prepared(slug: str) -> list[Ground]:
            bundle = bundle_of(slug)
            assert bundle.reference
            opened = open_executor(bundle.reference, level="standard")
            walk = walk_of(bundle, bundle.reference, stack.enter_context(opened.executor))
            quick = [group for group in bundle.groups if group.name != "scale"]
            return [Ground(walk, group) for group in quick]

        yield prepared


@pytest.mark.parametrize(("slug", "path"), list(programs("right/*.py")))
def test_another_right_solution_agrees_with_the_reference_or_is_accepted_all_the_same(
    slug: str, path: str, grounds: Callable[[str], list[Ground]]
) -> None:
    program = Submission(name="mine.py", source=(SOLUTIONS / slug / path).read_bytes())
    assert survey(grounds(slug), program) == ()


def wrong_programs() -> Iterator[Any]:
    """Those that some quick group catches; what is too slow only `scale` does (`make soak`).

    By default as many as it takes for each check and each refusal to catch one.
    """
    for slug in SLUGS:
        lab = open_lab(PROBLEMS / slug, SOLUTIONS / slug)
        seen: set[str] = set()
        for program in lab.wrong:
            quick = lab.caught_in(program) - {"scale"}
            if not quick:
                continue
            rows = lab.expectations.wrong[program.stem].caught_by
            more = {row.partition("/")[2] for row in rows if not _IS_CASE.search(row)} - seen
            seen |= more
            yield pytest.param(
                slug,
                program.source,
                quick,
                rows,
                id=f"{slug}-{program.name.removeprefix('wrong/')}",
                marks=() if more else pytest.mark.soak,
            )


@pytest.mark.parametrize(("slug", "source", "predicted", "rows"), list(wrong_programs()))
def test_a_wrong_solution_fails_in_a_predicted_group_on_few_inputs(
    slug: str,
    source: bytes,
    predicted: set[str],
    rows: tuple[str, ...],
    grounds: Callable[[str], list[Ground]],
) -> None:
    """Which rows catch each, on all inputs, is what `grader verify` proves (`make soak`)."""
    chosen = [ground for ground in grounds(slug) if ground.group.name in predicted]
    chosen.sort(key=lambda ground: not rows[0].startswith(ground.group.name))
    trial = try_out(chosen, Submission(name="mine.py", source=source), likely=rows)
    assert trial.hit is not None
    assert trial.hit.verdict is not Verdict.JUDGE_ERROR, trial.hit.detail


TIED_TO_TORCH = [
    slug for slug in SLUGS if "import torch" in (SOLUTIONS / slug / "properties.py").read_text()
]


@pytest.mark.parametrize("slug", TIED_TO_TORCH)
def test_checks_against_torch_do_compare_with_torch(slug: str) -> None:
    """They fall back to plain floats where torch is missing; CI may not (GRADER_TEST_TORCH)."""
    if os.environ.get("GRADER_TEST_TORCH") != "required" and not importlib.util.find_spec("torch"):
        pytest.skip("torch is not installed")
    assert runpy.run_path(str(SOLUTIONS / slug / "properties.py"))["torch"] is not None


DEGENERATE, LOOKS_UP_THE_CASES = 6, 4
"""Of `degenerate` the one that comes nearest; the others know no answer (`make soak`)."""


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize(
    "what",
    [
        pytest.param(what, marks=() if what == LOOKS_UP_THE_CASES else pytest.mark.soak)
        for what in range(DEGENERATE)
    ],
)
def test_a_program_that_does_not_compute_earns_next_to_nothing(slug: str, what: int) -> None:
    program = list(degenerate(open_lab(PROBLEMS / slug, SOLUTIONS / slug)))[what]
    rows = graded(slug, program.source, staff=False, examples=FEW_EXAMPLES)
    assert sum(row.points for row in rows.values()) <= MOST_POINTS


@pytest.mark.parametrize("slug", SLUGS)
def test_every_rule_that_needs_no_program_to_be_run_holds(slug: str) -> None:
    assert findings(slug, [rule for rule in RULES if not rule.needs]) == []


@pytest.mark.soak
@pytest.mark.parametrize("slug", SLUGS)
def test_every_rule_holds(slug: str) -> None:
    assert findings(slug, RULES) == []


def findings(slug: str, rules: Sequence[Rule]) -> list[tuple[str, Finding]]:
    verified = verify(PROBLEMS / slug, SOLUTIONS / slug, jobs=2, rules=rules)
    return [(one.rule.name, finding) for one in verified for finding in one.findings]


@pytest.mark.soak
@pytest.mark.parametrize("slug", SLUGS)
def test_nearly_all_mutants_are_killed(slug: str, tmp_path: Path) -> None:
    analysis = analyse(PROBLEMS / slug, SOLUTIONS / slug, jobs=2, journal_folder=tmp_path)
    survivors = [judged for judged in analysis.judged if judged.fate is Fate.SURVIVED]
    assert analysis.strong_enough, survivors
