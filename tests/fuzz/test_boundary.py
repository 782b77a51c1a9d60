"""Arbitrary bytes at every door: no crash, no hang, no verdict that a program talks us into."""

from __future__ import annotations

import functools
import json
import shutil
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.authoring.expect import read_expectations
from grader.authoring.pace_record import read_record
from grader.bundles.load import load_bundle
from grader.bundles.properties import load_properties
from grader.bundles.schemas import strict_for_answers
from grader.errors import BundleError, SandboxError
from grader.judging.compare import first_difference
from grader.judging.decode import Malformed, decode
from grader.judging.fixed import grade_cases
from grader.judging.judge import Fault, has_digest, judge
from grader.judging.rows import plan
from grader.judging.runs import Runs, same_result
from grader.model.bundle import Bundle
from grader.model.execution import RunOutcome
from grader.model.verdict import Verdict
from grader.sandbox import launch, protocol
from grader.sandbox.client import SandboxExecutor
from tests.conftest import LABS, FakeExecutor, outcome, submission
from tests.hostile.scene import SECRET
from tests.sandbox.conftest import LIMITS, new_executor, request

MANY = settings(
    max_examples=200,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
FEW = settings(MANY, max_examples=25)

_FRAGMENTS = [
    *(
        b'{"ok": true, "twice": 0}',
        b'{"ok": true, "twice": 0}\n',
        b"{}",
        b"[]",
        b"null",
        b"\xef\xbb\xbf",
    ),
    *(b'"twice": 0', b'{"ok": true,', b"}", b" ", b"\n", b"\0", b"NaN", b"1e999", b"-0", b"0.0"),
    *(b'{"verdict": "accepted", "points": 100}', b"\x1b[2J", b"::error::x", b"=HYPERLINK()"),
    *(
        "\u202e\u2066".encode(),
        "\u0661".encode(),
        b"9" * 5000,
        b"[" * 5000,
        b"\\ud800",
        b'"\\udc00"',
    ),
]
printed = st.binary(max_size=60) | st.lists(
    st.sampled_from(_FRAGMENTS) | st.binary(max_size=4), max_size=5
).map(b"".join)


@MANY
@given(printed)
def test_what_was_printed_is_one_object_or_a_reason_in_plain_words(stdout: bytes) -> None:
    value, why = _decoded(stdout)
    if value is None:
        assert why
        assert not {unicodedata.category(char) for char in why} & {"Cc", "Cf", "Cs"}
    else:
        assert value == json.loads(stdout.decode("utf-8"))


def test_a_number_with_a_point_is_the_same_from_a_file_and_from_a_program() -> None:
    from_file, printed_ = json.loads('{"x": 0.5}'), decode(b'{"x": 0.5}')
    assert first_difference(from_file, printed_) is None
    assert first_difference({"x": 1}, decode(b'{"x": 1.0}')) == "at /x: expected 1, found 1.0"


@pytest.mark.parametrize("depth", range(100, 1100, 50))
def test_no_depth_of_what_was_printed_is_too_much(depth: int) -> None:
    """The parser takes what others, further down the stack, do not: each depth has to be met."""
    schema = strict_for_answers({"type": "object", "properties": {"x": {"type": "integer"}}})
    for deeper in range(depth, depth + 50):
        ended = outcome(b'{"ok":true,"x":' + b"[" * deeper + b"]" * deeper + b"}")
        judged = judge(ended, LIMITS, schema)
        assert isinstance(judged, Fault)
        assert judged.verdict is Verdict.MALFORMED_OUTPUT
        assert not has_digest(ended, "0" * 64)
        same_result(ended, replace(ended, stdout=ended.stdout + b" "))  # and nothing is raised


def _decoded(stdout: bytes) -> tuple[dict[str, Any] | None, str]:
    try:
        return decode(stdout), ""
    except Malformed as why:
        return None, str(why)


@pytest.fixture(scope="module")
def double() -> Bundle:
    return load_bundle(LABS / "problems" / "double", None)


@MANY
@given(stdout=printed, stderr=printed)
def test_only_the_answer_itself_is_accepted(double: Bundle, stdout: bytes, stderr: bytes) -> None:
    """Whatever else a program says, and wherever it says it."""
    group = next(group for group in double.groups if group.name == "minimal")
    row = plan(double, load_properties(double), staff=False)[group.name][0]
    assert row.case
    case = row.case
    said: RunOutcome = outcome(stdout, stderr=stderr)
    runs = Runs(FakeExecutor(lambda _: said), submission(), group.limits)
    schema = strict_for_answers(double.output_schema)
    [result] = grade_cases([(row, case)], double, runs, None, schema)
    assert (result.verdict is Verdict.ACCEPTED) == _is_answer(stdout, case.answer)
    assert SECRET not in result.detail


def _is_answer(stdout: bytes, answer: Any) -> bool:
    """By the standard library alone: one object, without doubled keys, of the same types."""
    try:
        pairs = json.loads(stdout.decode("utf-8"), object_pairs_hook=lambda found: found)
        return bool(sorted(map(repr, pairs)) == sorted(map(repr, answer.items())))
    except (ValueError, TypeError, RecursionError):
        return False


@pytest.fixture(scope="module")
def echo() -> Iterator[SandboxExecutor]:
    with new_executor() as executor:
        yield executor


ECHO = """
import sys
data = sys.stdin.buffer.read()
sys.stdout.buffer.write(data)
sys.stderr.buffer.write(data)
"""


@settings(MANY, max_examples=100)
@given(data=printed)
def test_bytes_go_through_the_sandbox_as_they_are(echo: SandboxExecutor, data: bytes) -> None:
    found = echo.run(request(ECHO, data))
    assert (found.stdout, found.stderr, found.status) == (data, data, 0)


TALKER = (
    "import socket, sys; s = socket.socket(fileno=int(sys.argv[1])); s.recv(65536); "
    "s.send(bytes.fromhex({hello!r})); s.recv(65536); s.send(bytes.fromhex({tale!r}))"
)
_HELLO = json.dumps({"through": [], "seen": [], "exposed": [], "shared": []}).encode()


@FEW
@given(
    hello=st.just(_HELLO) | st.binary(min_size=1, max_size=80),
    tale=st.binary(min_size=1, max_size=60) | st.binary(min_size=42, max_size=42),
)
def test_a_server_that_talks_nonsense_is_an_error_of_ours(hello: bytes, tale: bytes) -> None:
    """Never a verdict: it would be the student's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(launch, "_BOOT", TALKER.format(hello=hello.hex(), tale=tale.hex()))
        with new_executor() as executor:
            try:
                found = executor.run(request("pass"))
            except SandboxError:
                return
    assert len(tale) >= protocol.TALE_LEAST_BYTES
    assert found.stdout == b""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lab")
    for part in ("problems", "solutions"):
        shutil.copytree(LABS / part / "double", folder / part / "double")
    return folder


_TOML = (LABS / "problems" / "double" / "problem.toml").read_bytes()
_JSON = (LABS / "problems" / "double" / "input.schema.json").read_bytes()


def mutated(original: bytes) -> st.SearchStrategy[bytes]:
    """A file with a piece cut out, doubled, or replaced by something else."""
    place = st.integers(0, len(original))
    pieces = [
        b"",
        b"=",
        b"[",
        b"]",
        b'"',
        b"\n",
        b"nan",
        b"-1",
        b"1e400",
        b"9" * 30,
        b"\xff",
        b"\0",
    ]
    pieces += [b"true", b"[[group]]\n", b"null", b"'''", b"2026-01-01", b'"\\u0000"']
    piece = st.sampled_from(pieces) | st.binary(max_size=6)

    def put(start: int, length: int, new: bytes, *, doubled: bool) -> bytes:
        cut = original[start : start + length]
        return original[:start] + (cut if doubled else b"") + new + original[start + length :]

    return st.builds(put, place, st.integers(0, 40), piece, doubled=st.booleans())


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("problem.toml", mutated(_TOML)),
        ("input.schema.json", mutated(_JSON)),
        ("cases/minimal/01-zero.out.json", mutated(b'{"ok": true, "twice": 0}\n')),
        ("pace.json", mutated(b'{"calibration_seconds": 0.01, "reference_cpu_seconds": {}}')),
    ],
)
def test_a_file_of_a_lab_is_read_or_named(
    lab: Path, name: str, content: st.SearchStrategy[bytes]
) -> None:
    path = lab / "problems" / "double" / name
    before = path.read_bytes() if path.exists() else None

    @MANY
    @given(content)
    def read(text: bytes) -> None:
        path.write_bytes(text)
        error = _error_of(lambda: load_bundle(lab / "problems" / "double", None))
        assert error is None or (error.why and Path(error.path).is_relative_to(lab))

    try:
        read()
    finally:
        path.unlink() if before is None else path.write_bytes(before)


_EXPECT = (
    b'[wrong.off_by_one]\nwhy = "It is."\ncaught_by = ["normal/answers"]\npasses = ["failure"]\n'
)
_PACE = (
    b'{"machine": {}, "calibration_seconds": 1.0, "runs": [{"program": "reference.py", '
    b'"digest": "0", "case": "scale/1", "stdin_sha256": "0", "cpu_seconds": 1, "peak_mib": 1, '
    b'"over": false, "out_of_memory": false}]}'
)


@MANY
@given(expect=mutated(_EXPECT), pace=mutated(_PACE))
def test_a_file_of_the_staff_is_read_or_named(tmp_path: Path, expect: bytes, pace: bytes) -> None:
    (tmp_path / "expect.toml").write_bytes(expect)
    (tmp_path / "pace.json").write_bytes(pace)
    for read in (read_expectations, read_record):
        error = _error_of(functools.partial(read, tmp_path))
        assert error is None or error.why


def _error_of(read: Callable[[], object]) -> BundleError | None:
    try:
        read()
    except BundleError as error:
        return error
    return None
