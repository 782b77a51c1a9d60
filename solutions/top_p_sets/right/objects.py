"""Small classes: a Vocabulary that answers queries, and a hand-written binary search."""

import json
import re
import sys
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Query:
    p: int
    min_keep: int

    @classmethod
    def read(cls, value, at):
        Request.demand_fields(value, {"p"}, {"p", "min_keep"}, at)
        min_keep = value.get("min_keep", 1)
        if isinstance(min_keep, bool) or not isinstance(min_keep, int):
            raise Refusal("malformed", f"{at}/min_keep")
        return cls(Decimal.read(value["p"], f"{at}/p"), min_keep)


class Vocabulary:
    def __init__(self, weights):
        self.weights = weights
        self.ranking = [t for t in range(len(weights)) if weights[t] > 0]
        self.ranking.sort(key=lambda token: (-weights[token], token))
        self.masses = []
        self.total = 0
        for token in self.ranking:
            self.total += weights[token]
            self.masses.append(self.total)

    def crossing(self, p):
        """The smallest k >= 1 whose first k tokens have mass >= p."""
        target, low, high = p * self.total, 0, len(self.masses) - 1
        while low < high:
            middle = (low + high) // 2
            if self.masses[middle] * Decimal.ONE >= target:
                high = middle
            else:
                low = middle + 1
        return low + 1

    def nucleus(self, query, detail):
        size = max(self.crossing(query.p), min(query.min_keep, len(self.ranking)))
        mass = self.masses[size - 1]
        result = {"size": size, "last": self.ranking[size - 1]}
        result["mass"] = self.share(mass, self.total)
        if detail:
            result["kept"] = self.ranking[:size]
            result["renormalized"] = [self.share(self.weights[t], mass) for t in result["kept"]]
        return result

    @staticmethod
    def share(part, whole):
        common = gcd(part, whole)
        return f"{part // common}/{whole // common}"


class Request:
    def __init__(self, data):
        try:
            given = json.loads(str(data, "utf-8"))
        except ValueError:
            raise Refusal("malformed") from None
        self.demand_fields(given, {"weights", "queries"}, {"weights", "queries", "detail"}, "")
        self.detail = given.get("detail", True)
        if not isinstance(self.detail, bool):
            raise Refusal("malformed", "/detail")
        for field in ("weights", "queries"):
            if not isinstance(given[field], list):
                raise Refusal("malformed", f"/{field}")
        self.weights = [Decimal.read(w, f"/weights/{i}") for i, w in enumerate(given["weights"])]
        self.queries = [Query.read(q, f"/queries/{i}") for i, q in enumerate(given["queries"])]

    @staticmethod
    def demand_fields(value, required, allowed, at):
        if not isinstance(value, dict) or required - set(value) or set(value) - allowed:
            raise Refusal("malformed", at)

    def refuse_impossible(self):
        count = len(self.weights)
        if count == 0:
            raise Refusal("empty_weights", "/weights")
        for i, weight in enumerate(self.weights):
            if weight < 0:
                raise Refusal("negative_weight", f"/weights/{i}")
        if sum(self.weights) == 0:
            raise Refusal("zero_total", "/weights")
        for i, query in enumerate(self.queries):
            if query.p <= 0 or query.p > Decimal.ONE:
                raise Refusal("p_out_of_range", f"/queries/{i}/p")
        for i, query in enumerate(self.queries):
            if query.min_keep < 1 or query.min_keep > count:
                raise Refusal("min_keep_out_of_range", f"/queries/{i}/min_keep")

    def answer(self):
        self.refuse_impossible()
        vocabulary = Vocabulary(self.weights)
        results = [vocabulary.nucleus(query, self.detail) for query in self.queries]
        return {"ok": True, "results": results}


if __name__ == "__main__":
    try:
        print(json.dumps(Request(sys.stdin.buffer.read()).answer()))
    except Refusal as refusal:
        print(json.dumps({"ok": False, "error": refusal.code, "at": refusal.at}))
