"""decoding_controls: integers throughout, one order for all strategies, one table per draw.

4 ** (logit / T) is 2 to the power of (doublings * logit): a shift. Every step keeps a beginning
of the order, so the last of what is left has the least weight; counted from there, shifts are
never negative. Decimals have at most 12 places: 10**12 times a decimal is an integer, too.
"""

import json
import re
import sys
from bisect import bisect_left, bisect_right
from collections import Counter
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

UNIT = 10**12
DECIMAL = re.compile(r"-?(0|[1-9][0-9]{0,11})(\.[0-9]{1,12})?")
GREEDY, WARM = "0", "1"
DOUBLINGS = {"0.5": 4, WARM: 2, "2": 1}


class Refusal(Exception):
    """The input must be refused with this code."""


class Strategy(NamedTuple):
    """What is left: ids ascending, weight and count of each; draws in the order of uniforms."""

    weights: dict
    total: int
    draws: list
    counts: dict


# ---- Reading: everything that is malformed


def parse(data):
    """(logits, strategies, uniforms, compare, min_draws), decimals in units of 10**-12."""
    try:
        given = json.loads(data.decode("utf-8").replace("\\u", "\\\\u"))
    except ValueError:
        raise Refusal("malformed") from None
    if type(given) is not dict:
        raise Refusal("malformed")
    given = {"compare": [], "min_draws": 2} | given
    if given.keys() != {"logits", "strategies", "uniforms", "compare", "min_draws"}:
        raise Refusal("malformed")
    return (
        [integer(logit) for logit in array(given["logits"])],
        [[parse_step(step) for step in array(steps)] for steps in array(given["strategies"])],
        [units(uniform) for uniform in array(given["uniforms"])],
        [parse_pair(pair) for pair in array(given["compare"])],
        integer(given["min_draws"]),
    )


def parse_step(step):
    if type(step) is not dict or len(step) != 1:
        raise Refusal("malformed")
    [(kind, value)] = step.items()
    if kind == "top_k":
        return kind, integer(value)
    if kind == "top_p":
        return kind, units(value)
    if kind != "temperature" or value not in (GREEDY, *DOUBLINGS):
        raise Refusal("malformed")
    return kind, value


def parse_pair(pair):
    if len(array(pair)) != 2:
        raise Refusal("malformed")
    return [integer(index) for index in pair]


def array(value):
    if type(value) is not list:
        raise Refusal("malformed")
    return value


def integer(value):
    if type(value) is not int:  # isinstance would let True through
        raise Refusal("malformed")
    return value


def units(decimal):
    if type(decimal) is not str or not DECIMAL.fullmatch(decimal):
        raise Refusal("malformed")
    whole, _, places = decimal.partition(".")
    return int(whole + places.ljust(12, "0"))


# ---- The refusals of the table, in its order, each over the whole input


def check(logits, strategies, uniforms, compare, min_draws):
    steps = [step for strategy in strategies for step in strategy]
    top_ks = [value for kind, value in steps if kind == "top_k"]
    top_ps = [value for kind, value in steps if kind == "top_p"]
    if not logits:
        raise Refusal("no_logits")
    if min(logits) < -200 or max(logits) > 200:
        raise Refusal("logit_out_of_range")
    if any(len(dict(strategy)) < len(strategy) for strategy in strategies):
        raise Refusal("repeated_step")
    if any(k < 1 for k in top_ks):
        raise Refusal("top_k_out_of_range")
    if any(not 0 < p <= UNIT for p in top_ps):
        raise Refusal("top_p_out_of_range")
    if any(not 0 <= uniform < UNIT for uniform in uniforms):
        raise Refusal("uniform_out_of_range")
    if any(not 0 <= index < len(strategies) for pair in compare for index in pair):
        raise Refusal("unknown_strategy")
    if min_draws < 2:
        raise Refusal("min_draws_out_of_range")
    if compare and len(uniforms) < min_draws:
        raise Refusal("too_few_draws")


# ---- The answer


def solve(logits, strategies, uniforms, compare):
    order = sorted(range(len(logits)), key=lambda i: -logits[i])  # stable: of equals, ids ascend
    results = [control(logits, order, steps, uniforms) for steps in strategies]
    return {
        "ok": True,
        "strategies": [told(result) for result in results],
        "comparisons": [compared(results[a], results[b]) for a, b in compare],
    }


def control(logits, order, steps, uniforms):
    """Apply the steps from left to right, then draw."""
    kept, doublings = order, DOUBLINGS[WARM]
    for kind, value in steps:
        if kind == "top_k":
            kept = kept[:value]
        elif kind == "top_p":
            masses = list(accumulate(weigh(logits, kept, doublings)))
            kept = kept[: 1 + bisect_left(masses, divided_up(value * masses[-1], UNIT))]
        elif value == GREEDY:
            kept = kept[:1]
        else:
            doublings = DOUBLINGS[value]
    ids = sorted(kept)
    weights = dict(zip(ids, weigh(logits, ids, doublings)))
    total = sum(weights.values())
    ends = [divided_up(mass * UNIT, total) for mass in accumulate(weights.values())]
    draws = [ids[bisect_right(ends, uniform)] for uniform in uniforms]
    return Strategy(weights, total, draws, Counter(draws))


def weigh(logits, ids, doublings):
    """Whole weights in the ratio of 4 ** (logit / T): the least is 1."""
    least = min(logits[i] for i in ids)
    return [1 << doublings * (logits[i] - least) for i in ids]


def divided_up(n, d):
    """n / d, rounded up: an integer is >= n / d exactly when it is >= this."""
    return -(-n // d)


def told(result):
    weights, total, draws, counts = result
    distance = None
    if draws:
        gaps = sum(abs(counts[i] * total - weights[i] * len(draws)) for i in weights)
        distance = ratio(gaps, 2 * total * len(draws))
    return {
        "kept": list(weights),
        "probabilities": [ratio(weight, total) for weight in weights.values()],
        "draws": draws,
        "counts": [counts[i] for i in weights],
        "distance": distance,
    }


def compared(one, other):
    """Half the sum of what differs, over all ids that either has."""
    a, b = one.weights, other.weights
    ids = a.keys() | b.keys()
    gaps = sum(abs(a.get(i, 0) * other.total - b.get(i, 0) * one.total) for i in ids)
    seen = sum(abs(one.counts[i] - other.counts[i]) for i in ids)
    exact, observed = ratio(gaps, 2 * one.total * other.total), ratio(seen, 2 * len(one.draws))
    return {"exact": exact, "observed": observed}


def ratio(n, d):
    value = Fraction(n, d)
    return f"{value.numerator}/{value.denominator}"


def main():
    try:
        *given, min_draws = parse(sys.stdin.buffer.read())
        check(*given, min_draws)
        answer = solve(*given)
    except Refusal as refusal:
        answer = {"ok": False, "error": str(refusal)}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
