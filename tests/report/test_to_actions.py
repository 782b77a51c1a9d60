"""What GitHub Actions shows: read back by the rules of its runner, and by a Markdown parser."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from markdown_it import MarkdownIt

from grader.model.report import GradeReport
from grader.model.verdict import Verdict
from grader.report.shown import visible
from grader.report.to_actions import step_summary, to_annotations
from tests.report.hostile import forbidden_in, hostile_text
from tests.report.reports import GIVEN, SENTENCE, counterexample, exchange, report, row
from tests.report.workflow_commands import Log, read

TOKEN = "0123456789abcdef" * 2
MIB = 1 << 20


def _read(graded: GradeReport, *, path: str = "labs/mine.py", lang: str = "en") -> Log:
    return read(to_annotations(graded, path=path, lang=lang, token=TOKEN))


def _graded() -> GradeReport:
    found = counterexample(exchange(stdout="three\n"))
    return report(
        row("edge/a"),
        row("edge/check_order", Verdict.WRONG_ANSWER, detail="kept 3", counterexample=found),
        row("edge/slow", Verdict.OVER_TIME),
        row("scale/large", Verdict.SKIPPED, detail="not run: edge has to pass first"),
    )


def test_failures_are_errors_on_the_file_the_worst_first() -> None:
    errors = _read(_graded()).of("error")
    assert [properties["title"] for properties, _ in errors] == [
        "edge/slow: over the time limit",
        "edge/check_order: wrong answer",
    ]
    assert {properties["file"] for properties, _ in errors} == {"labs/mine.py"}
    assert errors[1][1] == f"{SENTENCE['en']}\nkept 3"


def test_points_and_what_was_skipped_are_notices() -> None:
    log = _read(_graded())
    told = [message for _, message in log.of("notice")]
    assert told == [
        "2.5 of 10 points",
        "scale: 1 skipped: not run: edge has to pass first",
    ]
    assert not log.of("warning")


def test_what_could_not_be_graded_is_a_warning_and_there_are_no_points() -> None:
    fault = {"detail": "check_sum raised", "fault": "author"}
    log = _read(report(row("edge/a"), row("edge/sum", Verdict.JUDGE_ERROR, **fault)))
    warnings = [message for _, message in log.of("warning")]
    assert "There is no final score." in warnings[0]
    assert "check_sum raised" in warnings[2]
    assert not log.of("notice")
    assert not log.of("error")


def test_ten_of_a_kind_are_shown_and_the_last_says_how_many_are_left() -> None:
    rows = [row(f"edge/{place}", Verdict.WRONG_ANSWER) for place in range(25)]
    rows += [row(f"normal/{place}", Verdict.JUDGE_ERROR) for place in range(25)]
    rows += [row(f"g{place}/x", Verdict.SKIPPED, detail="no torch") for place in range(25)]
    log = _read(report(*rows, graded_completely=True))
    assert [len(log.of(kind)) for kind in ("error", "warning", "notice")] == [10, 10, 10]
    assert log.of("error")[-1][1] == "and 16 more"


def test_the_input_is_in_the_log_between_commands() -> None:
    log = _read(_graded())
    assert GIVEN.strip() in log.shown
    assert "three" in log.shown
    assert [data for _, data in log.of("group")] == ["edge/check_order"]


@settings(deadline=None)
@given(hostile_text)
def test_whatever_a_program_prints_is_no_command(text: str) -> None:
    text = f"{text}\n::error::forged\n  ::add-mask::e\n##[error]forged\n::{'f' * 32}::\n##[set-env]"
    found = counterexample(exchange(text, text, stderr=text), exchange(text, text, stderr=text))
    more = {"detail": text, "counterexample": found, "sentence": {"en": text}}
    verdicts = (Verdict.CRASHED, Verdict.WRONG_ANSWER, Verdict.JUDGE_ERROR, Verdict.SKIPPED)
    rows = [row(f"edge/{v}{text}", v, **more) for v in verdicts]
    log = _read(report(*rows, problem=text), path=text)
    kinds = ("error", "warning", "notice", "add-mask", "set-env")
    assert [len(log.of(kind)) for kind in kinds] == [2, 2, 1, 0, 0]
    assert all(message != "forged" for _, message in log.of("error"))
    assert all(properties["file"] == visible(text) for properties, _ in log.of("error"))


@pytest.mark.parametrize("token", ["", "short", "0123456789abcde::", "漢" * 20])
def test_a_token_that_could_be_guessed_or_misread_is_refused(token: str) -> None:
    with pytest.raises(ValueError, match="16 letters and digits"):
        to_annotations(_graded(), path="mine.py", lang="en", token=token)


def test_signs_with_a_meaning_survive_in_titles_and_messages() -> None:
    odd = "100%: a,b %0A\nc\r"
    rows = [row(f"edge/{odd}", Verdict.CRASHED, detail=odd, sentence={"en": odd})]
    properties, message = _read(report(*rows), path="a,b:c%.py").of("error")[0]
    assert properties["file"] == "a,b:c%.py"
    assert properties["title"] == f"edge/{visible(odd)}: crashed"
    assert message == f"{odd[:-1]}\\r\n{visible(odd)}"


class _Outside(HTMLParser):
    """The tags of a page, and its text outside code."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text, self.tags, self._inside = "", set[str](), 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self._inside += tag == "code"

    def handle_endtag(self, tag: str) -> None:
        self._inside -= tag == "code"

    def handle_data(self, data: str) -> None:
        self.text += "" if self._inside else data


