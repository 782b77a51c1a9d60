"""Two passes over the requests, one for each view; outdated entries of a heap are skipped."""

import gc
import json
import re
import sys
from decimal import MAX_EMAX, Context, Decimal
from heapq import heappop, heappush
from itertools import count

EXACT = Context(prec=3000, Emax=MAX_EMAX)
DECIMAL = re.compile(r"-?(0|[1-9][0-9]{0,11})(\.[0-9]{1,12})?", re.ASCII)
TERMS = {"version", "minimum", "step", "price_uncached", "price_cached", "price_output"}
TERMS |= {"time_to_live"}
KEY = {"adapter", "salt", "images"}


def refuse(code):
    print(json.dumps({"ok": False, "error": code}))
    sys.exit()


def has_fields(value, required, optional=frozenset()):
    return type(value) is dict and required <= set(value) and set(value) <= required | optional


def is_list(value, is_right):
    return type(value) is list and all(map(is_right, value))


def is_int(value):
    return type(value) is int


def is_string(value):
    return type(value) is str


def is_decimal(value):
    return is_string(value) and DECIMAL.fullmatch(value) is not None


def is_key(key):
    names = (has_fields(key, KEY) and key[name] for name in ("adapter", "salt"))
    return all(n is None or is_string(n) for n in names) and is_list(key["images"], is_string)


def is_request(request):
    return (
        has_fields(request, {"tokens"}, {"key", "at"})
        and is_list(request["tokens"], is_int)
        and is_int(request.get("at", 0))
        and ("key" not in request or is_key(request["key"]))
    )


def is_overhead(overhead):
    return (
        has_fields(overhead, {"kind", "input_tokens", "output_tokens"})
        and overhead["kind"] in ["compression", "reread", "rework"]
        and is_int(overhead["input_tokens"])
        and is_int(overhead["output_tokens"])
    )


def is_billing(billing):
    return (
        has_fields(billing, TERMS, {"overheads"})
        and is_string(billing["version"])
        and all(is_int(billing[name]) for name in ("minimum", "step"))
        and all(is_decimal(billing[name]) for name in TERMS if name.startswith("price"))
        and (billing["time_to_live"] is None or is_int(billing["time_to_live"]))
        and is_list(billing.get("overheads", []), is_overhead)
    )


def is_well_formed(given):
    return (
        has_fields(given, {"block_size", "requests"}, {"capacity_blocks", "billing"})
        and is_int(given["block_size"])
        and (given.get("capacity_blocks") is None or is_int(given["capacity_blocks"]))
        and is_list(given["requests"], is_request)
        and (given.get("billing") is None or is_billing(given["billing"]))
    )


def fault(given):
    """The code of the first fault in the table, None for a legal input."""
    capacity, requests = given.get("capacity_blocks"), given["requests"]
    times = [request.get("at", 0) for request in requests]
    if given["block_size"] < 1 or (capacity is not None and capacity < 0):
        return "bad_block_size"
    if [] in [request["tokens"] for request in requests]:
        return "empty_prompt"
    if any(min(request["tokens"]) < 0 for request in requests):
        return "negative_token"
    if any(later < at for at, later in zip(times, times[1:])):
        return "time_goes_back"
    return "bad_billing" if given.get("billing") and is_bad(given["billing"]) else None


def is_bad(billing):
    life, overheads = billing["time_to_live"], billing.get("overheads", [])
    return (
        not billing["version"]
        or billing["minimum"] < 0
        or billing["step"] < 1
        or (life is not None and life < 0)
        or any(Decimal(billing[name]) < 0 for name in TERMS if name.startswith("price"))
        or any(min(o["input_tokens"], o["output_tokens"]) < 0 for o in overheads)
    )


def key_of(request):
    key = request.get("key", {"adapter": None, "salt": None, "images": []})
    return key["adapter"], key["salt"], *key["images"]


