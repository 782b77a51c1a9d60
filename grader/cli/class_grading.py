"""What the class commands that grade have in common: their options, engines, and what is shown."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.options import all_of, jobs_option

if TYPE_CHECKING:
    from grader.course.drive import Step
    from grader.course.engines.engine import Engine
    from grader.course.journal import Journal
    from grader.course.key import LabOfClass
    from grader.course.metrics import Metrics

run_argument = click.argument("run", type=click.Path(path_type=Path))

engine_options = all_of(
    jobs_option,
    click.option(
        "--engine",
        type=click.Choice(["local", "dask"]),
        default="local",
        show_default=True,
        help="This machine's processes, or a Dask cluster.",
    ),
    click.option("--scheduler", metavar="ADDRESS", help="Of the Dask cluster (tls://…)."),
    click.option("--tls-ca", type=click.Path(path_type=Path), help="Dask: the authority."),
    click.option("--tls-cert", type=click.Path(path_type=Path), help="Dask: our certificate."),
    click.option("--tls-key", type=click.Path(path_type=Path), help="Dask: its key."),
    click.option("--metrics", is_flag=True, help="Print throughput, waiting and grading times."),
)
"""Where and how fast to grade; they reach the command as `engine`."""


def now() -> str:
    """The time for the journal, ISO 8601 in UTC."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def grade(
    journal: Journal, labs: Mapping[str, LabOfClass], *, metrics: bool, **engine: Any
) -> None:
    """Grade all that waits in a journal, telling on stderr how it gets on."""
    from grader.course.drive import Drive
    from grader.course.metrics import measure

    setting = journal.setting
    assert setting is not None
    times: list[tuple[float, float]] = []
    began = time.monotonic()
    with _engine(labs, journal.folder, **engine) as chosen, _progress() as tell:

        def notice(step: Step) -> None:
            tell(step)
            if step.outcome and step.waited is not None and not step.waiting:
                times.append((step.waited, step.outcome.seconds))

        Drive(journal, chosen, labs, setting, notice).run()
    if metrics:
        _show(measure(times, time.monotonic() - began))


def _engine(
    labs: Mapping[str, LabOfClass],
    run: Path,
    *,
    jobs: int,
    engine: str,
    scheduler: str | None,
    tls_ca: Path | None,
    tls_cert: Path | None,
    tls_key: Path | None,
) -> Engine:
    from grader.errors import UsageError

    if engine == "dask":
        from grader.course.engines.dask_engine import DaskEngine

        return DaskEngine(labs, scheduler=scheduler, jobs=jobs, tls=(tls_ca, tls_cert, tls_key))
    if scheduler is not None:
        raise UsageError("--scheduler is for `--engine dask`")
    from grader.course.engines.local import LocalEngine

    return LocalEngine(jobs, run)


@contextmanager
def _progress() -> Iterator[Callable[[Step], None]]:
    """A bar with rate and time left on a terminal; elsewhere a line for each submission."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    from grader.cli.screen import console

    shown = console(error=True)
    if not shown.is_terminal:
        yield lambda step: shown.print(_line(step))
        return
    columns = (
        *(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()),
        *(TextColumn("{task.fields[rate]}"), TimeRemainingColumn()),
    )
    began = time.monotonic()
    with Progress(*columns, console=shown) as progress:
        task = progress.add_task("grading", total=None, rate="")

        def tell(step: Step) -> None:
            rate = f"{60 * step.done / max(1e-9, time.monotonic() - began):.1f}/min"
            progress.update(task, completed=step.done, total=step.of, rate=rate)
            if step.outcome and step.outcome.error:
                progress.console.print(_line(step))

        yield tell


def _line(step: Step) -> str:
    from grader.course.waiting import Queue
    from grader.report.shown import visible

    who = visible(f"{step.todo.student} {step.todo.problem}")
    if step.waiting:
        assert step.outcome is not None
        return f"{who}: will be tried again: {visible(step.outcome.error)}"
    if step.outcome is None:
        what = "equal to one that was graded"
    elif step.outcome.report is None or step.outcome.error:
        again = step.todo.queue is not Queue.GRADE
        what = f"{'not graded again' if again else 'given up'}: {visible(step.outcome.error)}"
    else:
        report = step.outcome.report
        what = f"{report.verdict.replace('_', ' ')}, {report.points:g} points"
    return f"{step.done}/{step.of} {who}: {what}"


def _show(metrics: Metrics | None) -> None:
    if metrics is None:
        click.echo("nothing was graded: no metrics")
        return
    click.echo(
        f"{metrics.count} gradings in {metrics.seconds:.1f} s: {metrics.per_minute:.1f} a minute"
    )
    click.echo(f"{'seconds':<10}{'p50':>9}{'p95':>9}{'max':>9}   (nearest rank)")
    for name, of in (
        ("waiting", metrics.waited),
        ("grading", metrics.graded),
        ("both", metrics.total),
    ):
        click.echo(f"{name:<10}{of.p50:>9.1f}{of.p95:>9.1f}{of.maximum:>9.1f}")


def labs_of(journal: Journal, problems: Path | None) -> dict[str, LabOfClass]:
    """The labs of a journal, as they are now: before anything is queued for them."""
    from grader.cli.options import library
    from grader.course.labs_of_class import labs_of_class

    setting = journal.setting
    return labs_of_class(
        library(problems), journal.problems, public=bool(setting and setting.public)
    )
