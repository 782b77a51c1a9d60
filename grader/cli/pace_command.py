"""`grader pace PROBLEM`."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.options import library, problems_option, staff_folder

if TYPE_CHECKING:
    from grader.authoring.pace_record import Proposal, Record


@click.command("pace")
@click.argument("problem")
@click.option("--write", is_flag=True, help="Keep what was measured in both pace.json.")
@click.option("--again", is_flag=True, help="Also what this machine has measured before.")
@click.option("--format", "format_", type=click.Choice(["terminal", "json"]), default="terminal")
@problems_option
def command(problem: str, write: bool, again: bool, format_: str, problems: Path | None) -> int:
    """Measure a lab's solutions and propose limits.

    Right solutions run on every case, too slow ones until they have used nine times what the
    slowest right one needs. What the record has of this machine, for the same program and the same
    input, is not run again; with --write every run is kept as soon as it is made, so that an
    interrupted measurement goes on where it was. Do it at a quiet moment: everything counts in CPU
    time, but a busy machine is a slow one. Exit status 3 means that a limit does not fit.
    """
    from grader.authoring.lab import open_lab
    from grader.authoring.pace import measure
    from grader.authoring.pace_record import propose, read_record, save, save_runs
    from grader.cli.exit_status import ExitStatus
    from grader.cli.screen import counting

    labs = library(problems)
    folder = labs.folder(problem)
    lab = open_lab(folder, staff_folder(labs, folder.name))
    with counting("runs") as notice:
        record = measure(
            lab,
            notice,
            known=None if again else read_record(lab.staff),
            keep=(lambda so_far: save_runs(lab, so_far)) if write else (lambda _: None),
        )
    proposals = propose(lab, record)
    if format_ == "json":
        found = {"record": asdict(record), "proposals": [asdict(p) for p in proposals]}
        click.echo(json.dumps(found, indent=2))
    else:
        show(record, proposals)
    if write:
        for path in save(lab, record):
            click.echo(f"written: {os.path.relpath(path)}", err=True)
    return ExitStatus.ACCEPTED if all(map(fits, proposals)) else ExitStatus.BUNDLE


def fits(proposal: Proposal) -> bool:
    """Whether the limit as it is lies between the right and the too slow."""
    from grader.authoring.pace_record import cuts_off, leaves_room

    fits_the_right = leaves_room(proposal.now, proposal.slowest_right)
    return fits_the_right and cuts_off(proposal.now, proposal.fastest_too_slow)


def show(record: Record, proposals: list[Proposal]) -> None:
    """A line for each group, and the machine."""
    from rich.table import Table

    from grader.cli.screen import console

    table = Table(box=None, pad_edge=False)
    for heading in ("group", "slowest right", "fastest too slow", "limit now", "proposed"):
        table.add_column(heading, justify="left" if heading == "group" else "right")
    for proposal in proposals:
        slow = proposal.fastest_too_slow
        table.add_row(
            proposal.group,
            f"{proposal.slowest_right:.3g} s",
            f"{'> ' if slow.over else ''}{slow.cpu_seconds:.3g} s" if slow else "",
            f"{proposal.now:g} s" + ("" if fits(proposal) else " ✗"),
            f"{proposal.proposed:g} s" if proposal.proposed else "none fits",
        )
    shown = console()
    shown.print(table)
    machine = ", ".join(
        f"{value} {key}" if key == "cores" else value for key, value in record.machine.items()
    )
    shown.print(f"CPU seconds on {machine}; calibration {record.calibration_seconds * 1000:.1f} ms")
