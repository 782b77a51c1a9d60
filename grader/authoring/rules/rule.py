"""What a rule is: a function of the evidence that yields what is wrong."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.authoring.evidence import Evidence

Function = Callable[[Evidence], Iterator["Finding"]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong: in which file, where in it, and what."""

    path: Path
    key: str = ""
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A named rule. `needs` are the kinds of evidence that it looks at."""

    find: Function
    needs: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.find.__name__

    @property
    def sentence(self) -> str:
        return self.explanation.partition("\n\n")[0].replace("\n", " ")

    @property
    def explanation(self) -> str:
        return inspect.cleandoc(self.find.__doc__ or "")


def rule(*needs: str) -> Callable[[Function], Rule]:
    """Make a function a rule."""
    return lambda find: Rule(find=find, needs=needs)
