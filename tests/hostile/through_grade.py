"""Hand in every attack with `grader grade`, and write what became of each, as JSON.

    python -m tests.hostile.through_grade <folder with the installed wheel>

One submission brings most attacks; a case of the lab tells which of them to try and where to
strike. Odd sources, and what runs out of time, are submissions of their own. The lab's reference
is the file that they are after.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.hostile.attacks import ATTACKS
from tests.hostile.attacks.attack import STRIKER, Attack
from tests.hostile.scene import SECRET, Scene
from tests.hostile.siege import children

_LABS = Path(__file__).resolve().parents[1] / "bundles"
_PR_SET_CHILD_SUBREAPER = 36


def besiege(installed: Path) -> dict[str, Any]:
    """The results of all attacks, by name; what is left of them all, as `left`."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    shared = set(os.listdir("/dev/shm"))
    with Scene("solutions/double/reference.py") as scene, tempfile.TemporaryDirectory() as spare:
        before = children(os.getpid())
        bench = Bench(installed, scene.folder, Path(spare))
        # The third program that runs out of time ends a grading.
        apart = [a for a in ATTACKS.values() if not a.source or "over_time" in a.outcomes]
        together = [a for a in ATTACKS.values() if a not in apart]
        given = scene.given("", confined=True, output_bytes=64 << 10)
        bench.make_lab([given | {"attack": attack.name} for attack in together])
        scene.restore()
        rows = bench.graded(_bringing(together))
        results = {attack.name: row for attack, row in zip(together, rows, strict=True)}
        for attack in apart:
            bench.make_lab([given | {"attack": attack.name}])
            program = _bringing([attack]) if attack.source else attack.program
            (results[attack.name],) = bench.graded(program)
        left = scene.damage() + [f"{path} is left" for path in os.listdir(spare)]
        left += [f"process {pid} is left" for pid in children(os.getpid()) - before]
        left += [f"/dev/shm/{name} is left" for name in set(os.listdir("/dev/shm")) - shared]
    (level,) = bench.levels
    return {"results": results, "left": left, "level": level}


def _bringing(attacks: list[Attack]) -> bytes:
    """The striker with these attacks in it; its input says which to try."""
    sources = {attack.name: attack.source for attack in attacks}
    return STRIKER.replace('given["attack"]', f'{sources!r}[given["attack"]]').encode()


class Bench:
    """A lab in a folder, and the installed grader that grades with it.

    Attributes:
        levels: of the sandboxes in which programs were run.
    """

    def __init__(self, installed: Path, folder: Path, spare: Path) -> None:
        self._installed, self._folder, self._spare = installed, folder, spare
        self.levels: set[str] = set()
        for part in ("problems", "solutions"):
            shutil.copytree(_LABS / part / "double", folder / part / "double", dirs_exist_ok=True)
        self._lab = folder / "problems" / "double"
        for schema in ("input.schema.json", "output.schema.json"):
            (self._lab / schema).write_text('{"type": "object"}')

    def make_lab(self, inputs: list[dict[str, Any]]) -> None:
        """A lab whose group `minimal` has these inputs, in this order, and no answer fits."""
        cases = self._lab / "cases" / "minimal"
        shutil.rmtree(cases)
        cases.mkdir()
        for number, given in enumerate(inputs, start=100):
            (cases / f"{number}-strike.in.json").write_text(json.dumps(given))
            answer = {"ok": False, "error": "malformed"}
            (cases / f"{number}-strike.out.json").write_text(json.dumps(answer))

    def graded(self, program: bytes) -> list[dict[str, Any]]:
        """What the report says of each row."""
        with tempfile.TemporaryDirectory(prefix="handed-in-") as folder:
            (Path(folder) / "attack.py").write_bytes(program)
            words = ["grade", "double", "attack.py", "--group", "minimal", "--format", "json"]
            told = subprocess.run(
                [sys.executable, "-m", "grader", *words],
                cwd=folder,
                env={
                    "PATH": os.environ["PATH"],
                    "PYTHONPATH": str(self._installed),
                    "PYTHONDONTWRITEBYTECODE": "1",
                    "GRADER_PROBLEMS": str(self._folder / "problems"),
                    "TMPDIR": str(self._spare),
                    "LANG": "C.UTF-8",
                    "GRADER_JOBS": "1",
                },
                capture_output=True,
                text=True,
                check=False,
            )
        assert told.returncode == 1, told.stderr  # wrong answers, as they shall be
        report = json.loads(told.stdout)
        self.levels.add(report["sandbox"]["level"])
        return [
            {
                "outcome": _outcome(row),
                "points": row["points"],
                "tells": SECRET in json.dumps(row) or SECRET in told.stderr,
            }
            for group in report["groups"]
            for row in group["rows"]
        ]


def _outcome(row: dict[str, Any]) -> str:
    """In the words of the table: what it said, or how it ended."""
    (exchange,) = row["counterexample"]["exchanges"]
    said, status = exchange["stdout"].strip(), row["detail"]
    for kind, words in (("exited", "exit status "), ("signalled", "signal ")):
        if words in status:
            return f"{kind} {status.partition(words)[2].split()[0].rstrip(':')}"
    if exchange["ending"] != "exited":
        return str(exchange["ending"])
    return str(said.splitlines()[-1]) if said else "exited 0"


if __name__ == "__main__":
    json.dump(besiege(Path(sys.argv[1])), sys.stdout)
