"""Wrong: the ratio is tiled / naive."""

import json
import sys
from math import gcd
from typing import NamedTuple

LOWEST, HIGHEST = -100, 100
BITS = HIGHEST - LOWEST
UNIT = 1 << BITS


class Refusal(Exception):
    """The input must be refused with this code."""


class Plan(NamedTuple):
    rows: int
    columns: int
    width: int
    row_tile: int
    column_tile: int


# ---- Reading: everything that is malformed


def parse(data):
    """(scores, values, tile, plans)"""
    try:
        given = json.loads(data.decode("utf-8"))
    except ValueError:
        raise Refusal("malformed") from None
    check_fields(given, required={"scores", "values", "tile"}, optional={"plans"})
    scores = [[score(item) for item in array(row)] for row in array(given["scores"])]
    values = [[integer(item) for item in array(row)] for row in array(given["values"])]
    plans = [parse_plan(plan) for plan in array(given.get("plans", []))]
    return scores, values, integer(given["tile"]), plans


def parse_plan(plan):
    check_fields(plan, required=set(Plan._fields))
    return Plan(**{name: integer(number) for name, number in plan.items()})


def check_fields(value, *, required, optional=frozenset()):
    if type(value) is not dict or not required <= value.keys() <= required | optional:
        raise Refusal("malformed")


def array(value):
    if type(value) is not list:
        raise Refusal("malformed")
    return value


def integer(value):
    if type(value) is not int:  # isinstance would let True through
        raise Refusal("malformed")
    return value


def score(value):
    return None if value is None else integer(value)


# ---- The refusals of the table, in its order, each over the whole input


def check(scores, values, tile, plans):
    if not values:
        raise Refusal("no_values")
    widths = {len(row) for row in values}
    if 0 in widths or len(widths) > 1:
        raise Refusal("shape_mismatch")
    if any(len(row) != len(values) for row in scores):
        raise Refusal("shape_mismatch")
    if any(not LOWEST <= s <= HIGHEST for row in scores for s in row if s is not None):
        raise Refusal("score_out_of_range")
    if tile < 1:
        raise Refusal("tile_out_of_range")
    if any(number < 1 for plan in plans for number in plan):
        raise Refusal("plan_out_of_range")


# ---- The answer


def solve(scores, values, tile, plans):
    return {
        "ok": True,
        "rows": [attend(row, values, tile) for row in scores],
        "plans": [count(plan) for plan in plans],
    }


def attend(row, values, tile):
    """What one query gets; `weight` and `mixture` are l and o, in units of 2**-200."""
    maximum, weight, mixture, trace = LOWEST, 0, [0] * len(values[0]), []
    for start in range(0, len(row), tile):
        pairs = zip(row[start : start + tile], values[start : start + tile])
        keys = [(s, v) for s, v in pairs if s is not None]
        highest = max([maximum, *(s for s, _ in keys)])
        drop, maximum = highest - maximum, highest
        weight >>= drop
        mixture = [entry >> drop for entry in mixture]
        for s, v in keys:
            shift = BITS - (maximum - s)
            weight += 1 << shift
            mixture = [entry + (x << shift) for entry, x in zip(mixture, v)]
        trace.append([maximum if weight else None, ratio(weight, UNIT)])
    output = [ratio(entry, weight) if weight else "0/1" for entry in mixture]
    return {"output": output, "trace": trace}


def count(plan):
    """Numbers that are stored: the whole table, or one tile of it and three things per row."""
    r, c = min(plan.row_tile, plan.rows), min(plan.column_tile, plan.columns)
    naive = plan.rows * plan.columns
    tiled = r * c + r * (plan.width + 2)
    return {"naive": naive, "tiled": tiled, "ratio": ratio(tiled, naive)}


def ratio(n, d):
    divisor = gcd(n, d)
    return f"{n // divisor}/{d // divisor}"


def main():
    try:
        scores, values, tile, plans = parse(sys.stdin.buffer.read())
        check(scores, values, tile, plans)
        answer = solve(scores, values, tile, plans)
    except Refusal as refusal:
        answer = {"ok": False, "error": str(refusal)}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
