"""Inputs near the stated limits, as functions of a seed."""

import json
from random import Random

BILLING = {
    "version": "scale-1",
    "minimum": 12,
    "step": 4,
    "price_uncached": "1.25",
    "price_cached": "0.125",
    "price_output": "10",
    "time_to_live": 50_000,
    "overheads": [{"kind": "compression", "input_tokens": 120_000, "output_tokens": 2_000}],
}


def _text(block_size, capacity, requests, billing):
    given = {"block_size": block_size, "capacity_blocks": capacity}
    return json.dumps(given | {"requests": requests, "billing": billing}) + "\n"


def _tokens(random, count):
    return [random.getrandbits(15) for _ in range(count)]


def long_prompts(seed):
    """B = 1: a conversation cut back and continued, one prompt of 200,000 tokens, evictions."""
    random = Random(seed)
    story = _tokens(random, 200_000)
    requests = [{"tokens": story, "at": 0}]
    left, at = 1_000_000, 0
    while left:
        shared, at = random.randrange(60_000, 140_000), at + random.randrange(30_000)
        tokens = story[:shared] + _tokens(random, random.randrange(1_000, 60_000))
        requests.append({"tokens": tokens[:left], "at": at})
        left -= len(tokens[:left])
    return _text(1, 260_000, requests, BILLING)


def many_requests(seed):
    """80,000 requests of 12 tokens with B = 1; the first four tokens are the same in all."""
    return _many_requests(Random(seed), 80_000, 180_000, 40_000)


def many_requests_quarter(seed):
    """The same with a quarter of the requests, the capacity and the time to live."""
    return _many_requests(Random(seed), 20_000, 45_000, 10_000)


def _many_requests(random, count, capacity, time_to_live):
    system, requests = _tokens(random, 4), []
    for at in range(count):
        if at % 4 == 3:
            kept = random.randrange(4, 13)
            earlier = requests[-1 - random.randrange(min(at, 200))]["tokens"]
            tokens = earlier[:kept] + _tokens(random, 12 - kept)
        else:
            tokens = system + _tokens(random, 8)
        requests.append({"tokens": tokens, "at": at})
    billing = BILLING | {"minimum": 4, "step": 2, "time_to_live": time_to_live}
    return _text(1, capacity, requests, billing)


def documents(seed):
    """B = 16, 500 requests of 1,000 tokens, most of them about a document; several keys."""
    random = Random(seed)
    texts = [_tokens(random, 800) for _ in range(100)]
    requests = []
    for at in range(500):
        salt = (None, "", "a", "b", "c")[random.randrange(5)]
        images = [["x", "y"], ["y", "x"], []][random.randrange(3)]
        kept = random.randrange(801)
        tokens = texts[random.randrange(100)][:kept] + _tokens(random, 1_000 - kept)
        key = {"adapter": None, "salt": salt, "images": images}
        requests.append({"tokens": tokens, "key": key, "at": at - 250})
    return _text(16, 5_000, requests, BILLING | {"minimum": 256, "step": 128, "time_to_live": 220})
