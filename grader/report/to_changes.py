"""What another grading changes: whose points, in which rows, and what had changed before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from grader.model.course import Entry
from grader.model.report import CaseResult, GradeReport
from grader.report.shown import visible


def to_changes(pairs: Iterable[tuple[Entry, Entry]]) -> Iterator[str]:
    """Lines of text: every submission whose points or rows change, then how many do not.

    Args:
        pairs: of each submission the line that counts and the one that was proposed.
    """
    same = 0
    for now, proposed in pairs:
        lines = list(_of_rows(now.report, proposed.report))
        if not lines and now.points == proposed.points:
            same += 1
            continue
        who = visible(f"{now.student} {now.problem}")
        yield f"{who}: {_told(now)} → {_told(proposed)}{_by_hand(now)}"
        yield f"  because {_why(now, proposed)}"
        yield from (f"  {line}" for line in lines)
    yield f"{same} submissions keep their points and rows"


def _told(entry: Entry) -> str:
    report = entry.report
    if report is None:
        return "no report"
    return f"{report.points:g} points" + ("" if report.graded_completely else " (not final)")


def _by_hand(entry: Entry) -> str:
    if entry.override is None:
        return ""
    return f" (but {entry.override.points:g} were given by hand, and go on counting)"


def _why(now: Entry, proposed: Entry) -> str:
    old, new = now.report, proposed.report
    if old is None or new is None:
        return "one of the gradings gave no report"
    reasons = [
        f"{what} changed"
        for what, before, after in (
            ("the submission", old.submission.digest, new.submission.digest),
            ("the lab", old.fingerprint, new.fingerprint),
            ("the staff's part of the lab", old.staff_fingerprint, new.staff_fingerprint),
            ("the grader", old.grader_version, new.grader_version),
            ("Python", old.python_version, new.python_version),
            ("Hypothesis", old.hypothesis_version, new.hypothesis_version),
            *_libraries(old, new),
            ("the sandbox's level", old.sandbox.level, new.sandbox.level),
            ("the seed", old.seed, new.seed),
        )
        if before != after
    ]
    return ", ".join(reasons) or "two gradings of the same differ: the program is not deterministic"


def _libraries(old: GradeReport, new: GradeReport) -> Iterator[tuple[str, object, object]]:
    for name, before in old.libraries.items():
        if name in new.libraries:
            yield name, before, new.libraries[name]


def _of_rows(old: GradeReport | None, new: GradeReport | None) -> Iterator[str]:
    before = {row.id: row for row in old.rows} if old else {}
    after = {row.id: row for row in new.rows} if new else {}
    for row_id in [*before, *(name for name in after if name not in before)]:
        was, comes = before.get(row_id), after.get(row_id)
        if _result(was) != _result(comes):
            detail = f": {visible(comes.detail)}" if comes and comes.detail else ""
            yield f"{row_id}: {_shown(was)} → {_shown(comes)}{detail}"


def _result(row: CaseResult | None) -> tuple[str, float, float] | None:
    return (row.verdict, row.points, row.out_of) if row else None


def _shown(row: CaseResult | None) -> str:
    if row is None:
        return "no such row"
    return f"{row.verdict.replace('_', ' ')} {row.points:.4g}/{row.out_of:.4g}"
