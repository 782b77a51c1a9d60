"""Every attack ends harmlessly in every setting, and the real ones succeed without the sandbox."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.sandbox import bubblewrap, landlock
from grader.sandbox.levels import LEVELS
from tests.hostile.attacks import ATTACKS
from tests.hostile.attacks.attack import Attack
from tests.hostile.unprivileged import become_ordinary, become_powerless, drop_privileges

_ROOT = Path(__file__).resolve().parents[2]
_NEWEST = landlock.abi()
# What limits of resources stop takes its time, and depends on nothing that differs here.
_QUICK = {"layers": ["landlock", "seccomp"]}
DECLARED = os.environ.get("GRADER_TEST_LEVEL", "standard")
"""The level that this machine is said to give: with `strong`, nothing about it is left out."""

Setting = tuple[Callable[[], None] | None, dict[str, Any]]
SETTINGS: dict[str, Setting] = {
    "ordinary user": (drop_privileges, {"abi": _NEWEST}),
    "oldest Landlock": (drop_privileges, {"abi": 1, **_QUICK}),
    "Landlock 4": (drop_privileges, {"abi": min(4, _NEWEST), **_QUICK}),
    "like Docker": (drop_privileges, {"abi": _NEWEST, "like_docker": True, **_QUICK}),
}
if os.geteuid() == 0:
    SETTINGS["root"] = (None, {"abi": _NEWEST})
    SETTINGS["powerless root"] = (become_powerless, {"abi": _NEWEST, **_QUICK})
ENCLOSED: dict[str, Setting] = {
    "enclosed": (become_ordinary, {"abi": _NEWEST, "enclosed": True}),
}
if os.geteuid() == 0:
    ENCLOSED["root, enclosed"] = (None, {"abi": _NEWEST, "enclosed": True, **_QUICK})


def _encloses(preexec: Callable[[], None] | None) -> bool:
    """Whether bubblewrap works here, for such a user."""
    if bubblewrap.executable() is None:
        return False
    words = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "true"]
    try:
        return subprocess.run(words, preexec_fn=preexec, check=False).returncode == 0
    except subprocess.SubprocessError:
        return False


if DECLARED == "strong" or all(_encloses(preexec) for preexec, _ in ENCLOSED.values()):
    SETTINGS |= ENCLOSED


def _start(preexec: Callable[[], None] | None, options: dict[str, Any]) -> subprocess.Popen[str]:
    environment = {"PYTHONPATH": str(_ROOT), "PYTHONDONTWRITEBYTECODE": "1", "HOME": "/var/tmp"}
    return subprocess.Popen(
        [sys.executable, "-m", "tests.hostile.siege", json.dumps(options)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd="/",
        env=environment,
        preexec_fn=preexec,
    )


def _hand_in(folder: Path) -> subprocess.Popen[str]:
    """The siege through `grader grade`, from a wheel that is built and installed for it."""
    quiet = {"check": True, "capture_output": True}
    build = ["build", "--wheel", "--no-isolation", "--outdir", str(folder), str(_ROOT)]
    subprocess.run([sys.executable, "-m", *build], **quiet)  # type: ignore[call-overload]
    (wheel,) = folder.glob("*.whl")
    words = ["pip", "install", "--no-deps", "--no-index", "--no-compile", "--target"]
    installed = folder / "installed"
    words += [str(installed), str(wheel)]
    subprocess.run([sys.executable, "-m", *words], **quiet)  # type: ignore[call-overload]
    return subprocess.Popen(
        [sys.executable, "-m", "tests.hostile.through_grade", str(installed)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=_ROOT,
    )


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What became of all attacks in all settings; once, also when several processes test."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with (folder / "sieges.json").open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        known = file.read()
        if not known:
            known = json.dumps(_besiege(tmp_path_factory.mktemp("wheel")))
            file.write(known)
    found: dict[str, dict[str, Any]] = json.loads(known)
    return found


def _besiege(folder: Path) -> dict[str, dict[str, Any]]:
    """All settings at the same time: most of a siege is waiting."""
    started = {name: _start(*setting) for name, setting in SETTINGS.items()}
    started["control"] = _start(drop_privileges, {"control": True})
    started["grade"] = _hand_in(folder)
    try:
        answers = {name: siege.communicate(timeout=300) for name, siege in started.items()}
    finally:
        for siege in started.values():
            siege.kill()
            siege.wait()
    troubles = {name: words for name, (output, words) in answers.items() if not output}
    assert not troubles
    return {name: json.loads(output) for name, (output, _) in answers.items()}


ROWS = [
    pytest.param(setting, attack, id=f"{setting}: {attack.name}")
    for setting, (_, options) in SETTINGS.items()
    for attack in ATTACKS.values()
    if attack.layer in options.get("layers", [attack.layer])
]


@pytest.mark.parametrize(("setting", "attack"), ROWS)
def test_an_attack_ends_harmlessly(
    results: dict[str, dict[str, Any]], setting: str, attack: Attack
) -> None:
    found = results[setting][attack.name]
    assert found["damage"] == []
    is_enclosed = SETTINGS[setting][1].get("enclosed", False)
    assert found["outcome"] in harmless(attack, enclosed=is_enclosed), found["stderr"]


def harmless(attack: Attack, *, enclosed: bool) -> tuple[str, ...]:
    """What an attack may come to: in namespaces of its own, what it wants is not even there."""
    absent = ("stopped: ENOENT",) if enclosed and attack.layer == "landlock" else ()
    return (*attack.outcomes, *absent)


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_an_attack_that_is_handed_in_ends_harmlessly(
    results: dict[str, dict[str, Any]], attack: Attack
) -> None:
    found = results["grade"]["results"][attack.name]
    allowed = harmless(attack, enclosed=results["grade"]["level"] == "strong")
    assert found["outcome"] in {words.replace("signalled 31", "signalled") for words in allowed}
    assert found["points"] == 0
    assert not found["tells"]


def test_nothing_is_left_of_all_that_was_handed_in(results: dict[str, dict[str, Any]]) -> None:
    assert results["grade"]["left"] == []


def test_the_level_is_at_least_the_one_that_this_machine_is_said_to_give(
    results: dict[str, dict[str, Any]],
) -> None:
    assert LEVELS.index(results["grade"]["level"]) <= LEVELS.index(DECLARED)


REAL = {name: attack for name, attack in ATTACKS.items() if attack.control}


@pytest.mark.parametrize("attack", REAL.values(), ids=REAL)
def test_the_attack_gets_through_where_nothing_stops_it(
    results: dict[str, dict[str, Any]], attack: Attack
) -> None:
    assert results["control"][attack.name]["outcome"] == attack.control
