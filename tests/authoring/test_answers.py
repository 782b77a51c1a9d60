"""`grader answers`: what the reference says goes into the files, and nothing is lost unasked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.authoring.answers import Answer, State, answers
from grader.errors import BundleError
from tests.authoring.conftest import Folders
from tests.cli.command import Finished, grader

EXAMPLE = "cases/normal/01-worked-example.out.json"
LARGE = "cases/scale/01-many-requests.scale.json"


def command(lab: Folders, *words: str) -> Finished:
    own = {"GRADER_PROBLEMS": str(lab.public.parent)}
    return grader("answers", "admit", *words, cwd=lab.public.parent.parent, **own)


def by_name(lab: Folders) -> dict[str, Answer]:
    return {answer.path.name: answer for answer in answers(lab.public, lab.staff)}


def test_the_template_s_answers_are_the_reference_s(lab: Folders) -> None:
    told = command(lab)
    assert (told.status, told.stdout) == (0, "admit: 16 as they are, 0 written, 0 differ\n")


def test_a_missing_answer_is_written(lab: Folders) -> None:
    right = json.loads(lab.path(EXAMPLE).read_text())
    lab.path(EXAMPLE).unlink()
    told = command(lab)
    assert told.status == 0
    assert told.stdout.splitlines() == [
        f"written: problems/admit/{EXAMPLE}",
        "admit: 15 as they are, 1 written, 0 differ",
    ]
    assert json.loads(lab.path(EXAMPLE).read_text()) == right


def test_another_answer_is_shown_and_kept_until_it_shall_be_replaced(lab: Folders) -> None:
    right = lab.path(EXAMPLE).read_text()
    lab.edit(EXAMPLE, '"tokens": 7', '"tokens": 8')
    mine = lab.path(EXAMPLE).read_text()
    told = command(lab)
    assert told.status == 3
    assert told.stdout.startswith(f"differs: problems/admit/{EXAMPLE}\n--- now\n+++ reference\n")
    assert '\n- "tokens": 8\n+ "tokens": 7\n' in told.stdout
    assert "admit: 15 as they are, 0 written, 1 differ\n" in told.stdout
    assert lab.path(EXAMPLE).read_text() == mine
    replaced = command(lab, "--write")
    assert replaced.status == 0
    assert replaced.stdout.startswith(f"replaced: problems/admit/{EXAMPLE}\n")
    assert replaced.stdout.endswith("admit: 15 as they are, 0 written, 1 replaced\n")
    assert json.loads(lab.path(EXAMPLE).read_text()) == json.loads(right)


def test_a_large_case_gets_its_digests(lab: Folders) -> None:
    whole = json.loads(lab.path(LARGE).read_text())
    lab.write(LARGE, '{"generator": "many_requests"}')
    assert f"written: problems/admit/{LARGE}\n" in command(lab).stdout
    assert json.loads(lab.path(LARGE).read_text()) == whole
    assert whole["seed"] == 1


def test_digests_of_another_seed_differ_and_name_it(lab: Folders) -> None:
    lab.edit(LARGE, '"seed": 1', '"seed": 2')
    changed = by_name(lab)["01-many-requests.scale.json"]
    assert changed.state is State.DIFFERENT
    assert "stdin_sha256" in changed.difference
    assert "answer_sha256" in changed.difference
    assert changed.right["seed"] == 2


def test_of_a_refusal_only_the_code_counts(lab: Folders) -> None:
    lab.edit("cases/failure/01-not-json.out.json", "}", ', "at": "/"}')
    assert by_name(lab)["01-not-json.out.json"].state is State.SAME
    lab.edit("cases/failure/01-not-json.out.json", "malformed", "no_requests")
    assert by_name(lab)["01-not-json.out.json"].state is State.DIFFERENT


def test_an_integer_is_not_the_float_that_equals_it(lab: Folders) -> None:
    lab.edit(EXAMPLE, '"tokens": 7', '"tokens": 7.0')
    assert by_name(lab)["01-worked-example.out.json"].state is State.DIFFERENT


def test_an_answer_is_a_file_of_everybody_s_rights(lab: Folders) -> None:
    lab.path(EXAMPLE).unlink()
    command(lab)
    assert lab.path(EXAMPLE).stat().st_mode == lab.path("problem.toml").stat().st_mode


def write(name: str, text: str) -> Callable[[Folders], Any]:
    return lambda lab: lab.write(name, text)


FAULTS: dict[str, tuple[Callable[[Folders], Any], str]] = {
    "a reference that crashes": (
        write("staff:reference.py", "raise RuntimeError('oh')\n"),
        "solutions/admit/reference.py: crashed on 01-worked-example.in.json: ",
    ),
    "a reference that prints nothing": (
        write("staff:reference.py", ""),
        "solutions/admit/reference.py: malformed output on 01-worked-example.in.json: ",
    ),
    "no reference": (
        lambda lab: lab.path("staff:reference.py").unlink(),
        "solutions/admit/reference.py: cannot be read: No such file or directory",
    ),
    "no such generator": (
        write(LARGE, '{"generator": "few_requests"}'),
        "problems/admit/scale.py: few_requests: exited KeyError: 'few_requests'",
    ),
    "no generator named": (
        write(LARGE, "[]"),
        f"problems/admit/{LARGE}: generator: must name a function of scale.py",
    ),
    "a generator that fails": (
        write("scale.py", "def many_requests(seed):\n    return 1 / 0\n"),
        "problems/admit/scale.py: many_requests: exited ZeroDivisionError: division by zero",
    ),
    "no scale.py": (
        lambda lab: lab.path("scale.py").unlink(),
        "problems/admit/scale.py: cannot be read: No such file or directory",
    ),
    "an answer that is no JSON": (
        write(EXAMPLE, "{"),
        f"problems/admit/{EXAMPLE}: is not JSON: ",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_at_fault_is_named(lab: Folders, fault: str) -> None:
    break_it, says = FAULTS[fault]
    break_it(lab)
    told = command(lab)
    assert told.status == 3
    assert told.stderr.startswith("grader: ")
    assert says in told.stderr
    assert len(told.stderr.splitlines()) == 1


@pytest.mark.soak
def test_a_generator_that_does_not_end_is_stopped(lab: Folders) -> None:
    lab.write("scale.py", "def many_requests(seed):\n    while True:\n        pass\n")
    with pytest.raises(BundleError, match="many_requests: over time"):
        list(answers(lab.public, lab.staff))


@pytest.mark.parametrize("name", ["_call", "call", "_json", "_sys", "json", "sys"])
def test_a_generator_may_use_any_name(lab: Folders, name: str) -> None:
    lab.edit("scale.py", "from random import Random\n", "from random import Random as Chosen\n")
    lab.edit("scale.py", "Random(seed)", f"{name}(seed)")
    text = lab.path("scale.py").read_text().replace("import json\n", "from json import dumps\n")
    text = text.replace("json.dumps(", "dumps(")
    lab.write("scale.py", f"{text}\n\ndef {name}(seed):\n    return Chosen(seed)\n")
    assert {answer.state for answer in answers(lab.public, lab.staff)} == {State.SAME}


def test_a_generator_s_memory_is_bounded(lab: Folders) -> None:
    lab.write("scale.py", "def many_requests(seed):\n    return 'x' * (16 << 30)\n")
    with pytest.raises(BundleError, match=r"many_requests: .*memory|MemoryError"):
        list(answers(lab.public, lab.staff))


def test_without_the_staff_s_part_there_is_no_reference(lab: Folders, tmp_path: Path) -> None:
    lab.staff.rename(tmp_path / "elsewhere")
    told = command(lab)
    assert told.status == 2
    assert "this needs the staff's part of the lab" in told.stderr
