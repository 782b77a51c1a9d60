"""`grader verify`: a lab against every rule, see `authoring.rules`.

read the lab ──► gather what the rules need (authoring.evidence) ──► rule after rule
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.authoring.evidence import KINDS, Evidence, gather
from grader.authoring.lab import open_lab
from grader.authoring.rules import files, limits, solutions, texts
from grader.authoring.rules.rule import Finding, Rule, rule
from grader.errors import BundleError, UsageError, WorkerError


@rule()
def loads(_: Evidence) -> Iterator[Finding]:
    """problem.toml, schemas, cases, properties.py and expect.toml can be read and are well-formed.

    Points of all groups sum to 100, every check has its sentence in English and in Chinese, and
    staff_points belong to rows that exist. Nothing else can be looked at before.

    The message names the file, the key in it, and what is wrong.
    """
    return iter(())  # `verify` catches what reading and running raise


RULES: tuple[Rule, ...] = (
    loads,
    *texts.RULES,
    *files.RULES,
    *limits.RULES,
    *solutions.RULES,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """A rule and what it found, in one lab."""

    rule: Rule
    findings: tuple[Finding, ...]


def rule_named(name: str) -> Rule:
    """Raises UsageError where there is none; the message has the nearest name."""
    from grader.bundles.find import nearest

    for known in RULES:
        if known.name == name:
            return known
    hint = nearest(name, [known.name for known in RULES])
    raise UsageError(f"there is no rule {name!r}: {hint}")


def verify(
    folder: Path,
    staff: Path,
    *,
    jobs: int,
    rules: Sequence[Rule] = RULES,
    notice: Callable[[int, int], None] = lambda _done, _all: None,
) -> list[Verified]:
    """Look at a lab under every rule, in their order.

    Args:
        folder, staff: the lab's two folders.
        jobs: judging processes at a time.
        rules: those to look at.
        notice: called with how many runs of programs are done, of how many.

    Raises:
        SandboxError, WorkerError: our own fault; nothing is known of the lab.
    """
    needed = [kind for kind in KINDS if any(kind in rule.needs for rule in rules)]
    try:
        lab = open_lab(folder, staff)
        _ = (lab.expectations, lab.reference)
        evidence = gather(lab, needed, jobs, notice)
        return [Verified(rule=rule, findings=tuple(rule.find(evidence))) for rule in rules]
    except BundleError as error:
        finding = Finding(path=Path(error.path), key=error.key, why=error.why)
        return [Verified(rule=loads, findings=(finding,))]
    except WorkerError as error:
        if error.fault != "author":
            raise
        finding = Finding(path=folder / "properties.py", why=str(error))
        return [Verified(rule=solutions.every_row_has_a_result, findings=(finding,))]
