"""What a Gradescope kit does with a submission: `python -m grader.kits.on_gradescope /autograder`.

    submission/… ──► the one file to grade ──► grader grade ──► results/results.json
                └──► none, or several: score 0, and which file is expected

A score is written where the grading is complete, and else none, with an exit status that is not 0:
then nobody gets points that are not theirs, and staff see that the autograder failed.
"""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from grader.errors import not_written
from grader.model.execution import MAX_SOURCE_BYTES
from grader.report.json_text import json_text
from grader.report.shown import cut, visible
from grader.worker.record import write_atomically

_NO_RESULT = 5
_GRADER_AT_FAULT = 4
_MOST_NAMED = 10
_MOST_NAME = 100

_MESSAGES = {
    "none": {
        "en": "Nothing was graded: no Python file was handed in. Hand in {expected}.",
        "zh": "没有评分：没有提交 Python 文件。请提交 {expected}。",
    },
    "several": {
        "en": "Nothing was graded: it is not clear which file is your program ({found}). "
        "Hand in one file named {expected}.",
        "zh": "没有评分：无法确定哪个文件是你的程序（{found}）。请提交一个名为 {expected} 的文件。",
    },
    "link": {
        "en": "Nothing was graded: {found} is a link or no ordinary file. "
        "Hand in {expected} itself.",
        "zh": "没有评分：{found} 是链接或不是普通文件。请提交 {expected} 文件本身。",
    },
    "large": {
        "en": "Nothing was graded: {found} is larger than {mib} MiB. Hand in a smaller {expected}.",
        "zh": "没有评分：{found} 超过 {mib} MiB。请提交更小的 {expected}。",
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """`kit.json`: what is graded and how. `budget` is in seconds."""

    problem: str
    file_name: str
    budget: int
    lang: str
    with_staff: bool
    accept_weak: bool
    secret_seed: int | None = None

    @property
    def environment(self) -> dict[str, str]:
        """What `grader grade` must know that shall not stand among its arguments."""
        seed = self.secret_seed
        return {} if seed is None else {"GRADER_SECRET_SEED": str(seed)}

    def to_json(self) -> bytes:
        return f"{json.dumps(asdict(self), indent=2)}\n".encode()

    @classmethod
    def read(cls, path: Path) -> Order:
        return cls(**json.loads(path.read_bytes()))


class NotHandedIn(Exception):
    """There is no file to grade; the message is for the student."""


def main(arguments: list[str]) -> int:
    """Grade what lies in `submission/` below the root; returns the exit status."""
    root = Path(arguments[0])
    source, results = root / "source", root / "results" / "results.json"
    order = Order.read(source / "kit.json")
    try:
        return _graded(root / "submission", source, order, results)
    except OSError as error:
        _tell(str(not_written(results, error)))
        return _GRADER_AT_FAULT


def _graded(submission: Path, source: Path, order: Order, results: Path) -> int:
    try:
        program = chosen(submission, order)
    except NotHandedIn as error:
        write_atomically(results, without_points(str(error)))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        # A copy: beside the file itself there may be a `.grader` that is a link to anywhere.
        copy = Path(folder) / order.file_name
        copy.write_bytes(program.read_bytes())
        written = Path(folder) / "results.json"
        status = _grade(copy, source, order, written)
        if not written.exists():
            _tell(f"no result: `grader grade` ended with status {status}")
            return status or _NO_RESULT
        content = written.read_bytes()
    write_atomically(results, content)
    if "score" in json.loads(content):
        return 0
    _tell("the grading is not complete: there is no score")
    return status if status > 1 else _NO_RESULT


def chosen(submission: Path, order: Order) -> Path:
    """The file to grade: the one with the lab's name, or else the only Python file.

    Links are never followed: in a repository that was handed in, one may lead to the staff's files.

    Raises:
        NotHandedIn: there is none, or it cannot be told which.
    """
    programs = sorted(_programs(submission))
    named = [path for path in programs if path.name == order.file_name]
    at_the_top = [path for path in named if path.parent == submission]
    candidates = at_the_top or named or programs
    if len(candidates) != 1:
        raise _not_handed_in("several" if candidates else "none", order, candidates, submission)
    status = candidates[0].lstat()
    if not stat.S_ISREG(status.st_mode):
        raise _not_handed_in("link", order, candidates, submission)
    if status.st_size > MAX_SOURCE_BYTES:
        raise _not_handed_in("large", order, candidates, submission)
    return candidates[0]


def _programs(submission: Path) -> Iterator[Path]:
    """Everything named *.py, but in folders that tools leave (`.git`, `__MACOSX`)."""
    for folder, inner, names in os.walk(submission):
        inner[:] = [name for name in inner if not name.startswith((".", "__"))]
        yield from (Path(folder, n) for n in names if n.endswith(".py") and n[0] != ".")


def _not_handed_in(kind: str, order: Order, found: list[Path], submission: Path) -> NotHandedIn:
    names = [os.fsencode(path.relative_to(submission)).decode(errors="replace") for path in found]
    shown = [visible(cut(name, _MOST_NAME)) for name in names[:_MOST_NAMED]]
    more = ["…"] if len(names) > _MOST_NAMED else []
    message = _MESSAGES[kind][order.lang].format(
        expected=order.file_name, found=", ".join([*shown, *more]), mib=MAX_SOURCE_BYTES >> 20
    )
    return NotHandedIn(message)


def without_points(message: str) -> bytes:
    """`results.json` with a score of 0 and the reason."""
    results = {
        "score": 0,
        "output": message,
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [],
    }
    return f"{json_text(results, indent=2)}\n".encode()


def _grade(program: Path, source: Path, order: Order, output: Path) -> int:
    """Run `grader grade`; its exit status.

    At level weak a program could read the staff's files and write its own results, and the staff's
    rows would be left aside without a word: so one of the better levels is demanded.
    """
    words = [sys.executable, "-P", "-m", "grader", "grade", order.problem, str(program)]
    words += ["--problems", str(source / "problems"), "--lang", order.lang]
    words += ["--format", "gradescope", "--output", str(output)]
    words += [] if order.with_staff else ["--public"]
    levels = ["strong", "standard"] if not order.accept_weak else [None]
    status, began = _GRADER_AT_FAULT, time.monotonic()
    for level in levels:
        left = order.budget - int(time.monotonic() - began)
        if left <= 0:
            break
        more = ["--budget", str(left), *(["--sandbox", level] if level else [])]
        ran = subprocess.run(  # noqa: S603
            [*words, *more], env=os.environ | order.environment, check=False
        )
        status = ran.returncode
        if status != _GRADER_AT_FAULT or output.exists():
            break
    return status


def _tell(sentence: str) -> None:
    """For the staff: Gradescope shows them both streams."""
    sys.stderr.write(f"{sentence}\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
