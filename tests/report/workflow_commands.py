"""What GitHub's runner makes of a log, line by line, by the rules of its `ActionCommand`.

A line is a command when it begins with `::` (after spaces) or has `##[` anywhere, and its name is
one that the runner knows. After `::stop-commands::TOKEN` only TOKEN is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

_KNOWN = {
    *("error", "warning", "notice", "debug", "group", "endgroup", "stop-commands", "add-mask"),
    *("set-env", "add-path", "set-output", "save-state", "echo", "add-matcher", "remove-matcher"),
}
_DATA = {"%0D": "\r", "%0A": "\n", "%25": "%"}
_PROPERTY = {"%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ",", "%25": "%"}


@dataclass
class Log:
    """The commands of a log, and the lines that are only shown."""

    commands: list[tuple[str, dict[str, str], str]] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)

    def of(self, kind: str) -> list[tuple[dict[str, str], str]]:
        return [(properties, data) for name, properties, data in self.commands if name == kind]


def read(text: str) -> Log:
    """Go through a log; commands that stand while others are stopped are no commands."""
    log, token = Log(), ""
    for line in text.splitlines():
        found = next(_commands(line, {token.lower()} if token else _KNOWN), None)
        if found is None:
            log.shown.append(line)
        elif token:
            token = ""
        elif found[0] == "stop-commands":
            token = found[2]
        else:
            log.commands.append(found)
    assert not token, "commands were stopped and never allowed again"
    return log


def _commands(line: str, known: set[str]) -> Iterator[tuple[str, dict[str, str], str]]:
    stripped = line.lstrip()
    if stripped.startswith("::") and "::" in stripped[2:]:
        info, _, data = stripped[2:].partition("::")
        name, _, properties = info.partition(" ")
        if name.lower() in known:
            yield name.lower(), dict(_properties(properties)), _unescaped(data, _DATA)
    _, opened, rest = line.partition("##[")
    if opened and "]" in rest:
        info, _, data = rest.partition("]")
        name = info.partition(" ")[0].lower()
        if name in known:
            yield name, {}, data


def _properties(text: str) -> Iterator[tuple[str, str]]:
    for one in text.strip().split(","):
        name, equals, value = one.partition("=")
        if equals:
            yield name, _unescaped(value, _PROPERTY)


def _unescaped(text: str, table: dict[str, str]) -> str:
    for escaped, char in table.items():
        text = text.replace(escaped, char)
    return text
