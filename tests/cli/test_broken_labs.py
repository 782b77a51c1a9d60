"""What a person sees of a broken lab: one sentence and status 3, or a row without a result."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.bundles.test_broken_labs import AS_CODE, AS_DATA, GENERATED, LAB
from tests.cli.command import RIGHT, grader, rows


@pytest.mark.parametrize("fault", ["an unknown key", "a syntax error"])
def test_a_broken_lab_ends_a_grading_with_status_3_and_one_sentence(
    broken_lab: Path, fault: str
) -> None:
    break_it, message = (AS_DATA | AS_CODE)[fault]
    break_it(broken_lab)
    (broken_lab / "mine.py").write_text(RIGHT)
    words = ("grade", "double", "mine.py", "--format", "json")
    refused = grader(*words, cwd=broken_lab, GRADER_PROBLEMS=str(broken_lab / "problems"))
    assert (refused.status, refused.stdout) == (3, "")
    assert refused.stderr.startswith(f"grader: {broken_lab / LAB}")
    assert re.search(re.escape(message) if fault in AS_DATA else message, refused.stderr)
    assert len(refused.stderr.splitlines()) == 1


def test_a_large_input_that_cannot_be_made_is_a_row_without_a_result(broken_lab: Path) -> None:
    GENERATED["a text of another digest"][0](broken_lab)
    (broken_lab / "mine.py").write_text(RIGHT)
    words = ("grade", "double", "mine.py", "--group", "scale", "--format", "json")
    told = grader(*words, cwd=broken_lab, GRADER_PROBLEMS=str(broken_lab / "problems"))
    row = rows(told.report)["scale/01-many-digits"]
    assert told.status == 3
    assert (row["verdict"], row["graded"], row["fault"]) == ("judge_error", False, "author")
    assert row["points"] == 0
    assert not told.shows_our_code
