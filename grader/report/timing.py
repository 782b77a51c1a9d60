"""One line about a run that was over its time: what it used, what it might, what is usual."""

from __future__ import annotations

from grader.model.report import Timing
from grader.report.words import Words


def told(timing: Timing, words: Words) -> str:
    """The measured time, the limit that held and how it came about, the reference's time."""
    parts = [
        words.cpu_time.format(used=timing.cpu_seconds, limit=timing.cpu_limit_seconds),
        words.wall_time.format(used=timing.wall_seconds, limit=timing.wall_limit_seconds),
    ]
    if timing.reference_cpu_seconds is not None:
        parts.append(words.reference_time.format(seconds=timing.reference_cpu_seconds))
    if timing.repeated:
        parts.append(words.repeated_alone if timing.alone else words.repeated)
    if timing.factor > 1:
        parts.append(words.slower.format(factor=timing.factor))
    return words.semicolon.join(parts)
