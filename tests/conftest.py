"""What many tests share: the tiny lab `double` and executors that need no sandbox."""

from __future__ import annotations

import compileall
import contextlib
import resource
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.bundles.load import load_bundle
from grader.model.bundle import Bundle
from grader.model.execution import Ending, RunOutcome, RunRequest, Submission, Usage

HERE = Path(__file__).parent
REPOSITORY = HERE.parent
LABS = HERE / "bundles"


def pytest_sessionstart(session: pytest.Session) -> None:
    """An editable install is not compiled, and the processes started here write no bytecode."""
    if not hasattr(session.config, "workerinput"):
        compileall.compile_dir(REPOSITORY / "grader", quiet=1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of one lab follow one another, so that what they share is prepared once."""
    items.sort(key=_slug_of)  # those of no lab first, in their order


def _slug_of(item: pytest.Item) -> str:
    call = getattr(item, "callspec", None)
    is_of_lab = call is not None and item.path == HERE / "test_labs.py"
    return str(call.params.get("slug", "")) if is_of_lab else ""


class FakeExecutor:
    """Runs a plain function instead of a program, and remembers what it was asked."""

    def __init__(self, function: Callable[[bytes], bytes | RunOutcome]) -> None:
        self._function = function
        self.requests: list[RunRequest] = []

    def run(self, request: RunRequest) -> RunOutcome:
        self.requests.append(request)
        result = self._function(request.stdin)
        return result if isinstance(result, RunOutcome) else outcome(result)


def outcome(
    stdout: bytes = b"",
    *,
    ending: Ending = Ending.EXITED,
    status: int = 0,
    stderr: bytes = b"",
    cpu_seconds: float = 0.001,
) -> RunOutcome:
    """What a sandbox would have told."""
    return RunOutcome(
        ending=ending,
        status=status,
        stdout=stdout,
        stderr=stderr,
        usage=Usage(wall_seconds=cpu_seconds, cpu_seconds=cpu_seconds, peak_memory_bytes=1 << 20),
    )


def submission(source: str = "pass\n", name: str = "mine.py") -> Submission:
    return Submission(name=name, source=source.encode())


@pytest.fixture
def double() -> Bundle:
    """The lab `double` as a student has it, without `solutions/`."""
    return load_bundle(LABS / "problems" / "double", None)


@pytest.fixture
def double_for_staff() -> Bundle:
    return load_bundle(LABS / "problems" / "double", LABS / "solutions" / "double")


def copy_labs(root: Path) -> Path:
    """Put a copy of the labs of the tests into a folder: problems/ and solutions/."""
    for part in ("problems", "solutions"):
        shutil.copytree(LABS / part, root / part)
    return root


@pytest.fixture
def broken_lab(tmp_path: Path) -> Path:
    """A copy of the lab `double` to be broken: the folder that holds problems/ and solutions/."""
    return copy_labs(tmp_path)


@contextlib.contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """A disk on which a file cannot grow any more."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
