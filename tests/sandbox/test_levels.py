"""The level that is found, and what it is found by."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from grader.errors import LevelMissing, SandboxError
from grader.model.execution import Submission
from grader.sandbox import bubblewrap, memory
from grader.sandbox.diagnosis import diagnose
from grader.sandbox.fork_server import ForkServer
from grader.sandbox.levels import PROBE, Opened, open_executor
from grader.sandbox.program import preload
from tests.conftest import REPOSITORY
from tests.hostile.siege import children
from tests.hostile.test_attacks import ENCLOSED, SETTINGS
from tests.hostile.unprivileged import open_the_way

BUBBLEWRAP = bubblewrap.executable()
needs_bubblewrap = pytest.mark.skipif(
    not ENCLOSED.keys() <= SETTINGS.keys(), reason="bubblewrap does not work here"
)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where it is remembered that bubblewrap does not work."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "inference-labs-grader" / "bubblewrap-fails"


@pytest.fixture
def broken_bubblewrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One that counts how often it is tried, and fails as in a container."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "bwrap"
    script.write_text(
        f"#!/bin/sh\necho tried >> {tmp_path}/tried\n"
        "echo 'bwrap: No permissions to create new namespace' >&2\nexit 1\n"
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return tmp_path / "tried"


@pytest.fixture
def moody_bubblewrap(broken_bubblewrap: Path) -> None:
    """One that fails the first time, and works from then on."""
    broken_bubblewrap.parent.joinpath("bin", "bwrap").write_text(
        f'#!/bin/sh\ntest -e {broken_bubblewrap} && exec {BUBBLEWRAP} "$@"\n'
        f"echo tried >> {broken_bubblewrap}\necho 'bwrap: not this time' >&2\nexit 1\n"
    )


def opened(**options: Any) -> Opened:
    found = open_executor(PROBE, **options)
    found.executor.close()
    return found


@needs_bubblewrap
def test_namespaces_make_the_level_strong(tmp_path: Path) -> None:
    (tmp_path / "reference.py").touch()
    found = opened(secrets=(tmp_path / "reference.py",))
    assert (found.containment.level, found.why) == ("strong", "")
    assert found.containment.layers["namespaces"]


def test_a_secret_among_the_libraries_is_refused_and_no_server_is_left() -> None:
    before = children(os.getpid())
    with pytest.raises(SandboxError, match="lies in a folder of Python's own library"):
        open_executor(PROBE, secrets=(Path(sysconfig.get_path("purelib")),))
    assert children(os.getpid()) <= before


def test_a_canary_that_gets_through_makes_the_level_weak_and_leaves_no_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hello = {"through": ["fork"], "seen": [], "exposed": [], "shared": []}
    monkeypatch.setattr(ForkServer, "hello", hello)
    before = children(os.getpid())
    found = open_executor(PROBE)
    assert children(os.getpid()) <= before
    assert (found.containment.level, found.why[-4:]) == ("weak", "fork")
    found.executor.close()


@needs_bubblewrap
def test_level_standard_is_had_without_bubblewrap(broken_bubblewrap: Path) -> None:
    found = opened(level="standard")
    assert found.containment.level == "standard"
    assert not found.containment.layers["namespaces"]
    assert not broken_bubblewrap.exists()


def test_where_bubblewrap_fails_it_is_told_why_and_tried_only_once(
    broken_bubblewrap: Path, cache: Path
) -> None:
    secret = REPOSITORY / "pyproject.toml"  # one that everybody can see
    first = opened(secrets=(secret,))
    assert first.containment.level == "standard"
    assert "No permissions to create new namespace" in first.why
    assert str(secret) in first.why
    second = opened(secrets=(secret,))
    assert second.containment.level == "standard"
    assert "did not work here before" in second.why
    assert broken_bubblewrap.read_text() == "tried\n"
    assert cache.exists()


@needs_bubblewrap
@pytest.mark.usefixtures("moody_bubblewrap")
def test_a_failure_with_one_program_only_is_told_and_not_remembered(cache: Path) -> None:
    """Memory may have ended just then; a whole machine must not lose a level by that."""
    found = open_executor(Submission(name="mine.py", source=b"print()\n"))
    found.executor.close()
    assert not found.containment.layers["namespaces"]
    assert "not this time" in found.why or found.containment.level == "strong"
    assert not cache.exists()
    assert opened().containment.layers["namespaces"]


def test_doctor_tries_again_and_forgets_a_failure_that_is_over(
    broken_bubblewrap: Path, cache: Path
) -> None:
    opened()
    assert diagnose().layers["namespaces"].on is False
    assert broken_bubblewrap.read_text() == "tried\n" * 2


@needs_bubblewrap
def test_what_was_remembered_is_forgotten_when_it_works_again(cache: Path) -> None:
    memory.note_failure()
    assert "before" in opened(secrets=(REPOSITORY / "pyproject.toml",)).why
    assert diagnose().level == "strong"
    assert not cache.exists()
    assert opened().containment.layers["namespaces"]


@pytest.mark.parametrize("content", [b"", b"another boot 0 /usr/bin/bwrap 1\n", b"\xff\xfe"])
def test_a_memory_that_says_something_else_counts_for_nothing(cache: Path, content: bytes) -> None:
    cache.parent.mkdir(parents=True)
    cache.write_bytes(content)
    assert not memory.has_failed()


def test_where_nothing_can_be_remembered_it_is_found_out_each_time(
    broken_bubblewrap: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    opened()
    opened()
    assert broken_bubblewrap.read_text() == "tried\n" * 2


def test_a_level_that_is_demanded_and_not_there_is_refused(broken_bubblewrap: Path) -> None:
    secret = REPOSITORY / "pyproject.toml"
    with pytest.raises(SandboxError, match="does not give level strong: bubblewrap does not work"):
        opened(level="strong", secrets=(secret,))


def test_without_bubblewrap_a_file_that_can_be_seen_keeps_the_level_at_standard(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bubblewrap, "executable", lambda: None)
    found = opened(secrets=(REPOSITORY / "pyproject.toml",))
    assert found.containment.level == "standard"
    assert "bwrap) is not installed" in found.why
    assert "pyproject.toml is there" in found.why


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can lose its rights")
@pytest.mark.parametrize(
    "command", [["unshare", "-r"], ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]]
)
def test_a_root_without_rights_still_confines_programs(command: list[str], tmp_path: Path) -> None:
    """In a user namespace there is no other user to become, in a container no right to."""
    code = (
        "from grader.sandbox.levels import PROBE, open_executor\n"
        "found = open_executor(PROBE)\n"
        "found.executor.close()\n"
        "print(found.containment.level, found.containment.layers['private_user'])"
    )
    words = [*command, sys.executable, "-c", code]
    if subprocess.run([*command, "true"], check=False, capture_output=True).returncode:
        pytest.skip(f"{command[0]} does not work here")
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "XDG_CACHE_HOME": str(tmp_path)}
    told = subprocess.run(words, check=True, capture_output=True, text=True, env=environment)
    level, private_user = told.stdout.split()
    assert level in ("standard", "strong")
    assert private_user == "False"


@needs_bubblewrap
@pytest.mark.usefixtures("moody_bubblewrap")
def test_a_level_that_is_demanded_and_fails_just_now_is_no_lack_of_the_machine() -> None:
    """A class would be refused for it; so it is tried again."""
    with pytest.raises(SandboxError, match="not this time") as raised:
        open_executor(Submission(name="mine.py", source=b"print()\n"), level="strong")
    assert not isinstance(raised.value, LevelMissing)


def test_what_fails_with_or_without_bubblewrap_is_not_remembered_as_its_fault(
    broken_bubblewrap: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: ForkServer) -> dict[str, Any]:
        raise SandboxError("no memory")

    monkeypatch.setattr(ForkServer, "hello", property(refuse))
    with pytest.raises(SandboxError, match="no memory"):
        open_executor(PROBE)
    assert not cache.exists()


@pytest.mark.parametrize("level", ["standard", "strong"])
def test_what_was_installed_for_one_user_is_found_by_programs(tmp_path: Path, level: str) -> None:
    """`pip install --user`: outside of a virtual environment, where there is no numpy either."""
    packages = tmp_path / f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
    packages.mkdir(parents=True)
    (packages / "only_mine.py").write_text("it = 42\n")
    open_the_way(tmp_path)  # root keeps nothing for itself that it gives to programs
    code = (
        "from grader.sandbox.levels import open_executor\n"
        "from tests.sandbox.conftest import request\n"
        "wanted = request('import only_mine\\nprint(only_mine.it)')\n"
        f"with open_executor(wanted.submission, level={level!r}).executor as executor:\n"
        "    print(executor.run(wanted).stdout)"
    )
    paths = [str(REPOSITORY), *(path for path in sys.path if path.endswith("site-packages"))]
    environment = {
        **{"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(paths)},
        **{"PYTHONUSERBASE": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)},
    }
    plain = os.path.join(sys.base_prefix, "bin/python3")
    words = [plain, "-c", code]
    told = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    if f"does not give level {level}" in told.stderr:
        pytest.skip(told.stderr)
    assert told.stdout == "b'42\\n'\n", told.stderr


def test_a_library_that_is_broken_is_the_program_s_to_meet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "no_blas.py").write_text("raise OSError('libblas.so.3: cannot open')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("grader.sandbox.program.PRELOADED", {"no_blas", "json"})
    preload(["no_blas", "json"])
    assert "no_blas" not in sys.modules


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has private users to give")
def test_root_has_level_strong_without_bubblewrap_where_nothing_can_be_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o700)
    (tmp_path / "reference.py").touch()
    monkeypatch.setattr(bubblewrap, "executable", lambda: None)
    found = opened(secrets=(tmp_path / "reference.py",))
    layers = found.containment.layers
    # A closed home with the interpreter in it asks for a right with which much can be seen.
    if found.containment.level == "standard":
        assert "is there" in found.why
    assert layers["private_user"]
    assert not layers["namespaces"]


def test_a_container_that_allows_no_namespaces_gives_level_standard(tmp_path: Path) -> None:
    """Under a filter like that of containers, in a process of its own."""
    code = (
        "import json\n"
        "from tests.hostile.container import restrict_like_docker\n"
        "from tests.hostile.unprivileged import drop_privileges\n"
        "drop_privileges()\n"
        "restrict_like_docker()\n"
        "from grader.sandbox.levels import PROBE, open_executor\n"
        "found = open_executor(PROBE)\n"
        "found.executor.close()\n"
        "print(json.dumps([found.containment.level, found.containment.layers]))\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", code],
        cwd=REPOSITORY,
        env={"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1", "HOME": "/nowhere"},
        capture_output=True,
        text=True,
        check=True,
    )
    level, layers = json.loads(told.stdout)
    assert level == "standard"
    assert layers["landlock"]
    assert layers["seccomp"]
    assert not layers["namespaces"]
