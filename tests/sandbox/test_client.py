"""Servers come and go: what a grader notices of it, and what it does not."""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.errors import SandboxError
from grader.model.execution import Ending, Submission
from grader.sandbox import fork_server
from grader.sandbox.client import SandboxExecutor
from tests.hostile.siege import children, filters, processes
from tests.sandbox.conftest import Run, new_executor, request

ROOT = Path(__file__).resolve().parents[2]
SLOW = "import time; time.sleep(0.5); print('done')"


def kill_servers(count: int) -> None:
    """Kill so many servers of this process, each while a child of it is confined."""
    victims: set[int] = set()
    while len(victims) < count:
        servers = children(os.getpid()) - victims
        running = {
            server
            for server in servers
            if any(filters(child) > filters("self") for child in children(server))
        }
        for server in running:
            os.kill(server, signal.SIGKILL)
        victims |= running


@contextlib.contextmanager
def servers_that_die(count: int) -> Iterator[SandboxExecutor]:
    with new_executor() as executor:
        executor.server(request(SLOW).submission)  # the canary is no run
        killer = threading.Thread(target=kill_servers, args=(count,))
        killer.start()
        yield executor
        killer.join()


def test_a_run_whose_server_dies_is_repeated_on_a_fresh_one() -> None:
    with servers_that_die(1) as executor:
        assert executor.run(request(SLOW)).stdout == b"done\n"


def test_a_run_whose_server_dies_twice_is_our_fault() -> None:
    # The second server may be killed while it starts: its canary is confined as well.
    with servers_that_die(2) as executor, pytest.raises(SandboxError, match="server"):
        executor.run(request(SLOW))


def test_a_server_is_fresh_after_it_has_failed() -> None:
    with servers_that_die(2) as executor:
        with pytest.raises(SandboxError):
            executor.run(request(SLOW))
        assert executor.run(request("print(1)")).stdout == b"1\n"
        assert executor.run(request(SLOW)).stdout == b"done\n"


class Interrupted(Exception):
    """Stands for a Ctrl-C."""


def test_the_answer_of_an_interrupted_run_is_not_taken_for_the_next_one() -> None:
    def interrupt(*_: object) -> None:
        raise Interrupted

    slow_on_a = "import time; given = input(); time.sleep(0.5 * (given == 'a')); print(given)"
    old = signal.signal(signal.SIGALRM, interrupt)
    try:
        with new_executor() as executor:
            assert executor.run(request(slow_on_a, b"z")).stdout == b"z\n"
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with pytest.raises(Interrupted):
                executor.run(request(slow_on_a, b"a"))
            assert executor.run(request(slow_on_a, b"b")).stdout == b"b\n"
    finally:
        signal.signal(signal.SIGALRM, old)


def test_a_server_dies_with_the_process_that_started_it(tmp_path: Path) -> None:
    code = (
        "from tests.sandbox.conftest import new_executor, request\n"
        "print(new_executor().server(request('pass').submission).process_id, flush=True)\n"
        "input()"
    )
    command = [sys.executable, "-c", code]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment
    ) as starter:
        assert starter.stdout is not None
        server = os.pidfd_open(int(starter.stdout.readline()))
        starter.kill()
    with contextlib.closing(os.fdopen(server)):
        ended, _, _ = select.select([server], [], [], 20)
        assert ended == [server]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("enclosed", [False, True])
def test_closing_an_executor_leaves_no_process_and_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, enclosed: bool
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    before = children(os.getpid())
    with new_executor(enclosed=enclosed) as executor:
        executor.run(request("pass"))
        assert children(os.getpid()) > before
    assert children(os.getpid()) == before
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("enclosed", [False, True])
def test_a_server_that_is_closed_while_it_starts_leaves_no_process(enclosed: bool) -> None:
    """bubblewrap's inner process waits for the outer one, which may be killed just then."""
    groups = set()
    for delay in range(40):
        with new_executor(enclosed=enclosed) as executor:
            groups.add(executor.server(request("pass").submission).process_id)
            time.sleep(delay * 0.0003)
    deadline = time.monotonic() + 5
    while left := [p for p, state, _, group in processes() if group in groups and state != "Z"]:
        assert time.monotonic() < deadline, left


_OPTIMISER = "import torch\ntorch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1).step()"


