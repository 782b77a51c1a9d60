"""Small classes: a Pool of tokens that steps make smaller, and a Sample that is drawn from it."""

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


ONE = 10**12
FORM = re.compile(r"(-?)(0|[1-9][0-9]{0,11})(?:\.([0-9]{1,12}))?")


def read_decimal(value, at):
    match = FORM.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise Refusal("malformed", at)
    sign, whole, places = match.groups()
    size = int(whole) * ONE + int((places or "").ljust(12, "0"))
    return -size if sign else size


def read_integer(value, at):
    if isinstance(value, bool) or not isinstance(value, int):
        raise Refusal("malformed", at)
    return value


def read_temperature(value, at):
    for halves, known in ((0, "0"), (1, "0.5"), (2, "1"), (4, "2")):
        if value == known:
            return halves
    raise Refusal("malformed", at)


def read_list(value, at, read):
    if not isinstance(value, list):
        raise Refusal("malformed", at)
    return [read(item, f"{at}/{i}") for i, item in enumerate(value)]


def share(part, whole):
    common = gcd(part, whole)
    return f"{part // common}/{whole // common}"


class Pool:
    """Tokens from the likeliest down, at a temperature of so many halves."""

    def __init__(self, logits):
        self.logits = logits
        pairs = sorted((-logit, token) for token, logit in enumerate(logits))
        self.tokens = [token for _, token in pairs]
        self.halves = 2

    def weights(self, tokens):
        """16 ** (logit / (4 T)): with halves of T, the exponent is whole."""
        bits = 4 // self.halves
        return [2 ** (bits * (200 + self.logits[token])) for token in tokens]

    def temperature(self, halves):
        if halves == 0:
            self.top_k(1)
        else:
            self.halves = halves

    def top_k(self, k):
        del self.tokens[k:]

    def top_p(self, p):
        weights = self.weights(self.tokens)
        enough, mass = p * sum(weights), 0
        for size, weight in enumerate(weights, start=1):
            mass += weight
            if mass * ONE >= enough:
                self.top_k(size)
                return


READERS = {"temperature": read_temperature, "top_k": read_integer, "top_p": read_decimal}


@dataclass(frozen=True, slots=True)
class Step:
    kind: str
    value: int
    at: str

    @classmethod
    def read(cls, value, at):
        if not isinstance(value, dict) or len(value) != 1:
            raise Refusal("malformed", at)
        kind = next(iter(value))
        if kind not in READERS:
            raise Refusal("malformed", at)
        return cls(kind, READERS[kind](value[kind], f"{at}/{kind}"), f"{at}/{kind}")

    def is_bad(self, kind):
        if self.kind != kind:
            return False
        return self.value < 1 or (kind == "top_p" and self.value > ONE)


class Sample:
    """Draws from what a strategy leaves."""

    def __init__(self, logits, steps, uniforms):
        pool = Pool(logits)
        for step in steps:
            getattr(pool, step.kind)(step.value)
        self.tokens = sorted(pool.tokens)
        self.weights = pool.weights(self.tokens)
        ends = list(accumulate(self.weights))
        self.total = ends[-1]
        self.counts = [0] * len(self.tokens)
        self.draws = []
        for uniform in uniforms:
            place = bisect_right(ends, uniform * self.total // ONE)
            self.counts[place] += 1
            self.draws.append(self.tokens[place])

    def distance(self):
        draws, total = len(self.draws), self.total
        if draws == 0:
            return None
        pairs = zip(self.counts, self.weights)
        return share(sum(abs(n * total - w * draws) for n, w in pairs), 2 * total * draws)

    def told(self):
        return {
            "kept": self.tokens,
            "probabilities": [share(weight, self.total) for weight in self.weights],
            "draws": self.draws,
            "counts": self.counts,
            "distance": self.distance(),
        }

    def spread(self, values, size):
        """A value for every id of the vocabulary."""
        row = [0] * size
        for token, value in zip(self.tokens, values):
            row[token] = value
        return row

    def against(self, other, size):
        def gap(mine, my_total, theirs, their_total):
            rows = zip(self.spread(mine, size), other.spread(theirs, size))
            sums = sum(abs(a * their_total - b * my_total) for a, b in rows)
            return share(sums, 2 * my_total * their_total)

        draws = len(self.draws)
        return {
            "exact": gap(self.weights, self.total, other.weights, other.total),
            "observed": gap(self.counts, draws, other.counts, draws),
        }


class Request:
    FIELDS = ("logits", "strategies", "uniforms", "compare", "min_draws")

    def __init__(self, data):
        try:
            given = json.loads(str(data, "utf-8"))
        except ValueError:
            raise Refusal("malformed") from None
        if not isinstance(given, dict):
            raise Refusal("malformed")
        for name in given:
            if name not in self.FIELDS:
                raise Refusal("malformed", f"/{name}")
        for name in self.FIELDS[:3]:
            if name not in given:
                raise Refusal("malformed", f"/{name}")
        self.logits = read_list(given["logits"], "/logits", read_integer)
        self.strategies = read_list(given["strategies"], "/strategies", self.read_strategy)
        self.uniforms = read_list(given["uniforms"], "/uniforms", read_decimal)
        self.pairs = read_list(given.get("compare", []), "/compare", self.read_pair)
        self.min_draws = read_integer(given.get("min_draws", 2), "/min_draws")

    @staticmethod
    def read_strategy(value, at):
        return read_list(value, at, Step.read)

    @staticmethod
    def read_pair(value, at):
        pair = read_list(value, at, read_integer)
        if len(pair) != 2:
            raise Refusal("malformed", at)
        return pair

    def faults(self):
        """(code, pointer) of everything that is impossible, in the order of the table."""
        if self.logits == []:
            yield "no_logits", "/logits"
        for i, logit in enumerate(self.logits):
            if logit not in range(-200, 201):
                yield "logit_out_of_range", f"/logits/{i}"
        steps = [step for strategy in self.strategies for step in strategy]
        for strategy in self.strategies:
            for i, step in enumerate(strategy):
                if step.kind in [earlier.kind for earlier in strategy[:i]]:
                    yield "repeated_step", step.at
        for kind in ("top_k", "top_p"):
            for step in steps:
                if step.is_bad(kind):
                    yield f"{kind}_out_of_range", step.at
        for i, uniform in enumerate(self.uniforms):
            if uniform < 0 or uniform >= ONE:
                yield "uniform_out_of_range", f"/uniforms/{i}"
        for i, pair in enumerate(self.pairs):
            if min(pair) < 0 or max(pair) >= len(self.strategies):
                yield "unknown_strategy", f"/compare/{i}"
        if self.min_draws <= 1:
            yield "min_draws_out_of_range", "/min_draws"
        if self.pairs and self.min_draws > len(self.uniforms):
            yield "too_few_draws", "/uniforms"

    def answer(self):
        for code, at in self.faults():
            raise Refusal(code, at)
        samples = [Sample(self.logits, steps, self.uniforms) for steps in self.strategies]
        size = len(self.logits)
        return {
            "ok": True,
            "strategies": [sample.told() for sample in samples],
            "comparisons": [samples[a].against(samples[b], size) for a, b in self.pairs],
        }


if __name__ == "__main__":
    try:
        print(json.dumps(Request(sys.stdin.buffer.read()).answer()))
    except Refusal as refusal:
        print(json.dumps({"ok": False, "error": refusal.code, "at": refusal.at}))
