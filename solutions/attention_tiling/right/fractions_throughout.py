"""The recurrence, word for word, in exact rationals."""

import json
import sys
from fractions import Fraction

PLAN = {"rows", "columns", "width", "row_tile", "column_tile"}


def refuse(code):
    print(json.dumps({"ok": False, "error": code}))
    sys.exit(0)


def demand(condition, code="malformed"):
    if not condition:
        refuse(code)


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_list_of(value, is_item):
    return isinstance(value, list) and all(map(is_item, value))


def is_row_of_values(value):
    return is_list_of(value, is_integer)


def is_row_of_scores(value):
    return is_list_of(value, lambda item: item is None or is_integer(item))


def is_plan(value):
    return isinstance(value, dict) and set(value) == PLAN and all(map(is_integer, value.values()))


def read():
    try:
        given = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    except ValueError:
        refuse("malformed")
    demand(isinstance(given, dict))
    given = {"plans": []} | given
    demand(set(given) == {"scores", "values", "tile", "plans"})
    demand(is_list_of(given["scores"], is_row_of_scores))
    demand(is_list_of(given["values"], is_row_of_values))
    demand(is_integer(given["tile"]) and is_list_of(given["plans"], is_plan))
    return given["scores"], given["values"], given["tile"], given["plans"]


def refuse_impossible(scores, values, tile, plans):
    demand(len(values) > 0, "no_values")
    for row in values:
        demand(len(row) == len(values[0]) > 0, "shape_mismatch")
    for row in scores:
        demand(len(row) == len(values), "shape_mismatch")
    for row in scores:
        demand(all(s is None or -100 <= s <= 100 for s in row), "score_out_of_range")
    demand(tile >= 1, "tile_out_of_range")
    for plan in plans:
        demand(min(plan.values()) >= 1, "plan_out_of_range")


def power(exponent):
    """2 to an exponent that is not above 0."""
    return Fraction(1, 1 << -exponent)


def text(value):
    return f"{value.numerator}/{value.denominator}"


def one_query(row, values, tile):
    m, total, mixed, trace = None, Fraction(0), [Fraction(0)] * len(values[0]), []
    for start in range(0, len(row), tile):
        part = row[start : start + tile]
        seen = [s for s in [m, *part] if s is not None]
        if seen:
            before, m = m, max(seen)
            if before is not None and before < m:
                factor = power(before - m)
                total, mixed = total * factor, [x * factor for x in mixed]
            here = {i: power(s - m) for i, s in enumerate(part, start) if s is not None}
            total += sum(here.values())
            for column, x in enumerate(mixed):
                mixed[column] = x + sum(w * values[i][column] for i, w in here.items())
        trace.append([m, text(total)])
    output = ["0/1" if m is None else text(x / total) for x in mixed]
    return {"output": output, "trace": trace}


def storage(plan):
    r, c = min(plan["row_tile"], plan["rows"]), min(plan["column_tile"], plan["columns"])
    naive, tiled = plan["rows"] * plan["columns"], r * c + r * (plan["width"] + 2)
    return {"naive": naive, "tiled": tiled, "ratio": text(Fraction(naive, tiled))}


scores, values, tile, plans = read()
refuse_impossible(scores, values, tile, plans)
rows = [one_query(row, values, tile) for row in scores]
print(json.dumps({"ok": True, "rows": rows, "plans": [storage(plan) for plan in plans]}))
