"""The screen that a student must understand in two seconds."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.model.bundle import LANGUAGES
from grader.model.report import CaseResult, CheckResult, GradedFile, SandboxReport
from grader.model.verdict import Verdict
from grader.report.screen import Screen
from grader.report.to_terminal import row_line
from tests.report.consoles import printed, replay
from tests.report.hostile import forbidden_in, hostile_text
from tests.report.reports import counterexample, exchange, report, row

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_WEAK = SandboxReport(level="weak", layers={"seccomp": False})


def _failing(row_id: str, verdict: Verdict = Verdict.WRONG_ANSWER, **more: object) -> CaseResult:
    usual: dict[str, object] = {"detail": f"why {row_id}", "counterexample": counterexample()}
    return row(row_id, verdict, **usual | more)


def _in_full(text: str) -> list[str]:
    """The ids of the failures that are shown in full, in their order."""
    return re.findall(r"^✗ (\S+): ", text, re.MULTILINE)


def test_rows_that_could_not_be_graded_come_before_everything_else() -> None:
    broken = row("edge/b", Verdict.JUDGE_ERROR, detail="check_b raised KeyError", fault="author")
    first = printed(report(_failing("edge/a"), broken, sandbox=_WEAK)).split("\n")
    assert first[0] == "! Rows that could not be graded: 1 of 2. There is no final score."
    assert "check_b raised KeyError" in first[1]
    assert "not your program" in first[2]
    assert first[3].startswith("! WEAK SANDBOX")


def test_a_row_without_a_result_holds_the_score_back_whatever_its_verdict() -> None:
    missing = row("edge/b", Verdict.SKIPPED, graded=False, detail="needs torch")
    text = printed(report(row("edge/a"), missing))
    assert "no final score" in text.split("\n")[0]
    assert "So far 2.5 of 5 points: not final" in text


def test_a_part_of_the_groups_is_no_final_score() -> None:
    text = printed(report(row("edge/a"), graded_completely=False))
    assert text.startswith("! Only a part of the lab was graded. There is no final score.\n")


@pytest.mark.parametrize(("lang", "loud"), [("en", "WEAK SANDBOX"), ("zh", "弱沙箱")])
def test_a_weak_sandbox_is_said_loudly_in_the_first_line(lang: str, loud: str) -> None:
    assert loud in printed(report(row("edge/a"), sandbox=_WEAK), lang=lang).split("\n")[0]
    assert loud not in printed(report(row("edge/a")), lang=lang)


def test_practice_counts_public_points() -> None:
    text = printed(report(row("a/b"), practice=True, points=71, public_out_of=80, out_of=100))
    assert "71 of 80 public points (practice)" in text


def test_points_are_never_rounded_up_to_all_of_them() -> None:
    assert "99.99 of 100 points" in printed(report(row("a/b"), points=99.9967, out_of=100))
    assert "72.5 of 100 points" in printed(report(row("a/b"), points=72.5, out_of=100))
    assert "0.29 of 100 points" in printed(report(row("a/b"), points=0.29, out_of=100))


def test_an_accepted_report_is_one_short_screen() -> None:
    text = printed(report(*(row(f"{group}/{n}") for group in "abcdef" for n in range(9))))
    assert len(text.split("\n")) < 20
    assert "Well done" in text
    assert "Again" not in text


def test_three_failures_are_shown_in_full_and_the_others_on_a_line_each() -> None:
    text = printed(report(*(_failing(f"edge/{name}") for name in "abcde")))
    assert _in_full(text) == ["edge/a", "edge/b", "edge/c"]
    assert "✗ edge/d wrong answer: why edge/d\n✗ edge/e wrong answer: why edge/e\n" in text


def test_what_can_be_worked_out_by_hand_is_shown_before_what_cannot() -> None:
    rows = (
        _failing("edge/slow", Verdict.OVER_TIME),
        _failing("edge/large", counterexample=counterexample(exchange("1" * 2000))),
        _failing("edge/small"),
        _failing("edge/crash", Verdict.CRASHED),
    )
    assert _in_full(printed(report(*rows))) == ["edge/small", "edge/crash", "edge/slow"]


def test_every_group_has_its_say_before_one_repeats_itself() -> None:
    rows = (_failing("edge/a"), _failing("edge/b"), _failing("normal/a"), _failing("scale/a"))
    assert _in_full(printed(report(*rows))) == ["edge/a", "normal/a", "scale/a"]


def test_one_reason_is_explained_once() -> None:
    rows = [_failing(f"{group}/a", Verdict.CRASHED, detail="SyntaxError") for group in "abc"]
    text = printed(report(*rows))
    assert _in_full(text) == ["a/a"]
    assert "✗ b/a crashed: SyntaxError\n✗ c/a crashed: SyntaxError\n" in text


def test_a_long_input_is_one_unbroken_line_that_can_be_pasted() -> None:
    given_text = '{"weights": [' + ", ".join(map(str, range(100))) + '], "p": "1/2"}\n'
    shown = printed(
        report(_failing("edge/a", counterexample=counterexample(exchange(given_text)))), width=40
    )
    assert f"\n    {given_text}" in shown


def test_the_command_that_runs_it_again_is_unbroken_on_a_narrow_screen() -> None:
    failing = _failing("edge/check_with_a_long_name")
    assert f"    {replay(failing)}\n" in printed(report(failing), width=40)


def test_the_end_of_stderr_explains_a_crash() -> None:
    stderr = "\n".join(f"frame {n}" for n in range(40)) + "\nKeyError: 'p'\n"
    crash = counterexample(exchange(stdout="{}", stderr=stderr))
    text = printed(report(_failing("edge/a", Verdict.CRASHED, counterexample=crash)))
    assert "KeyError: 'p'" in text
    assert "frame 39" in text
    assert "frame 20" not in text
    wrong = printed(report(_failing("edge/a", counterexample=crash)))
    assert "KeyError" not in wrong


@pytest.mark.parametrize(
    ("stdout", "shown"), [("", "(nothing)"), (" \n\n", "(only spaces or empty lines)")]
)
def test_an_output_that_cannot_be_seen_is_named(stdout: str, shown: str) -> None:
    found = counterexample(exchange(stdout=stdout))
    text = printed(report(_failing("edge/a", Verdict.MALFORMED_OUTPUT, counterexample=found)))
    assert f"Printed      {shown}" in text


def test_two_results_for_one_input_show_the_input_once() -> None:
    unstable = counterexample(exchange(stdout="first"), exchange(stdout="second"))
    text = printed(report(_failing("edge/a", counterexample=unstable)))
    assert "Compared to" not in text
    assert "Printed      second" in text
    assert "It printed   first" in text


def test_an_input_that_is_not_utf8_is_said_to_be_escaped() -> None:
    found = counterexample(exchange(r"{\xff", stdin_base64="e/8="))
    assert "not UTF-8" in printed(report(_failing("edge/a", counterexample=found)))


def test_rows_of_the_staff_fail_without_a_word_about_their_input() -> None:
    hidden = _failing("edge/hidden", staff_only=True).for_students()
    text = printed(report(hidden))
    assert "✗ edge/hidden wrong answer: this row is checked with inputs" in text
    assert "Input" not in text


def test_skipped_rows_are_gathered_by_reason() -> None:
    waiting = "not run: edge has to pass first"
    rows = [row(f"scale/{n}", Verdict.SKIPPED, detail=waiting) for n in range(3)]
    assert f"– scale: 3 skipped: {waiting}\n" in printed(report(_failing("edge/a"), *rows))


def test_a_skipped_row_of_the_staff_says_that_it_is_not_shown() -> None:
    hidden = row("scale/9", Verdict.SKIPPED, detail="not run", staff_only=True)
    shown = printed(report(_failing("edge/a"), hidden).for_students())
    assert "– scale: 1 skipped: what they check is not shown\n" in shown


def test_text_of_a_student_is_no_markup() -> None:
    found = counterexample(exchange(stdout="[bold red]x[/] [/nonsense] :smile:"))
    text = printed(report(_failing("edge/a", detail="[b]", counterexample=found)))
    assert "[bold red]x[/] [/nonsense] :smile:" in text
    assert "Because      [b]" in text


def test_a_gbk_console_gets_chinese_and_ascii_marks() -> None:
    text = printed(report(row("edge/a"), _failing("edge/b")), lang="zh", encoding="gbk")
    assert "x edge/b: 答案错误" in text
    assert "✗" not in text


def test_a_console_without_chinese_gets_english() -> None:
    text = printed(report(_failing("edge/a")), lang="zh", encoding="ascii")
    assert "Must hold    The set is the smallest" in text


def test_no_terminal_gets_plain_text_and_no_color_gets_no_colour() -> None:
    a_report = report(_failing("edge/a"))
    assert "\x1b" not in printed(a_report)
    red = "\x1b[31m"
    assert red in printed(a_report, terminal=True)
    assert red not in printed(a_report, terminal=True, environment={"NO_COLOR": "1"})


def test_a_row_is_one_line_however_long_its_reason() -> None:
    screen = Screen(lang="en", width=80)
    failing = _failing("edge/a", detail="first\nsecond " + "x" * 500)
    line = row_line(failing, screen)
    assert line.plain.startswith(r"✗ edge/a wrong answer: first\nsecond x")
    assert line.no_wrap
    assert row_line(row("edge/a"), screen).plain == "✓ edge/a"


@settings(deadline=None, max_examples=50)
@given(
    hostile_text,
    st.sampled_from(LANGUAGES),
    st.sampled_from([40, 80]),
    st.sampled_from(["utf-8", "gbk", "ascii"]),
    st.sampled_from([Verdict.CRASHED, Verdict.WRONG_ANSWER, Verdict.JUDGE_ERROR]),
)
def test_hostile_text_is_shown_and_never_obeyed(
    text: str, lang: str, width: int, encoding: str, verdict: Verdict
) -> None:
    run = exchange(text, text, stderr=text, stdin_base64="")
    found = counterexample(run, exchange(text + "2"), run, expects=text, fully_shrunk=False)
    more = {
        "detail": text,
        "sentence": {lang: text},
        "counterexample": found,
        "also": (CheckResult(verdict=Verdict.CRASHED, detail=text),),
        "staff_detail": text,
    }
    skipped = row("scale/x", Verdict.SKIPPED, detail=text)
    rows = [row(f"edge{text}/{n}", verdict, **more) for n in range(2)] + [skipped]
    file = GradedFile(name=text, digest="")
    hostile = report(*rows, submission=file, problem=text)
    plain = printed(hostile, lang=lang, width=width, encoding=encoding)
    assert not forbidden_in(plain)
    coloured = printed(hostile, lang=lang, width=width, encoding=encoding, terminal=True)
    assert not forbidden_in(_COLOUR.sub("", coloured))
