"""Inputs near the stated limits, as functions of a seed."""

import json
from random import Random

LARGEST = 10**15
WINDOWS = (None, 1, 512, 4096, 10**6 + 3, 10**9 + 7, 3 * 10**12 + 1, 10**15 - 11)


def _text(random, prompts):
    """1,000 groups of layers with eight windows between them, and these prompts."""
    layers = [
        {"count": random.randrange(1, 1000), "window": WINDOWS[random.randrange(8)]}
        for _ in range(1000)
    ]
    given = {"query_heads": random.randrange(1, 1000), "kv_bytes": random.randrange(1, 10**6)}
    return json.dumps(given | {"layers": layers, "prompts": prompts}) + "\n"


def _below(random, largest):
    """Small numbers as often as large ones."""
    return random.getrandbits(random.randrange(1, 51)) % largest


def many_prompts(seed):
    """100,000 prompts without chunks, half of them behind a cached prefix."""
    random, prompts = Random(seed), []
    for i in range(100_000):
        length = _below(random, LARGEST) + 1
        prompts.append({"length": length})
        if i % 2:
            prompts[-1]["cached"] = _below(random, length + 1)
    return _text(random, prompts)


def one_prompt_in_chunks(seed):
    """One prompt of 200,000 chunks, its length just within the limit."""
    random = Random(seed)
    chunks = [_below(random, 10**10) + 1 for _ in range(200_000)]
    cached = LARGEST - 10**6 - sum(chunks)
    prompt = {"length": LARGEST - 10**6, "cached": cached, "chunks": chunks}
    return _text(random, [prompt])
