"""The definitions, word for word, in exact rationals; Fraction does all the arithmetic."""

import gc
import json
import re
import sys
from fractions import Fraction

DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,12})?")
STEP = {"draft_tokens", "draft_weights", "target_weights", "uniforms", "next_uniform"}


def refuse(code):
    print(json.dumps({"ok": False, "error": code}))
    sys.exit(0)


def demand(condition, code="malformed"):
    if not condition:
        refuse(code)


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_list_of(value, is_item):
    return isinstance(value, list) and all(map(is_item, value))


def is_decimal(value):
    return isinstance(value, str) and DECIMAL.fullmatch(value) is not None


def is_row(value):
    return is_list_of(value, is_integer)


def is_step(value):
    return (
        isinstance(value, dict)
        and set(value) == STEP
        and is_row(value["draft_tokens"])
        and is_list_of(value["draft_weights"], is_row)
        and is_list_of(value["target_weights"], is_row)
        and is_list_of(value["uniforms"], is_decimal)
        and is_decimal(value["next_uniform"])
    )


def is_forecast(value):
    return (
        isinstance(value, dict)
        and set(value) == {"acceptance", "draft_length", "draft_cost"}
        and is_decimal(value["acceptance"])
        and is_integer(value["draft_length"])
        and (value["draft_cost"] is None or is_decimal(value["draft_cost"]))
    )


def read():
    try:
        given = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    except ValueError:
        refuse("malformed")
    demand(isinstance(given, dict))
    given = {"eos": None, "forecast": None} | given
    demand(set(given) == {"vocab_size", "steps", "eos", "forecast"})
    demand(is_integer(given["vocab_size"]) and is_list_of(given["steps"], is_step))
    demand(given["eos"] is None or is_integer(given["eos"]))
    demand(given["forecast"] is None or is_forecast(given["forecast"]))
    return given["vocab_size"], given["steps"], given["eos"], given["forecast"]


def refuse_impossible(vocab, steps, eos, forecast):
    demand(vocab >= 1, "shape_mismatch")
    for step in steps:
        k, drafts, targets = (
            len(step["draft_tokens"]),
            step["draft_weights"],
            step["target_weights"],
        )
        demand(len(drafts) == k == len(step["uniforms"]), "shape_mismatch")
        demand(len(targets) == k + 1, "shape_mismatch")
        demand(all(len(row) == vocab for row in drafts + targets), "shape_mismatch")
    rows = [row for step in steps for row in step["draft_weights"] + step["target_weights"]]
    demand(all(weight >= 0 for row in rows for weight in row), "negative_weight")
    demand(all(sum(row) > 0 for row in rows), "empty_distribution")
    tokens = {token for step in steps for token in step["draft_tokens"]} | ({eos} - {None})
    demand(all(0 <= token < vocab for token in tokens), "token_out_of_range")
    for step in steps:
        for token, row in zip(step["draft_tokens"], step["draft_weights"]):
            demand(row[token] > 0, "impossible_draft")
    for step in steps:
        for uniform in step["uniforms"] + [step["next_uniform"]]:
            demand(0 <= Fraction(uniform) < 1, "uniform_out_of_range")
    if forecast is not None:
        demand(0 <= Fraction(forecast["acceptance"]) <= 1, "bad_forecast")
        demand(forecast["draft_length"] >= 1, "bad_forecast")
        demand(Fraction(forecast["draft_cost"] or 0) >= 0, "bad_forecast")


def text(value):
    return f"{value.numerator}/{value.denominator}"


def draw(distribution, uniform):
    cumulative = Fraction(0)
    for token, probability in enumerate(distribution):
        cumulative += probability
        if cumulative > uniform:
            return token


def distribution(row):
    total = sum(row)
    return [Fraction(weight, total) for weight in row]


def take(step, eos):
    emitted, probabilities = [], []
    next_uniform = Fraction(step["next_uniform"])
    result = {"accepted": 0, "emitted": emitted, "ending": "bonus"}
    result |= {"acceptance_probabilities": probabilities, "residual": None}
    rows = zip(
        step["draft_tokens"], step["draft_weights"], step["target_weights"], step["uniforms"]
    )
    for token, draft, target, uniform in rows:
        p = Fraction(target[token], sum(target))
        q = Fraction(draft[token], sum(draft))
        probabilities.append(text(min(Fraction(1), p / q)))
        if not Fraction(uniform) * q < p:
            both = zip(distribution(target), distribution(draft))
            excess = [max(p - q, Fraction(0)) for p, q in both]
            mass = sum(excess)
            residual = [value / mass for value in excess]
            emitted.append(draw(residual, next_uniform))
            return result | {"ending": "residual", "residual": [text(value) for value in residual]}
        emitted.append(token)
        result["accepted"] += 1
        if token == eos:
            return result | {"ending": "eos"}
    emitted.append(draw(distribution(step["target_weights"][-1]), next_uniform))
    return result


def predict(forecast):
    a, k = Fraction(forecast["acceptance"]), forecast["draft_length"]
    emitted, power = Fraction(1), Fraction(1)
    for _ in range(k):
        power *= a
        emitted += power
    told = {"emitted": text(emitted), "accepted": text(emitted - 1)}
    if forecast["draft_cost"] is None:
        return told | {"speedup": None, "reason": "cost_not_measured"}
    passes = k * Fraction(forecast["draft_cost"]) + 1
    return told | {"speedup": text(emitted / passes), "reason": None}


def main():
    vocab, steps, eos, forecast = read()
    refuse_impossible(vocab, steps, eos, forecast)
    results = [take(step, eos) for step in steps]
    emitted = sum(len(result["emitted"]) for result in results)
    totals = {
        "drafted": sum(len(step["draft_tokens"]) for step in steps),
        "accepted": sum(result["accepted"] for result in results),
        "emitted": emitted,
        "mean_emitted": text(Fraction(emitted, len(steps))) if steps else None,
    }
    answer = {"ok": True, "steps": results, "totals": totals}
    print(json.dumps(answer | {"forecast": None if forecast is None else predict(forecast)}))


gc.disable()  # numbers form no cycles
main()
