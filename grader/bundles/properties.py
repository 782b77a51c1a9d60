"""The code of a lab: `properties.py` gives strategies and checks, `scale.py` large inputs.

This executes what the lab's author wrote, so it happens in the judging process only. A module is
plain Python that imports nothing from here: strategies are found by the names of the groups,
checks by the names `check_*`.
"""

from __future__ import annotations

import hashlib
import inspect
import traceback
import types
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis.strategies import SearchStrategy

from grader.bundles.files import content_of
from grader.errors import BundleError
from grader.model.bundle import Bundle, Case, Text

ARGUMENTS = ("given", "answer", "run", "expected")
REFUSING_GROUP = "failure"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A property: a function that raises AssertionError where the answer breaks it.

    `groups` are the drawn groups that it belongs to. A check that wants the reference's answer
    (`expected`) is a row of the staff's.
    """

    name: str
    function: Callable[..., None]
    arguments: tuple[str, ...]
    sentence: Text
    groups: tuple[str, ...]
    staff_only: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Properties:
    """What a lab's code says: how to draw inputs and what must hold for the answers."""

    strategies: dict[str, SearchStrategy[Any]]
    checks: tuple[Check, ...]
    digest: str

    def checks_of(self, group: str) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if group in check.groups)


def load_properties(bundle: Bundle) -> Properties:
    """Execute the lab's `properties.py`, and the staff's where it is at hand.

    Raises:
        BundleError: it cannot be executed, or a check is not as this module demands.
    """
    path = bundle.path / "properties.py"
    public = _execute(path)
    strategies = {}
    for group in bundle.groups:
        strategy = public.get(group.name)
        if isinstance(strategy, SearchStrategy):
            strategies[group.name] = strategy
        elif strategy is not None:
            raise BundleError(path, group.name, "is named after a group but is no strategy")
        elif not group.cases:
            raise BundleError(path, group.name, "this group has neither a strategy nor a case")
    checks = _checks(path, public, strategies, staff_only=False)
    if bundle.staff and (bundle.staff / "properties.py").is_file():
        staff_path = bundle.staff / "properties.py"
        staff_checks = _checks(staff_path, _execute(staff_path), strategies, staff_only=True)
        twice = {check.name for check in checks} & {check.name for check in staff_checks}
        if twice:
            raise BundleError(staff_path, min(twice), "a public check has this name, too")
        checks += staff_checks
    digest = hashlib.sha256(content_of(path)).hexdigest()
    return Properties(strategies=strategies, checks=tuple(checks), digest=digest)


def generate(bundle: Bundle, case: Case) -> bytes:
    """The stdin of a `scale` case, from the function of `scale.py` that it names.

    Raises:
        BundleError: there is no such function, it fails, or gives another text than the case says.
    """
    path = bundle.path / "scale.py"
    function = _execute(path).get(case.generator or "")
    if not callable(function):
        raise BundleError(path, str(case.generator), f"no such function, wanted by {case.name}")
    try:
        stdin = str(function(case.seed)).encode()
    except Exception as error:
        raise BundleError(path, str(case.generator), _last_line(error)) from error
    if hashlib.sha256(stdin).hexdigest() != case.stdin_sha256:
        why = "the generated text is not the one that the answer was computed from"
        raise BundleError(case.path, "stdin_sha256", why)
    return stdin


def _execute(path: Path) -> dict[str, Any]:
    try:
        code = compile(content_of(path), str(path), "exec", dont_inherit=True)
        module = types.ModuleType(f"bundle_{path.parent.name}_{path.stem}")
        module.__file__ = str(path)
        exec(code, module.__dict__)  # noqa: S102
    except BundleError:
        raise
    except (Exception, SystemExit) as error:
        raise BundleError(path, _line_of(error, path), _last_line(error)) from error
    return module.__dict__


def _line_of(error: BaseException, path: Path) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    if isinstance(error, SyntaxError):
        lines.append(error.lineno)
    return f"line {lines[-1]}" if lines else ""


def _last_line(error: BaseException) -> str:
    return "".join(traceback.format_exception_only(error)).strip().splitlines()[-1]


def _checks(
    path: Path, module: dict[str, Any], strategies: dict[str, Any], *, staff_only: bool
) -> list[Check]:
    by_default = tuple(name for name in strategies if name != REFUSING_GROUP)
    table: dict[str, tuple[str, ...]] = module.get("GROUPS", {})
    functions = {name: f for name, f in module.items() if name.startswith("check_") and callable(f)}
    if not isinstance(table, dict):
        raise BundleError(path, "GROUPS", "must be a dict: name of a check → names of groups")
    for name in table:
        if name not in functions:
            raise BundleError(path, f"GROUPS[{name!r}]", "no check has this name")
    checks = []
    for name, function in functions.items():
        arguments = tuple(inspect.signature(function).parameters)
        strange = [argument for argument in arguments if argument not in ARGUMENTS]
        if strange:
            why = f"unknown argument {strange[0]!r}; a check may name {', '.join(ARGUMENTS)}"
            raise BundleError(path, name, why)
        if isinstance(table.get(name), str):
            why = "must be a tuple of names of groups: is there a comma missing?"
            raise BundleError(path, f"GROUPS[{name!r}]", why)
        groups = tuple(table.get(name, by_default))
        lost = [group for group in groups if group not in by_default]
        if lost:
            raise BundleError(path, f"GROUPS[{name!r}]", f"{lost[0]!r} is no drawn group")
        check = Check(
            name=name,
            function=function,
            arguments=arguments,
            sentence=_sentence(path, name, function),
            groups=groups,
            staff_only=staff_only or "expected" in arguments,
        )
        checks.append(check)
    return checks


def _sentence(path: Path, name: str, function: Callable[..., None]) -> Text:
    english, _, chinese = inspect.cleandoc(function.__doc__ or "").partition("\n\n")
    if not english.strip() or not chinese.strip():
        raise BundleError(path, name, "its docstring is the sentence: English, blank line, Chinese")
    return {"en": " ".join(english.split()), "zh": "".join(chinese.split("\n")).strip()}
