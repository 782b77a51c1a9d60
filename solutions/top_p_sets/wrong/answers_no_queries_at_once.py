"""Wrong: without queries the weights are not looked at."""

import json
import re
import sys
from bisect import bisect_left
from itertools import accumulate
from math import gcd

UNIT = 10**12
DECIMAL = re.compile(r"-?(0|[1-9][0-9]{0,11})(\.[0-9]{1,12})?")


class Refusal(Exception):
    """The input must be refused with this code."""


def parse(data):
    """Weights and p in units of 10**-12, as (weights, [(p, min_keep)], detail)."""
    try:
        given = json.loads(data.decode("utf-8"))
    except ValueError:
        raise Refusal("malformed") from None
    check_fields(given, required={"weights", "queries"}, optional={"detail"})
    weights, queries, detail = given["weights"], given["queries"], given.get("detail", True)
    if type(weights) is not list or type(queries) is not list or type(detail) is not bool:
        raise Refusal("malformed")
    return [units(weight) for weight in weights], [parse_query(query) for query in queries], detail


def parse_query(query):
    check_fields(query, required={"p"}, optional={"min_keep"})
    min_keep = query.get("min_keep", 1)
    if type(min_keep) is not int:  # isinstance would let True through
        raise Refusal("malformed")
    return units(query["p"]), min_keep


def check_fields(value, *, required, optional):
    if type(value) is not dict or not required <= value.keys() <= required | optional:
        raise Refusal("malformed")


def units(decimal):
    if type(decimal) is not str or not DECIMAL.fullmatch(decimal):
        raise Refusal("malformed")
    whole, _, places = decimal.partition(".")
    return int(whole + places.ljust(12, "0"))


def check(weights, queries):
    """The refusals of the table, in its order, each over the whole input."""
    if not weights:
        raise Refusal("empty_weights")
    if min(weights) < 0:
        raise Refusal("negative_weight")
    if not any(weights):
        raise Refusal("zero_total")
    if any(not 0 < p <= UNIT for p, _ in queries):
        raise Refusal("p_out_of_range")
    if any(not 1 <= min_keep <= len(weights) for _, min_keep in queries):
        raise Refusal("min_keep_out_of_range")


def solve(weights, queries, detail):
    if not queries:
        return []
    order = sorted(range(len(weights)), key=lambda token: -weights[token])  # stable: ties by id
    prefix = list(accumulate(weights[token] for token in order))
    total = prefix[-1]
    positive = len(weights) - weights.count(0)
    results = []
    for p, min_keep in queries:
        # prefix / total >= p / UNIT, without a division: prefix >= ceil(p * total / UNIT)
        crossing = bisect_left(prefix, -(-p * total // UNIT))
        size = max(crossing + 1, min(min_keep, positive))
        mass = prefix[size - 1]
        result = {"size": size, "last": order[size - 1], "mass": ratio(mass, total)}
        if detail:
            result["kept"] = order[:size]
            result["renormalized"] = [ratio(weights[token], mass) for token in order[:size]]
        results.append(result)
    return results


def ratio(n, d):
    divisor = gcd(n, d)
    return f"{n // divisor}/{d // divisor}"


def main():
    try:
        weights, queries, detail = parse(sys.stdin.buffer.read())
        if queries:
            check(weights, queries)
        answer = {"ok": True, "results": solve(weights, queries, detail)}
    except Refusal as refusal:
        answer = {"ok": False, "error": str(refusal)}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
