"""What a grading found: rows, groups of rows, and the report that is their fold.

The field names are those of the published JSON (`report.schema.json`): `report.to_json` writes
these classes as they stand, and `report.from_json` reads them back.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from grader.model.bundle import Text
from grader.model.verdict import Verdict

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One run as a person reads it: literal stdin, stdout, the end of stderr, the ending.

    Bytes that are not UTF-8 are shown escaped; then `stdin_base64` has the exact input.
    A generated input is named (`generator`, `seed`) and shown only by its beginning.
    """

    stdin: str
    stdout: str
    stderr: str
    ending: str
    stdin_base64: str | None = None
    generator: str | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Counterexample:
    """The smallest input found that shows a fault; the last exchange is the run on it.

    Earlier exchanges are runs that a metamorphic check compared with it. `expects` is the
    refusal code that is due, `expected` the right answer of a public case (as JSON text).
    `fully_shrunk` is false where the search for a smaller input was cut short.
    """

    given: str
    answer: str
    exchanges: tuple[Exchange, ...]
    runs: int
    fully_shrunk: bool = True
    expects: str | None = None
    expected: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """The run that was over its time: what it used, and the limits that held.

    Those limits are the lab's times `factor`, which is more than 1 on a machine that is slower
    than the one on which they were measured. `repeated` is whether the run had been made before
    and this is the second, `alone` whether no other grader of the machine repeated one meanwhile.
    `reference_cpu_seconds` is what the reference solution needed at most in this group, where the
    limits were measured; None where that is not known.
    """

    cpu_seconds: float
    wall_seconds: float
    cpu_limit_seconds: float
    wall_limit_seconds: float
    factor: float
    repeated: bool
    alone: bool
    reference_cpu_seconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """One way in which a row failed: what kind of failure, why, and the input that shows it."""

    verdict: Verdict
    detail: str
    counterexample: Counterexample | None = None
    timing: Timing | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RowUsage:
    """What the runs of a row used. Rows of one search share its runs: the first has them all.

    `repeated` counts the runs that had run out of time and were made once more before they
    counted. `calibration_seconds` and `factor` are the largest that were measured for that: how
    slow the machine was, and what the limits were multiplied by.
    """

    runs: int = 0
    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0
    peak_memory_bytes: int = 0
    repeated: int = 0
    calibration_seconds: float | None = None
    factor: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """One row. `id` is `group/name`, the same in the terminal, JSON, JUnit and file names.

    `also` has the row's further failures of another kind (a time-out beside a crash).
    `graded` is false when the row has no result that could count: then it earns nothing and
    holds the submission back. `fault` says whose, `author` or `grader`, if anybody's.
    """

    id: str
    verdict: Verdict
    points: float
    out_of: float
    sentence: Text = field(default_factory=dict)
    detail: str = ""
    counterexample: Counterexample | None = None
    timing: Timing | None = None
    also: tuple[CheckResult, ...] = ()
    usage: RowUsage = field(default_factory=RowUsage)
    staff_only: bool = False
    graded: bool = True
    fault: str | None = None
    staff_detail: str | None = None

    @property
    def group(self) -> str:
        return self.id.partition("/")[0]

    def for_students(self) -> CaseResult:
        """This row without what only staff may see."""
        if not self.staff_only:
            return replace(self, staff_detail=None)
        hidden = "this row is checked with inputs that are not shown"
        return replace(
            self,
            detail=hidden if self.verdict.is_failure else "",
            counterexample=None,
            timing=None,
            also=(),
            staff_detail=None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """What to run again: a row and its saved inputs (stdin, refusal code that is due or None)."""

    row: str
    inputs: tuple[tuple[bytes, str | None], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupResult:
    """The rows of one group and the points that they earned."""

    group: str
    points: float
    out_of: float
    rows: tuple[CaseResult, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedFile:
    """Which file was graded: its name and digest, so that a result can be traced back."""

    name: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxReport:
    """How the program was confined."""

    level: str
    layers: dict[str, bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeReport:
    """The whole result of grading one submission.

    `practice` is true when staff rows took no part; `public_out_of` is what the others are
    worth. `graded_completely` is false when any row, or a whole group, has no result.
    Same submission, bundle, seed and versions: equal but for `usage`, `timing` and
    `started_at`.
    """

    schema_version: int
    grader_version: str
    python_version: str
    hypothesis_version: str
    libraries: dict[str, str | None] = field(default_factory=dict)
    problem: str
    fingerprint: str
    staff_fingerprint: str | None
    submission: GradedFile
    seed: int | None
    seed_is_secret: bool
    examples: int | None
    sandbox: SandboxReport
    verdict: Verdict
    points: float
    out_of: float
    practice: bool
    public_out_of: float
    graded_completely: bool
    groups: tuple[GroupResult, ...]
    usage: RowUsage
    started_at: str

    @property
    def rows(self) -> tuple[CaseResult, ...]:
        return tuple(row for group in self.groups for row in group.rows)

    @property
    def is_finished(self) -> bool:
        """Whether every row of the lab was graded, and accepted."""
        return self.graded_completely and self.verdict is Verdict.ACCEPTED

    def for_students(self) -> GradeReport:
        """The report as a student may see it. The one place where staff-only data is dropped."""
        return replace(
            self,
            seed=None if self.seed_is_secret else self.seed,
            staff_fingerprint=None,
            groups=tuple(
                replace(group, rows=tuple(row.for_students() for row in group.rows))
                for group in self.groups
            ),
        )
