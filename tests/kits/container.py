"""A container as Gradescope makes one, in a folder: the kit unpacked, a submission, the results."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.report.schemas import read_as


def unpack(zipped: bytes, target: Path) -> None:
    """As `unzip` does it: with the modes that the zip has, and no other."""
    with zipfile.ZipFile(io.BytesIO(zipped)) as archive:
        for entry in archive.infolist():
            (target / entry.filename).parent.mkdir(parents=True, exist_ok=True)
            (target / entry.filename).write_bytes(archive.read(entry))
            (target / entry.filename).chmod(entry.external_attr >> 16 & 0o777)


@dataclass(frozen=True, slots=True, kw_only=True)
class Container:
    """`root` stands for /autograder."""

    root: Path

    @classmethod
    def built(cls, zipped: bytes, root: Path) -> Container:
        for folder in ("source", "submission", "results"):
            (root / folder).mkdir(parents=True)
        unpack(zipped, root / "source")
        return cls(root=root)

    @property
    def source(self) -> Path:
        return self.root / "source"

    def draw_few(self) -> None:
        """What is drawn does not matter: fewer inputs are enough."""
        toml = self.source / "problems" / "double" / "problem.toml"
        toml.write_text(toml.read_text().replace("examples = 60", "examples = 3"))

    def hand_in(self, **programs: str) -> None:
        for name, text in programs.items():
            (self.root / "submission" / f"{name}.py").write_text(text)

    def run(self, python: str = sys.executable) -> tuple[int, dict[str, Any]]:
        """The status of run_autograder, and the results as Gradescope reads them."""
        path = {"PATH": os.environ["PATH"]}
        root = {"AUTOGRADER_ROOT": str(self.root), "AUTOGRADER_PYTHON": python}
        run = [self.source / "run_autograder"]
        with (self.root / "results" / "stdout").open("wb") as log:
            done = subprocess.run(
                run, cwd=self.root, env=path | root, stdout=log, stderr=log, check=False
            )
        results = (self.root / "results" / "results.json").read_text(encoding="utf-8")
        return done.returncode, read_as("gradescope-results", results)

    @property
    def log(self) -> str:
        """What only staff see."""
        return (self.root / "results" / "stdout").read_text(encoding="utf-8")