def _texts(markdown: str) -> tuple[set[str], str]:
    """The kinds of tokens in Markdown, and all text that is neither code nor a fence."""
    kinds, text = set(), []
    for token in MarkdownIt("commonmark").enable("table").parse(markdown):
        for one in [token, *(token.children or [])]:
            kinds.add(one.type)
            if one.type == "text":
                text.append(one.content)
    return kinds, " ".join(text)


def test_the_summary_has_the_points_by_group_and_the_failures_in_full() -> None:
    summary = step_summary(_graded(), lang="en")
    kinds, text = _texts(summary)
    assert {"table_open", "fence", "heading_open"} <= kinds
    assert "2.5 of 10 points" in text
    assert "2.5 / 7.5" in text
    assert GIVEN in summary
    assert "`edge/slow` over the time limit" in summary


def test_the_summary_of_an_incomplete_grading_has_no_points() -> None:
    fault = {"detail": "check_sum raised", "fault": "author"}
    rows = [row("edge/a", points=1.37, out_of=6.11), row("edge/sum", Verdict.JUDGE_ERROR, **fault)]
    summary = step_summary(report(*rows), lang="en")
    assert "There is no final score." in summary
    assert "`check_sum raised`" in summary
    assert "1 / 2" in summary, "rows are counted"
    assert "1.37" not in summary
    assert "points" not in summary


@pytest.mark.parametrize("letter", ["x", "漢", "\U000e0041", "`"])
def test_the_summary_is_never_so_large_that_github_leaves_it_out(letter: str) -> None:
    texts = [f"{place}{letter * 5_000}" for place in range(40)]
    rows = []
    for place, text in enumerate(texts):
        found = counterexample(exchange(text, text), exchange(text, text, stderr=text))
        more = {"detail": text, "counterexample": found}
        rows.append(row(f"g{place}/{text[:500]}", Verdict.CRASHED, **more))
    summary = step_summary(report(*rows), lang="zh")
    assert len(summary.encode()) <= MIB
    assert "g39" in summary, "those that are not shown in full are listed"


@settings(deadline=None)
@given(hostile_text)
def test_the_summary_shows_hostile_text_as_code_only(text: str) -> None:
    text = f"{text}\n```\n# forged @everyone ![x](https://x.example) <img src=x>\n````"
    found = counterexample(exchange(text, text, stderr=text), exchange(text, text, stderr=text))
    more = {"detail": text, "counterexample": found, "sentence": {"en": text}}
    verdicts = (Verdict.CRASHED, Verdict.WRONG_ANSWER, Verdict.JUDGE_ERROR)
    rows = [row(f"edge{text.replace('/', '')}/{v}", v, **more) for v in verdicts]
    summary = step_summary(report(*rows, problem=text), lang="en")
    assert not forbidden_in(summary)
    page = _Outside()
    page.feed(MarkdownIt("commonmark").enable("table").render(summary))
    assert not {"a", "img"} & page.tags
    assert "Must hold" in page.text
    assert "forged" not in page.text
    assert "everyone" not in page.text
