"""`grader pace`: what is measured is kept and read again, and limits follow from it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from grader.authoring.lab import Lab, open_lab
from grader.authoring.pace import measure
from grader.authoring.pace_record import (
    NEEDS_TIMES,
    Measured,
    Record,
    propose,
    read_record,
    round_limit,
    save,
    save_runs,
)
from grader.bundles.load import load_bundle
from grader.cli.pace_command import fits
from grader.errors import BundleError
from tests.authoring.conftest import Folders
from tests.cli.command import grader

SLOW = "wrong/too_slow_adding_up_again.py"


def opened(lab: Folders) -> Lab:
    return open_lab(lab.public, lab.staff)


def record(right: float, slow: float | None = None, *, over: bool = False) -> Record:
    """What the reference and the too slow solution need for the large input."""
    figures = [("reference.py", right, False), ("right/prefix_sums.py", right / 2, False)]
    if slow is not None:
        figures.append((SLOW, slow, over))
    runs = tuple(
        Measured(
            program=program,
            digest="0",
            case="scale/01-many-requests",
            stdin_sha256="0",
            cpu_seconds=seconds,
            peak_mib=10,
            over=is_over,
        )
        for program, seconds, is_over in figures
    )
    return Record(machine={"cores": "2"}, calibration_seconds=0.01, runs=runs)


@pytest.mark.parametrize(
    ("right", "slow", "proposed"),
    [
        (0.01, 30.0, 1.0),
        (0.4, 30.0, 1.5),
        (0.5, 30.0, 1.5),
        (0.51, 30.0, 2.0),
        (2.5, 24.0, 8.0),
        (2.5, 23.0, None),
        (13.9, 140.6, 42.0),
        (0.01, 2.9, None),
        (3.5, 900.0, 15.0),
        (2.5, None, 8.0),
        (34.0, None, 150.0),
    ],
)
def test_a_limit_lies_between_three_times_the_right_and_a_third_of_the_too_slow(
    lab: Folders, right: float, slow: float | None, proposed: float | None
) -> None:
    found = {p.group: p for p in propose(opened(lab), record(right, slow))}["scale"]
    assert (found.slowest_right, found.now, found.proposed) == (right, 1.0, proposed)


@pytest.mark.parametrize("right", [0.01, 0.34, 2.64, 3.4, 11.0, 13.9, 34.0])
def test_where_a_too_slow_solution_is_ended_a_limit_still_fits(lab: Folders, right: float) -> None:
    ended_at = NEEDS_TIMES * round_limit(right)
    found = {p.group: p for p in propose(opened(lab), record(right, ended_at))}["scale"]
    assert found.proposed is not None


@pytest.mark.parametrize(
    ("right", "slow", "fitting"),
    [
        (0.1, 3.0, True),
        (1 / 3, 3.0, True),
        (0.34, 3.0, False),
        (0.1, 2.9, False),
        (0.1, None, True),
    ],
)
def test_a_limit_that_lies_outside_does_not_fit(
    lab: Folders, right: float, slow: float | None, fitting: bool
) -> None:
    found = {p.group: p for p in propose(opened(lab), record(right, slow))}["scale"]
    assert fits(found) is fitting


def test_the_fastest_of_the_too_slow_counts_by_its_longest_run(lab: Folders) -> None:
    runs = (*record(0.1, 4.0).runs, *record(0.1, 9.0, over=True).runs)
    found = Record(machine={}, calibration_seconds=0.01, runs=runs)
    slow = found.fastest_too_slow(opened(lab), "scale")
    assert slow is not None
    assert (slow.cpu_seconds, slow.over) == (9.0, True)


def test_what_is_written_is_read_again(lab: Folders) -> None:
    before = record(0.5, 9.0, over=True)
    public, staff = save(opened(lab), before)
    assert (public, staff) == (lab.path("pace.json"), lab.path("staff:pace.json"))
    assert read_record(lab.staff) == before
    assert "0.5" in public.read_text()
    assert SLOW not in public.read_text()
    pace = load_bundle(lab.public, None).pace
    assert pace is not None
    assert pace.reference_cpu_seconds == {"scale": 0.5}


def test_where_nothing_was_measured_there_is_no_record(lab: Folders) -> None:
    lab.path("staff:pace.json").unlink()
    assert read_record(lab.staff) is None


BROKEN: dict[str, Any] = {
    "no JSON": "{",
    "no object": "[]",
    "no runs": '{"machine": {}, "calibration_seconds": 1}',
    "a run with an unknown key": '{"machine": {}, "calibration_seconds": 1, "runs": [{"x": 1}]}',
    "runs that are no list": '{"machine": {}, "calibration_seconds": 1, "runs": 7}',
    "an unknown key": '{"machine": {}, "calibration_seconds": 1, "runs": [], "x": 1}',
    "no machine": '{"calibration_seconds": 1, "runs": []}',
    "seconds that are no number": json.dumps(
        {
            "machine": {},
            "calibration_seconds": 1,
            "runs": [
                {
                    "program": "reference.py",
                    "digest": "0",
                    "case": "scale/1",
                    "stdin_sha256": "0",
                    "cpu_seconds": "1",
                    "peak_mib": 1,
                    "over": False,
                }
            ],
        }
    ),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_record_is_named(lab: Folders, fault: str) -> None:
    lab.write("staff:pace.json", BROKEN[fault])
    with pytest.raises(BundleError, match=r"pace\.json: is not what `grader pace --write` writes"):
        read_record(lab.staff)


def test_a_measurement_has_every_right_solution_on_every_case_and_the_too_slow_one(
    broken: Folders,
) -> None:
    lab, told = opened(broken), list[tuple[int, int]]()
    found = measure(lab, lambda done, of: told.append((done, of)))
    right = {(run.program, run.case) for run in found.runs if run.program != SLOW}
    cases = {f"{group.name}/{case.name}" for group in lab.bundle.groups for case in group.cases}
    programs = ("reference.py", "right/prefix_sums.py")
    assert right == {(program, name) for program in programs for name in cases}
    (slow,) = [run for run in found.runs if run.program == SLOW]
    assert slow.over
    assert slow.cpu_seconds >= 3.0
    assert told[-1] == (len(found.runs), len(found.runs))
    assert [p.proposed for p in propose(lab, found)] == [1.0] * 5


def test_a_right_solution_that_does_not_end_well_is_named(broken: Folders) -> None:
    broken.write("staff:right/prefix_sums.py", "raise SystemExit(3)\n")
    words = ("pace", "admit")
    own = {"GRADER_PROBLEMS": str(broken.public.parent)}
    told = grader(*words, cwd=broken.public, **own)
    assert told.status == 3
    assert "right/prefix_sums.py: normal/01-worked-example: ended badly: exited" in told.stderr


def test_what_is_known_is_not_measured_again(broken: Folders) -> None:
    """By program, input and machine; a run that was ended counts as far as it went."""
    lab = opened(broken)
    first = measure(lab)
    marked = replace(first, runs=tuple(replace(run, peak_mib=4711.0) for run in first.runs))
    again = measure(lab, known=marked)
    assert {run.peak_mib for run in again.runs} == {4711.0}
    assert again.calibration_seconds <= first.calibration_seconds
    broken.add("staff:right/prefix_sums.py", "# changed\n")
    changed = {
        r.program for r in measure(opened(broken), known=marked).runs if r.peak_mib != 4711.0
    }
    assert changed == {"right/prefix_sums.py"}


def test_what_another_machine_has_measured_does_not_count(lab: Folders) -> None:
    whole = opened(lab)
    small = [group for group in whole.bundle.groups if group.name == "minimal"]
    one_group = replace(whole, bundle=replace(whole.bundle, groups=tuple(small)))
    first = measure(one_group)
    marked = tuple(replace(run, peak_mib=4711.0) for run in first.runs)
    known = replace(first, machine={"processor": "another"}, runs=marked)
    assert not [r for r in measure(one_group, known=known).runs if r.peak_mib == 4711.0]


def test_what_was_measured_before_an_interruption_is_kept(broken: Folders) -> None:
    whole = opened(broken)
    before = measure(whole)
    marked = replace(before, runs=tuple(replace(run, peak_mib=4711.0) for run in before.runs))
    broken.add("staff:right/prefix_sums.py", "# changed\n")
    changed, kept = opened(broken), list[Record]()

    def interrupt(so_far: Record) -> None:
        kept.append(so_far)
        if len(kept) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure(changed, known=marked, keep=interrupt)
    save_runs(changed, kept[-1])
    found = read_record(broken.staff)
    assert found is not None
    new = [run for run in found.runs if run.peak_mib != 4711.0]
    assert [run.program for run in new] == ["right/prefix_sums.py"]
    assert {run.case for run in before.runs} == {run.case for run in found.runs}
    again = {run.case: run for run in measure(changed, known=found).runs if run in new}
    assert set(again) == {new[0].case}
