"""A GradeReport becomes what GitHub Actions shows: annotations, and the summary of a step.

    ::error file=mine.py,line=1,title=edge/check_mass%3A wrong answer::...
    ::group::edge/check_mass
    ::stop-commands::TOKEN
    what the program read and printed: no line of it is a command
    ::TOKEN::
    ::endgroup::

A runner takes a line for a command also when it is indented, and `##[error]` anywhere in a line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from grader.model.report import CaseResult, GradeReport
from grader.model.verdict import Verdict
from grader.report.failure import most_helpful
from grader.report.markdown import code, fenced, table
from grader.report.sections import number, plain, sections, sentence_of, spoilers, total
from grader.report.shown import cut, visible
from grader.report.words import WORDS, mark

MOST_OF_A_KIND = 10
"""GitHub shows no more errors, warnings or notices of a step, each."""

_MOST_MESSAGE = 500
_MOST_IN_FULL = 10
_MOST_LISTED = 50
_BUDGET = 250_000
"""Bytes of failures in full. A summary of more than 1 MiB is not shown at all."""

_ORDER = tuple(Verdict)


def to_annotations(report: GradeReport, *, path: str, lang: str, token: str) -> str:
    """The lines to print: at most ten errors, ten warnings and ten notices, the worst first.

    Args:
        path: the graded file, relative to the root of the repository.
        token: ends the text of failures; drawn at random after the program has run.

    Raises:
        ValueError: the token is so short that it could be guessed, or is no word.
    """
    if len(token) < 16 or not (token.isascii() and token.isalnum()):
        raise ValueError("a token has at least 16 letters and digits")
    lines: list[str] = []
    for kind, found in (
        ("error", _errors(report, lang)),
        ("warning", _warnings(report, lang)),
        ("notice", _notices(report, lang)),
    ):
        lines += [_command(kind, path, *one) for one in _at_most_ten(list(found), lang)]
    for row in most_helpful(report.rows, _MOST_IN_FULL):
        lines += [f"::group::{_data(visible(row.id))}", f"::stop-commands::{token}"]
        lines += [plain(row, lang), f"::{token}::", "::endgroup::"]
    return "".join(f"{line}\n" for line in lines)


Note = tuple[str, str]
"""A title and a message."""


def _errors(report: GradeReport, lang: str) -> Iterator[Note]:
    failing = [row for row in report.rows if row.verdict.is_failure]
    for row in sorted(failing, key=lambda row: -_ORDER.index(row.verdict)):
        yield _of_row(row, lang)


def _warnings(report: GradeReport, lang: str) -> Iterator[Note]:
    for sentence in spoilers(report, lang):
        yield report.problem, sentence
    for row in report.rows:
        if not row.graded:
            yield _of_row(row, lang)


def _notices(report: GradeReport, lang: str) -> Iterator[Note]:
    if points := total(report, lang):
        yield report.problem, points
    skipped = [row for row in report.rows if row.graded and row.verdict is Verdict.SKIPPED]
    words = WORDS[lang]
    for (group, why), count in Counter((row.group, row.detail) for row in skipped).items():
        why = why or words.not_shown
        yield report.problem, words.skipped.format(group=group, count=count, detail=why)


def _of_row(row: CaseResult, lang: str) -> Note:
    message = "\n".join(filter(None, (sentence_of(row, lang), visible(row.detail))))
    return f"{row.id}: {WORDS[lang].verdicts[row.verdict]}", message


def _at_most_ten(notes: list[Note], lang: str) -> list[Note]:
    more = len(notes) - MOST_OF_A_KIND
    if more <= 0:
        return notes
    rest = WORDS[lang].more_rows.format(count=more + 1)
    return [*notes[: MOST_OF_A_KIND - 1], (rest, rest)]


def _command(kind: str, path: str, title: str, message: str) -> str:
    shown = visible(cut(message, _MOST_MESSAGE), lines=True) or visible(title)
    where = f"file={_property(path)},line=1,title={_property(cut(title, _MOST_MESSAGE))}"
    return f"::{kind} {where}::{_data(shown)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(visible(text)).replace(":", "%3A").replace(",", "%2C")


def step_summary(report: GradeReport, *, lang: str) -> str:
    """Markdown for `$GITHUB_STEP_SUMMARY`: points by group, then failures in full."""
    words = WORDS[lang]
    parts = [f"### {code(report.problem)} {code(report.submission.name)}"]
    parts += [f"**{sentence}**" for sentence in spoilers(report, lang)]
    parts += [f"**{points}**" for points in [total(report, lang)] if points]
    parts.append(_groups(report, lang))
    if ungraded := [row for row in report.rows if not row.graded]:
        parts.append("\n".join(_listed(ungraded, lang)))
    shown: list[CaseResult] = []
    left = _BUDGET
    for row in most_helpful(report.rows, _MOST_IN_FULL):
        text = _in_full(row, lang)
        left -= len(text.encode())
        if left < 0:
            break
        shown.append(row)
        parts.append(text)
    others = [row for row in report.rows if row.verdict.is_failure and row not in shown]
    if others:
        parts.append(f"**{words.other_failures if shown else words.all_failures}**")
        parts.append("\n".join(_listed(others, lang)))
    return "\n\n".join(parts) + "\n"


def _groups(report: GradeReport, lang: str) -> str:
    """Points only where they are final."""
    words, final = WORDS[lang], report.graded_completely
    heads = ["", words.group, *([words.points] if final else []), words.rows]
    rows = []
    for group in report.groups:
        passed = sum(row.verdict is Verdict.ACCEPTED for row in group.rows)
        worst = max((row.verdict for row in group.rows), key=_ORDER.index)
        points = [f"{number(group.points)} / {number(group.out_of)}"] if final else []
        rows.append(
            [mark(worst, "utf-8"), code(group.group), *points, f"{passed} / {len(group.rows)}"]
        )
    return table(heads, rows, frozenset(range(2, len(heads))))


def _in_full(row: CaseResult, lang: str) -> str:
    words = WORDS[lang]
    parts = [f"#### {mark(row.verdict, 'utf-8')} {code(row.id)} {words.verdicts[row.verdict]}"]
    for section in sections(row, lang):
        if section.literal:
            parts += [f"{section.label}:", fenced(section.text)]
        else:
            parts.append(f"{section.label}: {code(section.text)}")
    return "\n\n".join(parts)


def _listed(rows: Iterable[CaseResult], lang: str) -> Iterator[str]:
    rows, words = list(rows), WORDS[lang]
    for row in rows[:_MOST_LISTED]:
        texts = code(cut(row.id, _MOST_MESSAGE)), code(cut(row.detail, _MOST_MESSAGE))
        yield f"- {texts[0]} {words.verdicts[row.verdict]} {texts[1]}".rstrip()
    if len(rows) > _MOST_LISTED:
        yield "- " + words.more_rows.format(count=len(rows) - _MOST_LISTED)
