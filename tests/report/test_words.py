"""The report speaks two languages, and neither lacks a word."""

from __future__ import annotations

import dataclasses
import string

import pytest

from grader.model.bundle import LANGUAGES
from grader.model.verdict import Verdict
from grader.report.words import EN, WORDS, ZH, mark


def _holes(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_every_language_of_the_labs_has_words() -> None:
    assert tuple(WORDS) == LANGUAGES


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_verdict_has_a_name(lang: str) -> None:
    assert set(WORDS[lang].verdicts) == set(Verdict)
    assert set(WORDS[lang].faults) == {"author", "grader"}


def test_both_languages_fill_in_the_same_values() -> None:
    for field in dataclasses.fields(EN):
        english, chinese = getattr(EN, field.name), getattr(ZH, field.name)
        if isinstance(english, str):
            assert _holes(english) == _holes(chinese), field.name
            assert english
            assert chinese


@pytest.mark.parametrize("encoding", ["utf-8", "gbk", "ascii"])
def test_a_mark_can_be_printed_and_tells_pass_from_fail(encoding: str) -> None:
    marks = {verdict: mark(verdict, encoding) for verdict in Verdict}
    "".join(marks.values()).encode(encoding)
    passed, skipped, failed = (
        marks[v] for v in (Verdict.ACCEPTED, Verdict.SKIPPED, Verdict.WRONG_ANSWER)
    )
    assert len({passed, skipped, failed, marks[Verdict.JUDGE_ERROR]}) == 4
    assert all(marks[verdict] == failed for verdict in Verdict if verdict.is_failure)
