"""The bill from a radix tree (an edge is a run of tokens), the cache from a queue of uses."""

import json
import re
import sys
from collections import deque
from fractions import Fraction
from itertools import chain, pairwise

INTEGERS, OPTIONAL_INTEGER, STRING = {int}, {int, type(None)}, {str}
PRICES = ["price_uncached", "price_cached", "price_output"]
KINDS = {"compression", "reread", "rework"}


def refuse(code):
    print(json.dumps({"ok": False, "error": code}))
    raise SystemExit(0)


def demand(condition):
    if not condition:
        refuse("malformed")


def check_fields(value, required, optional=()):
    """`required` and `optional`: the types that each field may have."""
    optional = dict(optional)
    demand(type(value) is dict and required.keys() <= value.keys())
    demand(value.keys() <= required.keys() | optional.keys())
    for name, types in (required | optional).items():
        demand(name not in value or type(value[name]) in types)


def check_prices(billing):
    for name in PRICES:
        demand(re.fullmatch(r"-?(0|[1-9][0-9]{0,11})(\.[0-9]{1,12})?", billing[name]))


def check_form(given):
    required, optional = {"block_size": INTEGERS, "requests": {list}}, {}
    optional["billing"] = {dict, type(None)}
    check_fields(given, required, optional | {"capacity_blocks": OPTIONAL_INTEGER})
    for request in given["requests"]:
        check_fields(request, {"tokens": {list}}, {"key": {dict}, "at": INTEGERS})
        demand(set(map(type, request["tokens"])) <= INTEGERS)
        if "key" in request:
            name = {str, type(None)}
            check_fields(request["key"], {"adapter": name, "salt": name, "images": {list}})
            demand(set(map(type, request["key"]["images"])) <= STRING)
    if (billing := given.get("billing")) is not None:
        terms = {"version": STRING, "minimum": INTEGERS, "step": INTEGERS}
        terms |= {"time_to_live": OPTIONAL_INTEGER} | dict.fromkeys(PRICES, STRING)
        check_fields(billing, terms, {"overheads": {list}})
        check_prices(billing)
        counts = {"input_tokens": INTEGERS, "output_tokens": INTEGERS}
        for overhead in billing.get("overheads", []):
            check_fields(overhead, {"kind": STRING} | counts)
            demand(overhead["kind"] in KINDS)


def check_sense(given):
    requests, billing = given["requests"], given.get("billing")
    if given["block_size"] < 1 or (given.get("capacity_blocks") or 0) < 0:
        refuse("bad_block_size")
    if any(len(request["tokens"]) == 0 for request in requests):
        refuse("empty_prompt")
    if any(min(request["tokens"]) < 0 for request in requests):
        refuse("negative_token")
    if any(a > b for a, b in pairwise(request.get("at", 0) for request in requests)):
        refuse("time_goes_back")
    if billing is not None:
        numbers = [billing["minimum"], billing["time_to_live"] or 0, billing["step"] - 1]
        numbers += [Fraction(billing[name]) for name in PRICES]
        for overhead in billing.get("overheads", []):
            numbers += [overhead["input_tokens"], overhead["output_tokens"]]
        if not billing["version"] or min(numbers) < 0:
            refuse("bad_billing")


class Edge:
    """tokens[start:end] of a prompt, all last sent at the same time, and what comes after."""

    __slots__ = ("tokens", "start", "end", "at", "after")

    def __init__(self, tokens, start, end, at, after):
        self.tokens, self.start, self.end, self.at, self.after = tokens, start, end, at, after


def send(root, tokens, at, oldest):
    """Add a prompt to the tree. How many of its tokens were known since `oldest`?"""
    position, known, alive = 0, 0, True
    after = root
    while position < len(tokens):
        edge = after.get(tokens[position])
        if edge is None:
            after[tokens[position]] = Edge(tokens, position, len(tokens), at, {})
            break
        length = common(edge, tokens, position)
        if length < edge.end - edge.start:
            middle = edge.start + length
            rest = Edge(edge.tokens, middle, edge.end, edge.at, edge.after)
            edge.end, edge.after = middle, {edge.tokens[middle]: rest}
        alive = alive and (oldest is None or edge.at >= oldest)
        known += length if alive else 0
        edge.at, position, after = at, position + length, edge.after
    return min(known, len(tokens) - 1)


def common(edge, tokens, position):
    length = min(edge.end - edge.start, len(tokens) - position)
    for i in range(length):
        if edge.tokens[edge.start + i] != tokens[position + i]:
            return i
    return length


def bills(given):
    """billed_cached_tokens of each request."""
    billing, roots = given["billing"], {}
    minimum, step, life = (billing[name] for name in ("minimum", "step", "time_to_live"))
    for request in given["requests"]:
        at = request.get("at", 0)
        root = roots.setdefault(key_of(request), {})
        known = send(root, request["tokens"], at, None if life is None else at - life)
        yield minimum + (known - minimum) // step * step if known >= minimum else 0


def key_of(request):
    key = request.get("key") or {"adapter": None, "salt": None, "images": []}
    return key["adapter"], key["salt"], tuple(key["images"])


def serve(given, blocks):
    """(hit, evicted) of each request. `blocks`: for each cached block the time of its last use."""
    size, capacity, names, uses = given["block_size"], given.get("capacity_blocks"), {}, deque()
    for now, request in enumerate(given["requests"]):
        tokens, name, own = request["tokens"], key_of(request), []
        for end in range(size, len(tokens) + 1, size):
            name = names.setdefault((name, *tokens[end - size : end]), len(names))
            own.append(name)
        hits = next((i for i, name in enumerate(own) if name not in blocks), len(own))
        hits -= hits * size == len(tokens)
        blocks |= dict.fromkeys(own, now)
        uses.extend((now, name) for name in reversed(own))
        before = len(blocks)
        while capacity is not None and len(blocks) > capacity:
            use, name = uses.popleft()
            if blocks.get(name) == use:
                del blocks[name]
        yield hits * size, before - len(blocks)


def answer(given):
    requests, billing, blocks = given["requests"], given.get("billing"), {}
    billed, costs = [None] * len(requests), [None] * len(requests)
    if billing is not None:
        uncached, cached, output = (Fraction(billing[name]) for name in PRICES)
        billed = list(bills(given))
        costs = [
            (len(request["tokens"]) - b) * uncached + b * cached
            for request, b in zip(requests, billed)
        ]
        extra = [
            (o["input_tokens"] * uncached, o["output_tokens"] * output)
            for o in billing.get("overheads", [])
        ]
    results = [
        {
            "hit_tokens": hit,
            "computed_tokens": len(request["tokens"]) - hit,
            "evicted_blocks": evicted,
            "billed_cached_tokens": b,
            "cost": text(cost),
        }
        for request, (hit, evicted), b, cost in zip(requests, serve(given, blocks), billed, costs)
    ]
    prompt = sum(len(request["tokens"]) for request in requests)
    hit = sum(result["hit_tokens"] for result in results)
    totals = {"prompt_tokens": prompt, "hit_tokens": hit, "cached_blocks": len(blocks)}
    totals["hit_rate"] = text(Fraction(hit, prompt) if prompt else None)
    totals["cost"] = text(billing and sum(chain(costs, *extra), Fraction(0)))
    return {"ok": True, "requests": results, "totals": totals}


def text(number):
    return None if number is None else "/".join(map(str, number.as_integer_ratio()))


if __name__ == "__main__":
    try:
        given = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    except ValueError:
        refuse("malformed")
    check_form(given)
    check_sense(given)
    print(json.dumps(answer(given)))
