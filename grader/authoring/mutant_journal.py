"""What is known of the mutants of a lab, kept so that an interrupted analysis goes on."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from grader.errors import writing_to
from grader.model.verdict import Verdict
from grader.worker.record import write_output


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a worker told of a mutant, as the journal keeps it."""

    name: str
    row: str | None
    verdict: str | None
    detail: str
    unnoticed: str | None


class Journal:
    """What is known of each mutant: a line of JSON as soon as it is known.

    The first line is the key of everything that a fate depends on; under another key the file
    begins anew. A line that was cut off by a power failure is left out.
    """

    def __init__(self, folder: Path, key: str) -> None:
        self._path = folder / "mutants.jsonl"
        with writing_to(self._path):
            folder.mkdir(parents=True, exist_ok=True)
        self.known: dict[str, Told] = {}
        lines = self._path.read_text("utf-8").splitlines() if self._path.exists() else []
        if not lines or lines[0] != json.dumps({"key": key}):
            lines = [json.dumps({"key": key})]
        for line in lines[1:]:
            try:
                entry = Told(**json.loads(line))
            except (ValueError, TypeError):
                continue
            self.known[entry.name] = entry
        lines[1:] = [json.dumps(asdict(entry)) for entry in self.known.values()]
        write_output(self._path, "".join(f"{line}\n" for line in lines).encode())

    def add(self, entry: Told) -> None:
        """Remember it now; an undecided one is tried again next time."""
        self.known[entry.name] = entry
        if entry.verdict != Verdict.JUDGE_ERROR:
            with writing_to(self._path), self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(entry)) + "\n")
