"""Every attack ends harmlessly in every setting, and the real ones succeed without the sandbox."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.sandbox import landlock
from tests.hostile.attacks import ATTACKS
from tests.hostile.attacks.attack import Attack
from tests.hostile.unprivileged import drop_privileges

_ROOT = Path(__file__).resolve().parents[2]
_NEWEST, _OLDEST = landlock.abi(), 1

SETTINGS: dict[str, tuple[Callable[[], None] | None, dict[str, Any]]] = {
    "ordinary user": (drop_privileges, {"abi": _NEWEST}),
    # The version makes no difference to limits of resources, which take their time.
    "oldest Landlock": (drop_privileges, {"abi": _OLDEST, "layers": ["landlock", "seccomp"]}),
}
if os.geteuid() == 0:
    SETTINGS["root"] = (None, {"abi": _NEWEST})

Sieges = dict[str, "subprocess.Popen[str]"]


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


@pytest.fixture(scope="module")
def sieges() -> Iterator[Sieges]:
    """All settings at the same time: most of a siege is waiting."""
    started = {name: _start(*setting) for name, setting in SETTINGS.items()}
    started["control"] = _start(drop_privileges, {"control": True})
    yield started
    for siege in started.values():
        siege.kill()
        siege.communicate()


@pytest.fixture(scope="module")
def results(sieges: Sieges) -> dict[str, dict[str, Any]]:
    answers = {name: siege.communicate(timeout=300) for name, siege in sieges.items()}
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
    assert found["outcome"] in attack.outcomes, found["stderr"]


REAL = {name: attack for name, attack in ATTACKS.items() if attack.control}


@pytest.mark.parametrize("attack", REAL.values(), ids=REAL)
def test_the_attack_gets_through_where_nothing_stops_it(
    results: dict[str, dict[str, Any]], attack: Attack
) -> None:
    assert results["control"][attack.name]["outcome"] == attack.control
