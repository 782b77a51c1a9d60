"""The inputs that a lab's strategies draw, with Hypothesis as a library."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase, Verbosity
from hypothesis.database import InMemoryExampleDatabase
from hypothesis.errors import Flaky
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from hypothesis.strategies import SearchStrategy

from grader.bundles.properties import REFUSING_GROUP
from grader.errors import SandboxError
from grader.judging.author import AuthorFault

_no_constants = Constants()
providers._get_local_constants = lambda: _no_constants
"""Hypothesis mixes constants of all loaded local modules into what it draws; then an editable
install, or another import, would draw other inputs. (Checked by tests with the pinned version.)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """An input: the bytes sent, the value they stand for, the refusal that is due (or None)."""

    stdin: bytes
    given: Any
    due: str | None = None

    @property
    def size(self) -> tuple[int, bytes]:
        """Orders inputs: the shorter one is the better counterexample."""
        return len(self.stdin), self.stdin


def drawn(group: str, value: Any) -> Drawn:
    """What a strategy drew, as an input. The failure group draws pairs (stdin, code)."""
    given, due = value if group == REFUSING_GROUP else (value, None)
    if isinstance(given, bytes):
        stdin = given
    elif isinstance(given, str):
        stdin = given.encode()
    else:
        stdin = as_stdin(given)
    return Drawn(stdin=stdin, given=given, due=due)


def as_stdin(value: Any) -> bytes:
    """A value that was drawn, as it is sent."""
    return json.dumps(value).encode() + b"\n"


class Failing(Exception):
    """Tells Hypothesis that an input shows the failure that is looked for."""

    def __init__(self, an_input: Drawn) -> None:
        self.an_input = an_input


class _OurFault(BaseException):
    """Carries a SandboxError through Hypothesis, which would take it for a failure."""

    def __init__(self, error: SandboxError) -> None:
        self.error = error


def draw(
    group: str,
    strategy: SearchStrategy[Any],
    seed: int,
    examples: int,
    attend: Callable[[Drawn], None],
    phases: Sequence[Phase] = (Phase.generate,),
    database: InMemoryExampleDatabase | None = None,
) -> None:
    """Hypothesis as a library: the same seed and strategy draw the same inputs.

    Raises:
        SandboxError: `attend` did, and it is our own fault.
        AuthorFault: the strategy is broken.
    """

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=examples,
        phases=phases,
        database=database,
        deadline=None,
        derandomize=False,
        print_blob=False,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    @hypothesis.given(strategy)
    def test(value: Any) -> None:
        try:
            attend(drawn(group, value))
        except SandboxError as error:
            raise _OurFault(error) from error

    try:
        test()
    except _OurFault as fault:
        raise fault.error from fault
    except (Failing, Flaky):
        raise
    except (Exception, SystemExit) as error:
        why = f"the strategy {group!r} raised {type(error).__name__}: {error}"
        raise AuthorFault(why[:500], traceback.format_exc()) from error
