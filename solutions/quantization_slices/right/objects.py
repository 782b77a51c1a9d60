"""Objects: a tally of items and right answers; tallies add up, and a mean is a sum of rates.

Rates are added in a tree, so that most of the sums are of small fractions.
"""

import json
import re
import sys
from dataclasses import dataclass
from fractions import Fraction


class Refusal(Exception):
    def __init__(self, code, at=""):
        super().__init__(code)
        self.code, self.at = code, at


def read_object(value, fields, at):
    if not isinstance(value, dict):
        raise Refusal("malformed", at)
    for field in fields ^ set(value):
        raise Refusal("malformed", f"{at}/{field}")
    return value


def read_list(value, at):
    if not isinstance(value, list):
        raise Refusal("malformed", at)
    return value


def read_integer(value, at):
    if isinstance(value, bool) or not isinstance(value, int):
        raise Refusal("malformed", at)
    return value


def read_name(value, at):
    if not isinstance(value, str) or not value:
        raise Refusal("malformed", at)
    return value


def read_decimal(value, at):
    if not isinstance(value, str):
        raise Refusal("malformed", at)
    if not re.fullmatch(r"-?(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,12})?", value):
        raise Refusal("malformed", at)
    return Fraction(value)


def told(number):
    return "/".join(map(str, number.as_integer_ratio()))


@dataclass(frozen=True, slots=True)
class Tally:
    """So many items, and how many of them each model got right."""

    items: int
    base: int
    quantized: int

    def rates(self):
        if self.items == 0:
            return None
        return Rates(Fraction(self.base, self.items), Fraction(self.quantized, self.items))

    def is_negative(self):
        return self.items < 0 or self.base < 0 or self.quantized < 0

    def has_too_many_right(self):
        return self.base > self.items or self.quantized > self.items


@dataclass(frozen=True, slots=True)
class Rates:
    base: Fraction
    quantized: Fraction

    def __add__(self, other):
        return Rates(self.base + other.base, self.quantized + other.quantized)

    def __truediv__(self, number):
        return Rates(self.base / number, self.quantized / number)

    @property
    def drop(self):
        return self.base - self.quantized

    def tell(self):
        return {
            "base": told(self.base),
            "quantized": told(self.quantized),
            "drop": told(self.drop),
        }


def add_up(parts):
    """The sum of at least one part, by halves."""
    while len(parts) > 1:
        pairs = [one + other for one, other in zip(parts[::2], parts[1::2])]
        parts = pairs + parts[len(pairs) * 2 :]
    return parts[0]


class Slice:
    FIELDS = frozenset(("name", "items", "base", "quantized"))

    def __init__(self, value, at):
        read_object(value, self.FIELDS, at)
        self.at = at
        self.name = read_name(value["name"], f"{at}/name")
        counts = (
            read_integer(value[count], f"{at}/{count}") for count in ("items", "base", "quantized")
        )
        self.tally = Tally(*counts)
        self.rates = None if self.tally.is_negative() else self.tally.rates()

    def judge(self, minimum_items, allowed_drop):
        if self.tally.items < minimum_items:
            self.status = "insufficient"
        elif self.rates.drop > allowed_drop:
            self.status = "fail"
        else:
            self.status = "pass"

    def tell(self):
        if self.rates is None:
            return {"base": None, "quantized": None, "drop": None, "status": self.status}
        return {**self.rates.tell(), "status": self.status}


class Side:
    FIELDS = frozenset(("weight_bytes", "cache_bytes", "queue_us", "service_us", "energy_mj"))

    def __init__(self, value, at):
        read_object(value, self.FIELDS, at)
        self.figures = value
        for field, figure in value.items():
            if figure is not None:
                read_integer(figure, f"{at}/{field}")

    def is_negative(self):
        return any(figure is not None and figure < 0 for figure in self.figures.values())

    def whole(self, *fields):
        whole = 0
        for field in fields:
            if self.figures[field] is None:
                return None
            whole += self.figures[field]
        return whole


