"""Wrong: a slice that lost a single item passes."""

import json
import re
import sys
from collections import defaultdict
from fractions import Fraction
from typing import NamedTuple

DECIMAL = re.compile(r"-?(0|[1-9][0-9]{0,11})(\.[0-9]{1,12})?")


class Refusal(Exception):
    """The input must be refused with this code."""


class Slice(NamedTuple):
    name: str
    items: int
    base: int
    quantized: int


class Resources(NamedTuple):
    weight_bytes: int | None
    cache_bytes: int | None
    queue_us: int | None
    service_us: int | None
    energy_mj: int | None


class Rates(NamedTuple):
    base: Fraction
    quantized: Fraction
    drop: Fraction


# ---- Reading: everything that is malformed


def parse(data):
    """(minimum_items, allowed_drop, slices, (base resources, quantised resources))"""
    try:
        given = json.loads(data.decode("utf-8"))
    except ValueError:
        raise Refusal("malformed") from None
    check_fields(given, ("minimum_items", "allowed_drop", "slices", "resources"))
    slices = [parse_slice(part) for part in array(given["slices"])]
    check_fields(given["resources"], ("base", "quantized"))
    sides = [parse_resources(given["resources"][side]) for side in ("base", "quantized")]
    return integer(given["minimum_items"]), decimal(given["allowed_drop"]), slices, sides


def parse_slice(part):
    check_fields(part, Slice._fields)
    return Slice(name(part["name"]), *(integer(part[field]) for field in Slice._fields[1:]))


def parse_resources(side):
    check_fields(side, Resources._fields)
    return Resources(*(integer_or_null(side[field]) for field in Resources._fields))


def check_fields(value, fields):
    if type(value) is not dict or value.keys() != set(fields):
        raise Refusal("malformed")


def array(value):
    if type(value) is not list:
        raise Refusal("malformed")
    return value


def integer(value):
    if type(value) is not int:  # isinstance would let True through
        raise Refusal("malformed")
    return value


def integer_or_null(value):
    return None if value is None else integer(value)


def decimal(value):
    if type(value) is not str or not DECIMAL.fullmatch(value):  # match and $ allow a newline
        raise Refusal("malformed")
    return Fraction(value)


def name(value):
    if type(value) is not str or value == "":
        raise Refusal("malformed")
    return value


# ---- The refusals of the table, in its order, each over the whole input


def check(minimum_items, allowed_drop, slices, sides):
    if not slices:
        raise Refusal("no_slices")
    if len({part.name for part in slices}) < len(slices):
        raise Refusal("duplicate_slice")
    counts = [count for part in slices for count in part[1:]]
    figures = [figure for side in sides for figure in side if figure is not None]
    if minimum_items < 1 or not 0 <= allowed_drop <= 1 or min(counts + figures) < 0:
        raise Refusal("out_of_range")
    if any(max(part.base, part.quantized) > part.items for part in slices):
        raise Refusal("more_correct_than_items")


# ---- The answer


def solve(minimum_items, allowed_drop, slices, sides):
    rates = [rates_of(part.base, part.quantized, part.items) for part in slices]
    statuses = [
        "pass"
        if part.items >= minimum_items and part.base - part.quantized == 1
        else status(part.items >= minimum_items, one, allowed_drop)
        for part, one in zip(slices, rates)
    ]
    micro, macro = micro_of(slices), macro_of(slices)
    verdict = verdict_of(statuses)
    return {
        "ok": True,
        "slices": [tell(one) | {"status": word} for one, word in zip(rates, statuses)],
        "micro": micro and tell(micro),
        "macro": macro and tell(macro),
        "worst_slice": worst(slices, rates, statuses),
        "verdict": verdict,
        "hidden_by_average": verdict == "fail" and micro.drop <= allowed_drop,
        "resources": compare(*sides),
    }


def rates_of(base, quantized, items):
    """None when there is nothing to divide by."""
    if items == 0:
        return None
    return Rates(*(Fraction(part, items) for part in (base, quantized, base - quantized)))


def micro_of(slices):
    _, items, base, quantized = zip(*slices)
    return rates_of(sum(base), sum(quantized), sum(items))


def macro_of(slices):
    """The mean of the rates, each slice weighing the same; None when no slice has items."""
    right, number = defaultdict(lambda: [0, 0]), 0
    for part in slices:
        if part.items:
            right[part.items][0] += part.base
            right[part.items][1] += part.quantized
            number += 1
    base = sum(Fraction(sums[0], items) for items, sums in right.items())
    quantized = sum(Fraction(sums[1], items) for items, sums in right.items())
    return rates_of(base, quantized, number)


def status(is_enough, rates, allowed_drop):
    if not is_enough:
        return "insufficient"
    return "fail" if rates.drop > allowed_drop else "pass"


def verdict_of(statuses):
    """The worst word: missing data neither undoes a failure nor passes."""
    for word in ("fail", "insufficient"):
        if word in statuses:
            return word
    return "pass"


def worst(slices, rates, statuses):
    """Of equal drops, max keeps the first."""
    triples = zip(slices, rates, statuses)
    judged = [(part.name, one.drop) for part, one, word in triples if word != "insufficient"]
    return max(judged, key=lambda pair: pair[1])[0] if judged else None


def compare(base, quantized):
    """End to end: what one request waits for, and what has to fit in memory."""
    return {
        "memory_bytes": ratio(memory(base), memory(quantized)),
        "latency_us": ratio(latency(base), latency(quantized)),
        "energy_mj": ratio(base.energy_mj, quantized.energy_mj),
    }


def memory(side):
    return total(side.weight_bytes, side.cache_bytes)


def latency(side):
    return total(side.queue_us, side.service_us)


def total(*parts):
    """The sum, unknown as soon as one part is."""
    return None if None in parts else sum(parts)


def ratio(base, quantized):
    known = base is not None and quantized is not None and base > 0
    ratio = text(Fraction(quantized, base)) if known else None
    return {"base": base, "quantized": quantized, "ratio": ratio}


def tell(rates):
    if rates is None:
        return dict.fromkeys(Rates._fields)
    return dict(zip(Rates._fields, map(text, rates)))


def text(value):
    return f"{value.numerator}/{value.denominator}"


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
