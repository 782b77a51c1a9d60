"""Inputs near the stated limits, as functions of a seed."""

import json
from random import Random

UNIT = 10**12


def _decimal(units):
    return f"{units // UNIT}.{units % UNIT:012d}"


def _text(weights, ps, detail):
    """The JSON, joined by hand: there are 140,000 decimals and nothing to escape."""
    listed = '", "'.join(map(_decimal, weights))
    asked = '"}, {"p": "'.join(map(_decimal, ps))
    queries = f'[{{"p": "{asked}"}}]'
    return f'{{"weights": ["{listed}"], "queries": {queries}, "detail": {json.dumps(detail)}}}\n'


def _shuffled(random, values):
    """In the order of random high halves; whole numbers sort three times as fast as pairs."""
    keyed = sorted([random.getrandbits(64) << 64 | value for value in values])
    return [key & (1 << 64) - 1 for key in keyed]


def _distinct_ps(random, count):
    """One p out of each of `count` equal parts of (0, 1], in no order."""
    width = UNIT // count
    return _shuffled(random, [width * i + 1 + random.getrandbits(64) % width for i in range(count)])


def many_queries(seed):
    """70,000 weights of 12 + 12 digits, 70,000 distinct p."""
    return _many_queries(Random(seed), 70_000)


def many_queries_quarter(seed):
    """The same with a quarter of the weights and of the p."""
    return _many_queries(Random(seed), 17_500)


def _many_queries(random, count):
    weights = [random.getrandbits(96) % 10**24 for _ in range(count)]
    return _text(weights, _distinct_ps(random, count), detail=False)


def ties_and_boundaries(seed):
    """Weights 10, 5 and 0, 250,000 in all; most of 50,000 p are masses of first tokens."""
    random = Random(seed)
    weights = [10 * UNIT] * 15_000 + [5 * UNIT] * 20_000 + [0] * 15_000
    ps = [20_000_000 * n for n in range(1, 50_001)]
    return _text(_shuffled(random, weights), _shuffled(random, ps), detail=False)


def long_nuclei(seed):
    """100 queries that keep about 200,000 of 6,000 tokens in all, with detail."""
    random = Random(seed)
    weights = [random.randrange(1, 10**6) * UNIT // 1000 for _ in range(6_000)]
    return _text(weights, _distinct_ps(random, 100), detail=True)
