"""As a real cache does it: the output at every position, as soon as its token comes.

A sequence is its last step, and a step knows the one before: to roll back is to go to it, to fork
is to have the same. Weights are 2**(score + 2000), which the promised range makes integers.
"""

import json
import sys
from dataclasses import dataclass
from math import gcd

MOST = 2000
POWERS = [1 << exponent for exponent in range(2 * MOST + 1)]


class Refusal(Exception):
    def __init__(self, code, at=""):
        super().__init__(code)
        self.code, self.at = code, at


def must(condition, at, code="malformed"):
    if not condition:
        raise Refusal(code, at)


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_name(value):
    return isinstance(value, str) and len(value) > 0


def is_row(value):
    return isinstance(value, list) and all(map(is_integer, value))


SECOND = {
    "start": is_row,
    "append": is_row,
    "decode": is_integer,
    "rollback": is_integer,
    "fork": is_name,
}


@dataclass(slots=True, eq=False)
class Step:
    before: "Step | None"
    index: int
    token: int
    state: tuple
    sums: list
    total: int


class Machine:
    def __init__(self, data):
        try:
            given = json.loads(data.decode())
        except ValueError:
            raise Refusal("malformed") from None
        must(isinstance(given, dict), "")
        given = {"window": None} | given
        must(set(given) == {"embed", "positions", "window", "operations"}, "")
        for key in ("embed", "positions"):
            must(isinstance(given[key], list) and all(map(is_row, given[key])), f"/{key}")
        must(given["window"] is None or is_integer(given["window"]), "/window")
        must(isinstance(given["operations"], list), "/operations")
        for i, item in enumerate(given["operations"]):
            at = f"/operations/{i}"
            must(isinstance(item, list) and len(item) == 3, at)
            must(isinstance(item[0], str) and item[0] in SECOND, at)
            must(is_name(item[1]) and SECOND[item[0]](item[2]), at)
        self.embed = [tuple(row) for row in given["embed"]]
        self.rows = [tuple(row) for row in given["positions"]]
        self.window, self.operations = given["window"], given["operations"]
        self.ends = {}
        self.done = [0, 0]
        self.doubled = [0, 0]
        self.pairs = [0]  # by length

    def refuse(self):
        must(self.embed and self.rows, "", "bad_shape")
        width = len(self.embed[0])
        for row in self.embed + self.rows:
            must(len(row) == width > 0, "", "bad_shape")
        must(self.window is None or self.window > 0, "/window", "out_of_range")
        for kind, _, second in self.operations:
            if kind in ("decode", "rollback"):
                must(second >= 0, "", "out_of_range")
            elif kind != "fork":
                for token in second:
                    must(0 <= token < len(self.embed), "", "out_of_range")
        for i, item in enumerate(self.operations):
            must(item[2] != [], f"/operations/{i}/2", "no_tokens")
        for code in ("unknown_sequence", "sequence_exists", "too_far"):
            self.follow(code)

    def follow(self, wanted):
        """Goes through the operations with the lengths alone, and raises one code only."""
        lengths = {}
        for i, (kind, name, second) in enumerate(self.operations):
            at = f"/operations/{i}"
            if kind == "start":
                must(name not in lengths or wanted != "sequence_exists", at, wanted)
                lengths[name] = len(second)
                continue
            must(name in lengths or wanted != "unknown_sequence", at, wanted)
            length = lengths.get(name, 0)
            if kind == "fork":
                must(second not in lengths or wanted != "sequence_exists", at, wanted)
                lengths[second] = length
            elif kind == "rollback":
                must(second < length or wanted != "too_far", at, wanted)
                lengths[name] = length - second
            else:
                lengths[name] = length + (second if kind == "decode" else len(second))

    def sees(self, index):
        return index + 1 if self.window is None or index < self.window else self.window

    def pairs_of(self, length):
        while len(self.pairs) <= length:
            self.pairs.append(self.pairs[-1] + self.sees(len(self.pairs) - 1))
        return self.pairs[length]

    def step(self, before, token):
        index = 0 if before is None else before.index + 1
        row = self.rows[index % len(self.rows)]
        query = tuple(a + b for a, b in zip(self.embed[token], row))
        step = Step(before, index, token, query, [0] * len(query), 0)
        key, left = step, self.sees(index)
        self.done[0] += 1
        self.done[1] += left
        # Keys of the same score share a weight, so their states are added up first.
        groups = {}
        while left:
            state = key.state
            score = sum([a * b for a, b in zip(query, state)])
            group = groups.get(score)
            if group is None:
                groups[score] = [1, *state]
            else:
                group[0] += 1
                for j, value in enumerate(state, 1):
                    group[j] += value
            key, left = key.before, left - 1
        for score, (number, *values) in groups.items():
            weight = POWERS[score + MOST]
            step.total += weight * number
            for j, value in enumerate(values):
                step.sums[j] += weight * value
        return step

    def following(self, step):
        best, largest = None, None
        for token, row in enumerate(self.embed):
            product = sum([a * b for a, b in zip(row, step.sums)])
            if largest is None or product > largest:
                best, largest = token, product
        return best

    def again(self, step):
        self.doubled[0] += step.index + 1
        self.doubled[1] += self.pairs_of(step.index + 1)

    def run(self):
        for kind, name, second in self.operations:
            end = self.ends.get(name)
            if kind == "fork":
                self.ends[second] = end
            elif kind == "rollback":
                for _ in range(second):
                    end = end.before
                self.ends[name] = end
            elif kind == "decode":
                for _ in range(second):
                    end = self.step(end, self.following(end))
                    self.again(end)
                self.ends[name] = end
            else:
                for token in second:
                    end = self.step(end, token)
                self.again(end)
                self.ends[name] = end

    def tell(self, end):
        tokens, step = [], end
        while step is not None:
            tokens.append(step.token)
            step = step.before
        output = []
        for value in end.sums:
            common = gcd(value, end.total)
            output.append(f"{value // common}/{end.total // common}")
        return {"tokens": tokens[::-1], "output": output, "next": self.following(end)}

    def answer(self):
        self.refuse()
        self.run()
        works = [dict(zip(("computed", "attended"), work)) for work in (self.done, self.doubled)]
        sequences = {name: self.tell(end) for name, end in self.ends.items()}
        return {"ok": True, "sequences": sequences, "cached": works[0], "recomputed": works[1]}


if __name__ == "__main__":
    try:
        print(json.dumps(Machine(sys.stdin.buffer.read()).answer()))
    except Refusal as refusal:
        print(json.dumps({"ok": False, "error": refusal.code, "at": refusal.at}))
