"""Wrong: token 0 is taken for padding and left out of every prompt."""

import json
import re
import sys
from collections import OrderedDict, namedtuple
from itertools import takewhile
from math import gcd, inf
from types import NoneType

UNIT = 10**12  # a decimal has at most 12 places: times UNIT it is an integer
DECIMAL = re.compile(r"-?(0|[1-9][0-9]{0,11})(\.[0-9]{1,12})?")
KINDS = ("compression", "reread", "rework")
NO_KEY = {"adapter": None, "salt": None, "images": []}

Request = namedtuple("Request", "key tokens at")
Overhead = namedtuple("Overhead", "input_tokens output_tokens")
Billing = namedtuple(
    "Billing",
    "version minimum step price_uncached price_cached price_output time_to_live overheads",
)


class Refusal(Exception):
    """The input must be refused with this code."""


# What is well formed


def fields(value, *required, optional=()):
    """Insist on an object with all required fields, and none but the optional ones besides."""
    if type(value) is not dict or not {*required} <= value.keys() <= {*required, *optional}:
        raise Refusal("malformed")


def typed(value, *kinds):
    """The value, when its type is exactly one of these: `isinstance` would let true through."""
    if type(value) not in kinds:
        raise Refusal("malformed")
    return value


def all_typed(values, kind):
    if any(type(value) is not kind for value in typed(values, list)):
        raise Refusal("malformed")
    return values


def units(decimal):
    if not DECIMAL.fullmatch(typed(decimal, str)):
        raise Refusal("malformed")
    whole, _, places = decimal.partition(".")
    return int(whole + places.ljust(12, "0"))


def parse(data):
    """(block_size, capacity_blocks, requests, billing), prices in units of 10**-12."""
    try:
        given = json.loads(data.decode("utf-8"))
    except ValueError:  # not UTF-8, or not JSON
        raise Refusal("malformed") from None
    fields(given, "block_size", "requests", optional=("capacity_blocks", "billing"))
    block_size = typed(given["block_size"], int)
    capacity = typed(given.get("capacity_blocks"), int, NoneType)
    requests = [parse_request(request) for request in typed(given["requests"], list)]
    billing = given.get("billing")
    return block_size, capacity, requests, None if billing is None else parse_billing(billing)


def parse_request(request):
    fields(request, "tokens", optional=("key", "at"))
    key = request.get("key", NO_KEY)
    fields(key, "adapter", "salt", "images")
    adapter, salt = typed(key["adapter"], str, NoneType), typed(key["salt"], str, NoneType)
    images = tuple(all_typed(key["images"], str))
    tokens, at = all_typed(request["tokens"], int), typed(request.get("at", 0), int)
    return Request((adapter, salt, images), tokens, at)


def parse_billing(billing):
    fields(billing, *Billing._fields[:-1], optional=("overheads",))
    overheads = typed(billing.get("overheads", []), list)
    return Billing(
        typed(billing["version"], str),
        typed(billing["minimum"], int),
        typed(billing["step"], int),
        units(billing["price_uncached"]),
        units(billing["price_cached"]),
        units(billing["price_output"]),
        typed(billing["time_to_live"], int, NoneType),
        [parse_overhead(overhead) for overhead in overheads],
    )


def parse_overhead(overhead):
    fields(overhead, "kind", *Overhead._fields)
    if overhead["kind"] not in KINDS:
        raise Refusal("malformed")
    return Overhead(*(typed(overhead[name], int) for name in Overhead._fields))


# What is possible


def check(block_size, capacity, requests, billing):
    """The other refusals, in the order of the table, each over the whole input."""
    if block_size < 1 or (capacity is not None and capacity < 0):
        raise Refusal("bad_block_size")
    if not all(request.tokens for request in requests):
        raise Refusal("empty_prompt")
    if any(min(request.tokens) < 0 for request in requests):
        raise Refusal("negative_token")
    times = [request.at for request in requests]
    if times != sorted(times):
        raise Refusal("time_goes_back")
    if billing is not None and is_bad(billing):
        raise Refusal("bad_billing")