def test_what_torch_writes_while_it_is_imported_is_gone_when_the_grader_is_killed(
    tmp_path: Path,
) -> None:
    """Its server is told of it by the socket, and tidies up first."""
    pytest.importorskip("torch")
    code = (
        "from tests.sandbox.conftest import new_executor, request\n"
        f"print(new_executor().server(request({_OPTIMISER!r}).submission).process_id, flush=True)\n"
        "input()"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment,
    ) as starter:
        assert starter.stdout is not None
        server = os.pidfd_open(int(starter.stdout.readline()))
        while not list(tmp_path.glob("grader-*")):
            assert starter.poll() is None
            time.sleep(0.01)
        starter.kill()
    with contextlib.closing(os.fdopen(server)):
        assert select.select([server], [], [], 60)[0] == [server]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("where", "enclosed"), [("deeper", True), ("not there", False)])
def test_torch_has_a_place_to_write_wherever_temporary_files_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, enclosed: bool
) -> None:
    pytest.importorskip("torch")
    (tmp_path / "deeper").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / where))
    with new_executor(enclosed=enclosed) as executor:
        assert executor.run(request(f"{_OPTIMISER}\nprint(1)")).stdout == b"1\n"
    assert list(tmp_path.glob("*/*")) == []


ECHO = "import sys, time; time.sleep(0.05); print(sys.stdin.read())"


def test_runs_that_are_begun_ahead_each_get_their_own_outcome_in_any_order() -> None:
    with new_executor() as executor:
        waits = [executor.begin(request(ECHO, b"%d" % n)) for n in range(4)]
        assert [waits[n]().stdout for n in (2, 0, 3, 1)] == [b"2\n", b"0\n", b"3\n", b"1\n"]
        assert executor.run(request(ECHO, b"4")).stdout == b"4\n"


def test_runs_that_nobody_waits_for_do_no_harm_and_leave_no_descriptor() -> None:
    with new_executor() as executor:
        executor.run(request(ECHO))
        before = len(os.listdir("/proc/self/fd"))
        for n in range(3):
            executor.begin(request(ECHO, b"%d" % n))
        assert executor.run(request(ECHO, b"last")).stdout == b"last\n"
    assert len(os.listdir("/proc/self/fd")) < before


def test_a_server_that_dies_with_runs_ahead_costs_none_of_them() -> None:
    with new_executor() as executor:
        executor.run(request(ECHO))
        waits = [executor.begin(request(ECHO, b"%d" % n)) for n in range(3)]
        os.kill(executor.server(request(ECHO).submission).process_id, signal.SIGKILL)
        assert [wait().stdout for wait in waits] == [b"0\n", b"1\n", b"2\n"]


def test_one_that_is_waited_for_when_its_server_is_gone_is_run_again() -> None:
    """Its outcome was known, and its files were closed with the server."""
    with new_executor() as executor:
        executor.run(request(ECHO))
        first, second = (executor.begin(request(ECHO, b"%d" % n)) for n in range(2))
        server = executor.server(request(ECHO).submission)
        assert second().stdout == b"1\n"
        server.close()
        assert first().stdout == b"0\n"


