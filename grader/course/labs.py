"""Which lab a file's or a folder's name means: exactly one, or none and a hint."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from grader.bundles.find import nearest
from grader.errors import UsageError
from grader.report.shown import cut, visible

_MOST_SHOWN = 60
"""Characters of a name that stands in a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labs:
    """The slugs of the labs there are, and of those that are asked for."""

    slugs: frozenset[str]
    wanted: frozenset[str]

    @classmethod
    def of(cls, slugs: Sequence[str], only: Collection[str]) -> Labs:
        """All labs are wanted where `only` names none.

        Raises:
            UsageError: `only` names one that there is not.
        """
        labs = cls(slugs=frozenset(slugs), wanted=frozenset(slugs))
        if not only:
            return labs
        for name in only:
            if labs.slug(name) is None:
                raise UsageError(f"no problem {name!r}: {nearest(_slug(name), sorted(slugs))}")
        return cls(slugs=labs.slugs, wanted=frozenset(_slug(name) for name in only))

    @property
    def sole(self) -> str | None:
        """The lab that is asked for, where it is one."""
        return next(iter(self.wanted)) if len(self.wanted) == 1 else None

    def slug(self, name: str) -> str | None:
        """`top-p-sets` and `top_p_sets` are one; another case is another name."""
        slug = _slug(name)
        return slug if slug in self.slugs else None

    def of_program(self, file_name: str) -> str | None:
        """The lab after which a Python file is named."""
        return self.slug(file_name.removesuffix(".py")) if is_program(file_name) else None

    def why_none(self, name: str) -> str:
        """Why a file's or a folder's name means no lab, with the nearest that would."""
        stem = name[:-3] if name[-3:].lower() == ".py" else name
        same = [slug for slug in self.slugs if slug.casefold() == _slug(stem).casefold()]
        if same:
            return f"its name is not written as the lab's: {same[0]}{name[len(stem) :].lower()}"
        short = _slug(stem)[:_MOST_SHOWN]
        return f"{shown(name)} names no lab: {nearest(short, sorted(self.slugs))}"


def is_program(file_name: str) -> bool:
    """Whether it is a Python file by its name, and not a hidden one."""
    return file_name.endswith(".py") and not file_name.startswith(".")


def why_no_program(file_name: str) -> str:
    """Why a file that is no Python file is not looked at."""
    if file_name.lower().endswith((".zip", ".tar", ".gz", ".tgz", ".7z", ".rar")):
        return "it is an archive inside what was given; name it, or unpack it"
    return "it is not a Python file (.py)"


def shown(name: str) -> str:
    """A name that somebody else chose, in a sentence of ours."""
    return cut(visible(name), _MOST_SHOWN)


def _slug(name: str) -> str:
    return name.replace("-", "_")
