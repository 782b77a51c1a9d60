"""Two JSON values are equal, or this is the first place where they are not.

As in testlib's checkers: the position, what is expected, what was found; missing, extra and
different told apart. `1`, `1.0` and `true` are three different values.
"""

from __future__ import annotations

from typing import Any

from grader.bundles.schemas import pointer, shorten


def first_difference(expected: Any, found: Any, path: tuple[Any, ...] = ()) -> str | None:
    """A sentence about the first difference, None when there is none."""
    if _kind(expected) is not _kind(found):
        return _differs(path, shorten(expected), shorten(found))
    if isinstance(expected, dict):
        return _objects(expected, found, path)
    if isinstance(expected, list):
        return _arrays(expected, found, path)
    return None if expected == found else _differs(path, shorten(expected), shorten(found))


def _kind(value: Any) -> type:
    """A number with a point is one, whoever has read it (`schemas.Real`)."""
    return float if isinstance(value, float) else type(value)


def _differs(path: tuple[Any, ...], expected: str, found: str) -> str:
    where = pointer(path) or "the whole answer"
    return f"at {where}: expected {expected}, found {found}"


def _objects(expected: dict[str, Any], found: dict[str, Any], path: tuple[Any, ...]) -> str | None:
    for key in expected:
        if key not in found:
            return _differs((*path, key), shorten(expected[key]), "nothing (the key is missing)")
    for key in found:
        if key not in expected:
            return _differs((*path, key), "nothing (no such key)", shorten(found[key]))
    for key, value in expected.items():
        difference = first_difference(value, found[key], (*path, key))
        if difference:
            return difference
    return None


def _arrays(expected: list[Any], found: list[Any], path: tuple[Any, ...]) -> str | None:
    for place, (left, right) in enumerate(zip(expected, found, strict=False)):
        difference = first_difference(left, right, (*path, place))
        if difference:
            return difference
    if len(expected) != len(found):
        return _differs(path, f"{len(expected)} items", f"{len(found)}")
    return None
