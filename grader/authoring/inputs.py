"""The exact stdin of a case, also of a large one, for those who do not grade.

`scale.py` is the lab's code; outside a judging process it is executed in the sandbox, like any
program: a generator that loops or eats memory is the author's fault and hurts nobody.
"""

from __future__ import annotations

import json
from pathlib import Path

from grader.bundles.files import content_of
from grader.errors import BundleError
from grader.model.execution import Ending, Executor, Limits, RunRequest, Submission

_LIMITS = Limits(wall_seconds=120.0, cpu_seconds=60.0, memory_bytes=4 << 30, output_bytes=512 << 20)
_CALL = """

__import__("sys").stdout.write(
    (lambda call: globals()[call["generator"]](call["seed"]))(
        __import__("json").load(__import__("sys").stdin)
    )
)
"""
"""It binds no name: any that it bound could be one of the lab's own."""


def generated(folder: Path, generator: str, seed: int, executor: Executor) -> bytes:
    """What a function of `scale.py` gives for a seed.

    Raises:
        BundleError: there is no such function, or it fails, or it does not end.
        SandboxError: our own fault.
    """
    path = folder / "scale.py"
    program = Submission(name="scale.py", source=content_of(path) + _CALL.encode())
    call = json.dumps({"generator": generator, "seed": seed}).encode()
    outcome = executor.run(RunRequest(submission=program, stdin=call, limits=_LIMITS))
    if outcome.ending is not Ending.EXITED or outcome.status != 0:
        last = outcome.stderr.decode(errors="replace").strip().splitlines()[-1:]
        why = f"{outcome.ending.replace('_', ' ')} {' '.join(last)}".strip()
        raise BundleError(path, generator, why[:500])
    return outcome.stdout
