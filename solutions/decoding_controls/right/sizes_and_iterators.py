"""Compact: all strategies share one order, so each is a size and an exponent of two."""

import json
import re
import sys
from bisect import bisect
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from itertools import accumulate, chain, starmap, takewhile

NUMBER = re.compile(r"-?(0|[1-9]\d{0,11})(\.\d{1,12})?", re.ASCII)
EXPONENTS = {"0": None, "0.5": 4, "1": 2, "2": 1}


class Refused(Exception):
    pass


def number(value):
    if type(value) is str and NUMBER.fullmatch(value):
        return Decimal(value)
    raise Refused("malformed")


def whole(value):
    if type(value) is int:
        return value
    raise Refused("malformed")


def warmth(value):
    if type(value) is str and value in EXPONENTS:
        return value
    raise Refused("malformed")


def listed(read):
    def read_list(value):
        if type(value) is list:
            return list(map(read, value))
        raise Refused("malformed")

    return read_list


def step(value):
    if type(value) is dict and len(value) == 1:
        ((kind, inner),) = value.items()
        if kind in STEPS:
            return kind, STEPS[kind](inner)
    raise Refused("malformed")


def pair(value):
    numbers = listed(whole)(value)
    if len(numbers) == 2:
        return tuple(numbers)
    raise Refused("malformed")


STEPS = {"temperature": warmth, "top_k": whole, "top_p": number}
FIELDS = {
    "logits": listed(whole),
    "strategies": listed(listed(step)),
    "uniforms": listed(number),
    "compare": listed(pair),
    "min_draws": whole,
}
DEFAULTS = {"compare": [], "min_draws": 2}


def read(data):
    try:
        given = json.loads(data.decode())
    except ValueError:
        raise Refused("malformed") from None
    if type(given) is not dict or (DEFAULTS | given).keys() != FIELDS.keys():
        raise Refused("malformed")
    return [read((DEFAULTS | given)[name]) for name, read in FIELDS.items()]


def faults(logits, strategies, uniforms, compare, min_draws):
    steps = list(chain(*strategies))
    indices = set(chain(*compare))
    yield "no_logits", not logits
    yield "logit_out_of_range", max(map(abs, logits)) > 200
    yield "repeated_step", any(len({kind for kind, _ in s}) != len(s) for s in strategies)
    yield "top_k_out_of_range", any(kind == "top_k" and value <= 0 for kind, value in steps)
    yield "top_p_out_of_range", any(k == "top_p" and (p <= 0 or p > 1) for k, p in steps)
    yield "uniform_out_of_range", any(u < 0 or u >= 1 for u in uniforms)
    yield "unknown_strategy", indices - set(range(len(strategies)))
    yield "min_draws_out_of_range", min_draws < 2
    yield "too_few_draws", compare and len(uniforms) < min_draws


def text(n, d):
    value = Fraction(n, d)
    return f"{value.numerator}/{value.denominator}"


class Lab:
    def __init__(self, logits, uniforms):
        self.logits = logits
        self.order = sorted(range(len(logits)), key=logits.__getitem__, reverse=True)
        self.units = [int(u.scaleb(12)) for u in uniforms]

    def powers(self, ids, exponent):
        return [1 << exponent * (self.logits[i] + 200) for i in ids]

    def apply(self, state, step):
        (size, exponent), (kind, value) = state, step
        if kind == "temperature":
            return (1, exponent) if value == "0" else (size, EXPONENTS[value])
        if kind == "top_k":
            return min(size, value), exponent
        masses = list(accumulate(self.powers(self.order[:size], exponent)))
        least = Fraction(value) * masses[-1]
        return 1 + sum(1 for _ in takewhile(least.__gt__, masses)), exponent

    def result(self, steps):
        size, exponent = reduce(self.apply, steps, (len(self.order), 2))
        ids = sorted(self.order[:size])
        powers = self.powers(ids, exponent)
        total, draws, counts = sum(powers), [], dict.fromkeys(ids, 0)
        marks = [(mass * 10**12 - 1) // total for mass in accumulate(powers)]  # the last u below
        for unit in self.units:
            token = ids[bisect(marks, unit - 1)]
            draws.append(token)
            counts[token] += 1
        return {"powers": dict(zip(ids, powers)), "total": total, "draws": draws, "counts": counts}


def half_gaps(one, one_total, other, other_total):
    both = ((one.get(i, 0), other.get(i, 0)) for i in one.keys() | other.keys())
    gaps = sum(abs(a * other_total - b * one_total) for a, b in both)
    return text(gaps, 2 * one_total * other_total)


def told(result):
    powers, total, draws, counts = result.values()
    return {
        "kept": list(powers),
        "probabilities": [text(power, total) for power in powers.values()],
        "draws": draws,
        "counts": list(counts.values()),
        "distance": half_gaps(powers, total, counts, len(draws)) if draws else None,
    }


def answer(logits, strategies, uniforms, compare, min_draws):
    for code, there in faults(logits, strategies, uniforms, compare, min_draws):
        if there:
            raise Refused(code)
    lab, draws = Lab(logits, uniforms), len(uniforms)
    results = list(map(lab.result, strategies))

    def compared(a, b):
        one, other = results[a], results[b]
        exact = half_gaps(one["powers"], one["total"], other["powers"], other["total"])
        observed = half_gaps(one["counts"], draws, other["counts"], draws)
        return {"exact": exact, "observed": observed}

    comparisons = list(starmap(compared, compare))
    return {"ok": True, "strategies": list(map(told, results)), "comparisons": comparisons}


try:
    print(json.dumps(answer(*read(sys.stdin.buffer.read()))))
except Refused as refused:
    print(json.dumps({"ok": False, "error": str(refused)}))
