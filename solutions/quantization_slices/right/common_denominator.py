"""Integers only: one denominator for all slices, drops compared by cross-multiplication.

Reading is a table of types, the refusals are a table of faults.
"""

import json
import re
import sys
from math import gcd, lcm

INTEGER, DECIMAL, NAME = "integer", "decimal", "name"
SIDE = dict.fromkeys(
    ("weight_bytes", "cache_bytes", "queue_us", "service_us", "energy_mj"), (INTEGER,)
)
INPUT = {
    "minimum_items": INTEGER,
    "allowed_drop": DECIMAL,
    "slices": [{"name": NAME, "items": INTEGER, "base": INTEGER, "quantized": INTEGER}],
    "resources": {"base": SIDE, "quantized": SIDE},
}
DIGITS = re.compile(r"(-?)(0|[1-9][0-9]{0,11})(?:\.([0-9]{1,12}))?")
SCALE = 10**12


class Refused(Exception):
    pass


def fits(value, kind):
    """Whether a value is of a kind; a tuple is a kind that may be null."""
    if kind == INTEGER:
        return type(value) is int
    if kind == NAME:
        return type(value) is str and value != ""
    if kind == DECIMAL:
        return type(value) is str and DIGITS.fullmatch(value) is not None
    if type(kind) is tuple:
        return value is None or fits(value, *kind)
    if type(kind) is list:
        return type(value) is list and all(fits(item, *kind) for item in value)
    same = type(value) is dict and value.keys() == kind.keys()
    return same and all(fits(value[field], kind[field]) for field in kind)


def read(data):
    try:
        given = json.loads(str(data, "utf-8"))
    except ValueError:
        raise Refused("malformed") from None
    if not fits(given, INPUT):
        raise Refused("malformed")
    return given


def in_units(text):
    """A decimal in units of 10**-12."""
    sign, whole, rest = DIGITS.fullmatch(text).groups(default="")
    return int(sign + whole + rest.ljust(12, "0"))


def faults(least, allowed, slices, sides):
    yield "no_slices", slices == []
    yield "duplicate_slice", len(dict.fromkeys(name for name, *_ in slices)) != len(slices)
    yield "out_of_range", least <= 0 or not 0 <= allowed <= SCALE
    yield "out_of_range", any(count < 0 for _, *counts in slices for count in counts)
    yield "out_of_range", any((figure or 0) < 0 for side in sides for figure in side.values())
    yield "more_correct_than_items", any(items < max(right) for _, items, *right in slices)


def over(n, d):
    common = gcd(n, d)
    return f"{n // common}/{d // common}"


def rates(base, quantized, items):
    told = {"base": base, "quantized": quantized, "drop": base - quantized}
    return {key: over(right, items) if items else None for key, right in told.items()}


def exceeds(base, quantized, items, allowed):
    """Whether (base - quantized) / items > allowed."""
    return (base - quantized) * SCALE > allowed * items


def is_worse(one, other):
    """Whether the drop of one is the larger one; the items of both are above 0."""
    (_, n, b, q), (_, m, c, r) = one, other
    return (b - q) * m > (c - r) * n


def answer(least, allowed, slices, sides):
    results, worst, words = [], None, set()
    for part in slices:
        _, items, base, quantized = part
        if items < least:
            word = "insufficient"
        else:
            word = "fail" if exceeds(base, quantized, items, allowed) else "pass"
            if worst is None or is_worse(part, worst):
                worst = part
        words.add(word)
        results.append({**rates(base, quantized, items), "status": word})
    verdict = min(words, key=["fail", "insufficient", "pass"].index)
    items, base, quantized = (sum(part[i] for part in slices) for i in (1, 2, 3))
    filled = [part for part in slices if part[1]]
    common = lcm(*{part[1] for part in filled})
    means = [sum(part[i] * (common // part[1]) for part in filled) for i in (2, 3)]
    return {
        "ok": True,
        "slices": results,
        "micro": rates(base, quantized, items) if filled else None,
        "macro": rates(*means, common * len(filled)) if filled else None,
        "worst_slice": None if worst is None else worst[0],
        "verdict": verdict,
        "hidden_by_average": verdict == "fail" and not exceeds(base, quantized, items, allowed),
        "resources": {
            "memory_bytes": pair(sides, "weight_bytes", "cache_bytes"),
            "latency_us": pair(sides, "queue_us", "service_us"),
            "energy_mj": pair(sides, "energy_mj"),
        },
    }


def pair(sides, *parts):
    base, quantized = (
        None if any(side[part] is None for part in parts) else sum(side[part] for part in parts)
        for side in sides
    )
    ratio = over(quantized, base) if base and quantized is not None else None
    return {"base": base, "quantized": quantized, "ratio": ratio}


def main():
    given = read(sys.stdin.buffer.read())
    slices = [tuple(part[field] for field in INPUT["slices"][0]) for part in given["slices"]]
    sides = [given["resources"][side] for side in ("base", "quantized")]
    case = given["minimum_items"], in_units(given["allowed_drop"]), slices, sides
    for code, there in faults(*case):
        if there:
            raise Refused(code)
    return answer(*case)


try:
    print(json.dumps(main()))
except Refused as refused:
    print(json.dumps({"ok": False, "error": str(refused)}))
