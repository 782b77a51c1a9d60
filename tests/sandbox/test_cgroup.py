"""A server's control group limits it as a whole, ends it as a whole, and is gone afterwards.

What needs the controllers runs where they are delegated to the tests, see docs/security.md; the
rest wherever a group can be made.
"""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from grader.errors import SandboxError
from grader.model.execution import Ending
from grader.sandbox import cgroup, levels
from grader.sandbox.cgroup import ControlGroup, NotDelegated
from grader.sandbox.client import SandboxExecutor
from tests.conftest import REPOSITORY
from tests.sandbox.conftest import new_executor, request

HOARDER = "x = bytearray(100 << 20)\nprint(len(x))\n"
THREADS = """\
import threading
threading.stack_size(1 << 16)
end, count = threading.Event(), 0
try:
    while count < 2000:
        threading.Thread(target=end.wait).start()
        count += 1
except RuntimeError:
    pass
end.set()
print(count)
"""


@pytest.fixture
def delegated() -> Path:
    try:
        return cgroup.delegated()
    except NotDelegated as why:
        pytest.skip(str(why))


@pytest.fixture
def executor(delegated: Path) -> Iterator[SandboxExecutor]:
    with new_executor(cgroup=delegated) as found:
        yield found


@pytest.fixture
def within() -> Iterator[Path]:
    """A group of the tests' own; it need not have controllers."""
    try:
        folder = cgroup.own_group() / f"tests-{uuid.uuid4()}"
        folder.mkdir()
    except (NotDelegated, OSError) as why:
        pytest.skip(f"no group can be made: {why}")
    yield folder
    folder.rmdir()


def sleeper(group: ControlGroup) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", "import time; time.sleep(600)"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=group.join)


def servers(group: Path) -> list[Path]:
    return list(group.glob("server-*"))


def test_a_group_ends_all_that_is_in_it_and_is_gone(within: Path) -> None:
    with closing(ControlGroup(within)) as group:
        started = [sleeper(group) for _ in range(3)]
        assert group.holds_something()
    assert [process.wait(60) for process in started] == [-9] * 3
    assert servers(within) == []


def test_what_a_killed_grader_left_the_next_one_ends(within: Path) -> None:
    grader = (
        "import os, pathlib, tests.sandbox.test_cgroup as here\n"
        f"group = here.ControlGroup(pathlib.Path({str(within)!r}))\n"
        "here.sleeper(group)\n"
        "print('made', flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    killed = subprocess.run(
        [sys.executable, "-c", grader], cwd=REPOSITORY, stdout=subprocess.PIPE, check=False
    )
    assert (killed.returncode, killed.stdout) == (-9, b"made\n")
    with closing(ControlGroup(within)) as mine:
        left = [group for group in servers(within) if group != mine.folder]
        assert [(group / "cgroup.procs").read_text() != "" for group in left] == [True]
        cgroup.sweep(within)
        assert servers(within) == [mine.folder]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount")
def test_a_mount_of_any_name_hinders_nobody(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path) + b"/\xe9"
    os.mkdir(folder)
    code = "from grader.sandbox.levels import why_no_cgroup\nprint(why_no_cgroup())"
    script = 'mount -t tmpfs none "$1" && exec "$2" -c "$3"'
    words = ["unshare", "-m", "sh", "-c", script, "sh", folder, sys.executable, code]
    told = subprocess.run(words, capture_output=True, text=True, check=False, cwd=REPOSITORY)
    if "unshare failed" in told.stderr or "mount: " in told.stderr:
        pytest.skip(told.stderr)
    assert told.returncode == 0, told.stderr


def test_why_there_is_none_is_told() -> None:
    if levels.why_no_cgroup():
        with pytest.raises(NotDelegated, match="cgroup") as found:
            cgroup.delegated()
        assert str(found.value) == levels.why_no_cgroup()
    else:
        assert cgroup.delegated().is_dir()


def test_a_level_tells_of_the_group(delegated: Path) -> None:
    opened = levels.open_executor(levels.PROBE)
    with closing(opened.executor):
        assert opened.containment.layers["cgroup"] is True
        assert len(servers(delegated)) == 1
    assert servers(delegated) == []


def test_memory_that_no_other_limit_counts_is_limited(
    delegated: Path, executor: SandboxExecutor
) -> None:
    assert executor.run(request(HOARDER)).stdout == b"104857600\n"
    (group,) = servers(delegated)
    (group / "memory.max").write_text(str(64 << 20))
    outcome = executor.run(request(HOARDER))
    assert (outcome.ending, outcome.status) == (Ending.OVER_MEMORY, 9)
    (group / "memory.max").write_text("max")
    assert executor.run(request(HOARDER)).stdout == b"104857600\n"
    assert servers(delegated) == [group]


def test_the_limit_grows_with_what_a_run_may_take(
    delegated: Path, executor: SandboxExecutor
) -> None:
    executor.run(request("pass"))
    (group,) = servers(delegated)
    most = int((group / "memory.max").read_text())
    assert 256 << 20 < most < 1 << 30
    assert (group / "memory.swap.max").read_text().strip() == "0"


def test_threads_are_limited_for_an_ordinary_user_too(executor: SandboxExecutor) -> None:
    outcome = executor.run(request(THREADS))
    assert 0 < int(outcome.stdout) < 300


def test_a_program_is_not_blamed_where_a_group_above_has_too_little_memory(delegated: Path) -> None:
    within = delegated / f"tests-{uuid.uuid4()}"
    within.mkdir()
    (within / "cgroup.subtree_control").write_text("+memory +pids")
    (within / "memory.max").write_text(str(64 << 20))
    with new_executor(cgroup=within) as executor:
        with pytest.raises(SandboxError, match="ran out of memory"):
            executor.run(request(HOARDER))
        assert executor.run(request("print(1)")).stdout == b"1\n"
    within.rmdir()
