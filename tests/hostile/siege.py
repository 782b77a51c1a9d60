"""Run every attack in one setting and write what became of each, as JSON.

    python -m tests.hostile.siege '{"abi": 7}'          confined, Landlock at most of this version
    python -m tests.hostile.siege '{"control": true}'   not confined, with resource limits only

With `"enclosed": true` in namespaces, too; with `"like_docker": true` under a filter of system
calls as containers have; with `"layers": [...]` only the attacks that these layers stop.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import platform
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from grader.model.execution import Ending, Limits, RunOutcome, RunRequest, Submission
from grader.sandbox.client import SandboxExecutor
from tests.hostile.attacks import ATTACKS
from tests.hostile.attacks.attack import Attack
from tests.hostile.container import restrict_like_docker
from tests.hostile.scene import Scene

_CPU_SECONDS = 0.5
_OUTPUT_BYTES = 64 << 10
_MEMORY_BYTES = 128 << 20
_WAITING = 1
"""A server keeps so many processes that wait for the next run."""
_PR_SET_CHILD_SUBREAPER = 36


def _limits(attack: Attack) -> Limits:
    return Limits(
        wall_seconds=attack.wall_seconds,
        cpu_seconds=_CPU_SECONDS,
        memory_bytes=_MEMORY_BYTES,
        output_bytes=_OUTPUT_BYTES,
    )


def _outcome(run: RunOutcome) -> str:
    """In the words of the table: what it said, or how it ended."""
    said = run.stdout.decode(errors="replace").strip()
    if run.ending is Ending.EXITED and run.status == 0 and said:
        return said.splitlines()[-1][:200]
    numbered = run.ending in (Ending.EXITED, Ending.SIGNALLED)
    return f"{run.ending} {run.status}" if numbered else str(run.ending)


def besiege(attacks: list[Attack], abi: int, *, enclosed: bool) -> dict[str, Any]:
    """Attacks, confined: the outcome of each, the end of its stderr, and all damage done."""
    # Whatever escapes from a run becomes a child of this process, and is seen.
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    machine = platform.machine()
    with contextlib.ExitStack() as stack:
        scene = stack.enter_context(Scene())
        secrets = (scene.staff,)
        executor = stack.enter_context(
            SandboxExecutor(machine=machine, abi=abi, secrets=secrets, enclosed=enclosed)
        )
        return {attack.name: _confined(attack, scene, executor) for attack in attacks}


def _confined(attack: Attack, scene: Scene, executor: SandboxExecutor) -> dict[str, Any]:
    submission = Submission(name="attack.py", source=attack.program)
    assert executor.server(submission).hello["through"] == []
    server = innermost(executor.server(submission).process_id)
    given = scene.given(attack.source, confined=True, output_bytes=_OUTPUT_BYTES)
    given["victims"].append(server)
    stdin = json.dumps(given).encode()
    before = children(os.getpid())
    run = executor.run(RunRequest(submission=submission, stdin=stdin, limits=_limits(attack)))
    damage = scene.damage() + _excess(run)
    scene.restore()
    damage += [f"process {pid} is left" for pid in children(os.getpid()) - before]
    if len(children(server)) > _WAITING:
        damage.append("the server has a process too many")
    if innermost(executor.server(submission).process_id) != server:
        damage.append("the server had to be replaced")
    words = run.stderr[-1000:].decode(errors="replace")
    return {"outcome": _outcome(run), "stderr": words, "damage": damage}


def _excess(run: RunOutcome) -> list[str]:
    """By how much a run went over its limits; a little is left to the kernel's bookkeeping."""
    found = []
    if max(len(run.stdout), len(run.stderr)) > _OUTPUT_BYTES:
        found.append("more output than the limit")
    if run.usage.peak_memory_bytes > 1.25 * _MEMORY_BYTES:
        found.append(f"used {run.usage.peak_memory_bytes >> 20} MiB")
    return found


def innermost(process: int) -> int:
    """The server itself, where bubblewrap's processes stand between."""
    while Path(f"/proc/{process}/comm").read_text().strip() == "bwrap":
        (process,) = children(process)
    return process


def processes() -> Iterator[tuple[int, str, int, int]]:
    """Of every process, as /proc has them: its number, state, parent and group."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it is no more
            state, parent, group, *_ = path.read_text().rpartition(")")[2].split()
            yield int(path.parent.name), state, int(parent), int(group)


def children(parent: int) -> set[int]:
    """The processes that a process has made, or been given."""
    return {process for process, _, made_by, _ in processes() if made_by == parent}


def filters(pid: int | str) -> int:
    """How many seccomp filters a process is under: one more than this one's in a program."""
    with contextlib.suppress(OSError):  # it has just ended
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("Seccomp_filters"))
    return 0


def control() -> dict[str, Any]:
    """The harmless attacks, with resource limits only, on a scene of their own."""
    results = {}
    with Scene() as scene:
        for name, attack in ATTACKS.items():
            if attack.control is not None:
                given = scene.given(attack.source, confined=False, output_bytes=_OUTPUT_BYTES)
                results[name] = {"outcome": _unconfined(attack.program, json.dumps(given))}
                scene.restore()
    return results


def _unconfined(program: bytes, stdin: str) -> str:
    process = subprocess.Popen(
        [sys.executable, "-P", "-s", "-B", "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=_limit,
    )
    try:
        output = process.communicate(stdin, timeout=10)[0].strip()
        return output.splitlines()[-1] if output else f"exited {process.returncode}"
    except subprocess.TimeoutExpired:
        return "over_time"
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (2, 2))
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_OUTPUT_BYTES, _OUTPUT_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    options = json.loads(sys.argv[1])
    layers = options.get("layers")
    chosen = [a for a in ATTACKS.values() if layers is None or a.layer in layers]
    if options.get("like_docker"):
        restrict_like_docker()
    if options.get("control"):
        results = control()
    else:
        results = besiege(chosen, options["abi"], enclosed=options.get("enclosed", False))
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
