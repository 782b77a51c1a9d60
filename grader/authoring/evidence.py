"""Everything that has to be run before a lab can be judged: what to run, and what came of it.

the reference, degenerate programs ──► a grading each ──► Trials
other right solutions, wrong ones ──► as many surveys as jobs ──► every row that each of them fails
                    (that one is too slow, `grader pace` has measured)
the lab's own code ──► a probe ──► flaws
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from grader.authoring.degenerate import degenerate
from grader.authoring.expect import Wrong
from grader.authoring.lab import SCALE, Lab, Program
from grader.authoring.pace_record import digest, read_record
from grader.authoring.parallel import in_parallel
from grader.judging.survey import has_failed
from grader.model.report import CaseResult
from grader.model.verdict import Verdict
from grader.worker.job import Failing, Job, PlannedRow, Probed, Surveyed, Task, Variant
from grader.worker.process import Workers
from grader.worker.run import Grading, listen

SOME_EXAMPLES = 100
"""Enough to see that a program does nothing, or that a right one is rejected with other draws."""
OTHER_SEED = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """Grade a program in some groups (all when empty). `examples` None: each group's own number."""

    program: Program
    groups: tuple[str, ...] = ()
    staff: bool = True
    seed: int = 0
    hash_seed: int = 0
    examples: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A program and its rows."""

    ask: Ask
    rows: tuple[CaseResult, ...]

    @property
    def points(self) -> float:
        return sum(row.points for row in self.rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """The rows that a right solution fails, and how it was compared with the reference."""

    ask: Ask
    name: str
    failing: tuple[Failing, ...]


@dataclass(slots=True, kw_only=True)
class Evidence:
    """What is known of a lab.

    `planned` are the rows that it has, `wrong` the rows that each wrong solution fails (by the
    name of its file without .py), `rejected` those that right ones fail, `flaws` those of the
    lab's code.
    """

    lab: Lab
    planned: tuple[PlannedRow, ...] = ()
    right: list[Trial] = field(default_factory=list)
    wrong: dict[str, list[Failing]] = field(default_factory=dict)
    rejected: list[Rejected] = field(default_factory=list)
    degenerate: list[Trial] = field(default_factory=list)
    flaws: list[Probed] = field(default_factory=list)

    def failing_rows(self, stem: str) -> dict[str, Failing]:
        """The rows that a wrong solution fails, by id."""
        return {one.row: one for one in self.wrong.get(stem, ()) if one.verdict.is_failure}

    def not_shown(self, stem: str, expected: Wrong) -> list[str]:
        """The rows and groups in which nothing fails although the author says so."""
        failing = self.failing_rows(stem)
        return [name for name in expected.caught_by if not has_failed(failing, name)]


KINDS = ("right", "wrong", "degenerate", "probe")
"""What a rule may need."""

Notice = Callable[[int, int], None]


def gather(
    lab: Lab, kinds: Iterable[str], jobs: int, notice: Notice, workers: Workers | None = None
) -> Evidence:
    """Run what is needed.

    Args:
        kinds: of `KINDS`.
        jobs: judging processes at a time.
        notice: called with how many tasks are done, of how many.
        workers: starts the judging processes.

    Raises:
        BundleError: the lab's code cannot be loaded.
        SandboxError, WorkerError: our own fault.
    """
    evidence, workers = Evidence(lab=lab), workers or Workers()
    tasks: list[Callable[[], None]] = []
    if "right" in kinds:
        tasks += [partial(_keep, evidence, ask, workers, evidence.right) for ask in _right(lab)]
        tasks += _others(evidence, jobs, workers)
    if "wrong" in kinds:
        tasks += _wrong(evidence, jobs, workers)
    if "degenerate" in kinds:
        asks = (Ask(program=p, staff=False, examples=_some(lab)) for p in degenerate(lab))
        tasks += [partial(_keep, evidence, ask, workers, evidence.degenerate) for ask in asks]
    if "probe" in kinds:
        tasks.append(partial(_probe, evidence, workers))
    notice(0, len(tasks))
    for done, _ in enumerate(in_parallel(jobs, workers, tasks), start=1):
        notice(done, len(tasks))
    return evidence


def _right(lab: Lab) -> Iterable[Ask]:
    """The reference meets everything, and then other draws under another hash seed."""
    yield Ask(program=lab.reference)
    yield _other_draws(lab)


def _other_draws(lab: Lab) -> Ask:
    return Ask(
        program=lab.reference,
        groups=lab.quick_groups,
        seed=OTHER_SEED,
        hash_seed=OTHER_SEED,
        examples=_some(lab),
    )


def _others(evidence: Evidence, jobs: int, workers: Workers) -> list[Callable[[], None]]:
    """Surveys of the other right solutions, which look at every input.

    What the reference has shown of an input, they need not show again where they agree with it.
    """
    lab = evidence.lab
    everything = Ask(program=lab.reference, groups=tuple(group.name for group in lab.bundle.groups))

    def look(ask: Ask, batch: Sequence[Program]) -> None:
        names = {program.name: ask.groups for program in batch}
        for name, failing in _surveyed(lab, ask, batch, names, workers):
            evidence.rejected.append(Rejected(ask=ask, name=name, failing=failing))

    batches = [lab.right[start::jobs] for start in range(min(jobs, len(lab.right)))]
    asked = [(everything, batch) for batch in batches]
    if lab.right:
        asked.append((_other_draws(lab), lab.right))
    return [partial(look, ask, batch) for ask, batch in asked]


def _some(lab: Lab) -> int:
    """At most what the lab itself draws."""
    drawn = (group.examples for group in lab.bundle.groups if group.name in lab.quick_groups)
    return min(SOME_EXAMPLES, max(drawn, default=SOME_EXAMPLES))


def _keep(evidence: Evidence, ask: Ask, workers: Workers, trials: list[Trial]) -> None:
    trials.append(_graded(evidence, ask, workers))


def _wrong(evidence: Evidence, jobs: int, workers: Workers) -> list[Callable[[], None]]:
    """Surveys: all wrong solutions in the quick groups, and some in `scale`."""
    lab = evidence.lab
    for program in lab.wrong:
        evidence.wrong[program.stem] = []
    for program in lab.too_slow:
        evidence.wrong[program.stem] += _known_too_slow(lab, program)
    large = tuple(p for p in lab.wrong if SCALE in lab.groups_of(p) and p not in lab.too_slow)
    kinds: tuple[tuple[tuple[str, ...], tuple[Program, ...]], ...] = (
        (lab.quick_groups, lab.wrong),
        ((SCALE,), large),
    )
    return [
        partial(_survey, evidence, groups, programs[start::jobs], workers)
        for groups, programs in kinds
        for start in range(min(jobs, len(programs)))
    ]


def _survey(
    evidence: Evidence, groups: tuple[str, ...], batch: Sequence[Program], workers: Workers
) -> None:
    expected = evidence.lab.expectations.wrong
    predicted = {p.name: expected[p.stem].caught_by for p in batch if p.stem in expected}
    stems = {program.name: program.stem for program in batch}
    ask = Ask(program=evidence.lab.reference, groups=groups)
    for name, failing in _surveyed(evidence.lab, ask, batch, predicted, workers):
        evidence.wrong[stems[name]] += failing


def _surveyed(
    lab: Lab,
    ask: Ask,
    batch: Sequence[Program],
    predicted: Mapping[str, tuple[str, ...]],
    workers: Workers,
) -> Iterator[tuple[str, tuple[Failing, ...]]]:
    """The rows that each program fails. What is predicted is looked for on every input.

    `ask` has the reference, the groups and how to draw.
    """
    variants = tuple(
        Variant(name=program.name, source=program.source, predicted=predicted.get(program.name, ()))
        for program in batch
    )
    job = replace(_job(lab, ask), task=Task.SURVEY, variants=variants)
    for event in listen(workers, job):
        if isinstance(event, Surveyed):
            yield event.name, event.failing


def _known_too_slow(lab: Lab, program: Program) -> Iterator[Failing]:
    """The rows of `scale` that a program was too slow for when `grader pace` measured it.

    To see it again would take minutes; the record has the digests of program and input.
    """
    record = read_record(lab.staff)
    group = next((group for group in lab.bundle.groups if group.name == SCALE), None)
    if record is None or group is None:
        return
    known = {f"{SCALE}/{case.name}": case.stdin_sha256 for case in group.cases}
    for run in record.runs:
        same = run.digest == digest(program.source) and known.get(run.case) == run.stdin_sha256
        if same and (run.over or run.out_of_memory or run.cpu_seconds > group.limits.cpu_seconds):
            verdict = Verdict.OVER_MEMORY if run.out_of_memory else Verdict.OVER_TIME
            detail = f"ended after {run.cpu_seconds:g} s of CPU time, as measured"
            yield Failing(row=run.case, verdict=verdict, detail=detail, staff_only=False)


def _job(lab: Lab, ask: Ask) -> Job:
    return Job(
        problem=str(lab.bundle.path),
        staff=str(lab.staff) if ask.staff else None,
        name=lab.bundle.file_name,
        source=ask.program.source,
        seed=ask.seed,
        examples=ask.examples,
        groups=ask.groups,
        accept_weak=True,  # they are the author's own programs
        hash_seed=ask.hash_seed,
        shrink=False,
    )


def _graded(evidence: Evidence, ask: Ask, workers: Workers) -> Trial:
    grading = Grading(job=_job(evidence.lab, ask), workers=workers)
    rows = tuple(grading.rows())
    if ask.staff and grading.opened:
        evidence.planned = grading.opened.rows
    return Trial(ask=ask, rows=rows)


def _probe(evidence: Evidence, workers: Workers) -> None:
    ask = Ask(program=evidence.lab.reference)
    events = listen(workers, replace(_job(evidence.lab, ask), task=Task.PROBE))
    evidence.flaws += [event for event in events if isinstance(event, Probed)]
