"""The libraries that programs and checks may count on besides Python's own."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

LIBRARIES = ("numpy", "torch")


def versions() -> dict[str, str | None]:
    """For each of `LIBRARIES` the version that is installed here, None where there is none."""
    return {name: installed(name) for name in LIBRARIES}


def installed(name: str) -> str | None:
    """The version of a package; None where it is not there."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None
