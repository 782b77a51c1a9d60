"""A lab as data: what it is called, what it promises, and which rows it grades."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.model.execution import Limits, Submission

LANGUAGES = ("en", "zh")
Text = dict[str, str]
"""The same sentence in each of `LANGUAGES`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A fixed input and what is right for it.

    An ordinary case has `answer`. A case of `scale` has `generator` (a function of `scale.py`,
    called with `seed`) and the digests of the text it gives and of the right answer.
    """

    name: str
    path: Path
    staff_only: bool
    stdin: bytes | None = None
    answer: Any = None
    generator: str | None = None
    seed: int = 0
    stdin_sha256: str = ""
    answer_sha256: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestGroup:
    """A named group of rows with points and limits of its own."""

    __test__ = False  # for pytest, which collects classes by this name

    name: str
    points: float
    staff_points: float
    examples: int
    limits: Limits
    after_groups: tuple[str, ...]
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast the machine was on which the lab's limits were measured (`pace.json`).

    `calibration_seconds` is what `sandbox.pace.calibrate` gave there; `reference_cpu_seconds` is
    for each group the CPU time of the reference's longest run.
    """

    calibration_seconds: float
    reference_cpu_seconds: dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """A lab, read and checked, without its code (`bundles.properties` loads that).

    `staff` is the folder below `solutions/`, None where it is not at hand; `reference` is the
    program in it. `pace` is None where nobody has measured it. The two fingerprints cover the
    public files and the staff's.
    """

    slug: str
    path: Path
    staff: Path | None
    title: Text
    summary: Text
    file_name: str
    needs_packages: tuple[str, ...]
    refusals: tuple[str, ...]
    groups: tuple[TestGroup, ...]
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]
    reference: Submission | None
    fingerprint: str
    staff_fingerprint: str | None
    pace: Pace | None = None
