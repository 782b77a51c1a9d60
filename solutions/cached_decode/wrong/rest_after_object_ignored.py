"""Wrong: whatever stands behind the first JSON value is not looked at."""

import json
import sys
from fractions import Fraction
from math import comb
from operator import add, mul
from typing import NamedTuple


class Refusal(Exception):
    """The input must be refused with this code."""


class Operation(NamedTuple):
    kind: str
    name: str
    argument: list | int | str  # tokens, a number, or a new name


# ---- Reading: everything that is malformed


def parse(data):
    """(embed, positions, window, operations)"""
    try:
        given = json.JSONDecoder().raw_decode(data.decode("utf-8").lstrip())[0]
    except ValueError:
        raise Refusal("malformed") from None
    required = {"embed", "positions", "operations"}
    if type(given) is not dict or not required <= given.keys() <= required | {"window"}:
        raise Refusal("malformed")
    embed = [integers(row) for row in array(given["embed"])]
    positions = [integers(row) for row in array(given["positions"])]
    window = given.get("window")
    operations = [parse_operation(item) for item in array(given["operations"])]
    return embed, positions, None if window is None else integer(window), operations


def parse_operation(item):
    if len(array(item)) != 3:
        raise Refusal("malformed")
    kind, first, second = text(item[0]), name(item[1]), item[2]
    if kind not in ARGUMENTS:
        raise Refusal("malformed")
    return Operation(kind, first, ARGUMENTS[kind](second))


def array(value):
    if type(value) is not list:
        raise Refusal("malformed")
    return value


def integer(value):
    if type(value) is not int:  # isinstance would let True through
        raise Refusal("malformed")
    return value


def integers(value):
    return [integer(item) for item in array(value)]


def text(value):
    if type(value) is not str:
        raise Refusal("malformed")
    return value


def name(value):
    if text(value) == "":
        raise Refusal("malformed")
    return value


ARGUMENTS = {
    "start": integers,
    "append": integers,
    "decode": integer,
    "rollback": integer,
    "fork": name,
}


# ---- The refusals of the table, in its order, each over the whole input


def check(embed, positions, window, operations):
    if not embed or not positions:
        raise Refusal("bad_shape")
    widths = {len(row) for row in embed + positions}
    if 0 in widths or len(widths) > 1:
        raise Refusal("bad_shape")
    if window is not None and window < 1:
        raise Refusal("out_of_range")
    for kind, _, argument in operations:
        if kind in ("start", "append") and not all(0 <= t < len(embed) for t in argument):
            raise Refusal("out_of_range")
        if kind in ("decode", "rollback") and argument < 0:
            raise Refusal("out_of_range")
    if any(argument == [] for _, _, argument in operations):
        raise Refusal("no_tokens")
    check_names(operations)
    check_lengths(operations)


def check_names(operations):
    known, exists = set(), False
    for kind, name, argument in operations:
        if kind != "start" and name not in known:
            raise Refusal("unknown_sequence")
        if kind in ("start", "fork"):
            new = name if kind == "start" else argument
            exists = exists or new in known
            known.add(new)
    if exists:
        raise Refusal("sequence_exists")


def check_lengths(operations):
    lengths = {}
    for kind, name, argument in operations:
        if kind == "fork":
            lengths[argument] = lengths[name]
        elif kind == "decode":
            lengths[name] += argument
        elif kind == "rollback":
            if argument >= lengths[name]:
                raise Refusal("too_far")
            lengths[name] -= argument
        else:
            lengths[name] = lengths.get(name, 0) + len(argument)


# ---- The answer


class Decoder:
    """All sequences: their tokens, and of each position the state, which is key and value."""

    def __init__(self, embed, positions, window):
        self.embed, self.positions, self.window = embed, positions, window
        self.tokens, self.states = {}, {}
        self.cached = {"computed": 0, "attended": 0}
        self.recomputed = {"computed": 0, "attended": 0}

    def run(self, kind, name, argument):
        if kind == "start":
            self.tokens[name], self.states[name] = [], []
            self.extend(name, argument)
        elif kind == "append":
            self.extend(name, argument)
        elif kind == "decode":
            for _ in range(argument):
                sums, _ = self.attend(name)
                self.extend(name, [self.following(sums)])
        elif kind == "rollback":
            keep = len(self.tokens[name]) - argument
            del self.tokens[name][keep:], self.states[name][keep:]
        else:
            self.tokens[argument] = self.tokens[name].copy()
            self.states[argument] = self.states[name].copy()

    def extend(self, name, tokens):
        """One chunk: its tokens are computed; without a cache, the whole sequence is."""
        states = self.states[name]
        before = len(states)
        for token in tokens:
            position = self.positions[len(states) % len(self.positions)]
            states.append(list(map(add, self.embed[token], position)))
        self.tokens[name] += tokens
        after = len(states)
        self.cached["computed"] += after - before
        self.cached["attended"] += self.pairs(after) - self.pairs(before)
        self.recomputed["computed"] += after
        self.recomputed["attended"] += self.pairs(after)

    def pairs(self, length):
        """How many positions all positions of a sequence see together."""
        most = length if self.window is None else min(length, self.window)
        return comb(most + 1, 2) + (length - most) * most

    def attend(self, name):
        """(the weighted sum of the states that the last position sees, the sum of the weights)"""
        states = self.states[name]
        seen = states if self.window is None else states[-self.window :]
        scores = [dot(states[-1], state) for state in seen]
        lowest = min(scores)
        weights = [1 << score - lowest for score in scores]
        return [dot(weights, column) for column in zip(*seen)], sum(weights)

    def following(self, sums):
        """The next token. Products with the output are these, divided by the sum of the weights."""
        products = [dot(row, sums) for row in self.embed]
        return products.index(max(products))

    def sequence(self, name):
        sums, total = self.attend(name)
        output = [ratio(entry, total) for entry in sums]
        return {"tokens": self.tokens[name], "output": output, "next": self.following(sums)}


def dot(one, other):
    return sum(map(mul, one, other))


def ratio(n, d):
    value = Fraction(n, d)
    return f"{value.numerator}/{value.denominator}"


def solve(embed, positions, window, operations):
    decoder = Decoder(embed, positions, window)
    for operation in operations:
        decoder.run(*operation)
    return {
        "ok": True,
        "sequences": {name: decoder.sequence(name) for name in decoder.tokens},
        "cached": decoder.cached,
        "recomputed": decoder.recomputed,
    }


def main():
    try:
        given = parse(sys.stdin.buffer.read())
        check(*given)
        answer = solve(*given)
    except Refusal as refusal:
        answer = {"ok": False, "error": str(refusal)}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
