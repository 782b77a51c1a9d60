"""What goes into a judging process and what comes out of it, as JSON lines.

parent ── Job ──► worker          one line on its stdin
parent ◄─ Event ─ worker          one line each: Opened, then Progress and what the task finds
                                  (Result, Probed, Tried), then Done; or Failed
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

import msgspec

from grader.model.bundle import Text
from grader.model.report import CaseResult, Replay
from grader.model.verdict import Verdict


class Task(StrEnum):
    """What is asked of a worker."""

    GRADE = "grade"
    """Grade the program: a Result for each row."""
    REPLAY = "replay"
    """Run one row on saved inputs again: one Result."""
    PROBE = "probe"
    """Look for faults of the lab's own code; the program is the reference: Probed for each."""
    HUNT = "hunt"
    """Run every variant until a row fails; the program is the reference: Tried for each."""
    SURVEY = "survey"
    """Find every row that each variant fails; the program is the reference: Surveyed for each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A mutant of the reference, or a wrong solution and the rows that it is to fail."""

    name: str
    source: bytes
    predicted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Do one task with one file and one lab.

    `examples` overrides the number of drawn inputs. `accept_weak` grades staff rows even where
    the sandbox is weak. `done` has the verdicts of rows that an earlier worker settled. Without
    `shrink` a failure is shown on an input as it was drawn. `replay` belongs to its task, and so
    do `variants`.
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
    hash_seed: int = 0
    shrink: bool = True
    task: Task = Task.GRADE
    replay: Replay | None = None
    variants: tuple[Variant, ...] = ()


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


class Probed(Event, frozen=True, kw_only=True):
    """A fault of the lab's own code, see `judging.probe.Flaw`."""

    group: str
    name: str
    detail: str
    trace: str


class Tried(Event, frozen=True, kw_only=True):
    """What became of a variant: the row that it failed first, see `judging.hunt`."""

    name: str
    row: str | None
    verdict: Verdict | None
    detail: str
    unnoticed: bytes | None


class Failing(msgspec.Struct, frozen=True, kw_only=True):
    """A row that a variant fails."""

    row: str
    verdict: Verdict
    detail: str
    staff_only: bool


class Surveyed(Event, frozen=True, kw_only=True):
    """Every row that a variant fails, in the groups of the job."""

    name: str
    failing: tuple[Failing, ...]


class Done(Event, frozen=True, kw_only=True):
    """Everything has been sent."""


class Failed(Event, frozen=True, kw_only=True):
    """Nothing can be graded: `fault` is `bundle`, `sandbox`, `usage` or `packages`."""

    fault: str
    message: str
    path: str = ""
    key: str = ""


AnyEvent = Opened | Progress | Result | Probed | Tried | Surveyed | Done | Failed

encode = msgspec.json.Encoder().encode
decode_event = msgspec.json.Decoder(AnyEvent).decode
decode_job = msgspec.json.Decoder(Job).decode
