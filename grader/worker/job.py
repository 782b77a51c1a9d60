"""What goes into a judging process and what comes out of it, as JSON lines.

parent ── Job ──► worker          one line on its stdin
parent ◄─ Event ─ worker          one line each: Opened, then Progress and what the task finds
                                  (Result, Probed, Tried), then Done; or Failed

Who grades gets its groups one by one, in parts, so that several workers can share a grading:

parent ── Turn ─► worker          one line; the end of stdin when there is nothing left
parent ◄─ Result, …, TurnOver ─ worker
"""

from __future__ import annotations

from dataclasses import dataclass
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


IN_TURNS = (Task.GRADE, Task.REPLAY)
"""Tasks for which a worker is told what to do by Turns."""


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
    the sandbox is weak. Without `shrink` a failure is shown on an input as it was drawn. `shared`
    is a file in which gradings keep for one another what the reference gave. `replay`
    belongs to its task, and so do `variants`.
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
    hash_seed: int = 0
    shrink: bool = True
    shared: str | None = None
    task: Task = Task.GRADE
    replay: Replay | None = None
    variants: tuple[Variant, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Grade these rows of a group; the groups in `passed` have passed."""

    group: str
    rows: tuple[str, ...]
    passed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedGroup:
    """A group that will be graded: its parts, by the ids of their rows, and the groups that have
    to pass first."""

    name: str
    after: tuple[str, ...]
    parts: tuple[tuple[str, ...], ...]


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
    """The lab is loaded and the sandbox is open; its rows, and the chosen groups, in order."""

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
    libraries: dict[str, str | None]
    rows: tuple[PlannedRow, ...]
    groups: tuple[PlannedGroup, ...]


class Progress(Event, frozen=True, kw_only=True):
    """So many runs of this group are done. Sent at most a few times a second."""

    group: str
    runs: int


class Result(Event, frozen=True, kw_only=True):
    row: CaseResult


class TurnOver(Event, frozen=True, kw_only=True):
    """The rows of the last Turn are graded."""


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
    """Nothing can be graded: `fault` is `bundle`, `sandbox`, `level`, `usage` or `packages`."""

    fault: str
    message: str
    path: str = ""
    key: str = ""


AnyEvent = Opened | Progress | Result | TurnOver | Probed | Tried | Surveyed | Done | Failed

encode = msgspec.json.Encoder().encode
decode_event = msgspec.json.Decoder(AnyEvent).decode
decode_job = msgspec.json.Decoder(Job).decode
decode_turn = msgspec.json.Decoder(Turn).decode
