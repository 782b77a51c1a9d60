"""Objects: a tile makes a state of its own, and states merge; that is what several cores do.

A state is a maximum and sums relative to it, over the common denominator 2**(maximum - floor),
where floor is the lowest score of the state: whole numbers, whatever the scores are.
"""

import json
import sys
from dataclasses import dataclass
from math import gcd


class Refusal(Exception):
    def __init__(self, code, at=""):
        super().__init__(code)
        self.code, self.at = code, at


def share(part, whole):
    common = gcd(part, whole)
    return f"{part // common}/{whole // common}"


def read_object(value, required, optional, at):
    if not isinstance(value, dict) or required - set(value) or set(value) - required - optional:
        raise Refusal("malformed", at)
    return value


def read_list(value, at):
    if not isinstance(value, list):
        raise Refusal("malformed", at)
    return value


def read_integer(value, at):
    if isinstance(value, bool) or not isinstance(value, int):
        raise Refusal("malformed", at)
    return value


def read_rows(value, at, nullable):
    for i, row in enumerate(read_list(value, at)):
        for j, item in enumerate(read_list(row, f"{at}/{i}")):
            if item is not None or not nullable:
                read_integer(item, f"{at}/{i}/{j}")
    return value


@dataclass(frozen=True, slots=True)
class State:
    """What is known after some keys: in units of 2**floor, a weight and one sum per column."""

    top: int
    floor: int
    weight: int
    sums: list

    @classmethod
    def of_key(cls, score, values):
        return cls(score, score, 1, values)

    def merge(self, other):
        floor = min(self.floor, other.floor)
        a, b = self.floor - floor, other.floor - floor
        pairs = zip(self.sums, other.sums)
        return State(
            max(self.top, other.top),
            floor,
            (self.weight << a) + (other.weight << b),
            [(x << a) + (y << b) for x, y in pairs],
        )

    def entry(self):
        return [self.top, share(self.weight, 1 << self.top - self.floor)]

    def output(self):
        return [share(x, self.weight) for x in self.sums]


@dataclass(frozen=True, slots=True)
class Plan:
    rows: int
    columns: int
    width: int
    row_tile: int
    column_tile: int

    @classmethod
    def read(cls, value, at):
        read_object(value, set(cls.__slots__), set(), at)
        return cls(*(read_integer(value[name], f"{at}/{name}") for name in cls.__slots__))

    def is_possible(self):
        return all(getattr(self, name) >= 1 for name in self.__slots__)

    def tell(self):
        height = self.row_tile if self.row_tile < self.rows else self.rows
        length = self.column_tile if self.column_tile < self.columns else self.columns
        tile, running = height * length, height * self.width + height + height
        naive = self.rows * self.columns
        held = tile + running
        return {"naive": naive, "tiled": held, "ratio": share(naive, held)}


class Request:
    def __init__(self, data):
        try:
            given = json.loads(data.decode())
        except ValueError:
            raise Refusal("malformed") from None
        read_object(given, {"scores", "values", "tile"}, {"plans"}, "")
        self.scores = read_rows(given["scores"], "/scores", nullable=True)
        self.values = read_rows(given["values"], "/values", nullable=False)
        self.tile = read_integer(given["tile"], "/tile")
        plans = read_list(given.get("plans", []), "/plans")
        self.plans = [Plan.read(plan, f"/plans/{i}") for i, plan in enumerate(plans)]

    def refuse_impossible(self):
        keys = len(self.values)
        if keys == 0:
            raise Refusal("no_values", "/values")
        width = len(self.values[0])
        for i, row in enumerate(self.values):
            if len(row) != width or width == 0:
                raise Refusal("shape_mismatch", f"/values/{i}")
        for i, row in enumerate(self.scores):
            if len(row) != keys:
                raise Refusal("shape_mismatch", f"/scores/{i}")
        for i, row in enumerate(self.scores):
            for j, score in enumerate(row):
                if score is not None and abs(score) > 100:
                    raise Refusal("score_out_of_range", f"/scores/{i}/{j}")
        if self.tile < 1:
            raise Refusal("tile_out_of_range", "/tile")
        for i, plan in enumerate(self.plans):
            if not plan.is_possible():
                raise Refusal("plan_out_of_range", f"/plans/{i}")

    def tiles(self, row):
        start = 0
        while start < len(row):
            end = start + self.tile
            yield zip(row[start:end], self.values[start:end])
            start = end

    def attend(self, row):
        state, trace = None, []
        for tile in self.tiles(row):
            for score, values in tile:
                if score is not None:
                    key = State.of_key(score, values)
                    state = key if state is None else state.merge(key)
            trace.append([None, "0/1"] if state is None else state.entry())
        output = ["0/1"] * len(self.values[0]) if state is None else state.output()
        return {"output": output, "trace": trace}

    def answer(self):
        self.refuse_impossible()
        rows = [self.attend(row) for row in self.scores]
        return {"ok": True, "rows": rows, "plans": [plan.tell() for plan in self.plans]}


if __name__ == "__main__":
    try:
        print(json.dumps(Request(sys.stdin.buffer.read()).answer()))
    except Refusal as refusal:
        print(json.dumps({"ok": False, "error": refusal.code, "at": refusal.at}))