def ratio(base, quantized):
    if base is None or base == 0 or quantized is None:
        return {"base": base, "quantized": quantized, "ratio": None}
    return {"base": base, "quantized": quantized, "ratio": told(Fraction(quantized, base))}


class Comparison:
    FIELDS = frozenset(("minimum_items", "allowed_drop", "slices", "resources"))

    def __init__(self, data):
        try:
            given = json.loads(data.decode())
        except ValueError:
            raise Refusal("malformed") from None
        read_object(given, self.FIELDS, "")
        self.minimum_items = read_integer(given["minimum_items"], "/minimum_items")
        self.allowed_drop = read_decimal(given["allowed_drop"], "/allowed_drop")
        parts = read_list(given["slices"], "/slices")
        self.slices = [Slice(part, f"/slices/{i}") for i, part in enumerate(parts)]
        sides = read_object(given["resources"], {"base", "quantized"}, "/resources")
        self.base = Side(sides["base"], "/resources/base")
        self.quantized = Side(sides["quantized"], "/resources/quantized")

    def refuse_impossible(self):
        if not self.slices:
            raise Refusal("no_slices", "/slices")
        seen = set()
        for part in self.slices:
            if part.name in seen:
                raise Refusal("duplicate_slice", part.at)
            seen.add(part.name)
        if self.minimum_items < 1:
            raise Refusal("out_of_range", "/minimum_items")
        if self.allowed_drop < 0 or self.allowed_drop > 1:
            raise Refusal("out_of_range", "/allowed_drop")
        if self.base.is_negative() or self.quantized.is_negative():
            raise Refusal("out_of_range", "/resources")
        for part in self.slices:
            if part.tally.is_negative():
                raise Refusal("out_of_range", part.at)
        for part in self.slices:
            if part.tally.has_too_many_right():
                raise Refusal("more_correct_than_items", part.at)

    def averages(self):
        """(micro, macro)"""
        filled = [part for part in self.slices if part.tally.items]
        if not filled:
            return None, None
        tallies = [part.tally for part in filled]
        items = sum(tally.items for tally in tallies)
        base = sum(tally.base for tally in tallies)
        quantized = sum(tally.quantized for tally in tallies)
        macro = add_up([part.rates for part in filled]) / len(filled)
        return Tally(items, base, quantized).rates(), macro

    def worst(self):
        judged = [part for part in self.slices if part.status != "insufficient"]
        if not judged:
            return None
        largest = max(part.rates.drop for part in judged)
        return next(part.name for part in judged if part.rates.drop == largest)

    def verdict(self):
        statuses = [part.status for part in self.slices]
        if "fail" in statuses:
            return "fail"
        return "insufficient" if "insufficient" in statuses else "pass"

    def answer(self):
        self.refuse_impossible()
        for part in self.slices:
            part.judge(self.minimum_items, self.allowed_drop)
        micro, macro = self.averages()
        verdict = self.verdict()
        base, quantized = self.base.whole, self.quantized.whole
        return {
            "ok": True,
            "slices": [part.tell() for part in self.slices],
            "micro": None if micro is None else micro.tell(),
            "macro": None if macro is None else macro.tell(),
            "worst_slice": self.worst(),
            "verdict": verdict,
            "hidden_by_average": verdict == "fail" and micro.drop <= self.allowed_drop,
            "resources": {
                "memory_bytes": ratio(
                    base("weight_bytes", "cache_bytes"), quantized("weight_bytes", "cache_bytes")
                ),
                "latency_us": ratio(
                    base("queue_us", "service_us"), quantized("queue_us", "service_us")
                ),
                "energy_mj": ratio(base("energy_mj"), quantized("energy_mj")),
            },
        }


if __name__ == "__main__":
    try:
        print(json.dumps(Comparison(sys.stdin.buffer.read()).answer()))
    except Refusal as refusal:
        print(json.dumps({"ok": False, "error": refusal.code, "at": refusal.at}))
