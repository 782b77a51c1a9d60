"""How many mutants of the reference a lab's rows kill: `grader mutate`.

    mutants ──► as many batches as jobs ──► a worker each ──► Tried, one after another
                                                              └► journal, so that nothing is lost

Each mutant runs in the sandbox until its first row fails. One that no input can tell from the
reference is declared in `expect.toml`, with the reason; it runs all the same, and when it is
killed, the declaration is wrong.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path

import grader
from grader.authoring.expect import Equivalent, read_expectations
from grader.authoring.mutant_journal import Journal, Told
from grader.authoring.mutants import Mutant, mutants
from grader.authoring.parallel import in_parallel
from grader.bundles.files import content_of
from grader.bundles.load import load_bundle
from grader.errors import BundleError, UsageError, WorkerError
from grader.model.bundle import Bundle
from grader.model.verdict import Verdict
from grader.worker.job import Job, Task, Tried, Variant
from grader.worker.process import Workers
from grader.worker.record import FOLDER
from grader.worker.run import listen

LEAST_KILLED, MOST_DECLARED = 0.97, 0.10
"""Of the mutants that are not declared equivalent; of all mutants."""

_MOST_GIVEN_UP = 2
"""Of a batch, before any is through."""


class Fate(StrEnum):
    """What became of a mutant."""

    KILLED = "killed"
    TIMED_OUT = "timed_out"
    SURVIVED = "survived"
    EQUIVALENT = "equivalent"
    WRONGLY_DECLARED = "wrongly_declared"
    UNDECIDED = "undecided"
    """Twice the judging process was lost with it, or all that failed on it is a check."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A mutant and its fate; `row` is the first that failed.

    `unnoticed` is an input on which a survivor answers otherwise than the reference. `why` is the
    author's reason for calling it equivalent.
    """

    mutant: Mutant
    fate: Fate
    row: str | None = None
    detail: str = ""
    unnoticed: str | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """All mutants of a lab's reference."""

    slug: str
    judged: tuple[Judged, ...]
    stale: tuple[Equivalent, ...]

    def count(self, *fates: Fate) -> int:
        return sum(judged.fate in fates for judged in self.judged)

    @property
    def killed(self) -> int:
        return self.count(Fate.KILLED, Fate.TIMED_OUT, Fate.WRONGLY_DECLARED)

    @property
    def rate(self) -> float | None:
        """Killed, of those that are not declared equivalent; None when there are none."""
        undeclared = len(self.judged) - self.count(Fate.EQUIVALENT)
        return self.killed / undeclared if undeclared else None

    @property
    def raw_rate(self) -> float | None:
        """Killed, of all mutants."""
        return self.killed / len(self.judged) if self.judged else None

    @property
    def declared_rate(self) -> float:
        declared = self.count(Fate.EQUIVALENT, Fate.WRONGLY_DECLARED)
        return declared / len(self.judged) if self.judged else 0.0

    @property
    def strong_enough(self) -> bool:
        enough = self.rate is not None and self.rate >= LEAST_KILLED
        honest = self.declared_rate <= MOST_DECLARED and not self.stale
        return enough and honest and not self.count(Fate.WRONGLY_DECLARED, Fate.UNDECIDED)


def analyse(
    folder: Path,
    staff: Path,
    *,
    jobs: int,
    journal_folder: Path,
    seed: int = 0,
    examples: int | None = None,
    only: tuple[str, ...] = (),
    notice: Callable[[int, int], None] = lambda _done, _all: None,
) -> Analysis:
    """Try every mutant; what an interrupted analysis has found is not done again.

    Args:
        folder, staff: the lab's two folders.
        jobs: mutants at a time.
        journal_folder: where `.grader/` is; the journal lies in it.
        only: names of the mutants to try; all when empty.
        notice: called with how many are done, of how many.

    Raises:
        BundleError: the lab is broken, or has no reference.
        SandboxError, WorkerError: our own fault.
    """
    bundle = load_bundle(folder, staff)
    if bundle.reference is None:
        raise BundleError(staff / "reference.py", "", "is missing; there is nothing to mutate")
    declared = {(e.function, e.was, e.now): e for e in read_expectations(staff).equivalent}
    found = _mutants(bundle, staff)
    known = {(mutant.function, mutant.was, mutant.now) for mutant in found}
    stale = tuple(e for key, e in declared.items() if key not in known)
    unknown = set(only) - {mutant.name for mutant in found}
    if unknown:
        raise UsageError(f"{bundle.slug} has no mutant {min(unknown)!r}; see --format json")
    chosen = [mutant for mutant in found if not only or mutant.name in only]
    journal = Journal(journal_folder / FOLDER / bundle.slug, _key(bundle, seed, examples))
    job = _job(bundle, staff, seed, examples)
    left = [mutant for mutant in chosen if mutant.name not in journal.known]

    def tell() -> None:
        notice(sum(mutant.name in journal.known for mutant in chosen), len(chosen))

    tell()
    batches = [left[start::jobs] for start in range(min(jobs, len(left)))]
    workers = Workers()
    tasks = [partial(_try_batch, workers, job, batch, journal, tell) for batch in batches]
    for _ in in_parallel(jobs, workers, tasks):
        pass
    judged = tuple(_judged(m, journal.known[m.name], declared) for m in chosen)
    return Analysis(slug=bundle.slug, judged=judged, stale=stale)


