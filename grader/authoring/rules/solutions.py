"""Rules that need programs to be run: nothing right is rejected, every mistake is caught."""

from __future__ import annotations

from collections.abc import Iterator

from grader.authoring.degenerate import MOST_POINTS
from grader.authoring.evidence import Ask, Evidence, Trial
from grader.authoring.expect import FILE
from grader.authoring.rules.rule import Finding, rule
from grader.model.report import CaseResult
from grader.model.verdict import Verdict
from grader.worker.job import Failing


@rule("right")
def right_is_accepted(evidence: Evidence) -> Iterator[Finding]:
    """The reference and every solution in right/ pass every row, also with other draws.

    A lab that rejects one right program will reject a student's. The reference is graded, the
    others are compared with it on every input, and judged where they differ; then all meet other
    draws under another hash seed (the order of sets). Some inputs of each group are run twice.

    Look at the row with `grader grade … --staff`: the program, a check or a case is wrong.
    """
    for trial in evidence.right:
        bad = [row for row in trial.rows if row.verdict is not Verdict.ACCEPTED]
        path = evidence.lab.staff / trial.ask.program.name
        for row in bad[:3]:
            yield Finding(path=path, key=row.id, why=_told(row, trial.ask))
    for one in evidence.rejected:
        for fails in one.failing[:3]:
            path = evidence.lab.staff / one.name
            yield Finding(path=path, key=fails.row, why=_told(fails, one.ask))


def _told(row: CaseResult | Failing, ask: Ask) -> str:
    setting = f" (seed {ask.seed}, hash seed {ask.hash_seed})" if ask.seed else ""
    return f"{row.verdict.replace('_', ' ')}: {row.detail}{setting}"


@rule()
def another_right_solution(evidence: Evidence) -> Iterator[Finding]:
    """There is at least one right solution besides the reference.

    A check that only repeats what the reference does cannot be told from a right one by the
    reference alone.

    Write right/<style>.py in another style: other data structures, other arithmetic.
    """
    if not evidence.lab.right:
        yield Finding(path=evidence.lab.staff / "right", why="has no solution")


@rule()
def every_mistake_is_predicted(evidence: Evidence) -> Iterator[Finding]:
    """expect.toml has an entry for every file of wrong/, and for no other; it names real groups.

    A prediction is what turns a failing program into a proof that the lab looks where it should.

    Add [wrong.<file without .py>] with why, caught_by and passes.
    """
    lab = evidence.lab
    path, files = lab.staff / FILE, {program.stem for program in lab.wrong}
    if not files:
        yield Finding(path=lab.staff / "wrong", why="has no solution")
    for name in sorted(files - lab.expectations.wrong.keys()):
        yield Finding(path=path, key=f"wrong.{name}", why="is missing")
    groups = {group.name for group in lab.bundle.groups}
    for name, expected in lab.expectations.wrong.items():
        if name not in files:
            yield Finding(path=path, key=f"wrong.{name}", why=f"there is no wrong/{name}.py")
        for row in (*expected.caught_by, *expected.passes):
            if row.partition("/")[0] not in groups:
                yield Finding(path=path, key=f"wrong.{name}", why=f"no group {row!r}")


@rule("wrong")
def mistakes_are_caught_where_predicted(evidence: Evidence) -> Iterator[Finding]:
    """Every wrong solution fails the rows and groups of its caught_by, and passes those of passes.

    A mistake that is caught elsewhere is caught by accident: the next change may let it through.

    Mend the lab (a case, a strategy that draws the boundary, a check), or the prediction.
    """
    lab = evidence.lab
    too_slow = {program.stem for program in lab.too_slow}
    for name, expected in lab.expectations.wrong.items():
        failing = evidence.failing_rows(name)
        missing = evidence.not_shown(name, expected)
        if name not in evidence.wrong or (name in too_slow and not failing):
            continue  # there is no such file, or limits_were_measured says what to do
        path = lab.staff / "wrong" / f"{name}.py"
        if not failing:
            yield Finding(path=path, why="is not caught at all")
        elif missing:
            why = f"does not fail {', '.join(missing)}; it fails {', '.join(list(failing)[:5])}"
            yield Finding(path=path, why=why)
        for group in expected.passes:
            rows = [row for row in failing.values() if row.row.startswith(f"{group}/")]
            if rows:
                why = f"shall pass {group}, and fails {rows[0].row}: {rows[0].detail}"
                yield Finding(path=path, why=why)


@rule("wrong")
def mistakes_survive_the_example(evidence: Evidence) -> Iterator[Finding]:
    """A wrong solution passes the statement's worked example, or expect.toml says why it cannot.

    Whoever fails the example knows at once; the mistakes worth catching are those that pass it.

    Choose another example, or add fails_the_example = "why" to the entry.
    """
    lab = evidence.lab
    found = [lab.case_of(given) for given, answer in lab.examples if answer is not None]
    examples = {row for row, _ in filter(None, found)}
    for name, expected in lab.expectations.wrong.items():
        if name not in evidence.wrong:
            continue
        failed = examples & evidence.failing_rows(name).keys()
        key = f"wrong.{name}"
        if failed and not expected.fails_the_example:
            why = (
                f"fails the worked example ({min(failed)}), and fails_the_example does not say why"
            )
            yield Finding(path=lab.staff / FILE, key=key, why=why)
        elif expected.fails_the_example and not failed:
            why = "passes the worked example: fails_the_example is out of date"
            yield Finding(path=lab.staff / FILE, key=key, why=why)


