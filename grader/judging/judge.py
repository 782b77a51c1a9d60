"""A RunOutcome becomes an answer or a fault: here it is decided what an ending means."""

from __future__ import annotations

import hashlib
import json
import signal
from dataclasses import dataclass
from typing import Any

import msgspec

from grader.bundles.schemas import Judgement, shorten
from grader.judging.compare import first_difference
from grader.judging.decode import TOO_DEEP, Malformed, decode
from grader.model.execution import Ending, Limits, RunOutcome
from grader.model.report import Exchange, Timing
from grader.model.verdict import Verdict

_SHOWN_BYTES = 16_384
_STDERR_SHOWN_BYTES = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What is wrong with a run, as a verdict and one sentence for the student.

    The sentence has no measured time in it, so that equal programs get equal reports: that is in
    `timing`, where the run was over its time.
    """

    verdict: Verdict
    detail: str
    timing: Timing | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """The program refused its input with this code."""

    code: str


Judged = dict[str, Any] | Refusal | Fault
"""An answer that the output schema admits, a refusal, or a fault."""


def judge(outcome: RunOutcome, limits: Limits, schema: Judgement | None) -> Judged:
    """What a run amounts to, before anybody asks whether it is right.

    Args:
        outcome: what happened.
        limits: what the run was allowed, for the messages.
        schema: the output schema; None leaves the shape of an answer unchecked.
    """
    fault = _ending_fault(outcome, limits)
    if fault:
        return fault
    try:
        value = decode(outcome.stdout)
    except Malformed as error:
        return Fault(verdict=Verdict.MALFORMED_OUTPUT, detail=clean(str(error)))
    if value.get("ok") is False:
        code = value.get("error")
        if isinstance(code, str):
            return Refusal(code=code)
        why = 'a refusal needs "error" with its code as a string'
        return Fault(verdict=Verdict.MALFORMED_OUTPUT, detail=why)
    if value.get("ok") is not True:
        return Fault(verdict=Verdict.MALFORMED_OUTPUT, detail='"ok" must be true or false')
    try:
        shape = schema(value) if schema else None
    except RecursionError:  # the parser took it, on a shorter stack
        return Fault(verdict=Verdict.MALFORMED_OUTPUT, detail=TOO_DEEP)
    if shape:
        where = f"at {shape[0]}: " if shape[0] else ""
        return Fault(verdict=Verdict.MALFORMED_OUTPUT, detail=clean(where + shape[1]))
    return value


def _ending_fault(outcome: RunOutcome, limits: Limits) -> Fault | None:
    mib = f"{outcome.usage.peak_memory_bytes / 2**20:.0f} of {limits.memory_bytes >> 20} MiB"
    if outcome.ending is Ending.OVER_TIME:
        return _time_fault(outcome, limits)
    if outcome.ending is Ending.OVER_MEMORY:
        limit = f"needs more than {limits.memory_bytes >> 20} MiB of memory"
        return Fault(verdict=Verdict.OVER_MEMORY, detail=limit)
    if outcome.ending is Ending.OVER_OUTPUT:
        limit = f"printed more than {limits.output_bytes >> 10} KiB"
        return Fault(verdict=Verdict.OVER_OUTPUT, detail=limit)
    if outcome.ending is Ending.SIGNALLED:
        return Fault(
            verdict=Verdict.CRASHED, detail=f"ended by {_signal(outcome.status)}; memory {mib}"
        )
    if outcome.status != 0:
        if _is_refusal(outcome):
            why = f"refused, but with exit status {outcome.status}: a refusal exits with 0"
            return Fault(verdict=Verdict.CRASHED, detail=why)
        lines = outcome.stderr.decode("utf-8", "backslashreplace").strip().splitlines()
        last = f": {shorten(clean(lines[-1]), 200)[1:-1]}" if lines else ""
        return Fault(verdict=Verdict.CRASHED, detail=f"exit status {outcome.status}{last}")
    return None


def _signal(number: int) -> str:
    """Its name; a program may send itself one that has none."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _time_fault(outcome: RunOutcome, limits: Limits) -> Fault:
    usage, repeat = outcome.usage, outcome.repeat
    held = repeat.limits if repeat else limits
    used_cpu = usage.cpu_seconds >= 0.9 * held.cpu_seconds
    cpu = f"more than {limits.cpu_seconds:g} s of CPU time"
    slept = f"no end after {limits.wall_seconds:g} s (does it wait for more input?)"
    timing = Timing(
        cpu_seconds=round(usage.cpu_seconds, 4),
        wall_seconds=round(usage.wall_seconds, 4),
        cpu_limit_seconds=round(held.cpu_seconds, 4),
        wall_limit_seconds=round(held.wall_seconds, 4),
        factor=round(repeat.factor, 4) if repeat else 1.0,
        repeated=repeat is not None,
        alone=repeat is not None and repeat.alone,
    )
    return Fault(verdict=Verdict.OVER_TIME, detail=cpu if used_cpu else slept, timing=timing)


