"""What the terminal report says, in English and in Chinese: a table of words, no logic."""

from __future__ import annotations

from dataclasses import dataclass

from grader.model.verdict import Verdict
from grader.report.shown import LEFT_OUT, LINES_LEFT_OUT, can_print


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """One language. Braces are filled in with `str.format`."""

    verdicts: dict[Verdict, str]

    not_graded: str
    not_every_row: str
    faults: dict[str, str]
    weak: str
    sandbox: str
    more_rows: str
    more_in_group: str

    group: str
    points: str
    rows: str
    total: str
    public_total: str
    so_far: str

    must_hold: str
    input: str
    printed: str
    stderr: str
    because: str
    expected: str
    compared: str
    it_printed: str
    also: str
    time: str
    note: str
    again: str

    cpu_time: str
    wall_time: str
    reference_time: str
    repeated: str
    repeated_alone: str
    slower: str
    semicolon: str

    generated: str
    nothing: str
    blank: str
    not_utf8: str
    not_shrunk: str
    left_out: str
    lines_left_out: str

    other_failures: str
    all_failures: str
    skipped: str
    not_shown: str
    accepted: str
    accepted_practice: str
    accepted_so_far: str
    failing: str
    runs: str


EN = Words(
    verdicts={
        Verdict.ACCEPTED: "accepted",
        Verdict.SKIPPED: "skipped",
        Verdict.WRONG_ANSWER: "wrong answer",
        Verdict.MALFORMED_OUTPUT: "malformed output",
        Verdict.CRASHED: "crashed",
        Verdict.OVER_OUTPUT: "over the output limit",
        Verdict.OVER_MEMORY: "over the memory limit",
        Verdict.OVER_TIME: "over the time limit",
        Verdict.JUDGE_ERROR: "could not be graded",
    },
    not_graded="Rows that could not be graded: {count} of {of}. There is no final score.",
    not_every_row="Only a part of the lab was graded. There is no final score.",
    faults={
        "author": "The lab is at fault, not your program: please tell the course staff.",
        "grader": "The grader is at fault, not your program: grade again, then tell the staff.",
    },
    weak="WEAK SANDBOX: programs are not confined here (missing: {layers}). "
    "Grade only code that you trust; this is practice.",
    sandbox="sandbox: {level}",
    more_rows="and {count} more",
    more_in_group="{group}: {count} more rows",
    group="group",
    points="points",
    rows="rows",
    total="{points} of {out_of} points",
    public_total="{points} of {out_of} public points (practice)",
    so_far="So far {total}: not final",
    must_hold="Must hold",
    input="Input",
    printed="Printed",
    stderr="Stderr",
    because="Because",
    expected="Expected",
    compared="Compared to",
    it_printed="It printed",
    also="Also",
    time="Time",
    note="Note",
    again="Again",
    cpu_time="CPU {used:.2f} of {limit:.4g} s",
    wall_time="clock {used:.1f} of {limit:.4g} s",
    reference_time="reference {seconds:.2f} s",
    repeated="repeated",
    repeated_alone="repeated alone",
    slower="limits times {factor:.2f} (slower machine)",
    semicolon="; ",
    generated="made by {generator}({seed}) in scale.py; it begins",
    nothing="(nothing)",
    blank="(only spaces or empty lines)",
    not_utf8="The input is not UTF-8 and is shown escaped; the command below has its exact bytes.",
    not_shrunk="The input is not fully shrunk: a smaller one may show the same fault.",
    left_out=LEFT_OUT,
    lines_left_out=LINES_LEFT_OUT,
    other_failures="Also failing",
    all_failures="Failing",
    skipped="{group}: {count} skipped: {detail}",
    not_shown="what they check is not shown",
    accepted="Every row holds. Well done!",
    accepted_practice="Every public row holds. Well done! The final grading has more rows.",
    accepted_so_far="Every row that was graded holds.",
    failing="Failing rows: {count} of {of}",
    runs="{runs:,} runs in {seconds:.1f} s",
)

ZH = Words(
    verdicts={
        Verdict.ACCEPTED: "通过",
        Verdict.SKIPPED: "跳过",
        Verdict.WRONG_ANSWER: "答案错误",
        Verdict.MALFORMED_OUTPUT: "输出格式错误",
        Verdict.CRASHED: "程序崩溃",
        Verdict.OVER_OUTPUT: "输出超限",
        Verdict.OVER_MEMORY: "内存超限",
        Verdict.OVER_TIME: "超时",
        Verdict.JUDGE_ERROR: "无法评分",
    },
    not_graded="{of} 项中有 {count} 项无法评分，没有最终成绩。",
    not_every_row="只评了这个实验的一部分，没有最终成绩。",
    faults={
        "author": "这是实验题目的问题，不是你的程序的问题：请告诉课程教师。",
        "grader": "这是评分系统的问题，不是你的程序的问题：请重新评分，若再次出现请告诉教师。",
    },
    weak="弱沙箱：程序在这里没有被隔离（缺少：{layers}）。只运行你信任的代码；结果仅供练习。",
    sandbox="沙箱：{level}",
    more_rows="另有 {count} 项",
    more_in_group="{group}：另有 {count} 项",
    group="测试组",
    points="得分",
    rows="项目",
    total="{points} / {out_of} 分",
    public_total="公开部分 {points} / {out_of} 分（练习）",
    so_far="目前 {total}，尚非最终成绩",
    must_hold="应满足",
    input="输入",
    printed="程序输出",
    stderr="错误输出",
    because="原因",
    expected="应输出",
    compared="对照输入",
    it_printed="对照输出",
    also="另有问题",
    time="时间",
    note="注意",
    again="重新运行",
    cpu_time="CPU {used:.2f} 秒，限 {limit:.4g} 秒",
    wall_time="实际 {used:.1f} 秒，限 {limit:.4g} 秒",
    reference_time="参考解答 {seconds:.2f} 秒",
    repeated="已重测",
    repeated_alone="已单独重测",
    slower="本机较慢，时限放宽到 {factor:.2f} 倍",
    semicolon="；",
    generated="由 scale.py 的 {generator}({seed}) 生成，开头为",
    nothing="（无）",
    blank="（只有空格或空行）",
    not_utf8="输入不是 UTF-8，这里以转义形式显示；下面的命令使用原始字节。",
    not_shrunk="输入没有缩到最小：可能有更小的输入显示同样的错误。",
    left_out="… 省略 {count:,} 个字符 …",
    lines_left_out="… 省略 {count:,} 行 …",
    other_failures="其他未通过的项目",
    all_failures="未通过的项目",
    skipped="{group}：跳过 {count} 项：{detail}",
    not_shown="检查内容不公开",
    accepted="全部项目通过，做得好！",
    accepted_practice="全部公开项目通过，做得好！最终评分还有更多项目。",
    accepted_so_far="已评分的项目全部通过。",
    failing="未通过 {count} / {of} 项",
    runs="运行 {runs:,} 次，用时 {seconds:.1f} 秒",
)

WORDS = {"en": EN, "zh": ZH}

_MARKS = {Verdict.ACCEPTED: "✓", Verdict.SKIPPED: "–", Verdict.JUDGE_ERROR: "!"}
_ASCII_MARKS = {Verdict.ACCEPTED: "ok", Verdict.SKIPPED: "-", Verdict.JUDGE_ERROR: "!"}


def mark(verdict: Verdict, encoding: str) -> str:
    """A sign for a verdict; plain ASCII where the stream cannot print `✓` (a GBK console)."""
    if can_print("✓✗–", encoding):
        return _MARKS.get(verdict, "✗")
    return _ASCII_MARKS.get(verdict, "x")
