"""Makes reports for the tests of this folder: a row or a report with what a test does not name."""

from __future__ import annotations

from typing import Any

from grader.model.report import (
    CaseResult,
    Counterexample,
    Exchange,
    GradedFile,
    GradeReport,
    GroupResult,
    RowUsage,
    SandboxReport,
)
from grader.model.verdict import Verdict, worst

SENTENCE = {
    "en": "The set is the smallest whose weights reach p: no kept token can be left out.",
    "zh": "集合是权重达到 p 的最小集合：保留的 token 一个也不能少。",
}
GIVEN = '{"weights": ["2", "1", "1"], "p": "1/2", "min_keep": 1}\n'


def exchange(
    stdin: str = GIVEN, stdout: str = '{"ok": true, "kept": [0, 1]}\n', **more: Any
) -> Exchange:
    return Exchange(**{"stdin": stdin, "stdout": stdout, "stderr": "", "ending": "exited"} | more)


def counterexample(*exchanges: Exchange, **more: Any) -> Counterexample:
    """The last exchange is the run that shows the fault; without one, there is an ordinary run."""
    exchanges = exchanges or (exchange(),)
    last = exchanges[-1]
    given: dict[str, Any] = {
        "given": last.stdin,
        "answer": last.stdout,
        "exchanges": exchanges,
        "runs": 212,
    }
    return Counterexample(**given | more)


def row(row_id: str, verdict: Verdict = Verdict.ACCEPTED, **more: Any) -> CaseResult:
    earned = 2.5 if verdict is Verdict.ACCEPTED else 0.0
    graded = verdict is not Verdict.JUDGE_ERROR
    usual: dict[str, Any] = {"points": earned, "out_of": 2.5, "graded": graded}
    return CaseResult(id=row_id, verdict=verdict, **usual | {"sentence": SENTENCE} | more)


def report(*rows: CaseResult, **more: Any) -> GradeReport:
    names = dict.fromkeys(row.group for row in rows)
    groups = tuple(_group(name, [row for row in rows if row.group == name]) for name in names)
    out_of = sum(group.out_of for group in groups)
    usual: dict[str, Any] = {
        "schema_version": 1,
        "grader_version": "1.0.0",
        "python_version": "3.11.9",
        "hypothesis_version": "6.155.2",
        "libraries": {"numpy": "2.4.6", "torch": None},
        "problem": "top_p_sets",
        "fingerprint": "sha256:" + "0" * 64,
        "staff_fingerprint": "sha256:" + "1" * 64,
        "submission": GradedFile(name="mine.py", digest="sha256:" + "2" * 64),
        "seed": 0,
        "seed_is_secret": False,
        "examples": None,
        "sandbox": SandboxReport(level="standard", layers={"seccomp": True, "landlock": True}),
        "verdict": worst(row.verdict for row in rows),
        "points": sum(group.points for group in groups),
        "out_of": out_of,
        "practice": False,
        "public_out_of": out_of,
        "graded_completely": all(row.graded for row in rows),
        "groups": groups,
        "usage": RowUsage(
            runs=1240, cpu_seconds=2.1, wall_seconds=3.0, peak_memory_bytes=9_000_000
        ),
        "started_at": "2026-11-29T12:00:00Z",
    }
    return GradeReport(**usual | more)


def _group(name: str, rows: list[CaseResult]) -> GroupResult:
    return GroupResult(
        group=name,
        points=sum(row.points for row in rows),
        out_of=sum(row.out_of for row in rows),
        rows=tuple(rows),
    )