def _is_refusal(outcome: RunOutcome) -> bool:
    try:
        return decode(outcome.stdout).get("ok") is False
    except Malformed:
        return False


def answer_fault(judged: Judged, due: str | None) -> Fault | None:
    """What is wrong with the *kind* of a result: an answer, or a refusal, where the other is due.

    Args:
        due: the code of the refusal that is due, None where an answer is due.
    """
    if isinstance(judged, Fault):
        return judged
    if isinstance(judged, Refusal) and due is None:
        why = f"refused a legal input with {shorten(judged.code)}"
        return Fault(verdict=Verdict.WRONG_ANSWER, detail=clean(why))
    if not isinstance(judged, Refusal) and due is not None:
        return Fault(verdict=Verdict.WRONG_ANSWER, detail=f"answered, but must refuse with {due!r}")
    return None


def code_fault(refusal: Refusal, due: str) -> Fault | None:
    """What is wrong with a refusal: its code is not the one that is due."""
    if refusal.code == due:
        return None
    why = f"refused with {shorten(refusal.code)}, must be {due!r}"
    return Fault(verdict=Verdict.WRONG_ANSWER, detail=clean(why))


def case_fault(judged: Judged, expected: dict[str, Any]) -> Fault | None:
    """What is wrong with the result of a fixed case, whose right answer is known."""
    due = None if expected["ok"] else expected["error"]
    fault = answer_fault(judged, due)
    if fault is None and due is not None and isinstance(judged, Refusal):
        fault = code_fault(judged, due)
    if fault is None and due is None:
        difference = first_difference(expected, judged)
        if difference:
            fault = Fault(verdict=Verdict.WRONG_ANSWER, detail=clean(difference))
    return fault


def has_digest(outcome: RunOutcome, digest: str) -> bool:
    """Whether a run ended well and printed the answer with this digest.

    The digest is the SHA-256 of the canonical JSON: keys sorted, no white space, ASCII. msgspec
    reads and writes 20 MB ten times as fast as the exact way and in the same form, but for the
    characters that JSON may write in two ways, and for duplicate keys (which would add quotation
    marks); where it does not find the digest, the exact way has the last word.
    """
    if outcome.ending is not Ending.EXITED or outcome.status != 0:
        return False
    try:
        canonical = msgspec.json.encode(msgspec.json.decode(outcome.stdout), order="sorted")
    except (msgspec.DecodeError, ValueError, RecursionError):
        canonical = b""
    if canonical.count(b'"') == outcome.stdout.count(b'"') and _sha256(canonical) == digest:
        return True
    try:
        return answer_digest(decode(outcome.stdout)) == digest
    except (Malformed, RecursionError):
        return False


def answer_digest(answer: Any) -> str:
    """The SHA-256 of an answer's canonical JSON: keys sorted, no white space, ASCII."""
    return _sha256(json.dumps(answer, sort_keys=True, separators=(",", ":")).encode())


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def clean(text: str) -> str:
    """Text that every encoder takes: lone surrogates, which JSON can bring in, become escapes."""
    return text.encode("utf-8", "backslashreplace").decode()


def exchange(
    stdin: bytes, outcome: RunOutcome, generator: str | None = None, seed: int | None = None
) -> Exchange:
    """One run as a person reads it. Long outputs are cut in the middle of nowhere, said so."""
    shown, encoded = _shown_input(stdin, generator)
    return Exchange(
        stdin=shown,
        stdout=_shown(outcome.stdout),
        stderr=outcome.stderr[-_STDERR_SHOWN_BYTES:].decode("utf-8", "backslashreplace"),
        ending=outcome.ending,
        stdin_base64=encoded,
        generator=generator,
        seed=seed,
    )


def _shown_input(stdin: bytes, generator: str | None) -> tuple[str, str | None]:
    import base64

    if generator is not None:
        return _shown(stdin), None
    try:
        return stdin.decode("utf-8"), None
    except UnicodeDecodeError:
        return stdin.decode("utf-8", "backslashreplace"), base64.b64encode(stdin).decode()


def _shown(output: bytes) -> str:
    text = output[:_SHOWN_BYTES].decode("utf-8", "backslashreplace")
    rest = len(output) - _SHOWN_BYTES
    return text if rest <= 0 else f"{text} … and {rest} bytes more"