@rule("wrong")
def mistakes_fail_in_public(evidence: Evidence) -> Iterator[Finding]:
    """Every wrong solution fails a public row, or expect.toml says why no public row can show it.

    A student who practises without the staff's rows must not be told that all is well.

    Add a public case or check, or only_staff_rows = "why" to the entry.
    """
    lab = evidence.lab
    for name, expected in lab.expectations.wrong.items():
        failing = evidence.failing_rows(name).values()
        public = [row for row in failing if not row.staff_only]
        key = f"wrong.{name}"
        if failing and not public and not expected.only_staff_rows:
            yield Finding(path=lab.staff / FILE, key=key, why="fails no public row")
        elif public and expected.only_staff_rows:
            why = f"fails the public row {public[0].row}: only_staff_rows is out of date"
            yield Finding(path=lab.staff / FILE, key=key, why=why)


@rule("wrong", "right")
def every_check_catches_something(evidence: Evidence) -> Iterator[Finding]:
    """Each check is failed by at least one wrong solution.

    A check that nothing trips may be one that cannot fail.

    Write the mistake that it is there for into wrong/, and name `group/check` in its caught_by;
    then all inputs are drawn there. Or delete the check.
    """
    failed = {
        row.partition("/")[2] for name in evidence.wrong for row in evidence.failing_rows(name)
    }
    checks = {row.id.partition("/")[2]: row for row in evidence.planned}
    for name, row in checks.items():
        if name.startswith("check_") and name not in failed:
            folder = evidence.lab.staff if row.staff_only else evidence.lab.bundle.path
            yield Finding(path=folder / "properties.py", key=name, why="no wrong solution trips it")


@rule("wrong", "degenerate")
def every_row_has_a_result(evidence: Evidence) -> Iterator[Finding]:
    """No program in wrong/, and none that prints nonsense, makes a row end as judge_error.

    Then the lab or the grader has failed, and a student's points would be held back.

    The detail says what was raised; a check may raise AssertionError only.
    """
    path = evidence.lab.bundle.path / "properties.py"
    for trial in evidence.degenerate:
        for row in [row for row in trial.rows if row.verdict is Verdict.JUDGE_ERROR][:1]:
            yield Finding(path=path, key=row.id, why=f"{row.detail} ({_program(trial)})")
    for name, rows in evidence.wrong.items():
        for one in [row for row in rows if row.verdict is Verdict.JUDGE_ERROR][:1]:
            yield Finding(path=path, key=one.row, why=f"{one.detail} (wrong/{name}.py)")


def _program(trial: Trial) -> str:
    return trial.ask.program.name


@rule("probe")
def checks_only_assert(evidence: Evidence) -> Iterator[Finding]:
    """Strategies draw what they promise; checks raise nothing but AssertionError, with a message.

    Strategies of legal inputs keep to the input schema, and that of `failure` draws every code of
    refusal. Checks get thousands of wrong answers that the output schema admits; another exception
    would be your fault, not the student's, and would cost the row its result.

    Mend the strategy or its schema; guard the check with an assertion, or bound the schema.
    """
    bundle = evidence.lab.bundle
    for flaw in evidence.flaws:
        key = f"{flaw.group}/{flaw.name}" if flaw.name != flaw.group else flaw.name
        yield Finding(path=bundle.path / "properties.py", key=key, why=flaw.detail)


@rule("degenerate")
def computing_nothing_earns_little(evidence: Evidence) -> Iterator[Finding]:
    """A program that computes nothing earns at most 10 points.

    It prints nothing, or {}, or `malformed`, or the worked example whatever the input is; it looks
    up the public cases; or it is the starter as you give it out.

    Let checks concern answers of every kind, give fixed cases fewer points, leave more to do in
    the starter.
    """
    for trial in evidence.degenerate:
        if trial.points > MOST_POINTS:
            best = sorted(trial.rows, key=lambda row: -row.points)[:3]
            rows = ", ".join(f"{row.id} {row.points:.2g}" for row in best)
            why = (
                f"a program that does nothing ({_program(trial)}) earns {trial.points:.1f}: {rows}"
            )
            yield Finding(path=evidence.lab.bundle.path, why=why)


RULES = (
    right_is_accepted,
    another_right_solution,
    every_mistake_is_predicted,
    mistakes_are_caught_where_predicted,
    mistakes_survive_the_example,
    mistakes_fail_in_public,
    every_check_catches_something,
    every_row_has_a_result,
    checks_only_assert,
    computing_nothing_earns_little,
)
