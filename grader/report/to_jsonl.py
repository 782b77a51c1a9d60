"""A class becomes JSON Lines: one submission per line, with the whole report in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from grader.model.course import Entry
from grader.report.json_text import json_text


def to_jsonl(entries: Iterable[Entry], *, staff: bool) -> Iterator[str]:
    """One line per entry, each with its line feed; nothing is kept from line to line.

    `points` is null while there is no final score. `submitted_at` and `waited_seconds` are the
    submission's times, `graded_at` and `graded_seconds` those of its grading. `report` is the
    published report object, or null.

    Args:
        staff: whether staff's view is written; else what students may see: their view of the
            reports, and neither what went wrong in the machinery nor why points were given by
            hand and by whom.
    """
    for entry in entries:
        yield json_text(_line(entry, staff=staff)) + "\n"


def _line(entry: Entry, *, staff: bool) -> dict[str, Any]:
    report = entry.report if staff or entry.report is None else entry.report.for_students()
    override = msgspec.to_builtins(entry.override)
    if override is not None and not staff:
        override = {"points": override["points"], "at": override["at"]}
    return {
        "student": entry.student,
        "name": entry.name,
        "email": entry.email,
        "problem": entry.problem,
        "path": entry.path,
        "digest": entry.digest,
        "state": entry.state.value,
        "tries": entry.tries,
        "error": entry.error if staff else "",
        "points": entry.points,
        "override": override,
        "submitted_at": entry.submitted_at,
        "waited_seconds": entry.waited_seconds,
        "graded_at": entry.graded_at,
        "graded_seconds": entry.graded_seconds,
        "report": msgspec.to_builtins(report),
    }