@pytest.mark.parametrize("what", ["memfd_create", "open"])
def test_a_machine_that_has_no_more_of_something_is_our_fault(
    monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(errno.EMFILE, "Too many open files")

    with new_executor() as executor:
        if what == "open":
            executor.run(request(ECHO))
        monkeypatch.setattr("os.memfd_create", refuse)
        with pytest.raises(SandboxError, match="Too many open files"):
            executor.run(request(ECHO))


@pytest.mark.parametrize("enclosed", [False, True])
def test_a_server_that_has_ended_is_not_killed_again_its_number_may_be_another_s(
    monkeypatch: pytest.MonkeyPatch, enclosed: bool
) -> None:
    killed = list[int]()
    with new_executor(enclosed=enclosed) as executor:
        executor.run(request(ECHO))
        server = executor.server(request(ECHO).submission)
        os.killpg(server.process_id, signal.SIGKILL)
        os.waitid(os.P_PID, server.process_id, os.WEXITED | os.WNOWAIT)
        for name in ("kill", "killpg"):
            monkeypatch.setattr(f"os.{name}", lambda number, _: killed.append(number))
    assert killed == []


def test_many_programs_keep_only_a_few_servers() -> None:
    with new_executor() as executor:
        before = children(os.getpid())
        for number in range(6):
            assert executor.run(request(f"print({number})")).stdout == b"%d\n" % number
        assert len(children(os.getpid()) - before) == 3


def resident_kilobytes(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def footprint(pid: int) -> tuple[int, int]:
    return len(os.listdir(f"/proc/{pid}/fd")), resident_kilobytes(pid)


def test_two_thousand_runs_leave_grader_and_server_as_they_were() -> None:
    echo = request("print(input())", b"x" * 1000)
    with new_executor() as executor:
        server = executor.server(echo.submission).process_id
        for _ in range(100):
            executor.run(echo)
        before = [footprint(pid) for pid in (os.getpid(), server)]
        for _ in range(2000):
            assert len(executor.run(echo).stdout) == 1001
        after = [footprint(pid) for pid in (os.getpid(), server)]
    for (files_before, memory_before), (files_after, memory_after) in zip(
        before, after, strict=True
    ):
        assert files_after - files_before < 5  # the server may be between two children
        assert memory_after - memory_before < 1024


def test_the_same_hash_seed_gives_the_same_order_and_another_gives_another() -> None:
    show = request("print(list({'alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'}))")
    orders = []
    for seed in (1, 1, 2, 3):
        with new_executor(seed) as executor:
            orders.append(executor.run(show).stdout)
            assert executor.run(show).stdout == orders[-1]
    assert orders[0] == orders[1]
    assert len(set(orders)) > 1


def test_a_program_gets_no_descriptor_of_a_grader_with_thousands_of_files() -> None:
    old = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4300 if old[1] == resource.RLIM_INFINITY else min(4300, old[1])
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, old[1]))
    opened: list[int] = []
    try:
        with contextlib.suppress(OSError):
            while len(opened) < 4200:
                opened.append(os.open(os.devnull, os.O_RDONLY))
        source = """
            import os
            def is_open(number):
                try: return os.fstat(number)
                except OSError: return None
            print([number for number in range(4, 10000) if is_open(number)])
        """
        with new_executor() as executor:
            assert executor.run(request(source)).stdout == b"[]\n"
    finally:
        for descriptor in opened:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, old)


LEAVING = """
    import builtins, fcntl, os, sys
    found = []
    if not hasattr(builtins, "left"): found.append("builtins")
    if "left" not in sys.modules: found.append("modules")
    if "LEFT" not in os.environ: found.append("environment")
    if open is builtins.open and len("abc") == 3: found.append("functions")
    if not fcntl.fcntl(1, fcntl.F_GETFL) & os.O_APPEND: found.append("flags of stdout")
    if os.lseek(1, 0, os.SEEK_CUR) == 0: found.append("place in stdout")
    print(*found, sep=", ", flush=True)
    builtins.left = 1
    sys.modules["left"] = sys
    os.environ["LEFT"] = "1"
    builtins.len = lambda _: 7
    fcntl.fcntl(1, fcntl.F_SETFL, fcntl.fcntl(1, fcntl.F_GETFL) | os.O_APPEND)
"""


def test_a_program_finds_nothing_that_an_earlier_run_left(run: Run) -> None:
    first, second = run(LEAVING), run(LEAVING)
    everything = "builtins, modules, environment, functions, flags of stdout, place in stdout"
    assert first.stdout.decode().strip() == everything
    assert second.stdout == first.stdout


def test_a_long_source_costs_a_server_little_memory() -> None:
    submission = Submission(name="long.py", source=b"#\n" * (2 << 20))
    with new_executor() as executor:
        assert resident_kilobytes(executor.server(submission).process_id) < 100 << 10


def test_a_program_that_is_killed_when_the_machine_is_out_of_memory_is_run_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The kernel's count of such kills rises once here; nobody else kills this program."""
    counted = iter([0, 1])
    monkeypatch.setattr(fork_server, "_kills_for_memory", lambda: next(counted, 1))
    dies = request("import os; os.kill(os.getpid(), 9)")
    with new_executor() as executor:
        before = executor.server(dies.submission).process_id
        outcome = executor.run(dies)
        assert executor.server(dies.submission).process_id != before
    assert (outcome.ending, outcome.status) == (Ending.SIGNALLED, 9)
