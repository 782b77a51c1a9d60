"""The template lab as an instructor has it after `grader new`, and evidence that costs little."""

from __future__ import annotations

import re
import shutil
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from grader.authoring.evidence import KINDS, Evidence, gather
from grader.authoring.lab import open_lab
from grader.authoring.scaffold import create
from grader.authoring.verify import RULES
from grader.model.execution import Submission
from grader.sandbox.levels import Opening
from grader.worker.inside import events
from grader.worker.job import AnyEvent, Job, Turn, decode_event, encode
from grader.worker.process import Worker, Workers

SLUG = "admit"
SPARED = (
    "right/object_oriented.py",
    "wrong/empty_requests_pass.py",
    "wrong/requests_before_budget.py",
    "wrong/true_is_an_integer.py",
)
"""Programs of the template that no rule misses: each costs a second wherever programs are run."""


@dataclass(frozen=True, slots=True)
class Folders:
    """Both folders of a lab, and how a test breaks it."""

    public: Path
    staff: Path

    def path(self, name: str) -> Path:
        """`staff:expect.toml` or `statement.en.md`."""
        part, _, rest = name.rpartition(":")
        return (self.staff if part == "staff" else self.public) / rest

    def edit(self, name: str, old: str, new: str) -> None:
        """Replace what stands there once."""
        text = self.path(name).read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
        self.write(name, text.replace(old, new))

    def write(self, name: str, text: str) -> None:
        self.path(name).write_text(text, encoding="utf-8")

    def add(self, name: str, text: str) -> None:
        before = self.path(name).read_text(encoding="utf-8") if self.path(name).exists() else ""
        self.write(name, before + text)


def made(root: Path) -> Folders:
    """What `grader new admit` writes."""
    create(SLUG, root / "problems", root / "solutions")
    return Folders(root / "problems" / SLUG, root / "solutions" / SLUG)


def without(expectations: str, stems: set[str]) -> str:
    """An expect.toml without some of its entries."""
    parts = expectations.split("\n[")
    return "\n[".join(p for p in parts if p.partition("]")[0].removeprefix("wrong.") not in stems)


@pytest.fixture
def lab(tmp_path: Path) -> Folders:
    return made(tmp_path)


@pytest.fixture(scope="session")
def small_lab(tmp_path_factory: pytest.TempPathFactory) -> Folders:
    """The template without the programs that are spared. Nobody changes it."""
    lab = made(tmp_path_factory.mktemp("small"))
    for name in SPARED:
        lab.path(f"staff:{name}").unlink()
    text = lab.path("staff:expect.toml").read_text(encoding="utf-8")
    lab.write("staff:expect.toml", without(text, {Path(name).stem for name in SPARED}))
    toml = lab.path("problem.toml").read_text(encoding="utf-8")
    lab.write("problem.toml", re.sub(r"examples = \d+", "examples = 24", toml))
    return lab


@pytest.fixture
def broken(small_lab: Folders, tmp_path: Path) -> Folders:
    """A copy to be broken."""
    copies = (tmp_path / "problems" / SLUG, tmp_path / "solutions" / SLUG)
    for source, copy in zip((small_lab.public, small_lab.staff), copies, strict=True):
        shutil.copytree(source, copy)
    return Folders(*copies)


class _Here:
    """What a judging process does, done here, so that Hypothesis is loaded once and not each time.

    Its events go through JSON as they do between processes.
    """

    ended = True

    def __init__(self, job: Job) -> None:
        self._turns: deque[Turn] = deque()
        self._events = self._happen(job)

    def _happen(self, job: Job) -> Iterator[AnyEvent]:
        submission = Submission(name=job.name, source=job.source)
        secrets = (Path(job.staff),) if job.staff else ()
        level = job.level or "standard"  # less to start; no rule is about the level
        opening = Opening(submission, secrets=secrets, level=level, hash_seed=job.hash_seed)
        turns = iter(lambda: self._turns.popleft() if self._turns else None, None)
        with closing(opening):
            for event in events(job, submission, opening, lambda _group, _runs: None, turns):
                yield decode_event(encode(event))

    def hear(self, silence: float, deadline: float | None) -> AnyEvent:
        return next(self._events)

    def take(self, turn: Turn) -> None:
        self._turns.append(turn)

    def no_more_turns(self) -> None:
        """There is none when the next one is asked for."""

    def __enter__(self) -> _Here:
        return self

    def __exit__(self, *_: object) -> None:
        self._events.close()  # type: ignore[attr-defined]


class WorkersHere(Workers):
    """Passed in where judging processes would be started."""

    def start(self, job: Job) -> Worker:
        return _Here(job)  # type: ignore[return-value]


def gathered(lab: Folders, kinds: tuple[str, ...] = KINDS) -> Evidence:
    """The evidence of a lab."""
    opened = open_lab(lab.public, lab.staff)
    return gather(opened, kinds, 1, lambda _done, _all: None, WorkersHere())


def found(evidence: Evidence) -> dict[str, list[str]]:
    """What the rules find, all of them: the name of a rule → file, key and reason of each."""
    told = {
        rule.name: [f"{f.path}: {f.key}: {f.why}" for f in rule.find(evidence)] for rule in RULES
    }
    return {name: findings for name, findings in told.items() if findings}


@pytest.fixture(scope="session")
def whole(small_lab: Folders) -> Evidence:
    """The evidence of the lab before it is broken."""
    return gathered(small_lab)


Judge = Callable[[Folders, tuple[str, ...]], dict[str, list[str]]]


@pytest.fixture
def judged(whole: Evidence) -> Judge:
    """All rules on a broken copy; only what its change can touch is run again."""

    def judge(lab: Folders, again: tuple[str, ...]) -> dict[str, list[str]]:
        evidence = gathered(lab, again)
        held = {at: getattr(whole, at) for kind, at in HELD.items() if kind not in again}
        return found(replace(evidence, planned=evidence.planned or whole.planned, **held))

    return judge


HELD = {"right": "right", "wrong": "wrong", "degenerate": "degenerate", "probe": "flaws"}
"""Kind of evidence → where it lies."""
