"""Inputs near the stated limits, as functions of a seed."""

import json
from random import Random

PHASES = ("queue", "prefill", "decode", "tool")


def _text(calls, what_ifs):
    return json.dumps({"calls": calls, "what_ifs": what_ifs}) + "\n"


def _call(random, time, chunks, most_tokens):
    """(call, its end): `chunks` pieces of 1 to `most_tokens` tokens."""
    arrival = time + random.randrange(1_000_000)
    scheduled = arrival + random.randrange(50_000)
    time = first_token = scheduled + random.randrange(400_000)
    pieces = []
    for _ in range(chunks):
        time += random.randrange(1, 60_000)
        pieces.append([time, random.randrange(most_tokens) + 1])
    call = {"arrival": arrival, "scheduled": scheduled, "first_token": first_token}
    return call | {"chunks": pieces}, time


def _what_ifs(random, count):
    return [
        {"phase": PHASES[random.randrange(4)], "factor": f"{random.randrange(3)}.{i:06d}"}
        for i in range(count)
    ]


def many_calls(seed):
    """100,000 calls with 50,000 chunks in all, 1,000 what-ifs."""
    random, time, calls = Random(seed), -(10**29), []
    for i in range(100_000):
        call, time = _call(random, time, i % 2, 3)
        calls.append(call)
    return _text(calls, _what_ifs(random, 1_000))


def one_long_call(seed):
    """One call of 300,000 chunks and close to 450,000 tokens."""
    random = Random(seed)
    call, _ = _call(random, 0, 300_000, 2)
    return _text([call], _what_ifs(random, 4))


def many_what_ifs(seed):
    """100,000 what-ifs about a task of 20,000 calls."""
    random, time, calls = Random(seed), 0, []
    for _ in range(20_000):
        call, time = _call(random, time, 2, 2)
        calls.append(call)
    return _text(calls, _what_ifs(random, 100_000))
