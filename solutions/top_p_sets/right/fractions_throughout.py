"""The definition, word for word, in exact rationals; Fraction does all the arithmetic."""

import json
import re
import sys
from bisect import bisect_left
from fractions import Fraction
from itertools import accumulate

DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,12})?")


def refuse(code):
    print(json.dumps({"ok": False, "error": code}))
    sys.exit(0)


def decimal(value):
    if not isinstance(value, str) or DECIMAL.fullmatch(value) is None:
        refuse("malformed")
    return Fraction(value)


def text(value):
    return f"{value.numerator}/{value.denominator}"


def read():
    try:
        given = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    except ValueError:
        refuse("malformed")
    if not isinstance(given, dict):
        refuse("malformed")
    if set(given) not in ({"weights", "queries"}, {"weights", "queries", "detail"}):
        refuse("malformed")
    weights, queries, detail = given["weights"], given["queries"], given.get("detail", True)
    if not isinstance(weights, list) or not isinstance(queries, list):
        refuse("malformed")
    if detail is not True and detail is not False:
        refuse("malformed")
    pairs = []
    for query in queries:
        if not isinstance(query, dict) or set(query) not in ({"p"}, {"p", "min_keep"}):
            refuse("malformed")
        min_keep = query.get("min_keep", 1)
        if not isinstance(min_keep, int) or isinstance(min_keep, bool):
            refuse("malformed")
        pairs.append((decimal(query["p"]), min_keep))
    return [decimal(weight) for weight in weights], pairs, detail


def refuse_impossible(weights, queries):
    if not weights:
        refuse("empty_weights")
    if any(weight < 0 for weight in weights):
        refuse("negative_weight")
    if all(weight == 0 for weight in weights):
        refuse("zero_total")
    if not all(0 < p <= 1 for p, _ in queries):
        refuse("p_out_of_range")
    if not all(1 <= min_keep <= len(weights) for _, min_keep in queries):
        refuse("min_keep_out_of_range")


def main():
    weights, queries, detail = read()
    refuse_impossible(weights, queries)
    positive = [(token, weight) for token, weight in enumerate(weights) if weight > 0]
    ranked = sorted(positive, key=lambda pair: pair[1], reverse=True)  # stable: ties keep their ids
    cumulative = list(accumulate(weight for _, weight in ranked))
    total = cumulative[-1]
    results = []
    for p, min_keep in queries:
        k = bisect_left(cumulative, p * total) + 1
        size = max(k, min(min_keep, len(ranked)))
        kept_weight = cumulative[size - 1]
        result = {"size": size, "last": ranked[size - 1][0], "mass": text(kept_weight / total)}
        if detail:
            result["kept"] = [token for token, _ in ranked[:size]]
            result["renormalized"] = [text(weight / kept_weight) for _, weight in ranked[:size]]
        results.append(result)
    print(json.dumps({"ok": True, "results": results}))


main()
