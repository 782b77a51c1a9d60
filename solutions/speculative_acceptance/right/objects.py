"""Small classes: a Distribution that can be drawn from, and a Step that plays itself."""

import json
import re
import sys
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from math import gcd


class Refusal(Exception):
    def __init__(self, code, at=""):
        super().__init__(code)
        self.code, self.at = code, at


class Decimal:
    """Reads decimal strings as whole numbers of 10**-12."""

    ONE = 10**12
    FORM = re.compile(r"(-?)(0|[1-9][0-9]{0,11})(?:\.([0-9]{1,12}))?")

    @classmethod
    def read(cls, value, at):
        match = cls.FORM.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            raise Refusal("malformed", at)
        sign, whole, places = match.groups()
        size = int(whole) * cls.ONE + int((places or "").ljust(12, "0"))
        return -size if sign else size


def read_object(value, required, optional, at):
    if not isinstance(value, dict) or required - set(value) or set(value) - required - optional:
        raise Refusal("malformed", at)
    return value


def read_list(value, at):
    if not isinstance(value, list):
        raise Refusal("malformed", at)
    return value


def read_integer(value, at):
    if isinstance(value, bool) or not isinstance(value, int):
        raise Refusal("malformed", at)
    return value


def share(part, whole):
    common = gcd(part, whole)
    return f"{part // common}/{whole // common}"


