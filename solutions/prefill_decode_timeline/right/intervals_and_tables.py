"""The timeline as one list of (phase, length); a table of types, a table of faults, Decimals."""

import json
import re
import sys
from collections import Counter
from decimal import Decimal
from itertools import accumulate, chain
from math import gcd

INTEGER = "integer"
CALL = {
    "arrival": INTEGER,
    "scheduled": INTEGER,
    "first_token": INTEGER,
    "chunks": [(INTEGER,) * 2],
}
PHASES = {"queue": 0, "prefill": 1, "decode": 2, "tool": 3}
FACTOR = re.compile(r"-?(0|[1-9]\d{0,11})(\.\d{1,12})?", re.ASCII)
WHAT_IF = {"phase": PHASES.keys(), "factor": FACTOR}
INPUT = {"calls": [CALL], "what_ifs": [WHAT_IF]}


class Refused(Exception):
    pass


def read(value, kind):
    """The value with decimals parsed: lists of one kind, pairs, objects, names, patterns."""
    if kind == INTEGER and type(value) is int:
        return value
    if type(kind) is list and type(value) is list:
        return [read(item, *kind) for item in value]
    if type(kind) is tuple and type(value) is list and len(value) == len(kind):
        return [read(item, each) for item, each in zip(value, kind)]
    if type(kind) is dict and type(value) is dict and value.keys() == kind.keys():
        return {name: read(value[name], kind[name]) for name in kind}
    if type(value) is str:
        if kind is FACTOR and FACTOR.fullmatch(value):
            return Decimal(value)
        if kind == PHASES.keys() and value in kind:
            return value
    raise Refused("malformed")


def read_input(data):
    try:
        given = json.loads(data.decode())
    except ValueError:
        raise Refused("malformed") from None
    return read({"what_ifs": []} | given if type(given) is dict else given, INPUT)


def times(call):
    return [
        call["arrival"],
        call["scheduled"],
        call["first_token"],
        *(t for t, _ in call["chunks"]),
    ]


def faults(calls, what_ifs):
    tokens = [n for call in calls for _, n in call["chunks"]]
    clock = list(chain.from_iterable(map(times, calls)))
    yield "no_calls", not calls
    yield "tokens_out_of_range", tokens and (min(tokens) < 1 or max(tokens) > 1000)
    yield "time_goes_back", list(accumulate(clock, max)) != clock
    yield "factor_out_of_range", min([Decimal(0), *(w["factor"] for w in what_ifs)]) < 0


def text(n, d):
    if not d:
        return None
    common = gcd(n, d)
    return f"{n // common}/{d // common}"


def intervals(calls):
    """(phase, length) from the first arrival to the last event, without a hole."""
    now = calls[0]["arrival"]
    for call in calls:
        names = ["tool", "queue", "prefill", *["decode"] * len(call["chunks"])]
        for name, time in zip(names, times(call)):
            yield name, time - now
            now = time


def measure(call):
    clock = times(call)[2:]
    waits = [b - a for a, b in zip(clock, clock[1:])]
    itl = []
    for wait, (_, n) in zip(waits, call["chunks"]):
        itl.extend([text(wait, n)] * n)
    return {
        "tokens": len(itl) + 1,
        "ttft": clock[0] - call["arrival"],
        "itl": itl,
        "tpot": text(sum(waits), len(itl)),
        "longest_gap": max(waits) if waits else None,
        "e2e": clock[-1] - call["arrival"],
    }


def suppose(phase, factor, start, sums, e2e):
    """n / d is the factor; both new times are over the denominator d."""
    n, d = factor.as_integer_ratio()
    ttft = sum((n if name == phase else d) * length for name, length in start)
    new = d * e2e + (n - d) * sums[phase]
    return {"ttft": text(ttft, d), "e2e": text(new, d), "speedup": text(d * e2e, new)}


def answer(calls, what_ifs):
    for code, there in faults(calls, what_ifs):
        if there:
            raise Refused(code)
    results, line = [measure(call) for call in calls], list(intervals(calls))
    sums = Counter()
    for name, length in line:
        sums[name] += length
    phases = {name: sums[name] for name in PHASES}
    e2e = sum(phases.values())
    gaps = sum(len(result["itl"]) for result in results)
    ranked = sorted(PHASES, key=lambda name: (-phases[name], PHASES[name]))
    task = {"tokens": gaps + len(calls), "ttft": results[0]["ttft"], "e2e": e2e, "phases": phases}
    task["tpot"] = text(phases["decode"], gaps)
    task["shares"] = {name: text(phases[name], e2e) for name in PHASES} if e2e else None
    task["largest"] = ranked[0] if e2e else None
    told = [suppose(w["phase"], w["factor"], line[1:3], phases, e2e) for w in what_ifs]
    return {"ok": True, "calls": results, "task": task, "what_ifs": told}


try:
    print(json.dumps(answer(**read_input(sys.stdin.buffer.read()))))
except Refused as refused:
    print(json.dumps({"ok": False, "error": str(refused)}))
