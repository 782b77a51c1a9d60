"""A row, and what spoils a report, as plain text: what other systems show in a box of their own.

    Must hold: a sentence
    Input:
    {"weights": ["2", "1"]}

Everything is escaped and cut here, so that an export only has to place it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass

from grader.model.report import CaseResult, Counterexample, Exchange, GradeReport
from grader.model.verdict import Verdict
from grader.report.shown import cut, cut_lines, visible
from grader.report.timing import told
from grader.report.words import WORDS, Words

MOST = 1_000
"""Characters of one piece of text, where an export has no reason of its own."""

OUT_OF = 100
"""What a lab is worth in a class's table: `Entry.points` are of so many."""

_MOST_LINES = 30
_MOST_COMPARED = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A label and what belongs to it. A literal has lines of its own and may be pasted."""

    label: str
    text: str
    literal: bool = False


def sections(row: CaseResult, lang: str, most: int = MOST) -> Iterator[Section]:
    """What there is to say of a row, in the order in which it is read.

    Args:
        most: characters of one piece; a longer one loses its middle and says so.
    """
    words = WORDS[lang]
    prose = [(words.must_hold, sentence_of(row, lang))]
    if row.fault in words.faults:
        prose.append((words.note, words.faults[row.fault]))
    yield from _prose(prose, most)
    if row.counterexample:
        yield from _run(row, row.counterexample.exchanges[-1:], words, most)
    prose = [(words.because, row.detail), (words.note, row.staff_detail or "")]
    prose.append((words.time, told(row.timing, words) if row.timing else ""))
    yield from _prose(prose, most)
    if row.counterexample:
        yield from _beside(row.counterexample, words, most)
    also = [(words.also, f"{words.verdicts[o.verdict]}: {o.detail}") for o in row.also]
    yield from _prose(also, most)


def plain(row: CaseResult, lang: str, most: int = MOST) -> str:
    """The sections of a row as lines of text."""
    parts = []
    for section in sections(row, lang, most):
        parts.append(f"{section.label}:{chr(10) if section.literal else ' '}{section.text}")
    return "\n".join(parts)


def sentence_of(row: CaseResult, lang: str) -> str:
    """What must hold, in this language or in the one that there is."""
    return row.sentence.get(lang) or next(iter(row.sentence.values()), "")


def _prose(pairs: list[tuple[str, str]], most: int) -> Iterator[Section]:
    for label, text in pairs:
        if text:
            yield Section(label=label, text=visible(cut(text, most)))


def _literal(label: str, text: str, words: Words, most: int) -> Section:
    if not text.strip():
        return Section(label=label, text=words.blank if text else words.nothing)
    shorter = cut(text.removesuffix("\n"), most, words.left_out)
    shorter = cut_lines(shorter, _MOST_LINES, words.lines_left_out)
    return Section(label=label, text=visible(shorter, lines=True), literal=True)


def _run(row: CaseResult, last: tuple[Exchange, ...], words: Words, most: int) -> Iterator[Section]:
    for run in last:
        yield _input(words.input, run, words, most)
        yield _literal(words.printed, run.stdout, words, most)
        if run.stderr.strip() and (row.verdict is Verdict.CRASHED or not run.stdout.strip()):
            yield _literal(words.stderr, run.stderr, words, most)


def _input(label: str, run: Exchange, words: Words, most: int) -> Section:
    if run.generator is None:
        return _literal(label, run.stdin, words, most)
    made = words.generated.format(generator=run.generator, seed=run.seed)
    return _literal(label, f"{made}\n{run.stdin}", words, most)


def _beside(found: Counterexample, words: Words, most: int) -> Iterator[Section]:
    if found.expects is not None:
        refusal = json.dumps({"ok": False, "error": found.expects}, ensure_ascii=False)
        yield _literal(words.expected, refusal, words, most)
    elif found.expected is not None:
        yield _literal(words.expected, found.expected, words, most)
    for run in found.exchanges[:-1][:_MOST_COMPARED]:
        if run.stdin != found.given:
            yield _input(words.compared, run, words, most)
        yield _literal(words.it_printed, run.stdout, words, most)
    if not found.fully_shrunk:
        yield Section(label=words.note, text=words.not_shrunk)


def spoilers(report: GradeReport, lang: str) -> list[str]:
    """Sentences on what stands in the way of a final score, and a weak sandbox."""
    words, lines = WORDS[lang], []
    rows = [row for row in report.rows if not row.graded or row.verdict is Verdict.JUDGE_ERROR]
    if rows:
        lines.append(words.not_graded.format(count=len(rows), of=len(report.rows)))
        faults = sorted({row.fault for row in rows if row.fault})
        lines += [words.faults.get(fault, fault) for fault in faults]
    elif not report.graded_completely:
        lines.append(words.not_every_row)
    if report.sandbox.level == "weak":
        missing = ", ".join(name for name, on in report.sandbox.layers.items() if not on) or "?"
        lines.append(words.weak.format(layers=missing))
    return [visible(line) for line in lines]


def worth(report: GradeReport) -> float:
    """What all rows that could take part are worth: in practice, the public ones."""
    return report.public_out_of if report.practice else report.out_of


def total(report: GradeReport, lang: str) -> str:
    """The points in words; empty where there is no final score, as no number may stand for it."""
    if not report.graded_completely:
        return ""
    wording = WORDS[lang].public_total if report.practice else WORDS[lang].total
    return wording.format(points=number(report.points), out_of=number(worth(report)))


def number(points: float) -> str:
    """Two decimals at most, and never rounded up to more than was earned."""
    return f"{math.floor(points * 100 + 1e-6) / 100:.2f}".rstrip("0").rstrip(".")
