"""Programs that compute nothing: what a lab must not give points to."""

from __future__ import annotations

import json
from collections.abc import Iterator

from grader.authoring.lab import Lab, Program

MOST_POINTS = 10.0


def degenerate(lab: Lab) -> Iterator[Program]:
    """Prints nothing, `{}`, one refusal, one answer; knows the public cases; is the starter."""
    yield Program(name="prints nothing", source=b"")
    yield Program(name="prints {}", source=b"print('{}')\n")
    yield _always("always malformed", {"ok": False, "error": lab.bundle.refusals[0]})
    answers = [case.answer for case in lab.public_cases if case.answer and case.answer["ok"]]
    if answers:
        yield _always("the worked example for everything", answers[0])
    yield Program(name="a table of all public cases", source=_table(lab).encode())
    starter = lab.bundle.path / "starter.py"
    if starter.is_file():
        yield Program(name="the untouched starter", source=starter.read_bytes())


def _always(name: str, answer: object) -> Program:
    return Program(name=name, source=f"print({json.dumps(answer)!r})\n".encode())


def _table(lab: Lab) -> str:
    table = {c.stdin: json.dumps(c.answer) for c in lab.public_cases if c.stdin is not None}
    return f"import sys\nprint({table!r}.get(sys.stdin.buffer.read(), '{{}}'))\n"
