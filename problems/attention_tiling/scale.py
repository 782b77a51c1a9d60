"""Inputs near the stated limits, as functions of a seed."""

import json
from random import Random


def _text(scores, values, tile):
    return json.dumps({"scores": scores, "values": values, "tile": tile}) + "\n"


def _score(random, lowest, highest):
    """Every eighth is masked."""
    number = random.getrandbits(24)
    return None if number % 8 == 0 else lowest + (number >> 3) % (highest - lowest + 1)


def _values(random, keys, width):
    return [[random.getrandbits(66) - 2**65 for _ in range(width)] for _ in range(keys)]


def one_long_query(seed):
    """One query of 200,000 keys that are read one by one; the maximum rises slowly to the end."""
    random, keys = Random(seed), 200_000
    row = [_score(random, -100, i // 1000 - 100) for i in range(keys)]
    return _text([row], _values(random, keys, 1), 1)


def square(seed):
    """300 queries and keys, tiles of 16, five columns."""
    random, keys = Random(seed), 300
    scores = [[_score(random, -100, 100) for _ in range(keys)] for _ in range(keys)]
    return _text(scores, _values(random, keys, 5), 16)


def many_queries(seed):
    """30,000 queries of three keys, in tiles of two."""
    random = Random(seed)
    scores = [[_score(random, -20, 20) for _ in range(3)] for _ in range(30_000)]
    return _text(scores, _values(random, 3, 3), 2)
