"""Rules about the statement: what a student reads is complete, the same twice, and true."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from grader.authoring.evidence import Evidence
from grader.authoring.lab import Lab
from grader.authoring.rules.rule import Finding, rule
from grader.judging.compare import first_difference
from grader.model.bundle import LANGUAGES

_HEADING = re.compile(r"^(#{1,6}) ", re.MULTILINE)
_FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def _path(lab: Lab, lang: str) -> Path:
    return lab.bundle.path / f"statement.{lang}.md"


@rule()
def statement_in_every_language(evidence: Evidence) -> Iterator[Finding]:
    """The statement is there in English and in Chinese.

    Half of the course reads the other language; a lab without its text is a riddle for them.

    Write statement.en.md and statement.zh.md.
    """
    for lang, text in evidence.lab.statements.items():
        if not text.strip():
            yield Finding(path=_path(evidence.lab, lang), why="is missing or empty")


@rule()
def statements_agree(evidence: Evidence) -> Iterator[Finding]:
    """Both languages have the same JSON samples and the same levels of headings.

    When one text is mended and the other is not, two students solve two different labs.

    Copy the samples byte for byte, and give both texts the same sections in the same order.
    """
    lab = evidence.lab
    if not all(text.strip() for text in lab.statements.values()):
        return
    english, chinese = (lab.samples(lang) for lang in LANGUAGES)
    if len(english) != len(chinese):
        why = f"has {len(chinese)} JSON samples, the English statement has {len(english)}"
        yield Finding(path=_path(lab, "zh"), why=why)
    for place, (left, right) in enumerate(zip(english, chinese, strict=False), start=1):
        if left[0] != right[0]:
            why = "is not that of the English statement"
            yield Finding(path=_path(lab, "zh"), key=f"JSON sample {place}", why=why)
            return
    levels = [_HEADING.findall(_FENCED.sub("", text)) for text in lab.statements.values()]
    if levels[0] != levels[1]:
        counts = f"{len(levels[0])} headings in English, {len(levels[1])} in Chinese"
        yield Finding(
            path=_path(lab, "zh"), key="headings", why=f"differ in level or number: {counts}"
        )


@rule()
def example_is_a_case(evidence: Evidence) -> Iterator[Finding]:
    """Every input in the statement is a public case, and the answer shown for it is the right one.

    Students compare with the example first. If it is wrong, or not what is graded, they doubt
    themselves, and then everything.

    Save the sample as cases/normal/01-worked-example.in.json (`grader answers` writes the answer),
    and show that answer after it. Mark JSON that is no sample as another kind of block.
    """
    lab = evidence.lab
    if not lab.statements["en"].strip():
        return
    path = _path(lab, "en")
    if not any(answer is not None for _, answer in lab.examples):
        yield Finding(path=path, why="has no worked example: a JSON input, then its JSON answer")
    for place, (given, answer) in enumerate(lab.examples, start=1):
        found = lab.case_of(given)
        if found is None:
            yield Finding(path=path, key=f"worked example {place}", why="is not a public case")
        elif answer is not None and first_difference(found[1].answer, answer):
            why = f"the answer shown is not that of {found[0]}"
            yield Finding(path=path, key=f"worked example {place}", why=why)


@rule()
def statement_tells_the_limits(evidence: Evidence) -> Iterator[Finding]:
    """Each statement has a table line for every group with its CPU seconds and MiB, in this order.

    A limit that nobody can read is a trap, and one that is wrong is a lie.

    Write a line such as "| `normal` | … | 2 | 256 |" for every group, with the figures of
    problem.toml.
    """
    lab = evidence.lab
    for lang, text in lab.statements.items():
        lines = text.splitlines()
        for group in lab.bundle.groups if text.strip() else ():
            line = next((line for line in lines if line.startswith(f"| `{group.name}` |")), None)
            cells = [cell.strip() for cell in line.split("|")] if line else []
            cpu, memory = f"{group.limits.cpu_seconds:g}", f"{group.limits.memory_bytes >> 20}"
            if cpu not in cells or memory not in cells[cells.index(cpu) + 1 :]:
                why = f"does not say in a table line that the limits are {cpu} s and {memory} MiB"
                yield Finding(path=_path(lab, lang), key=f"group {group.name}", why=why)


@rule()
def statement_tells_the_refusals(evidence: Evidence) -> Iterator[Finding]:
    """Each statement names every code of refusal, in the order in which they are looked for.

    Which code is right when an input has two faults is part of the contract.

    List the codes as `code` in the order of `refusals` in problem.toml.
    """
    lab = evidence.lab
    for lang, text in lab.statements.items():
        rows = [line for line in text.splitlines() if line.startswith("|")]
        said = re.findall(r"`([a-z0-9_]+)`", "\n".join(rows))
        known = list(dict.fromkeys(code for code in said if code in lab.bundle.refusals))
        if text.strip() and known != list(lab.bundle.refusals):
            why = f"its tables name the codes {', '.join(known) or '(none)'}; in problem.toml: "
            why += ", ".join(lab.bundle.refusals)
            yield Finding(path=_path(lab, lang), key="refusals", why=why)


RULES = (
    statement_in_every_language,
    statements_agree,
    example_is_a_case,
    statement_tells_the_limits,
    statement_tells_the_refusals,
)
