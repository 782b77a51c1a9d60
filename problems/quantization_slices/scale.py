"""Inputs near the stated limits, as functions of a seed."""

import json
from random import Random

FIGURES = ("weight_bytes", "cache_bytes", "queue_us", "service_us", "energy_mj")


def _text(random, minimum_items, allowed_drop, slices):
    sides = [{figure: random.randrange(10**18 + 1) for figure in FIGURES} for _ in range(2)]
    given = {
        "minimum_items": minimum_items,
        "allowed_drop": allowed_drop,
        "slices": [dict(zip(("name", "items", "base", "quantized"), part)) for part in slices],
        "resources": {"base": sides[0], "quantized": sides[1]},
    }
    return json.dumps(given) + "\n"


def _names(random, number):
    """Names of one length with much in common, in no order."""
    numbers = list(range(number))
    random.shuffle(numbers)
    return [f"slice by language, task and length, number {i:06d}" for i in numbers]


def many_slices(seed):
    """100,000 slices of 100 different sizes, one of them 0; most of them get a little better."""
    random, number = Random(seed), 100_000
    sizes = [0, *random.sample(range(500_000, 1_000_000), 98), 1_000_000]
    slices = []
    for name in _names(random, number):
        items = random.choice(sizes)
        base = random.randrange(items // 2, items + 1)
        quantized = min(items, max(0, base + random.randrange(-items // 40, items // 20 + 1)))
        slices.append((name, items, base, quantized))
    return _text(random, 500_000, "0.02", slices)


def many_ties(seed):
    """50,000 slices, every other one too small to be judged. The rest fall by one item in a
    million, just what is allowed; only one near the end falls by two, and the average hides it."""
    random, number = Random(seed), 50_000
    slices = []
    for i, name in enumerate(_names(random, number)):
        items = 1_000_000 if i % 2 else 999_999
        base = random.randrange(2, items + 1)
        lost = 0 if items < 1_000_000 else 2 if i == number - 3 else 1
        slices.append((name, items, base, base - lost))
    return _text(random, 1_000_000, "0.000001", slices)
