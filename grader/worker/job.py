"""What goes into a judging process and what comes out of it, as JSON lines.

parent ── Job ──► worker          one line on its stdin
parent ◄─ Event ─ worker          one line each: Opened, then Progress and Result, then Done;
                                  or Failed
"""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

from grader.model.bundle import Text
from grader.model.report import CaseResult, Replay
from grader.model.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Grade one file against one lab.

    `examples` overrides the number of drawn inputs. `accept_weak` grades staff rows even where
    the sandbox is weak. `done` has the verdicts of rows that an earlier worker settled. `replay`
    asks for one row on saved inputs instead of a grading.
    """

    problem: str
    staff: str | None
    name: str
    source: bytes
    seed: int = 0
    examples: int | None = None
    groups: tuple[str, ...] = ()
    level: str | None = None
    accept_weak: bool = False
    done: dict[str, Verdict] = field(default_factory=dict)
    replay: Replay | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRow:
    """A row that will be graded: enough to report it even if nothing comes of it."""

    id: str
    out_of: float
    sentence: Text
    staff_only: bool


class Event(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """What a worker says."""


class Opened(Event, frozen=True, kw_only=True):
    """The lab is loaded and the sandbox is open; the rows that will come, in order."""

    slug: str
    fingerprint: str
    staff_fingerprint: str | None
    practice: bool
    public_out_of: float
    level: str
    layers: dict[str, bool]
    why_not_better: str
    longest_run_seconds: float
    hypothesis_version: str
    rows: tuple[PlannedRow, ...]


class Progress(Event, frozen=True, kw_only=True):
    """So many runs of this group are done. Sent at most a few times a second."""

    group: str
    runs: int


class Result(Event, frozen=True, kw_only=True):
    row: CaseResult


class Done(Event, frozen=True, kw_only=True):
    """All rows have been sent."""


class Failed(Event, frozen=True, kw_only=True):
    """Nothing can be graded: `fault` is `bundle`, `sandbox`, `usage` or `packages`."""

    fault: str
    message: str
    path: str = ""
    key: str = ""


AnyEvent = Opened | Progress | Result | Done | Failed

encode = msgspec.json.Encoder().encode
decode_event = msgspec.json.Decoder(AnyEvent).decode
decode_job = msgspec.json.Decoder(Job).decode