def engine_view(given):
    """(hit tokens, evicted blocks) of each request, then how many blocks are cached at the end."""
    size, capacity = given["block_size"], given.get("capacity_blocks")
    ids, fresh_id, last_use, heap, served = {}, count().__next__, {}, [], []
    for index, request in enumerate(given["requests"]):
        tokens, block, hit, chain = request["tokens"], key_of(request), 0, []
        for start in range(0, len(tokens) - size + 1, size):
            name = block, tuple(tokens[start : start + size])
            block = ids[name] if name in ids else ids.setdefault(name, fresh_id())
            if block in last_use and hit == start and start + size < len(tokens):
                hit += size
            chain.append(block)
        for depth, block in enumerate(chain):
            last_use[block] = index
            if capacity is not None:
                heappush(heap, (index, -depth, block))
        cached = len(last_use)
        while capacity is not None and len(last_use) > capacity:
            use, _, block = heappop(heap)
            if last_use.get(block) == use:
                del last_use[block]
        served.append((hit, cached - len(last_use)))
    return served, len(last_use)


def billing_view(given):
    """(billed tokens, cost) of each request, then the total; None throughout without billing."""
    billing, requests = given.get("billing"), given["requests"]
    if billing is None:
        return [(None, None)] * len(requests), None
    uncached, cached, output = (
        Decimal(billing[f"price_{kind}"]) for kind in ("uncached", "cached", "output")
    )
    bills, total = [], Decimal(0)
    for request, shared in zip(requests, shared_tokens(requests, billing["time_to_live"])):
        over, n = shared - billing["minimum"], len(request["tokens"])
        billed = 0 if over < 0 else shared - over % billing["step"]
        cost = EXACT.add(EXACT.multiply(n - billed, uncached), EXACT.multiply(billed, cached))
        total = EXACT.add(total, cost)
        bills.append((billed, text(cost)))
    for overhead in billing.get("overheads", []):
        for price, name in ((uncached, "input_tokens"), (output, "output_tokens")):
            total = EXACT.fma(Decimal(overhead[name]), price, total)
    return bills, text(total)


def shared_tokens(requests, life):
    """The longest prefix each request shares with an earlier one that is alive, at most n - 1."""
    nodes, sent = {}, {}
    for request in requests:
        at, node, path = request.get("at", 0), key_of(request), []
        for token in request["tokens"]:
            node = nodes.setdefault((node, token), len(nodes))
            path.append(node)
        shared = 0
        for node in path[:-1]:
            if node not in sent or (life is not None and sent[node] + life < at):
                break
            shared += 1
        sent |= dict.fromkeys(path, at)
        yield shared


def text(decimal):
    return "{}/{}".format(*decimal.as_integer_ratio())


def solve(given):
    (served, cached_blocks), (bills, total) = engine_view(given), billing_view(given)
    results = [
        {
            "hit_tokens": hit,
            "computed_tokens": len(request["tokens"]) - hit,
            "evicted_blocks": evicted,
            "billed_cached_tokens": billed,
            "cost": cost,
        }
        for request, (hit, evicted), (billed, cost) in zip(given["requests"], served, bills)
    ]
    prompt = sum(len(request["tokens"]) for request in given["requests"])
    hit = sum(result["hit_tokens"] for result in results)
    return {
        "ok": True,
        "requests": results,
        "totals": {
            "prompt_tokens": prompt,
            "hit_tokens": hit,
            "hit_rate": rate(hit, prompt) if prompt else None,
            "cached_blocks": cached_blocks,
            "cost": total,
        },
    }


def rate(hit, prompt):
    a, b = hit, prompt
    while a:
        a, b = b % a, a
    return f"{hit // b}/{prompt // b}"


gc.disable()  # tuples of numbers form no cycles
try:
    given = json.loads(sys.stdin.buffer.read().decode())
except ValueError:
    refuse("malformed")
code = fault(given) if is_well_formed(given) else "malformed"
if code:
    refuse(code)
print(json.dumps(solve(given)))
