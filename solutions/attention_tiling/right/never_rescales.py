"""A fixed base instead of a running maximum: weight 2**(s + 100), one running sum per column.

Exact integers do not overflow, so nothing has to be rescaled; the trace divides by 2**(m + 100).
Reading is a table of types, the refusals are a table of faults.
"""

import json
import sys
from itertools import accumulate, chain
from math import gcd

INTEGER = "integer"
PLAN = {name: INTEGER for name in ("rows", "columns", "width", "row_tile", "column_tile")}
INPUT = {"scores": [[(INTEGER,)]], "values": [[INTEGER]], "tile": INTEGER, "plans": [PLAN]}
DEFAULTS = {"plans": []}


class Refused(Exception):
    pass


def fits(value, kind):
    """Whether a value is of a kind; a tuple is a kind that may be null."""
    if kind == INTEGER:
        return type(value) is int
    if type(kind) is tuple:
        return value is None or fits(value, *kind)
    if type(kind) is list:
        return type(value) is list and all(fits(item, *kind) for item in value)
    same = type(value) is dict and value.keys() == kind.keys()
    return same and all(fits(value[name], kind[name]) for name in kind)


def read(data):
    try:
        given = json.loads(str(data, "utf-8"))
    except ValueError:
        raise Refused("malformed") from None
    if type(given) is not dict or not fits(given := DEFAULTS | given, INPUT):
        raise Refused("malformed")
    return given


def faults(scores, values, tile, plans):
    yield "no_values", values == []
    yield "shape_mismatch", len(set(map(len, values))) != 1 or values[0] == []
    yield "shape_mismatch", set(map(len, scores)) - {len(values)}
    listed = [s for s in chain(*scores) if s is not None] or [0]
    yield "score_out_of_range", min(listed) < -100 or max(listed) > 100
    yield "tile_out_of_range", tile <= 0
    yield "plan_out_of_range", any(number <= 0 for plan in plans for number in plan.values())


def text(n, d):
    common = gcd(n, d)
    return f"{n // common}/{d // common}"


def later(one, other):
    return other if one is None else one if other is None else max(one, other)


def row_of(row, columns, tile):
    n = len(row)
    weights = [0 if s is None else 1 << s + 100 for s in row]
    ends = [*range(tile, n, tile), n]
    highest, sums = list(accumulate(row, later)), list(accumulate(weights))
    trace = []
    for end in ends:
        m = highest[end - 1]
        trace.append([m, "0/1" if m is None else text(sums[end - 1], 1 << m + 100)])
    total = sums[-1]
    mixed = [sum(map(int.__mul__, weights, column)) for column in columns]
    return {"output": [text(x, total) if total else "0/1" for x in mixed], "trace": trace}


def plan_of(rows, columns, width, row_tile, column_tile):
    held = min(rows, row_tile) * (min(columns, column_tile) + width + 2)
    return {"naive": rows * columns, "tiled": held, "ratio": text(rows * columns, held)}


def answer(given):
    for code, there in faults(**given):
        if there:
            raise Refused(code)
    columns = list(zip(*given["values"]))
    rows = [row_of(row, columns, given["tile"]) for row in given["scores"]]
    return {"ok": True, "rows": rows, "plans": [plan_of(**plan) for plan in given["plans"]]}


try:
    print(json.dumps(answer(read(sys.stdin.buffer.read()))))
except Refused as refused:
    print(json.dumps({"ok": False, "error": str(refused)}))
