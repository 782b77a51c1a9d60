"""What this machine has for confining programs: each layer, yes or no, and why."""

from __future__ import annotations

import locale
import os
import platform
from dataclasses import asdict, dataclass
from typing import Any

from grader.errors import SandboxError
from grader.sandbox import levels, memory
from grader.sandbox.libraries import installed

_LAYERS = {
    "landlock": "programs read Python's library and nothing else",
    "seccomp": "no new processes, no network, no signals to others",
    "cpu_timer": "CPU time is limited to the millisecond",
    "rlimits": "memory, output and open files are limited",
    "private_user": "programs run as a user that nobody else is (only when the grader is root)",
    "namespaces": "programs see no other process, no network and no file but Python's (bubblewrap)",
    "cgroup": "a program's memory and threads are limited as a whole (a delegated cgroup v2)",
}
_PACKAGES = ("hypothesis", "numpy", "torch")


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One layer of containment: whether it is on, and what it is good for or why it is off."""

    on: bool
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """What `grader doctor` tells. `advice` says what to do for a better level."""

    level: str
    why: str
    layers: dict[str, Layer]
    versions: dict[str, str | None]
    advice: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def diagnose() -> Diagnosis:
    """Open a sandbox for a probe and tell what became of it."""
    try:
        opened = levels.open_executor(levels.PROBE, anew=True)
    except SandboxError as error:
        level, why, on = "none", str(error), dict.fromkeys(levels.LAYERS, False)
    else:
        opened.executor.close()
        level, why, on = opened.containment.level, opened.why, opened.containment.layers
        if on["namespaces"]:
            memory.forget()
    return Diagnosis(
        level=level,
        why=why,
        layers={name: Layer(on=on[name], why=_why(name, on=on[name])) for name in levels.LAYERS},
        versions=_versions(),
        advice=_advice(level),
    )


def _why(name: str, *, on: bool) -> str:
    reason = "" if on or name != "cgroup" else levels.why_no_cgroup()
    return f"{_LAYERS[name]}: {reason}" if reason else _LAYERS[name]


def _versions() -> dict[str, str | None]:
    found: dict[str, str | None] = {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "locale": locale.getlocale()[1] or "none",
        "cores": str(os.cpu_count()),
    }
    return found | {name: installed(name) for name in _PACKAGES}


def _advice(level: str) -> tuple[str, ...]:
    if level == "strong":
        return ()
    if level == "standard":
        return (
            "install bubblewrap (`apt-get install bubblewrap`) for level strong; in a container, "
            "allow user namespaces (unshare, clone, mount)",
        )
    if platform.system() != "Linux":
        return ("use Linux (WSL 2, a virtual machine or a container) to grade with staff rows",)
    return (
        "use a kernel of Linux 5.13 or newer with Landlock on (`lsm=landlock,…` on its command "
        "line, CONFIG_SECURITY_LANDLOCK=y)",
        "in a container, let its own seccomp profile allow the landlock_* calls and seccomp",
    )
