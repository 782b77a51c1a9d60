"""Wrong: a list of the right field names passes for an object, and the program crashes."""

import json
import re
import sys
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

UNIT = 10**12
DECIMAL = re.compile(r"-?(0|[1-9][0-9]{0,11})(\.[0-9]{1,12})?")


class Refusal(Exception):
    """The input must be refused with this code."""


class Step(NamedTuple):
    draft_tokens: list
    draft_weights: list
    target_weights: list
    uniforms: list
    next_uniform: int


class Forecast(NamedTuple):
    acceptance: int
    draft_length: int
    draft_cost: int | None


# ---- Reading: everything that is malformed


def parse(data):
    """(vocab_size, steps, eos, forecast), with decimals in units of 10**-12."""
    try:
        given = json.loads(data.decode("utf-8"))
    except ValueError:
        raise Refusal("malformed") from None
    check_fields(given, required={"vocab_size", "steps"}, optional={"eos", "forecast"})
    steps = [parse_step(step) for step in array(given["steps"])]
    eos, forecast = given.get("eos"), given.get("forecast")
    if eos is not None:
        eos = integer(eos)
    if forecast is not None:
        forecast = parse_forecast(forecast)
    return integer(given["vocab_size"]), steps, eos, forecast


def parse_step(step):
    check_fields(step, required=set(Step._fields))
    return Step(
        draft_tokens=integers(step["draft_tokens"]),
        draft_weights=[integers(row) for row in array(step["draft_weights"])],
        target_weights=[integers(row) for row in array(step["target_weights"])],
        uniforms=[units(uniform) for uniform in array(step["uniforms"])],
        next_uniform=units(step["next_uniform"]),
    )


def parse_forecast(forecast):
    check_fields(forecast, required=set(Forecast._fields))
    cost = forecast["draft_cost"]
    return Forecast(
        acceptance=units(forecast["acceptance"]),
        draft_length=integer(forecast["draft_length"]),
        draft_cost=None if cost is None else units(cost),
    )


def check_fields(value, *, required, optional=frozenset()):
    try:
        names = set(value)
    except TypeError:
        raise Refusal("malformed") from None
    if not required <= names <= required | optional:
        raise Refusal("malformed")


def array(value):
    if type(value) is not list:
        raise Refusal("malformed")
    return value


def integer(value):
    if type(value) is not int:  # isinstance would let True through
        raise Refusal("malformed")
    return value


def integers(value):
    return [integer(item) for item in array(value)]


def units(decimal):
    if type(decimal) is not str or not DECIMAL.fullmatch(decimal):
        raise Refusal("malformed")
    whole, _, places = decimal.partition(".")
    return int(whole + places.ljust(12, "0"))


# ---- The refusals of the table, in its order, each over the whole input


def check(vocab_size, steps, eos, forecast):
    rows = [row for step in steps for row in step.draft_weights + step.target_weights]
    drafted = [pair for step in steps for pair in zip(step.draft_tokens, step.draft_weights)]
    uniforms = [u for step in steps for u in [*step.uniforms, step.next_uniform]]
    if vocab_size < 1 or any(len(row) != vocab_size for row in rows):
        raise Refusal("shape_mismatch")
    if not all(map(has_right_counts, steps)):
        raise Refusal("shape_mismatch")
    if any(min(row) < 0 for row in rows):
        raise Refusal("negative_weight")
    if not all(any(row) for row in rows):
        raise Refusal("empty_distribution")
    if any(not 0 <= token < vocab_size for token, _ in drafted):
        raise Refusal("token_out_of_range")
    if eos is not None and not 0 <= eos < vocab_size:
        raise Refusal("token_out_of_range")
    if any(row[token] == 0 for token, row in drafted):
        raise Refusal("impossible_draft")
    if any(not 0 <= uniform < UNIT for uniform in uniforms):
        raise Refusal("uniform_out_of_range")
    if forecast is not None and is_bad(forecast):
        raise Refusal("bad_forecast")


def has_right_counts(step):
    k = len(step.draft_tokens)
    counts = len(step.draft_weights), len(step.target_weights), len(step.uniforms)
    return counts == (k, k + 1, k)


def is_bad(forecast):
    acceptance, draft_length, draft_cost = forecast
    costs_less_than_nothing = draft_cost is not None and draft_cost < 0
    return not 0 <= acceptance <= UNIT or draft_length < 1 or costs_less_than_nothing


# ---- The answer


def solve(steps, eos, forecast):
    results = [verify(step, eos) for step in steps]
    emitted = sum(len(result["emitted"]) for result in results)
    totals = {
        "drafted": sum(len(step.draft_tokens) for step in steps),
        "accepted": sum(result["accepted"] for result in results),
        "emitted": emitted,
        "mean_emitted": ratio(emitted, len(steps)) if steps else None,
    }
    outlook = None if forecast is None else predict(*forecast)
    return {"ok": True, "steps": results, "totals": totals, "forecast": outlook}


def verify(step, eos):
    """Accept drafted tokens up to the first rejection or eos, then draw at most one more."""
    probabilities = []

    def result(accepted, last, ending, residual=None):
        return {
            "accepted": accepted,
            "emitted": step.draft_tokens[:accepted] + last,
            "ending": ending,
            "acceptance_probabilities": probabilities,
            "residual": residual,
        }

    for i, token in enumerate(step.draft_tokens):
        draft, target = step.draft_weights[i], step.target_weights[i]
        drafts, targets = sum(draft), sum(target)
        n, d = target[token] * drafts, draft[token] * targets  # target(x) / draft(x) is n / d
        probabilities.append(ratio(min(n, d), d))
        if step.uniforms[i] * d >= n * UNIT:
            excess = [max(t * drafts - w * targets, 0) for t, w in zip(target, draft)]
            total = sum(excess)
            residual = [ratio(weight, total) for weight in excess]
            return result(i, [pick(excess, step.next_uniform)], "residual", residual)
        if token == eos:
            return result(i + 1, [], "eos")
    bonus = pick(step.target_weights[-1], step.next_uniform)
    return result(len(step.draft_tokens), [bonus], "bonus")


def pick(weights, uniform):
    """The smallest token whose cumulative weight is > uniform * total."""
    mark = uniform * sum(weights)
    return next(y for y, mass in enumerate(accumulate(weights)) if mass * UNIT > mark)


def predict(acceptance, draft_length, draft_cost):
    a = Fraction(acceptance, UNIT)
    emitted = sum(a**i for i in range(draft_length + 1))
    speedup, reason = None, "cost_not_measured"
    if draft_cost is not None:
        passes = draft_length * Fraction(draft_cost, UNIT) + 1  # in units of a target pass
        speedup, reason = ratio(emitted, passes), None
    return {
        "emitted": ratio(emitted),
        "accepted": ratio(emitted - 1),
        "speedup": speedup,
        "reason": reason,
    }


def ratio(n, d=1):
    value = Fraction(n, d)
    return f"{value.numerator}/{value.denominator}"


def main():
    try:
        vocab_size, steps, eos, forecast = parse(sys.stdin.buffer.read())
        check(vocab_size, steps, eos, forecast)
        answer = solve(steps, eos, forecast)
    except Refusal as refusal:
        answer = {"ok": False, "error": str(refusal)}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