def is_bad(billing):
    counts = [count for overhead in billing.overheads for count in overhead]
    prices = [billing.price_uncached, billing.price_cached, billing.price_output]
    lowest = min(billing.minimum, billing.step - 1, *prices, *counts)
    expired = billing.time_to_live is not None and billing.time_to_live < 0
    return billing.version == "" or lowest < 0 or expired


# The two views


def name_prefixes(numbers, key, tokens):
    """The number of every prefix of the prompt, the shortest first."""
    number = numbers.setdefault(key, len(numbers))
    path = []
    for token in tokens:
        number = numbers.setdefault((number, token), len(numbers))
        path.append(number)
    return path


def leading(numbers, holds):
    return len(list(takewhile(holds, numbers)))


def serve(path, block_size, capacity, cached):
    """(hit tokens, evicted blocks). `cached` is ordered: what is dropped first stands first."""
    blocks = path[block_size - 1 :: block_size]
    hit = block_size * leading(blocks[: (len(path) - 1) // block_size], cached.__contains__)
    for block in reversed(blocks):  # the deepest first, because among equals it is dropped first
        cached[block] = None
        cached.move_to_end(block)
    evicted = 0
    while len(cached) > capacity:
        cached.popitem(last=False)
        evicted += 1
    return hit, evicted


def billed_tokens(path, at, billing, last_sent):
    """`last_sent` says when each prefix was sent last: time never goes back."""
    since = -inf if billing.time_to_live is None else at - billing.time_to_live
    shared = leading(path[:-1], lambda prefix: prefix in last_sent and last_sent[prefix] >= since)
    last_sent.update(dict.fromkeys(path, at))
    if shared < billing.minimum:
        return 0
    return billing.minimum + (shared - billing.minimum) // billing.step * billing.step


def solve(block_size, capacity, requests, billing):
    numbers, cached, last_sent, results, costs = {}, OrderedDict(), {}, [], []
    for key, tokens, at in requests:
        path = name_prefixes(numbers, key, [token for token in tokens if token != 0])
        hit, evicted = serve(path, block_size, inf if capacity is None else capacity, cached)
        result = {"hit_tokens": hit, "computed_tokens": len(tokens) - hit}
        result |= {"evicted_blocks": evicted, "billed_cached_tokens": None, "cost": None}
        if billing is not None:
            billed = billed_tokens(path, at, billing, last_sent)
            fresh = len(tokens) - billed
            costs.append(fresh * billing.price_uncached + billed * billing.price_cached)
            result |= {"billed_cached_tokens": billed, "cost": ratio(costs[-1], UNIT)}
        results.append(result)
    return {
        "ok": True,
        "requests": results,
        "totals": totals(requests, results, len(cached), total_cost(costs, billing)),
    }


def total_cost(costs, billing):
    if billing is None:
        return None
    total = sum(costs)
    for overhead in billing.overheads:
        total += overhead.input_tokens * billing.price_uncached
        total += overhead.output_tokens * billing.price_output
    return ratio(total, UNIT)


def totals(requests, results, cached_blocks, cost):
    prompt = sum(len(request.tokens) for request in requests)
    hit = sum(result["hit_tokens"] for result in results)
    return {
        "prompt_tokens": prompt,
        "hit_tokens": hit,
        "hit_rate": ratio(hit, prompt) if requests else None,
        "cached_blocks": cached_blocks,
        "cost": cost,
    }


def ratio(n, d):
    divisor = gcd(n, d)
    return f"{n // divisor}/{d // divisor}"


def main():
    try:
        facts = parse(sys.stdin.buffer.read())
        check(*facts)
        answer = solve(*facts)
    except Refusal as refusal:
        answer = {"ok": False, "error": str(refusal)}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
