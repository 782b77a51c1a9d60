"""Word for word, in exact rationals: every rate is a Fraction, every mean is a sum divided."""

import json
import re
import sys
from fractions import Fraction

INPUT = {"minimum_items", "allowed_drop", "slices", "resources"}
SLICE = {"name", "items", "base", "quantized"}
COUNTS = ("items", "base", "quantized")
SIDES = ("base", "quantized")
FIGURES = {"weight_bytes", "cache_bytes", "queue_us", "service_us", "energy_mj"}
QUANTITIES = {
    "memory_bytes": ("weight_bytes", "cache_bytes"),
    "latency_us": ("queue_us", "service_us"),
    "energy_mj": ("energy_mj",),
}


def refuse(code):
    print(json.dumps({"ok": False, "error": code}))
    sys.exit(0)


def demand(condition, code="malformed"):
    if not condition:
        refuse(code)


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_object(value, fields):
    return isinstance(value, dict) and set(value) == fields


def is_name(value):
    return isinstance(value, str) and len(value) > 0


def is_slice(value):
    return (
        is_object(value, SLICE)
        and is_name(value["name"])
        and all(is_integer(value[count]) for count in COUNTS)
    )


def is_side(value):
    figures = value.values() if is_object(value, FIGURES) else [""]
    return all(figure is None or is_integer(figure) for figure in figures)


def is_decimal(value):
    form = r"-?(0|[1-9][0-9]{0,11})(\.[0-9]{1,12})?"
    return isinstance(value, str) and re.fullmatch(form, value) is not None


def read():
    try:
        given = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    except ValueError:
        refuse("malformed")
    demand(is_object(given, INPUT))
    demand(is_integer(given["minimum_items"]) and is_decimal(given["allowed_drop"]))
    demand(isinstance(given["slices"], list) and all(map(is_slice, given["slices"])))
    demand(is_object(given["resources"], set(SIDES)))
    demand(all(map(is_side, given["resources"].values())))
    return given


def refuse_impossible(given):
    slices, least, allowed = given["slices"], given["minimum_items"], given["allowed_drop"]
    demand(len(slices) > 0, "no_slices")
    demand(len({part["name"] for part in slices}) == len(slices), "duplicate_slice")
    demand(least >= 1 and 0 <= Fraction(allowed) <= 1, "out_of_range")
    for part in slices:
        demand(all(part[count] >= 0 for count in COUNTS), "out_of_range")
    for side in given["resources"].values():
        demand(all(figure is None or figure >= 0 for figure in side.values()), "out_of_range")
    for part in slices:
        demand(part["base"] <= part["items"], "more_correct_than_items")
        demand(part["quantized"] <= part["items"], "more_correct_than_items")


def text(value):
    return None if value is None else f"{value.numerator}/{value.denominator}"


def judge(part, drop, least, allowed):
    if part["items"] < least:
        return "insufficient"
    return "pass" if drop <= allowed else "fail"


def triple(base, quantized):
    return {"base": text(base), "quantized": text(quantized), "drop": text(base - quantized)}


def compare(resources, names):
    told = {}
    for side in SIDES:
        parts = [resources[side][name] for name in names]
        told[side] = sum(parts) if None not in parts else None
    told["ratio"] = None
    if told["base"] and told["quantized"] is not None:
        told["ratio"] = text(Fraction(told["quantized"], told["base"]))
    return told


given = read()
refuse_impossible(given)
slices, least, allowed = given["slices"], given["minimum_items"], Fraction(given["allowed_drop"])
results, base_rates, quantized_rates = [], [], []
worst, largest = None, None
for part in slices:
    if part["items"] == 0:
        nothing = {"base": None, "quantized": None, "drop": None}
        results.append(nothing | {"status": "insufficient"})
        continue
    base, quantized = (Fraction(part[side], part["items"]) for side in SIDES)
    base_rates.append(base)
    quantized_rates.append(quantized)
    status = judge(part, base - quantized, least, allowed)
    results.append(triple(base, quantized) | {"status": status})
    if status != "insufficient" and (worst is None or base - quantized > largest):
        worst, largest = part["name"], base - quantized

micro = macro = None
hides = False
if base_rates:
    items, *right = (sum(part[count] for part in slices) for count in COUNTS)
    base, quantized = (Fraction(number, items) for number in right)
    micro, hides = triple(base, quantized), base - quantized <= allowed
    macro = triple(*(sum(rates) / len(rates) for rates in (base_rates, quantized_rates)))

statuses = {result["status"] for result in results}
verdict = next(word for word in ("fail", "insufficient", "pass") if word in statuses)
answer = {
    "ok": True,
    "slices": results,
    "micro": micro,
    "macro": macro,
    "worst_slice": worst,
    "verdict": verdict,
    "hidden_by_average": hides and verdict == "fail",
    "resources": {name: compare(given["resources"], parts) for name, parts in QUANTITIES.items()},
}
print(json.dumps(answer))