def _mutants(bundle: Bundle, staff: Path) -> list[Mutant]:
    assert bundle.reference is not None
    try:
        return mutants(bundle.reference.source)
    except (SyntaxError, UnicodeDecodeError) as error:
        raise BundleError(staff / "reference.py", "", f"is no Python: {error}") from error


def _job(bundle: Bundle, staff: Path, seed: int, examples: int | None) -> Job:
    assert bundle.reference is not None
    return Job(
        problem=str(bundle.path),
        staff=str(staff),
        name=bundle.file_name,
        source=bundle.reference.source,
        seed=seed,
        examples=examples,
        accept_weak=True,  # it is the author's own program
        task=Task.HUNT,
    )


def _key(bundle: Bundle, seed: int, examples: int | None) -> str:
    """What the fate of a mutant depends on, besides the mutant: declarations do not count."""
    assert bundle.staff is not None and bundle.reference is not None
    judging = [bundle.staff / "properties.py", *sorted(bundle.staff.glob("cases/*/*"))]
    contents = [(path.name, content_of(path)) for path in judging if path.is_file()]
    reference = bundle.reference.digest
    parts = (grader.__version__, bundle.fingerprint, reference, contents, seed, examples)
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _try_batch(
    workers: Workers, job: Job, batch: list[Mutant], journal: Journal, tell: Callable[[], None]
) -> None:
    """Try mutants one after another. The one at which a worker is lost is tried once more.

    Raises:
        BundleError, WorkerError: it was lost with two of them, twice each, and none is through.
    """
    left, lost, given_up, begun = list(batch), set[str](), 0, False
    while left:
        try:
            for tried in _tried(workers, job, left):
                begun = True
                left = [mutant for mutant in left if mutant.name != tried.name]
                journal.add(tried)
                tell()
        except WorkerError as error:
            suspect = left[0].name
            if suspect in lost:
                left = left[1:]
                journal.add(_undecided(suspect, str(error)))
                given_up += 1
            if given_up == _MOST_GIVEN_UP and not begun:  # it is the lab, and no mutant
                if error.fault != "author":
                    raise
                path = Path(job.problem) / "properties.py"
                raise BundleError(path, "", str(error)) from error
            lost.add(suspect)


def _tried(workers: Workers, job: Job, batch: list[Mutant]) -> Iterator[Told]:
    variants = tuple(Variant(name=mutant.name, source=mutant.source) for mutant in batch)
    for event in listen(workers, replace(job, variants=variants)):
        if isinstance(event, Tried):
            text = event.unnoticed
            yield Told(
                name=event.name,
                row=event.row,
                verdict=event.verdict,
                detail=event.detail,
                unnoticed=None if text is None else text.decode("utf-8", "backslashreplace"),
            )


def _undecided(name: str, why: str) -> Told:
    verdict = Verdict.JUDGE_ERROR
    return Told(name=name, row=None, verdict=verdict, detail=why, unnoticed=None)


def _judged(
    mutant: Mutant, found: Told, declared: dict[tuple[str, str, str], Equivalent]
) -> Judged:
    equivalent = declared.get((mutant.function, mutant.was, mutant.now))
    if found.verdict == Verdict.JUDGE_ERROR:  # a fault of ours or of the lab's kills nothing
        fate = Fate.UNDECIDED
    elif found.row is None:
        fate = Fate.EQUIVALENT if equivalent else Fate.SURVIVED
    elif equivalent:
        fate = Fate.WRONGLY_DECLARED
    else:
        fate = Fate.TIMED_OUT if found.verdict == Verdict.OVER_TIME else Fate.KILLED
    return Judged(
        mutant=mutant,
        fate=fate,
        row=found.row,
        detail=found.detail,
        unnoticed=found.unnoticed,
        why=equivalent.why if equivalent else "",
    )
