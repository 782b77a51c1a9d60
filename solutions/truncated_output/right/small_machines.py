"""A machine per kind, fed piece by piece; each can be asked at any time what is open."""

import json
import sys
from dataclasses import asdict, dataclass, field


class Refusal(Exception):
    def __init__(self, code, at):
        super().__init__(code)
        self.code, self.at = code, at


class Broken(Exception):
    """A bracket is closed that is not the innermost open one."""


class Brackets:
    CLOSES = dict(zip(")]}", "([{"))

    def __init__(self):
        self.brackets, self.step = [], self.outside

    def feed(self, text):
        for offset, character in enumerate(text):
            self.step(offset, character)

    def outside(self, offset, character):
        if character == '"':
            self.brackets.append([character, offset])
            self.step = self.inside
        elif character in "([{":
            self.brackets.append([character, offset])
        elif character in ")]}":
            if not self.brackets or self.brackets[-1][0] != self.CLOSES[character]:
                raise Broken
            del self.brackets[-1]

    def inside(self, offset, character):
        if character == '"':
            del self.brackets[-1]
            self.step = self.outside
        elif character == "\\":
            self.step = self.behind_a_backslash

    def behind_a_backslash(self, offset, character):
        self.step = self.inside

    def opened(self):
        return self.brackets


class Fences:
    def __init__(self):
        self.since = None

    def feed(self, text):
        start = 0
        while start <= len(text):
            end = text.find("\n", start)
            end = len(text) if end < 0 else end
            self.line(text[start:end], start)
            start = end + 1

    def line(self, line, offset):
        if line[:3] != "```":
            return
        if self.since is None:
            self.since = offset
        elif set(line[3:]) <= set(" \t\r"):
            self.since = None

    def opened(self):
        return [] if self.since is None else [["```", self.since]]


@dataclass
class Output:
    kind: str
    text: str
    finish: str | None
    completion_tokens: int | None = None
    max_tokens: int | None = None

    @classmethod
    def read(cls, value, at):
        if not isinstance(value, dict):
            raise Refusal("malformed", at)
        try:
            output = cls(**value)
        except TypeError:
            raise Refusal("malformed", at) from None
        words = (
            (output.kind, ["json", "code", "fenced"]),
            (output.finish, ["stop", "tool_calls", "length", None]),
        )
        if not isinstance(output.text, str) or any(word not in known for word, known in words):
            raise Refusal("malformed", at)
        for number in (output.completion_tokens, output.max_tokens):
            if number is not None and (isinstance(number, bool) or not isinstance(number, int)):
                raise Refusal("malformed", at)
        return output

    @property
    def was_cut(self):
        if self.finish == "stop" or self.completion_tokens is None or self.max_tokens is None:
            return False
        return self.completion_tokens >= self.max_tokens

    def opened(self):
        machine = Fences() if self.kind == "fenced" else Brackets()
        try:
            machine.feed(self.text)
        except Broken:
            return None
        return machine.opened()

    def structure(self, opened):
        """invalid, suspect or complete, by the text alone."""
        if opened is None:
            return "invalid"
        if opened:
            return "suspect"
        if self.kind != "json":
            return "complete"
        if all(character in " \t\r\n" for character in self.text):
            return "suspect"
        constants = []  # NaN and Infinity, which Python reads and JSON does not have
        try:
            value = json.loads(self.text, parse_constant=constants.append)
        except ValueError:
            return "invalid"
        is_right = isinstance(value, (dict, list)) and not constants
        return "complete" if is_right else "invalid"

    def result(self):
        opened = self.opened()
        if self.finish == "length":
            return Result("truncated", "length", opened)
        if self.was_cut:
            return Result("truncated", "cap", opened)
        status = self.structure(opened)
        reason = {"invalid": "structure", "suspect": "open", "complete": None}[status]
        if status == "complete" and self.finish is None:
            status, reason = "suspect", "no_finish"
        return Result(status, reason, opened)


@dataclass
class Result:
    status: str
    reason: str | None
    open: list | None


@dataclass
class Counts:
    complete: int = 0
    truncated: int = 0
    suspect: int = 0
    invalid: int = 0

    def add(self, result):
        setattr(self, result.status, getattr(self, result.status) + 1)


@dataclass
class Answer:
    ok: bool = True
    results: list = field(default_factory=list)
    counts: Counts = field(default_factory=Counts)


def outputs_of(data):
    try:
        given = json.loads(data.decode())
    except ValueError:
        raise Refusal("malformed", "") from None
    if not isinstance(given, dict) or given.keys() != {"outputs"}:
        raise Refusal("malformed", "")
    if not isinstance(given["outputs"], list):
        raise Refusal("malformed", "/outputs")
    outputs = [Output.read(value, f"/outputs/{i}") for i, value in enumerate(given["outputs"])]
    for code, name, least in (
        ("negative_tokens", "completion_tokens", 0),
        ("max_tokens_out_of_range", "max_tokens", 1),
    ):
        for i, output in enumerate(outputs):
            number = getattr(output, name)
            if number is not None and number < least:
                raise Refusal(code, f"/outputs/{i}/{name}")
    return outputs


def main():
    try:
        answer = Answer()
        for output in outputs_of(sys.stdin.buffer.read()):
            result = output.result()
            answer.counts.add(result)
            answer.results.append(vars(result))
        counts = asdict(answer.counts)
        text = json.dumps({"ok": answer.ok, "results": answer.results, "counts": counts})
    except Refusal as refusal:
        text = json.dumps({"ok": False, "error": refusal.code, "at": refusal.at})
    print(text)


if __name__ == "__main__":
    main()
