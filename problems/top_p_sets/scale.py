"""Inputs near the stated limits, as functions of a seed."""

import json
from random import Random

UNIT = 10**12


def _decimal(units):
    return "%d.%012d" % divmod(units, UNIT)


def _text(weights, ps, detail):
    given = {
        "weights": [_decimal(weight) for weight in weights],
        "queries": [{"p": _decimal(p)} for p in ps],
        "detail": detail,
    }
    return json.dumps(given) + "\n"


def _shuffled(random, values):
    return sorted(values, key=lambda _: random.getrandbits(64))


def _distinct_ps(random, count):
    """One p out of each of `count` equal parts of (0, 1], in no order."""
    width = UNIT // count
    return _shuffled(random, [width * i + 1 + random.randrange(width) for i in range(count)])


def many_queries(seed):
    """200,000 weights of 12 + 12 digits, 200,000 distinct p."""
    random = Random(seed)
    weights = [random.randrange(10**24) for _ in range(200_000)]
    return _text(weights, _distinct_ps(random, 200_000), detail=False)


def ties_and_boundaries(seed):
    """Weights 10, 5 and 0, a million in all; most of the 200,000 p are masses of first tokens."""
    random = Random(seed)
    weights = [10 * UNIT] * 60_000 + [5 * UNIT] * 80_000 + [0] * 60_000
    ps = [5_000_000 * n for n in range(1, 200_001)]
    return _text(_shuffled(random, weights), _shuffled(random, ps), detail=False)


def long_nuclei(seed):
    """100 queries that keep about 200,000 of 6,000 tokens in all, with detail."""
    random = Random(seed)
    weights = [random.randrange(1, 10**6) * UNIT // 1000 for _ in range(6_000)]
    return _text(weights, _distinct_ps(random, 100), detail=True)
