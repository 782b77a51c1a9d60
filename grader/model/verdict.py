"""Is it right? One word for every row of a report, in order from best to worst."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Verdict(StrEnum):
    """The members stand in order: a later one is worse than an earlier one."""

    ACCEPTED = "accepted"
    SKIPPED = "skipped"
    WRONG_ANSWER = "wrong_answer"
    MALFORMED_OUTPUT = "malformed_output"
    CRASHED = "crashed"
    OVER_OUTPUT = "over_output"
    OVER_MEMORY = "over_memory"
    OVER_TIME = "over_time"
    JUDGE_ERROR = "judge_error"

    @property
    def is_failure(self) -> bool:
        """True when the program, not the judge and not a prerequisite, is at fault."""
        return self not in (Verdict.ACCEPTED, Verdict.SKIPPED, Verdict.JUDGE_ERROR)


_ORDER = {verdict: place for place, verdict in enumerate(Verdict)}


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The worst of several verdicts; `skipped` when there is none."""
    return max(verdicts, key=_ORDER.__getitem__, default=Verdict.SKIPPED)
