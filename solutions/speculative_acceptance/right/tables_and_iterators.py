"""Compact: a table of types for reading, a table of faults, and iterators for the rest."""

import json
import re
import sys
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate, chain, takewhile

DECIMAL = re.compile(r"-?(0|[1-9]\d{0,11})(\.\d{1,12})?", re.ASCII)
INTEGER, NUMBER = "integer", "number"
STEP = {
    "draft_tokens": [INTEGER],
    "draft_weights": [[INTEGER]],
    "target_weights": [[INTEGER]],
    "uniforms": [NUMBER],
    "next_uniform": NUMBER,
}
FORECAST = {"acceptance": NUMBER, "draft_length": INTEGER, "draft_cost": (NUMBER,)}
INPUT = {"vocab_size": INTEGER, "steps": [STEP], "eos": (INTEGER,), "forecast": (FORECAST,)}
DEFAULTS = {"eos": None, "forecast": None}


class Refused(Exception):
    pass


def read(value, kind):
    """The value with decimals parsed; a tuple is a kind that may be null."""
    if kind == INTEGER and type(value) is int:
        return value
    if kind == NUMBER and type(value) is str and DECIMAL.fullmatch(value):
        return Decimal(value)
    if type(kind) is tuple:
        return None if value is None else read(value, *kind)
    if type(kind) is list and type(value) is list:
        return [read(item, *kind) for item in value]
    if type(kind) is dict and type(value) is dict and value.keys() == kind.keys():
        return {name: read(value[name], kind[name]) for name in kind}
    raise Refused("malformed")


def read_input(data):
    try:
        given = json.loads(data.decode())
    except ValueError:
        raise Refused("malformed") from None
    return read(DEFAULTS | given if type(given) is dict else given, INPUT)


def faults(vocab_size, steps, eos, forecast):
    rows = list(chain(*(step["draft_weights"] + step["target_weights"] for step in steps)))
    drafted = list(chain(*(zip(step["draft_tokens"], step["draft_weights"]) for step in steps)))
    uniforms = chain(*([*step["uniforms"], step["next_uniform"]] for step in steps))
    tokens = [0 if eos is None else eos, *(token for token, _ in drafted)]
    yield "shape_mismatch", vocab_size < 1 or {len(row) for row in rows} - {vocab_size}
    yield "shape_mismatch", any(len(set(sizes(step))) > 1 for step in steps)
    yield "negative_weight", any(min(row) < 0 for row in rows)
    yield "empty_distribution", any(max(row) == 0 for row in rows)
    yield "token_out_of_range", min(tokens) < 0 or max(tokens) >= vocab_size
    yield "impossible_draft", not all(row[token] for token, row in drafted)
    yield "uniform_out_of_range", any(not 0 <= uniform < 1 for uniform in uniforms)
    if forecast:
        a, k, cost = forecast.values()
        yield "bad_forecast", a < 0 or a > 1 or k < 1 or (cost is not None and cost < 0)


def sizes(step):
    yield from (len(step[name]) for name in ("draft_tokens", "draft_weights", "uniforms"))
    yield len(step["target_weights"]) - 1


def text(n, d=1):
    value = Fraction(n, d)
    return f"{value.numerator}/{value.denominator}"


def draw(row, uniform):
    """As many tokens as have their cumulative weight at or below the mark are passed over."""
    n, d = uniform.as_integer_ratio()
    mark = n * sum(row) // d
    return sum(1 for _ in takewhile(mark.__ge__, accumulate(row)))


def take(step, eos):
    probabilities, rows = [], zip(step["draft_weights"], step["target_weights"])
    deciding = enumerate(zip(step["draft_tokens"], step["uniforms"], rows))
    ending, accepted, source, residual = "bonus", len(step["draft_tokens"]), [], None
    for i, (token, uniform, (draft, target)) in deciding:
        ratio = Fraction(target[token] * sum(draft), draft[token] * sum(target))
        probabilities.append(text(min(ratio, Fraction(1))))
        if ratio <= Fraction(uniform):
            drafts, targets = sum(draft), sum(target)
            source = [max(0, t * drafts - d * targets) for t, d in zip(target, draft)]
            total = sum(source)
            ending, accepted, residual = "residual", i, [text(mass, total) for mass in source]
            break
        if token == eos:
            ending, accepted = "eos", i + 1
            break
    else:
        source = step["target_weights"][-1]
    last = [] if ending == "eos" else [draw(source, step["next_uniform"])]
    return {
        "accepted": accepted,
        "emitted": step["draft_tokens"][:accepted] + last,
        "ending": ending,
        "acceptance_probabilities": probabilities,
        "residual": residual,
    }


def predict(acceptance, draft_length, draft_cost):
    a = Fraction(acceptance)
    emitted = draft_length + 1 if a == 1 else (1 - a ** (draft_length + 1)) / (1 - a)
    told = {"emitted": text(emitted), "accepted": text(emitted - 1), "speedup": None}
    if draft_cost is None:
        return told | {"reason": "cost_not_measured"}
    speedup = text(emitted, draft_length * Fraction(draft_cost) + 1)
    return told | {"speedup": speedup, "reason": None}


def answer(given):
    for code, there in faults(**given):
        if there:
            raise Refused(code)
    steps, forecast = given["steps"], given["forecast"]
    results = [take(step, given["eos"]) for step in steps]
    emitted = sum(len(result["emitted"]) for result in results)
    totals = {
        "drafted": sum(len(step["draft_tokens"]) for step in steps),
        "accepted": sum(result["accepted"] for result in results),
        "emitted": emitted,
        "mean_emitted": text(emitted, len(steps)) if steps else None,
    }
    told = predict(**forecast) if forecast else None
    return {"ok": True, "steps": results, "totals": totals, "forecast": told}


try:
    print(json.dumps(answer(read_input(sys.stdin.buffer.read()))))
except Refused as refused:
    print(json.dumps({"ok": False, "error": str(refused)}))
