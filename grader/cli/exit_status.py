"""What the exit status of `grader` means, and where each is made."""

from __future__ import annotations

from enum import IntEnum

from grader.errors import (
    BundleError,
    GraderError,
    JournalError,
    OutputError,
    SandboxError,
    UsageError,
    WorkerError,
)
from grader.model.report import GradeReport
from grader.model.verdict import Verdict


class ExitStatus(IntEnum):
    """0 everything accepted · 1 graded, not everything accepted · 2 usage · 3 the lab is at fault
    · 4 the grader, its sandbox or this machine is at fault · 5 nothing was graded · 130 interrupted
    · 141 nobody reads the output any more (`grader … | head`)."""

    ACCEPTED = 0
    NOT_ACCEPTED = 1
    USAGE = 2
    BUNDLE = 3
    GRADER = 4
    NOTHING_GRADED = 5
    INTERRUPTED = 130
    READER_GONE = 141
    TERMINATED = 143


def of_report(report: GradeReport) -> ExitStatus:
    """A fault of ours or of the lab's outweighs everything that the program did."""
    faults = {row.fault for row in report.rows}
    if "grader" in faults:
        return ExitStatus.GRADER
    if "author" in faults:
        return ExitStatus.BUNDLE
    settled = [row for row in report.rows if row.graded and row.verdict is not Verdict.SKIPPED]
    if not settled:
        return ExitStatus.NOTHING_GRADED
    accepted = report.verdict is Verdict.ACCEPTED
    return ExitStatus.ACCEPTED if accepted else ExitStatus.NOT_ACCEPTED


def of_error(error: GraderError) -> ExitStatus:
    """Whose fault an error is."""
    if isinstance(error, UsageError):
        return ExitStatus.USAGE
    if isinstance(error, BundleError):
        return ExitStatus.BUNDLE
    if isinstance(error, SandboxError | WorkerError | JournalError | OutputError):
        return ExitStatus.GRADER
    return ExitStatus.NOTHING_GRADED
