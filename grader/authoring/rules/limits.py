"""Rules about the limits: no right program is cut off, no slow one slips through."""

from __future__ import annotations

from collections.abc import Iterator

from grader.authoring.evidence import Evidence
from grader.authoring.pace_record import (
    FILE,
    Record,
    cuts_off,
    digest,
    least_limit,
    leaves_room,
    read_record,
)
from grader.authoring.rules.rule import Finding, rule
from grader.model.bundle import Case, TestGroup


@rule()
def limits_were_measured(evidence: Evidence) -> Iterator[Finding]:
    """solutions/<slug>/pace.json has a run of every right and too slow solution as they are now.

    A limit that nobody measured is a guess, and a guess is unfair to somebody.

    Run `grader pace PROBLEM --write` at a quiet moment.
    """
    lab = evidence.lab
    record, path = read_record(lab.staff), lab.staff / FILE
    if record is None:
        yield Finding(path=path, why=f"is missing: run `grader pace {lab.bundle.slug} --write`")
        return
    measured = {(run.case, run.stdin_sha256) for run in record.runs}
    for group in lab.bundle.groups:
        missing = [case.name for case in group.cases if _at(group, case) not in measured]
        if missing:
            why = f"no solution was measured on it as it is now{_and_others(missing)}"
            yield Finding(path=path, key=f"{group.name}/{missing[0]}", why=why)
    of_each = {(run.digest, run.case, run.stdin_sha256) for run in record.runs}
    every = [_at(group, case) for group in lab.bundle.groups for case in group.cases]
    for program in (lab.reference, *lab.right, *lab.too_slow):
        own = digest(program.source)
        if not any(run.digest == own and run.program == program.name for run in record.runs):
            yield Finding(path=path, key=program.name, why="was not measured as it is now")
        elif program not in lab.too_slow:  # those are measured up to the first that is over
            left = [at[0] for at in every if at in measured and (own, *at) not in of_each]
            if left:
                why = f"was not measured on {left[0]}{_and_others(left)}, as it is now"
                yield Finding(path=path, key=program.name, why=why)


def _and_others(names: list[str]) -> str:
    return f", nor on {len(names) - 1} others" if names[1:] else ""


def _at(group: TestGroup, case: Case) -> tuple[str, str | None]:
    """What a record says of an input: where it stands, and the digest of its bytes."""
    stdin = case.stdin_sha256 if case.stdin is None else digest(case.stdin)
    return f"{group.name}/{case.name}", stdin


@rule()
def limits_leave_room(evidence: Evidence) -> Iterator[Finding]:
    """Each group's CPU limit is at least 3 times what the slowest right solution needs, and at most
    a third of what the fastest too slow one needs; its wall limit is not below it.

    Between them lies every style of a right program on every machine; outside, a verdict depends
    on luck. Three times a sixth of a second is no limit at all: none is below one second.

    `grader pace PROBLEM` proposes a limit. Where none fits, make the input larger, or the contract
    gentler.
    """
    lab = evidence.lab
    record, path = read_record(lab.staff), lab.bundle.path / "problem.toml"
    for group in lab.bundle.groups if record else ():
        assert record is not None
        limit, key = group.limits.cpu_seconds, f"group {group.name}"
        slowest = record.slowest_right(lab, group.name)
        if not leaves_room(limit, slowest):
            why = f"{limit:g} CPU seconds; the slowest right solution needs {slowest:.3g}, and "
            why += f"{least_limit(slowest):.3g} would leave it room"
            yield Finding(path=path, key=key, why=why)
        if group.limits.wall_seconds < limit:
            why = f"{group.limits.wall_seconds:g} wall seconds are less than {limit:g} of CPU"
            yield Finding(path=path, key=key, why=why)
        yield from _too_slow(evidence, record, group.name, limit)


def _too_slow(evidence: Evidence, record: Record, group: str, limit: float) -> Iterator[Finding]:
    slow = record.fastest_too_slow(evidence.lab, group)
    if slow and not cuts_off(limit, slow):
        why = f"{limit:g} CPU seconds; {slow.program} needs only "
        why += f"{slow.cpu_seconds:.3g}{' or more' if slow.over else ''}"
        path = evidence.lab.bundle.path / "problem.toml"
        yield Finding(path=path, key=f"group {group}", why=why)


RULES = (limits_were_measured, limits_leave_room)
