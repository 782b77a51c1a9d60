"""The definitions in exact rationals; for the draws, uniforms in order walk along the tokens."""

import json
import re
import sys
from fractions import Fraction
from math import ceil

DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,12})?")
UNIT = 10**12
FIELDS = ("logits", "strategies", "uniforms")


def refuse(code):
    print(json.dumps({"ok": False, "error": code}))
    sys.exit(0)


def demand(condition, code="malformed"):
    if not condition:
        refuse(code)


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_decimal(value):
    return isinstance(value, str) and DECIMAL.fullmatch(value) is not None


def is_temperature(value):
    return isinstance(value, str) and value in {"0", "0.5", "1", "2"}


KINDS = {"temperature": is_temperature, "top_k": is_integer, "top_p": is_decimal}


def is_step(value):
    if not isinstance(value, dict) or len(value) != 1:
        return False
    return all(kind in KINDS and KINDS[kind](inner) for kind, inner in value.items())


def is_list_of(value, is_item):
    return isinstance(value, list) and all(map(is_item, value))


def is_strategy(value):
    return is_list_of(value, is_step)


def is_pair(value):
    return is_list_of(value, is_integer) and len(value) == 2


def read():
    try:
        given = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    except ValueError:
        refuse("malformed")
    demand(isinstance(given, dict))
    given.setdefault("compare", [])
    given.setdefault("min_draws", 2)
    demand(sorted(given) == sorted([*FIELDS, "compare", "min_draws"]))
    demand(is_list_of(given["logits"], is_integer))
    demand(is_list_of(given["strategies"], is_strategy))
    demand(is_list_of(given["uniforms"], is_decimal))
    demand(is_list_of(given["compare"], is_pair))
    demand(is_integer(given["min_draws"]))
    return given


def refuse_impossible(given):
    strategies, draws = given["strategies"], len(given["uniforms"])
    demand(given["logits"], "no_logits")
    demand(all(abs(logit) <= 200 for logit in given["logits"]), "logit_out_of_range")
    for steps in strategies:
        kinds = [kind for step in steps for kind in step]
        demand(len(kinds) == len(set(kinds)), "repeated_step")
    for kind, is_fine in (("top_k", lambda k: k >= 1), ("top_p", lambda p: 0 < Fraction(p) <= 1)):
        for steps in strategies:
            for step in steps:
                demand(kind not in step or is_fine(step[kind]), f"{kind}_out_of_range")
    demand(all(0 <= units(u) < UNIT for u in given["uniforms"]), "uniform_out_of_range")
    for pair in given["compare"]:
        demand(all(0 <= index < len(strategies) for index in pair), "unknown_strategy")
    demand(given["min_draws"] >= 2, "min_draws_out_of_range")
    demand(not given["compare"] or draws >= given["min_draws"], "too_few_draws")


def softmax(logits, ids, temperature):
    """Probabilities of these ids: base 4, or 4 ** (1/2), 4 ** 2 where the temperature says so."""
    base = {"0.5": 16, "1": 4, "2": 2}[temperature]
    top = max(logits[i] for i in ids)
    weights = [base ** (logits[i] - top + 400) for i in ids]
    total = sum(weights)
    return [Fraction(weight, total) for weight in weights]


def nucleus(logits, ids, temperature, p):
    mass = Fraction(0)
    for size, probability in enumerate(softmax(logits, ids, temperature), start=1):
        mass += probability
        if mass >= p:
            return ids[:size]


def control(logits, steps, uniforms):
    """What is kept, ascending, with its probabilities, and the draws of (uniform, place) pairs."""
    ids = sorted(range(len(logits)), key=lambda i: (-logits[i], i))
    temperature = "1"
    for step in steps:
        if "top_k" in step:
            ids = ids[: step["top_k"]]
        elif "top_p" in step:
            ids = nucleus(logits, ids, temperature, Fraction(step["top_p"]))
        elif step["temperature"] == "0":
            ids = [ids[0]]
        else:
            temperature = step["temperature"]
    ids.sort()
    probabilities = softmax(logits, ids, temperature)
    draws, at, mass = [None] * len(uniforms), 0, probabilities[0]
    end = ceil(mass * UNIT)
    for uniform, place in uniforms:
        while end <= uniform:
            at += 1
            mass += probabilities[at]
            end = ceil(mass * UNIT)
        draws[place] = ids[at]
    return dict(zip(ids, probabilities)), draws


def tally(draws):
    counts = {}
    for token in draws:
        counts[token] = counts.get(token, 0) + 1
    return counts


def variation(one, other):
    far = Fraction(0)
    for token in set(one) | set(other):
        far += abs(one.get(token, Fraction(0)) - other.get(token, Fraction(0)))
    return far / 2


def units(decimal):
    """How many times 10**-12."""
    whole, _, places = decimal.partition(".")
    return int(whole + (places + "0" * 12)[:12])


def text(value):
    return f"{value.numerator}/{value.denominator}"


def main():
    given = read()
    refuse_impossible(given)
    uniforms = sorted((units(u), place) for place, u in enumerate(given["uniforms"]))
    results, exact, observed = [], [], []
    for steps in given["strategies"]:
        probabilities, draws = control(given["logits"], steps, uniforms)
        counts = tally(draws)
        exact.append(probabilities)
        observed.append({i: Fraction(n, len(draws)) for i, n in counts.items()})
        results.append(
            {
                "kept": list(probabilities),
                "probabilities": [text(value) for value in probabilities.values()],
                "draws": draws,
                "counts": [counts.get(i, 0) for i in probabilities],
                "distance": text(variation(exact[-1], observed[-1])) if draws else None,
            }
        )
    comparisons = [
        {
            "exact": text(variation(exact[a], exact[b])),
            "observed": text(variation(observed[a], observed[b])),
        }
        for a, b in given["compare"]
    ]
    print(json.dumps({"ok": True, "strategies": results, "comparisons": comparisons}))


main()
