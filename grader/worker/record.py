"""What a grading leaves behind, so that the replay command that is shown works as pasted.

<folder of the submission>/.grader/<slug>/report.json
                                          inputs/edge.check_mass.in.json   one per row
"""

from __future__ import annotations

import base64
import contextlib
import os
import stat
import tempfile
from pathlib import Path

from grader.errors import UsageError, writing_to
from grader.model.report import CaseResult, Counterexample, GradeReport, Replay
from grader.report.to_json import from_json, to_json

FOLDER = ".grader"


def save(report: GradeReport, beside: Path) -> Path:
    """Write the report and the inputs of its counterexamples; returns the report's path.

    Raises:
        OSError: the folder cannot be written.
    """
    folder = beside / FOLDER / report.problem
    inputs = folder / "inputs"
    inputs.mkdir(parents=True, exist_ok=True)
    for old in inputs.glob("*.in.json"):
        old.unlink()
    for row in report.rows:
        if row.counterexample and row.counterexample.exchanges[-1].generator is None:
            name = row.id.replace("/", ".") + ".in.json"
            write_atomically(inputs / name, stdin_of(row.counterexample))
    path = folder / "report.json"
    write_atomically(path, to_json(report).encode())
    return path


def write_output(path: Path, content: bytes) -> None:
    """`write_atomically` for a file that somebody has asked for.

    Raises:
        UsageError, OutputError, BrokenPipeError: see `errors.writing_to`; what was there before is
            kept, but for what a link names.
    """
    with writing_to(path):
        write_atomically(path, content)


def write_atomically(path: Path, content: bytes) -> None:
    """Replace a file whole or not at all: a full disk leaves the old one.

    A device, a pipe or a link (/dev/stdout) is written to as it is: it must never be replaced.

    Raises:
        OSError: it cannot be written; nothing is left behind.
    """
    if path.is_symlink() or (path.exists() and not path.is_file()):
        path.write_bytes(content)
        return
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        os.chmod(name, _mode_of(path))
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _mode_of(path: Path) -> int:
    """The mode that a file has, or would get here if it were new."""
    with contextlib.suppress(OSError):
        return stat.S_IMODE(path.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def stdin_of(counterexample: Counterexample) -> bytes:
    """The exact bytes of the input, also where they are not UTF-8."""
    last = counterexample.exchanges[-1]
    if last.stdin_base64 is not None:
        return base64.b64decode(last.stdin_base64)
    return last.stdin.encode()


def latest(start: Path) -> Path:
    """The newest report below `start`.

    Raises:
        UsageError: there is none.
    """
    reports = list(start.glob(f"{FOLDER}/*/report.json"))
    if not reports:
        raise UsageError(f"no report in {FOLDER}/ here: grade first, or name the report")
    return max(reports, key=lambda path: path.stat().st_mtime)


def reports(start: Path) -> dict[str, GradeReport]:
    """The reports below `start` that can be read, by lab."""
    found = {}
    for path in sorted(start.glob(f"{FOLDER}/*/report.json")):
        with contextlib.suppress(UsageError):
            report = read(path)
            found[report.problem] = report
    return found


def read(path: Path) -> GradeReport:
    """Read a saved report.

    Raises:
        UsageError: it is missing, or no report.
    """
    try:
        return from_json(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error


def submission_of(path: Path, report: GradeReport) -> Path:
    """Where the graded file lay: the folder that `.grader` is in."""
    folder = path.resolve().parent
    above = folder.parent.parent if folder.parent.name == FOLDER else folder
    return above / report.submission.name


def row_to_replay(report: GradeReport, row_id: str | None) -> CaseResult | None:
    """The row with this id, or the first one with a counterexample; None when nothing failed.

    Raises:
        UsageError: there is no such row, or it has nothing to run again.
    """
    rows = [row for row in report.rows if row_id in (None, row.id)]
    if row_id is not None and not rows:
        raise UsageError(f"the report has no row {row_id!r}")
    for row in rows:
        if row.counterexample is not None:
            return row
    if row_id is None:
        return None
    raise UsageError(f"{row_id} has no counterexample: nothing failed there")


def to_replay(row: CaseResult) -> Replay:
    """What to run again for a row: the input of each of its failures."""
    first = [row.counterexample] if row.counterexample else []
    more = [failure.counterexample for failure in row.also if failure.counterexample]
    return Replay(row=row.id, inputs=tuple((stdin_of(c), c.expects) for c in (*first, *more)))
