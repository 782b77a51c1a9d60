"""Inputs near the stated limits, as functions of a seed."""

import json
from random import Random

_SLO = {
    "chat": {"ttft": 10**13, "e2e": 10**14},
    "code": {"ttft": None, "e2e": 10**15},
    "batch": {"ttft": None, "e2e": None},
    "": {"ttft": 0, "e2e": None},
    "unused": {"ttft": 1, "e2e": 1},
}
_NAMES = ("chat", "chat", "code", "batch", "")


def _text(servers, ticks_per_token, requests):
    given = {"servers": servers, "ticks_per_token": ticks_per_token, "slo": _SLO}
    return json.dumps(given | {"requests": requests, "detail": False}) + "\n"


def _request(random, latest, prefill, tokens, patience):
    """Half of them give up sooner or later."""
    request = {
        "class": _NAMES[random.getrandbits(16) % 5],
        "arrival": random.getrandbits(64) % latest,
        "prefill": 1 + random.getrandbits(64) % prefill,
        "tokens": 1 + random.getrandbits(32) % tokens,
    }
    kind = random.getrandbits(2)
    if kind == 1:
        request["cancel_after"] = 1 + random.getrandbits(64) % patience
    if kind == 2:
        request["timeout"] = 1 + random.getrandbits(64) % patience
    return request


def many_servers(seed):
    """100,000 requests for 10,000 servers that cannot quite keep up; times up to 10^15."""
    random, latest = Random(seed), 10**15
    requests = [_request(random, latest, 2 * 10**14, 10**5, 4 * 10**14) for _ in range(100_000)]
    return _text(10_000, 10**9, requests)


def one_long_queue(seed):
    """Almost all of 60,000 requests come before three servers have done the first few."""
    random = Random(seed)
    requests = [_request(random, 10**9, 10**8, 900, 10**13) for _ in range(60_000)]
    return _text(3, 10**6, requests)
