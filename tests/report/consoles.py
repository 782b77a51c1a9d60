"""Consoles for the tests of this folder: they write into memory and ignore the environment."""

from __future__ import annotations

import io

from rich.console import Console

from grader.model.report import CaseResult, GradeReport
from grader.report.to_terminal import print_report


def replay(row: CaseResult) -> str:
    return f"grader replay top_p_sets {row.id}"


def printed(
    report: GradeReport,
    *,
    lang: str = "en",
    width: int = 80,
    encoding: str = "utf-8",
    terminal: bool = False,
    environment: dict[str, str] | None = None,
) -> str:
    """What `print_report` writes; an encoding that cannot take it raises UnicodeEncodeError."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="strict", newline="")
    console = Console(
        file=stream,
        width=width,
        force_terminal=terminal,
        color_system="standard" if terminal else None,
        legacy_windows=False,
        _environ=environment or {},
    )
    print_report(console, report, lang=lang, replay=replay)
    stream.flush()
    raw = stream.buffer
    assert isinstance(raw, io.BytesIO)
    return raw.getvalue().decode(encoding)
