"""Gradescope's `submission_metadata.yml`: who handed in which submission, and when.

submission_7654321:
  :submitters:
  - :name: Ada Lovelace
    :sid: '0012'
    :email: ada@example.edu
  :created_at: 2026-11-29 12:00:00.123456000 Z
  :results: …                        much, and partly what students' programs printed

A Ruby program wrote it. It is read as a stream of events: no object is made, no tag is obeyed,
`0012` stays a text, and what is not asked for is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

from grader.course.times import in_utc
from grader.report.shown import visible

_PARSER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DEEPEST = 4
"""submission, :submitters, which, :sid"""
_MOST_NESTED = 100
"""The parser that is written in Python takes hours where lists are nested by the thousand."""

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitter:
    """A student, as the course's roster has them; empty where it says nothing."""

    name: str = ""
    sid: str = ""
    email: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """Who handed in, and when: ISO 8601 in UTC, or None."""

    submitters: tuple[Submitter, ...]
    created_at: str | None


def submissions(content: bytes) -> dict[str, Submission]:
    """Each submission's folder and what is known of it.

    Raises:
        ValueError: it is not YAML of this form; the text says where.
    """
    created: dict[str, str | None] = {}
    people: dict[str, dict[int, dict[str, str]]] = {}
    try:
        for path, text in _leaves(content.decode("utf-8-sig")):
            match path:
                case [str(folder), ":created_at"]:
                    created[folder] = in_utc(text)
                case [str(folder), ":submitters", int(place), str(key)]:
                    people.setdefault(folder, {}).setdefault(place, {})[key] = text
                case [str(folder)]:
                    created.setdefault(folder, None)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        why = " ".join(str(error).split())
        raise ValueError(f"it is not as Gradescope writes it: {visible(why)}") from error
    return {
        folder: Submission(
            submitters=tuple(map(_submitter, people.get(folder, {}).values())),
            created_at=created.get(folder),
        )
        for folder in created
    }


def _submitter(found: dict[str, str]) -> Submitter:
    return Submitter(
        name=found.get(":name", ""), sid=found.get(":sid", ""), email=found.get(":email", "")
    )


@dataclass(slots=True, kw_only=True)
class _Open:
    """A mapping or a list that has begun; `at` is the key or the place of its latest value."""

    is_mapping: bool
    at: str | int = -1
    awaits_key: bool = True
    keys: set[str] = field(default_factory=set)

    def key(self, text: str) -> None:
        if text in self.keys:
            raise ValueError(f"{text} stands there twice")
        self.keys.add(text)
        self.at, self.awaits_key = text, False

    def value(self) -> None:
        if self.is_mapping:
            self.awaits_key = True
        else:
            self.at = int(self.at) + 1


def _leaves(text: str) -> Iterator[tuple[Path, str]]:
    """Every text of the first document that is not too deep, and the keys that lead to it.

    A key at the top is given too, without a text.
    """
    above: list[_Open] = []
    anchors: dict[str, str] = {}
    for event in yaml.parse(text, Loader=_PARSER):
        if isinstance(event, yaml.DocumentEndEvent):
            return
        if isinstance(event, yaml.CollectionEndEvent):
            above.pop()
        if not isinstance(event, yaml.NodeEvent):
            continue
        scalar = _scalar(event, anchors)
        if above and above[-1].is_mapping and above[-1].awaits_key:
            if scalar is None:
                raise ValueError(f"a key is no text{event.start_mark}")
            above[-1].key(scalar)
            if len(above) == 1:
                yield (scalar,), ""  # also where nothing is said of it
            continue
        if above:
            above[-1].value()
        elif not isinstance(event, yaml.MappingStartEvent):
            raise ValueError("it does not begin with the name of a submission")
        if isinstance(event, yaml.CollectionStartEvent):
            if len(above) == _MOST_NESTED:
                raise ValueError(f"it is nested too deeply{event.start_mark}")
            above.append(_Open(is_mapping=isinstance(event, yaml.MappingStartEvent)))
        elif scalar is not None and len(above) <= _DEEPEST:
            yield tuple(frame.at for frame in above), scalar


def _scalar(event: yaml.NodeEvent, anchors: dict[str, str]) -> str | None:
    """A text as it stands, or the one that an alias repeats; None for anything else."""
    if isinstance(event, yaml.AliasEvent):
        return anchors.get(event.anchor or "")
    if not isinstance(event, yaml.ScalarEvent):
        return None
    is_null = event.implicit[0] and event.value in ("", "~", "null")
    text = "" if is_null else str(event.value).encode(errors="backslashreplace").decode()
    if event.anchor:
        anchors[event.anchor] = text
    return text
