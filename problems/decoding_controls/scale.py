"""Inputs near the stated limits, as functions of a seed."""

import json
from random import Random

UNIT = 10**12


def _decimal(units):
    return f"{units // UNIT}.{units % UNIT:012d}"


def _text(logits, strategies, uniforms, pairs):
    given = {"logits": logits, "strategies": strategies, "uniforms": list(map(_decimal, uniforms))}
    return json.dumps(given | {"compare": pairs, "min_draws": len(uniforms)}) + "\n"


def many_draws(seed):
    """2,000 logits of 0, 1 or 2 and 100,000 uniforms near the end of the ids, in 10 strategies."""
    random = Random(seed)
    logits = [random.getrandbits(8) % 3 for _ in range(2000)]
    uniforms = [UNIT - 1 - random.getrandbits(60) % (UNIT // 10) for _ in range(100_000)]
    warm, cold = {"temperature": "2"}, {"temperature": "0.5"}
    strategies = [
        [], [warm], [cold], [{"top_k": 1900}], [{"top_k": 2000}, warm],
        [warm, {"top_k": 1990}, {"top_p": "0.999"}], [{"top_p": "1"}, cold],
        [warm, {"top_p": "0.995"}], [{"temperature": "1"}], [{"top_p": "0.999"}, {"top_k": 1950}],
    ]  # fmt: skip
    return _text(logits, strategies, uniforms, [[i, j] for i in range(10) for j in (0, 3, 7)])


def far_logits(seed):
    """2,000 logits from -200 to 200: totals of up to 1,600 bits; few draws and comparisons."""
    random = Random(seed)
    logits = [random.getrandbits(32) % 401 - 200 for _ in range(2000)]
    uniforms = [random.getrandbits(60) % UNIT for _ in range(2_000)]
    strategies = [
        [], [{"temperature": "0.5"}], [{"temperature": "2"}, {"top_p": "1"}],
        [{"top_k": 1500}, {"temperature": "0.5"}], [{"top_p": "0.999999999999"}],
    ]  # fmt: skip
    return _text(logits, strategies, uniforms, [[0, 1], [1, 2], [3, 1]])


def equal_logits(seed):
    """2,000 equal logits and 100,000 even uniforms, every one of them or none on a border."""
    random = Random(seed)
    uniforms = [UNIT // 100_000 * i for i in range(100_000)]
    random.shuffle(uniforms)
    strategies = [
        [], [{"top_k": 1000}], [{"top_p": "0.5"}], [{"top_p": "0.8"}, {"top_k": 1600}],
        [{"top_k": 1250}, {"top_p": "0.8"}], [{"top_p": "0.500000000001"}], [{"top_k": 999}],
        [{"temperature": "2"}, {"top_p": "0.0005"}], [{"temperature": "0"}], [{"top_k": 1999}],
    ]  # fmt: skip
    return _text([random.choice((-7, 7))] * 2000, strategies, uniforms, [[0, 9], [1, 2], [5, 6]])
