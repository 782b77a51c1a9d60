"""The answers of a lab's cases, as its reference gives them: `grader answers`.

NAME.in.json    ──► reference, in the sandbox ──► NAME.out.json
NAME.scale.json ──► scale.py ──► reference    ──► its two digests
"""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from grader.authoring.inputs import generated
from grader.bundles.files import content_of
from grader.bundles.load import limits_of, read_problem
from grader.errors import BundleError
from grader.judging.judge import Fault, Refusal, answer_digest, judge
from grader.model.execution import Executor, Limits, RunRequest, Submission
from grader.sandbox.levels import open_executor
from grader.worker.record import write_output


class State(StrEnum):
    SAME = "same"
    MISSING = "missing"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a case's file should hold: its path, what it holds now, and what the reference says."""

    path: Path
    now: Any
    right: Any

    @property
    def state(self) -> State:
        if self.now is None:
            return State.MISSING
        return State.SAME if _agree(self.now, self.right) else State.DIFFERENT

    @property
    def difference(self) -> str:
        """A unified diff from the file to what the reference says."""
        now, right = (
            json.dumps(value, indent=1, ensure_ascii=False).splitlines()
            for value in (self.now, self.right)
        )
        lines = difflib.unified_diff(now, right, "now", "reference", n=2, lineterm="")
        return "\n".join(lines)

    def write(self) -> None:
        """Write the file, whole or not at all.

        Raises:
            UsageError, OutputError: it cannot be written.
        """
        text = json.dumps(self.right, ensure_ascii=False)
        write_output(self.path, f"{text}\n".encode())


def _agree(now: Any, right: Any) -> bool:
    """Of a refusal only the code counts. (1 and 1.0 are not equal, as everywhere here.)"""
    if right.get("ok") is False and isinstance(now, dict):
        return (now.get("ok"), now.get("error")) == (False, right["error"])
    return json.dumps(now, sort_keys=True) == json.dumps(right, sort_keys=True)


def answers(folder: Path, staff: Path) -> Iterator[Answer]:
    """Every case of a lab, public and staff's, with the reference's answer.

    Raises:
        BundleError: the lab has no reference, or that fails on a case, or a case is broken.
        SandboxError: our own fault.
    """
    problem = read_problem(folder)
    path = staff / "reference.py"
    reference = Submission(name=problem["file_name"], source=content_of(path))
    opened = open_executor(reference)
    with opened.executor as executor:
        for group in problem["group"]:
            limits = limits_of(problem, group)
            for cases in (folder / "cases", staff / "cases"):
                for case in sorted((cases / group["name"]).glob("*.in.json")):
                    right = _right(executor, reference, content_of(case), limits, path, case)
                    out = case.with_name(case.name.replace(".in.json", ".out.json"))
                    yield Answer(path=out, now=_read(out), right=right)
                for case in sorted((cases / group["name"]).glob("*.scale.json")):
                    yield _digests(executor, reference, folder, case, limits, path)


def _digests(
    executor: Executor,
    reference: Submission,
    folder: Path,
    case: Path,
    limits: Limits,
    path: Path,
) -> Answer:
    now = _read(case)
    if not isinstance(now, dict) or not isinstance(now.get("generator"), str):
        raise BundleError(case, "generator", "must name a function of scale.py")
    seed = now.setdefault("seed", 1)
    stdin = generated(folder, now["generator"], seed, executor)
    right = _right(executor, reference, stdin, limits, path, case)
    digests = {
        "stdin_sha256": hashlib.sha256(stdin).hexdigest(),
        "answer_sha256": answer_digest(right),
    }
    known = now if now.keys() >= digests.keys() else None
    return Answer(path=case, now=known, right={**now, **digests})


def _right(
    executor: Executor,
    reference: Submission,
    stdin: bytes,
    limits: Limits,
    path: Path,
    case: Path,
) -> Any:
    outcome = executor.run(RunRequest(submission=reference, stdin=stdin, limits=limits))
    judged = judge(outcome, limits, None)
    if isinstance(judged, Fault):
        why = f"{judged.verdict.replace('_', ' ')} on {case.name}: {judged.detail}"
        raise BundleError(path, "", why)
    return {"ok": False, "error": judged.code} if isinstance(judged, Refusal) else judged


def _read(path: Path) -> Any:
    if not path.exists():
        return None
    try:
        return json.loads(content_of(path))
    except ValueError as error:
        raise BundleError(path, "", f"is not JSON: {error}") from error
