"""`grader class run SUBMISSIONS --out RUN`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.class_grading import engine_options, grade, now
from grader.cli.options import draw_options, library, problems_option, sandbox_options

if TYPE_CHECKING:
    from grader.course.discover import Found
    from grader.course.intake import Taken


class _Shard(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    name = "i/n"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", value)
        part, parts = (int(match[1]), int(match[2])) if match else (0, 0)
        if not 1 <= part <= parts:
            self.fail(f"{value!r} is not one of 1/n to n/n", param, ctx)
        return part, parts


@click.command("run")
@click.argument("submissions", type=click.Path(path_type=Path))
@click.option(
    "--out",
    "run",
    type=click.Path(path_type=Path),
    required=True,
    metavar="RUN",
    help="The folder of the run.",
)
@click.option("--problem", "chosen", multiple=True, metavar="PROBLEM", help="Only this (again).")
@click.option(
    "--zip-names",
    type=click.Choice(["cp437", "gbk", "big5", "shift_jis", "euc_kr"]),
    default="cp437",
    help="Encoding of names in a zip that do not say theirs (gbk: made by the Chinese Windows).",
)
@click.option("--shard", type=_Shard(), help="Only this machine's part: 1/4, 2/4, …")
@draw_options
@click.option("--public", is_flag=True, help="Leave solutions/ aside.")
@sandbox_options
@engine_options
@problems_option
def command(
    submissions: Path,
    run: Path,
    chosen: tuple[str, ...],
    zip_names: str,
    shard: tuple[int, int] | None,
    seed: int,
    secret_seed: int | None,
    examples: int | None,
    public: bool,
    level: str | None,
    accept_weak: bool,
    metrics: bool,
    problems: Path | None,
    **engine: Any,
) -> int:
    """Grade all submissions of a class into RUN.

    SUBMISSIONS is a folder (student/problem.py, student/problem/file.py, a Gradescope export, a
    Moodle download), a zip of one, or a CSV with the columns student, problem, path. The same
    command again continues where it was interrupted, and grades what is new or changed.
    """
    from grader.cli.class_status_command import listed, show_status
    from grader.course.discover import discover
    from grader.course.intake import take_in
    from grader.course.journal import writing
    from grader.course.key import Setting, result_key
    from grader.course.labs_of_class import labs_of_class
    from grader.course.shards import in_shard
    from grader.errors import UsageError

    labs = library(problems)
    slugs = labs.slugs()
    only = tuple(labs.folder(name).name for name in chosen)
    setting = Setting(
        seed=seed if secret_seed is None else secret_seed,
        seed_is_secret=secret_seed is not None,
        examples=examples,
        level=level,
        accept_weak=accept_weak,
        public=public,
    )
    _apart(submissions, run)
    find = partial(discover, submissions, slugs, only=only, zip_names=zip_names)
    found = find()
    not_taken = _not_taken(found)
    listed("", not_taken)
    mine = [one for one in found.submitted if shard is None or in_shard(one, *shard)]
    # Before a run is begun: what is wrong with the labs may be mended by another setting.
    wanted = {one.problem for one in mine}
    of_class = labs_of_class(labs, wanted, public=public)
    with writing(run, now, create=True) as journal:
        journal.set_up(setting)
        journal.recover()
        journal.note_not_taken(not_taken)
        of_class |= labs_of_class(labs, journal.problems - wanted, public=public)
        taken = take_in(
            journal, mine, lambda slug, digest: result_key(digest, of_class[slug], setting)
        )
        _tell_what_was_taken(taken)
        grade(journal, of_class, metrics=metrics, **engine)
    try:
        _tell_what_has_changed(mine, find())
    except UsageError as error:
        click.echo(f"whether anything was changed meanwhile is not known: {error}", err=True)
    return show_status(run)


def _apart(submissions: Path, run: Path) -> None:
    """A run among the submissions would be looked through for programs the next time."""
    from grader.errors import UsageError

    if run.resolve().is_relative_to(submissions.resolve()):
        raise UsageError(f"{run} lies in {submissions}: choose a folder outside for the run")


def _not_taken(found: Found) -> list[str]:
    """What is not graded and why, line by line."""
    from grader.report.shown import visible

    lines = [
        f"ambiguous: {visible(one.student)} {one.problem}: {one.why}: "
        + ", ".join(map(visible, one.paths))
        for one in found.ambiguous
    ]
    for kind, asides in (("refused", found.refused), ("not understood", found.unknown)):
        lines += [f"{kind}: {visible(aside.path)}: {visible(aside.why)}" for aside in asides]
    if found.left_aside:
        lines.append(f"left aside: {len(found.left_aside)} files for other labs")
    return lines


def _tell_what_was_taken(taken: Taken) -> None:
    parts = [
        f"{count} {word}"
        for count, word in (
            (taken.new, "new"),
            (taken.changed, "changed"),
            (taken.stale, "graded with something that has changed since"),
            (taken.same, "as before"),
            (taken.cached, "equal to one that was graded"),
        )
        if count
    ]
    click.echo(f"submissions: {', '.join(parts) or 'none'}", err=True)


def _tell_what_has_changed(graded: Iterable[Any], found: Found) -> None:
    now_there = {(one.student, one.problem): one.source for one in found.submitted}
    changed = [
        f"{one.student} {one.problem}"
        for one in graded
        if now_there.get((one.student, one.problem), one.source) != one.source
    ]
    if changed:
        from grader.report.shown import visible

        names = ", ".join(map(visible, changed[:5])) + (" …" if len(changed) > 5 else "")
        click.echo(
            f"{len(changed)} submissions have changed since they were read ({names}): "
            "run the command again to grade them",
            err=True,
        )
