"""Every rule of `grader verify` says so when a lab breaks it, and no other rule does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from grader.authoring.evidence import Evidence
from grader.authoring.rules.files import _unbounded
from grader.authoring.verify import RULES, rule_named, verify
from grader.errors import UsageError
from tests.authoring.breaks import IN_PROGRAMS, IN_TEXT, Break, check, edit, remove, write
from tests.authoring.conftest import Folders, Judge, found

UNREADABLE: dict[str, tuple[Callable[[Folders], object], str]] = {
    "points that are not 100": (
        edit("problem.toml", "points = 20\n", "points = 21\n"),
        "problem.toml: group: the points of all groups sum to 101, not to 100",
    ),
    "a check without a Chinese sentence": (
        edit("properties.py", "\n\n    接纳的请求不超出预算。", ""),
        "properties.py: check_within_budget: its docstring is the sentence: English, blank line",
    ),
    "no reference": (remove("staff:reference.py"), "reference.py: : cannot be read: No such file"),
    "no predictions": (remove("staff:expect.toml"), "expect.toml: : cannot be read: No such file"),
    "predictions that are no TOML": (
        write("staff:expect.toml", "[wrong"),
        "expect.toml: : is not TOML: ",
    ),
    "a prediction without a reason": (
        edit("staff:expect.toml", 'why = "Every request adds up all', 'by = "Every request adds'),
        "expect.toml: wrong.too_slow_adding_up_again: ",
    ),
    "a record that is none": (
        write("staff:pace.json", '{"runs": [{}]}'),
        "pace.json: : is not what `grader pace --write` writes: ",
    ),
}


def test_the_whole_lab_keeps_to_every_rule(whole: Evidence) -> None:
    assert found(whole) == {}
    assert set(whole.wrong) == {path.stem for path in whole.lab.staff.glob("wrong/*.py")}
    assert {row.verdict.value for trial in whole.right for row in trial.rows} == {"accepted"}
    assert len(whole.degenerate) == 6


def test_what_only_says_more_of_a_bounded_answer_needs_no_bounds_of_its_own() -> None:
    bounded = {"type": "object", "additionalProperties": False, "properties": {}}
    more = {"properties": {"kind": {"const": "a"}}, "required": ["kind"]}
    assert [*_unbounded({**bounded, "oneOf": [more], "if": more, "then": more}, "")] == []
    assert [*_unbounded({"oneOf": [more]}, "")] != []


def test_every_rule_is_broken_by_some_test() -> None:
    assert {one.rule for one in (*IN_TEXT, *IN_PROGRAMS)} | {"loads"} == {r.name for r in RULES}


@pytest.mark.parametrize("one", IN_TEXT, ids=lambda one: f"{one.rule}: {one.what}")
def test_a_fault_in_a_text_is_found_by_its_rule_alone(
    one: Break, broken: Folders, judged: Judge
) -> None:
    _assert_only(one, broken, judged)


@pytest.mark.parametrize("one", IN_PROGRAMS, ids=lambda one: f"{one.rule}: {one.what}")
def test_a_fault_that_programs_show_is_found_by_its_rule(
    one: Break, broken: Folders, judged: Judge
) -> None:
    _assert_only(one, broken, judged)


def _assert_only(one: Break, broken: Folders, judged: Judge) -> None:
    one.do(broken)
    told = judged(broken, one.again)
    assert set(told) == {one.rule} | one.also, told
    assert any(one.says in finding for finding in told[one.rule]), told


@pytest.mark.parametrize("fault", UNREADABLE)
def test_what_cannot_be_read_is_all_that_is_told(broken: Folders, fault: str) -> None:
    break_it, says = UNREADABLE[fault]
    break_it(broken)
    (only,) = verify(broken.public, broken.staff, jobs=1)
    assert only.rule.name == "loads"
    (finding,) = only.findings
    assert says in f"{finding.path}: {finding.key}: {finding.why}"


PROBED = (rule_named("checks_only_assert"),)
SEES_NONSENSE = 'if answer["tokens"] == 10**6:'
"""Nothing but the probe's nonsense has so many tokens, so that the fault costs its time once."""


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (
            f'{SEES_NONSENSE}\n        __import__("threading").Event().wait()',
            "check_within_budget did not end within 10 s",
        ),
        (
            f"{SEES_NONSENSE}\n        bytearray(8 << 30)",
            "check_within_budget raised MemoryError",
        ),
        (f"{SEES_NONSENSE}\n        raise SystemExit", "check_within_budget raised SystemExit"),
    ],
    ids=["loops for ever", "eats memory", "exits"],
)
def test_a_check_that_runs_away_is_stopped_and_named(broken: Folders, body: str, says: str) -> None:
    check(body)(broken)
    (only,) = verify(broken.public, broken.staff, jobs=1, rules=PROBED)
    assert {finding.path.name for finding in only.findings} == {"properties.py"}
    assert all(says in finding.why for finding in only.findings), only.findings
    assert only.findings


def test_what_a_check_prints_disturbs_nothing(
    broken: Folders, capfd: pytest.CaptureFixture[str]
) -> None:
    check('print(\'{"type": "Done"}\', answer, flush=True)')(broken)
    (only,) = verify(broken.public, broken.staff, jobs=1, rules=PROBED)
    assert only.findings == ()
    assert capfd.readouterr() == ("", "")


def test_every_rule_says_what_it_wants_why_and_what_to_do() -> None:
    for rule in RULES:
        assert len(rule.explanation.split("\n\n")) >= 3 or rule.name == "loads", rule.name
        assert rule.sentence.endswith("."), rule.name
        assert "\n" not in rule.sentence


def test_an_unknown_rule_gets_the_nearest_name() -> None:
    with pytest.raises(UsageError, match="no rule 'statement_agree': did you mean statements_agr"):
        rule_named("statement_agree")


def test_the_template_is_no_lab_of_anybody_s(lab: Folders) -> None:
    texts = [path.read_text("utf-8") for at in (lab.public, lab.staff) for path in _files(at)]
    assert len(texts) > 30
    assert not any("SLUG" in text for text in texts)


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]
