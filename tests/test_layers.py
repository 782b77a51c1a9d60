"""Imports point downwards only; the table below is the whole rule."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "grader"

MAY_IMPORT = {
    "errors": set(),
    "model": {"errors"},
    "bundles": {"errors", "model"},
    "sandbox": {"errors", "model"},
    "judging": {"errors", "model", "bundles"},
    "report": {"errors", "model"},
    "worker": {"errors", "model", "bundles", "sandbox", "judging", "report"},
    "authoring": {"errors", "model", "bundles", "sandbox", "judging", "report", "worker"},
    "course": {"errors", "model", "bundles", "sandbox", "judging", "report", "worker"},
    "kits": {"errors", "model", "bundles", "report", "worker"},
    "cli": {
        *("errors", "model", "bundles", "sandbox", "judging", "report", "worker"),
        *("authoring", "course", "kits"),
    },
}
"""Package → what it may import besides itself."""

INSIDE = {
    *("server", "watch", "confine", "landlock", "seccomp", "syscalls"),
    *("program", "protocol", "canary", "waiting"),
}
"""Modules of `sandbox` that run inside: the standard library and each other, nothing else."""


def modules() -> list[Path]:
    return sorted(
        path for path in ROOT.rglob("*.py") if not {"problems", "template"} & set(path.parts)
    )


def imported(path: Path) -> Iterator[str]:
    """Every module that a file imports, also in functions and under TYPE_CHECKING."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: relative import"
            assert node.module
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def package(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_downwards(path: Path) -> None:
    own = package(path)
    if own in ("__init__", "__main__"):
        return
    for name in imported(path):
        parts = name.split(".")
        if parts[0] != "grader" or len(parts) == 1 or parts[1] == "__version__":
            continue
        assert parts[1] in MAY_IMPORT[own] | {own}, f"{own} imports {name}"


@pytest.mark.parametrize("name", sorted(INSIDE))
def test_what_runs_inside_the_sandbox_is_the_standard_library(name: str) -> None:
    for module in imported(ROOT / "sandbox" / f"{name}.py"):
        top = module.partition(".")[0]
        if top == "grader":
            allowed = {f"grader.sandbox.{inside}" for inside in INSIDE} | {"grader.sandbox"}
            prefix = ".".join(module.split(".")[:3])
            assert prefix in allowed, f"{name} imports {module}"
        else:
            assert top in sys.stdlib_module_names, f"{name} imports {module}"


def test_every_package_has_its_place_in_the_table() -> None:
    packages = {path.name for path in ROOT.iterdir() if (path / "__init__.py").is_file()}
    assert packages | {"errors"} == set(MAY_IMPORT)


def test_nothing_is_printed_outside_the_command_line() -> None:
    inside_a_program = ROOT / "sandbox" / "program.py"
    for path in modules():
        if package(path) == "cli" or path == inside_a_program:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_print = isinstance(node, ast.Name) and node.id == "print"
            assert not is_print, f"{path} prints"


def test_there_are_no_global_statements() -> None:
    for path in modules():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert not any(isinstance(node, ast.Global) for node in ast.walk(tree)), path