class Distribution:
    def __init__(self, weights):
        self.weights = weights
        self.total = sum(weights)

    @classmethod
    def read(cls, value, at):
        weights = read_list(value, at)
        for weight in weights:
            read_integer(weight, at)
        return cls(weights)

    def without(self, other):
        """What this one has more of than the other, per token."""
        a, b = other.total, self.total
        pairs = zip(self.weights, other.weights)
        return Distribution([a * w - b * v if a * w > b * v else 0 for w, v in pairs])

    def draw(self, uniform):
        """The first token whose cumulative weight is above the mark: floor is enough for whole."""
        return bisect_right(list(accumulate(self.weights)), uniform * self.total // Decimal.ONE)

    def shares(self):
        return [share(weight, self.total) for weight in self.weights]


@dataclass(frozen=True, slots=True)
class Step:
    tokens: list
    drafts: list
    targets: list
    uniforms: list
    next_uniform: int
    at: str

    FIELDS = frozenset("draft_tokens draft_weights target_weights uniforms next_uniform".split())

    @classmethod
    def read(cls, value, at):
        read_object(value, cls.FIELDS, set(), at)

        def each(name, read):
            listed = read_list(value[name], f"{at}/{name}")
            return [read(item, f"{at}/{name}/{i}") for i, item in enumerate(listed)]

        return cls(
            each("draft_tokens", read_integer),
            each("draft_weights", Distribution.read),
            each("target_weights", Distribution.read),
            each("uniforms", Decimal.read),
            Decimal.read(value["next_uniform"], f"{at}/next_uniform"),
            at,
        )

    def distributions(self):
        return self.drafts + self.targets

    def fits(self, vocab):
        k = len(self.tokens)
        counts = [len(self.drafts), len(self.targets) - 1, len(self.uniforms)]
        return counts == [k] * 3 and all(len(d.weights) == vocab for d in self.distributions())

    def play(self, eos):
        probabilities = []
        for i, token in enumerate(self.tokens):
            draft, target = self.drafts[i], self.targets[i]
            wanted = target.weights[token] * draft.total
            offered = draft.weights[token] * target.total
            probabilities.append(share(wanted, offered) if wanted < offered else "1/1")
            if self.uniforms[i] * offered >= wanted * Decimal.ONE:
                return self.result(i, "residual", probabilities, target.without(draft))
            if token == eos:
                return self.result(i + 1, "eos", probabilities)
        return self.result(len(self.tokens), "bonus", probabilities)

    def result(self, accepted, ending, probabilities, residual=None):
        emitted = self.tokens[:accepted]
        if ending != "eos":
            source = self.targets[-1] if residual is None else residual
            emitted.append(source.draw(self.next_uniform))
        return {
            "accepted": accepted,
            "emitted": emitted,
            "ending": ending,
            "acceptance_probabilities": probabilities,
            "residual": residual and residual.shares(),
        }


@dataclass(frozen=True, slots=True)
class Forecast:
    acceptance: int
    length: int
    cost: int | None

    FIELDS = frozenset("acceptance draft_length draft_cost".split())

    @classmethod
    def read(cls, value):
        read_object(value, cls.FIELDS, set(), "/forecast")
        cost = value["draft_cost"]
        return cls(
            Decimal.read(value["acceptance"], "/forecast/acceptance"),
            read_integer(value["draft_length"], "/forecast/draft_length"),
            cost if cost is None else Decimal.read(cost, "/forecast/draft_cost"),
        )

    def is_possible(self):
        cost = 0 if self.cost is None else self.cost
        return 0 <= self.acceptance <= Decimal.ONE and self.length >= 1 and cost >= 0

    def tell(self):
        """Over the common denominator ONE ** length; Horner's rule gives the numerator."""
        one, n, d = Decimal.ONE, 1, 1
        for _ in range(self.length):
            d *= one
            n = n * self.acceptance + d
        told = {"emitted": share(n, d), "accepted": share(n - d, d)}
        told |= {"speedup": None, "reason": "cost_not_measured"}
        if self.cost is not None:
            passes = self.length * self.cost + one
            told |= {"speedup": share(n * one, d * passes), "reason": None}
        return told


class Request:
    def __init__(self, data):
        try:
            given = json.loads(str(data, "utf-8"))
        except ValueError:
            raise Refusal("malformed") from None
        read_object(given, {"vocab_size", "steps"}, {"eos", "forecast"}, "")
        self.vocab = read_integer(given["vocab_size"], "/vocab_size")
        steps = read_list(given["steps"], "/steps")
        self.steps = [Step.read(step, f"/steps/{i}") for i, step in enumerate(steps)]
        self.eos, self.forecast = given.get("eos"), given.get("forecast")
        if self.eos is not None:
            read_integer(self.eos, "/eos")
        if self.forecast is not None:
            self.forecast = Forecast.read(self.forecast)

    def faults(self):
        """(code, whether it applies to one step), then what belongs to the whole input."""
        vocab, eos, forecast = self.vocab, self.eos, self.forecast
        in_range = range(vocab)

        def pairs(step):
            return zip(step.tokens, step.drafts)

        def uniforms(step):
            return [*step.uniforms, step.next_uniform]

        yield "shape_mismatch", lambda s: not s.fits(vocab), vocab < 1
        yield "negative_weight", lambda s: any(min(d.weights) < 0 for d in s.distributions()), False
        yield "empty_distribution", lambda s: any(d.total == 0 for d in s.distributions()), False
        outside = eos is not None and eos not in in_range
        yield "token_out_of_range", lambda s: any(t not in in_range for t in s.tokens), outside
        yield "impossible_draft", lambda s: any(d.weights[t] == 0 for t, d in pairs(s)), False
        too_far = lambda s: any(u < 0 or u >= Decimal.ONE for u in uniforms(s))  # noqa: E731
        yield "uniform_out_of_range", too_far, False
        yield "bad_forecast", lambda s: False, forecast is not None and not forecast.is_possible()

    def refuse_impossible(self):
        for code, is_faulty, is_elsewhere in self.faults():
            for step in self.steps:
                if is_faulty(step):
                    raise Refusal(code, step.at)
            if is_elsewhere:
                raise Refusal(code)

    def answer(self):
        self.refuse_impossible()
        results = [step.play(self.eos) for step in self.steps]
        emitted = sum(len(result["emitted"]) for result in results)
        totals = {
            "drafted": sum(len(step.tokens) for step in self.steps),
            "accepted": sum(result["accepted"] for result in results),
            "emitted": emitted,
            "mean_emitted": share(emitted, len(results)) if results else None,
        }
        told = self.forecast and self.forecast.tell()
        return {"ok": True, "steps": results, "totals": totals, "forecast": told}


if __name__ == "__main__":
    try:
        print(json.dumps(Request(sys.stdin.buffer.read()).answer()))
    except Refusal as refusal:
        print(json.dumps({"ok": False, "error": refusal.code, "at": refusal.at}))
