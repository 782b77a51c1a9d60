"""Which rows a grading has, what each says and what each is worth: known before anything runs.

Shares: every check, `group/answers`, every code of refusal, and *all fixed cases of a group
together* are one share each, and the shares of a group are equal. Fixed cases weigh little
because a table of them is no solution. Rows of the staff share the group's `staff_points`.
"""

from __future__ import annotations

from dataclasses import dataclass

from grader.bundles.properties import REFUSING_GROUP, Check, Properties
from grader.errors import BundleError
from grader.model.bundle import Bundle, Case, TestGroup, Text

ANSWERS = "answers"
_CASE: Text = {
    "en": "The answer to this fixed input is right.",
    "zh": "对这个固定输入的回答正确。",
}
_ANSWERS: Text = {
    "en": "Every legal input gets a well-formed answer, in time.",
    "zh": "每个合法输入都按时得到格式正确的回答。",
}
_REFUSED: Text = {
    "en": "Every faulty input is refused, not answered, and nothing crashes.",
    "zh": "每个有错的输入都被明确拒绝，不作回答，也不崩溃。",
}


def _code_sentence(code: str) -> Text:
    return {
        "en": f"An input whose first fault is {code!r} is refused with that code.",
        "zh": f"第一个错误为 {code!r} 的输入，以这个错误码拒绝。",
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row to be graded; exactly one of `case`, `check` and `code` is set, or none (answers)."""

    id: str
    out_of: float
    sentence: Text
    staff_only: bool = False
    case: Case | None = None
    check: Check | None = None
    code: str | None = None

    @property
    def name(self) -> str:
        return self.id.partition("/")[2]

    @property
    def is_large(self) -> bool:
        """Whether its input is made by a generator: near the stated limits, seconds long."""
        return self.case is not None and self.case.generator is not None

    @property
    def arguments(self) -> tuple[str, ...]:
        """What its check wants to be told."""
        return tuple(self.check.arguments) if self.check else ()

    @property
    def relates_runs(self) -> bool:
        """Whether it compares the program's runs on several inputs."""
        return "run" in self.arguments


def plan(bundle: Bundle, properties: Properties, *, staff: bool) -> dict[str, tuple[Row, ...]]:
    """The rows of every group, fixed cases first.

    Args:
        staff: whether rows that only staff have take part.

    Raises:
        BundleError: a group promises points to staff rows that it does not have, or the reverse.
    """
    return {
        group.name: tuple(
            row for row in _rows(bundle, group, properties) if staff or not row.staff_only
        )
        for group in bundle.groups
    }


def _rows(bundle: Bundle, group: TestGroup, properties: Properties) -> list[Row]:
    drawn = group.name in properties.strategies
    checks = properties.checks_of(group.name) if drawn else ()
    codes = bundle.refusals if drawn and group.name == REFUSING_GROUP else ()
    public = [case for case in group.cases if not case.staff_only]
    hidden = [case for case in group.cases if case.staff_only]
    own = [check for check in checks if not check.staff_only]
    theirs = [check for check in checks if check.staff_only]
    shares = _cases_share(public, drawn) + drawn + len(codes) + len(own)
    share = _worth(group.points - group.staff_points, shares)
    staff_shares = _cases_share(hidden, drawn) + len(theirs)
    if bundle.staff and bool(staff_shares) != bool(group.staff_points):
        key, path = f"group {group.name}", bundle.path / "problem.toml"
        why = f"staff_points is {group.staff_points}, with {staff_shares} shares of staff rows"
        raise BundleError(path, key, why)
    staff_share = _worth(group.staff_points, staff_shares)

    def row(name: str, out_of: float, sentence: Text, **what: object) -> Row:
        return Row(id=f"{group.name}/{name}", out_of=out_of, sentence=sentence, **what)  # type: ignore[arg-type]

    def cases(which: list[Case], share: float, *, hidden: bool) -> list[Row]:
        each = share if not drawn else _worth(share, len(which))
        return [row(case.name, each, _CASE, case=case, staff_only=hidden) for case in which]

    answers = _REFUSED if group.name == REFUSING_GROUP else _ANSWERS
    return [
        *cases(public, share, hidden=False),
        *([row(ANSWERS, share, answers)] if drawn else ()),
        *(row(f"refuses_{code}", share, _code_sentence(code), code=code) for code in codes),
        *(row(check.name, share, check.sentence, check=check) for check in own),
        *cases(hidden, staff_share, hidden=True),
        *(row(c.name, staff_share, c.sentence, check=c, staff_only=True) for c in theirs),
    ]


def _cases_share(cases: list[Case], drawn: bool) -> int:
    return min(1, len(cases)) if drawn else len(cases)


def _worth(points: float, shares: int) -> float:
    return points / shares if shares else 0.0
