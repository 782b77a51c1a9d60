"""Decimal arithmetic that would rather fail than round, and one walk along queries sorted by p."""

import decimal
import json
import re
import sys
from math import gcd

CONTEXT = decimal.getcontext()
CONTEXT.prec = 100
CONTEXT.traps[decimal.Inexact] = True

OPTIONAL = {"detail", "min_keep"}
PATTERN = re.compile(r"-?(0|[1-9][0-9]{0,11})(\.[0-9]{1,12})?", re.ASCII)


class Refused(Exception):
    pass


def demand(condition, code="malformed"):
    if not condition:
        raise Refused(code)


def fields(value, allowed):
    demand(isinstance(value, dict))
    demand(set(value) <= set(allowed) and set(allowed) <= set(value) | OPTIONAL)
    return value


def number(text):
    demand(isinstance(text, str))
    demand(PATTERN.fullmatch(text))
    return decimal.Decimal(text)


def rational(part, whole):
    """part / whole in lowest terms; both have at most 12 places."""
    n, d = int(part.scaleb(12)), int(whole.scaleb(12))
    return f"{n // gcd(n, d)}/{d // gcd(n, d)}"


def read(text):
    try:
        given = json.loads(text)
    except ValueError:
        raise Refused("malformed")
    fields(given, ["weights", "queries", "detail"])
    demand(isinstance(given["weights"], list) and isinstance(given["queries"], list))
    demand(isinstance(given.get("detail", True), bool))
    weights = [number(weight) for weight in given["weights"]]
    ps, least = [], []
    for query in given["queries"]:
        fields(query, ["p", "min_keep"])
        ps.append(number(query["p"]))
        least.append(query.get("min_keep", 1))
        demand(type(least[-1]) is int)
    demand(len(weights) > 0, "empty_weights")
    demand(min(weights) >= 0, "negative_weight")
    demand(max(weights) > 0, "zero_total")
    demand(all(0 < p <= 1 for p in ps), "p_out_of_range")
    demand(all(1 <= keep <= len(weights) for keep in least), "min_keep_out_of_range")
    return weights, ps, least, given.get("detail", True)


def walk(weights, order, ps):
    """The k of every query: p grows along the walk, so k never goes back."""
    total = sum(weights)
    ks, k, mass = [0] * len(ps), 1, weights[order[0]]
    for i in sorted(range(len(ps)), key=ps.__getitem__):
        while mass < ps[i] * total:
            mass += weights[order[k]]
            k += 1
        ks[i] = k
    return ks


def answer(weights, ps, least, detail):
    order = sorted(range(len(weights)), key=weights.__getitem__, reverse=True)
    positive = sum(weight > 0 for weight in weights)
    masses = [decimal.Decimal(0)]
    for token in order:
        masses.append(masses[-1] + weights[token])
    results = []
    for k, keep in zip(walk(weights, order, ps), least):
        size = max(k, min(keep, positive))
        kept = order[:size] if detail else []
        result = {
            "mass": rational(masses[size], masses[-1]),
            "last": order[size - 1],
            "size": size,
        }
        if detail:
            result["renormalized"] = [rational(weights[token], masses[size]) for token in kept]
            result["kept"] = kept
        results.append(result)
    return {"results": results, "ok": True}


try:
    reply = answer(*read(sys.stdin.buffer.read().decode()))
except (Refused, UnicodeDecodeError) as refused:
    code = str(refused) if isinstance(refused, Refused) else "malformed"
    reply = {"ok": False, "error": code}
json.dump(reply, sys.stdout)
