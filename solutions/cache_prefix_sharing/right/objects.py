"""Classes: a Cache of linked Blocks, a Ledger for the bill, a Reader that points at faults."""

import gc
import json
import re
import sys
from fractions import Fraction


class Refusal(Exception):
    def __init__(self, code, at=""):
        super().__init__(code)
        self.code, self.at = code, at


class Reader:
    """A JSON value and where it stands; every method refuses as malformed what does not fit."""

    DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,12})?")

    def __init__(self, value, at=""):
        self.value, self.at = value, at

    @classmethod
    def of_bytes(cls, data):
        try:
            return cls(json.loads(str(data, "utf-8")))
        except ValueError:
            raise Refusal("malformed") from None

    def demand(self, condition):
        if not condition:
            raise Refusal("malformed", self.at)

    def __getitem__(self, name):
        return Reader(self.value[name], f"{self.at}/{name}")

    def __contains__(self, name):
        return name in self.value

    def record(self, required, optional=""):
        self.demand(isinstance(self.value, dict))
        names, needed = set(self.value), set(required.split())
        self.demand(needed <= names and names <= needed | set(optional.split()))
        return self

    def integer(self):
        self.demand(isinstance(self.value, int) and not isinstance(self.value, bool))
        return self.value

    def string(self):
        self.demand(isinstance(self.value, str))
        return self.value

    def or_null(self, read):
        return None if self.value is None else read(self)

    def decimal(self):
        self.demand(self.DECIMAL.fullmatch(self.string()))
        return Fraction(self.value)

    def each(self, read):
        self.demand(isinstance(self.value, list))
        return [read(Reader(value, f"{self.at}/{i}")) for i, value in enumerate(self.value)]

    def integers(self):
        """Like each(integer), without a Reader for each of two million tokens."""
        self.demand(isinstance(self.value, list) and {int}.issuperset(map(type, self.value)))
        return self.value


class Request:
    def __init__(self, reader):
        reader.record("tokens", "key at")
        self.tokens = reader["tokens"].integers()
        self.at = reader["at"].integer() if "at" in reader else 0
        self.key = (None, None, ())
        if "key" in reader:
            key = reader["key"].record("adapter salt images")
            names = [key[name].or_null(Reader.string) for name in ("adapter", "salt")]
            self.key = (*names, tuple(key["images"].each(Reader.string)))


class Billing:
    INTEGERS = "minimum step"
    PRICES = "price_uncached price_cached price_output"

    def __init__(self, reader):
        reader.record(f"version time_to_live {self.INTEGERS} {self.PRICES}", "overheads")
        self.version = reader["version"].string()
        self.minimum, self.step = (reader[name].integer() for name in self.INTEGERS.split())
        self.prices = [reader[name].decimal() for name in self.PRICES.split()]
        self.time_to_live = reader["time_to_live"].or_null(Reader.integer)
        self.overheads = reader["overheads"].each(self.overhead) if "overheads" in reader else []

    @staticmethod
    def overhead(reader):
        reader.record("kind input_tokens output_tokens")
        reader.demand(reader["kind"].string() in {"compression", "reread", "rework"})
        return reader["input_tokens"].integer(), reader["output_tokens"].integer()

    def is_bad(self):
        numbers = [self.minimum, self.step - 1, *self.prices, *sum(self.overheads, ())]
        if self.time_to_live is not None:
            numbers.append(self.time_to_live)
        return self.version == "" or any(number < 0 for number in numbers)

    def rounded(self, shared):
        over = shared - self.minimum
        return 0 if over < 0 else self.minimum + over - over % self.step

    def cost(self, count, billed):
        uncached, cached, _ = self.prices
        return (count - billed) * uncached + billed * cached

    def cost_of_overheads(self):
        uncached, _, output = self.prices
        return sum(i * uncached + o * output for i, o in self.overheads)


class Block:
    """A link of the chain from the block that is dropped first to the one that is dropped last."""

    __slots__ = ("name", "number", "before", "after")

    def __init__(self, name, number):
        self.name, self.number = name, number


class Cache:
    """Blocks by (number of the block before, own tokens). Numbers are never used again."""

    def __init__(self, block_size, capacity):
        self.block_size, self.capacity = block_size, capacity
        self.blocks, self.numbered = {}, 0
        self.end = Block(None, None)
        self.end.before = self.end.after = self.end

    def __len__(self):
        return len(self.blocks)

    def serve(self, request):
        """(hit tokens, evicted blocks)"""
        size, tokens = self.block_size, request.tokens
        used, hits, parent = [], 0, request.key
        for start in range(0, len(tokens) - size + 1, size):
            name = parent, *tokens[start : start + size]
            block = self.blocks.get(name)
            if block is None:
                block = self.blocks[name] = Block(name, self.numbered)
                self.numbered += 1
            else:
                if len(used) == hits and start + size < len(tokens):
                    hits += 1
                self.unlink(block)
            used.append(block)
            parent = block.number
        for block in reversed(used):
            self.link_last(block)
        return hits * size, self.shrink()

    def unlink(self, block):
        block.before.after, block.after.before = block.after, block.before

    def link_last(self, block):
        block.before, block.after = self.end.before, self.end
        block.before.after = self.end.before = block

    def shrink(self):
        excess = 0 if self.capacity is None else max(0, len(self) - self.capacity)
        for _ in range(excess):
            block = self.end.after
            self.unlink(block)
            del self.blocks[block.name]
        return excess


class Ledger:
    """Which prefixes were sent, and when last."""

    def __init__(self, time_to_live):
        self.time_to_live = time_to_live
        self.edges, self.sent = {}, []

    def shared(self, request):
        """The longest prefix in common with a request that is alive; then the request is noted."""
        node, path = request.key, []
        for token in request.tokens:
            node = self.edges.setdefault((node, token), len(self.sent))
            if node == len(self.sent):
                self.sent.append(None)
            path.append(node)
        alive = 0
        while alive < len(path) - 1 and self.is_alive(self.sent[path[alive]], request.at):
            alive += 1
        for node in path:
            self.sent[node] = request.at
        return alive

    def is_alive(self, sent, at):
        return sent is not None and (self.time_to_live is None or at - sent <= self.time_to_live)


class Lab:
    def __init__(self, reader):
        reader.record("block_size requests", "capacity_blocks billing")
        self.block_size, self.capacity, self.billing = reader["block_size"].integer(), None, None
        if "capacity_blocks" in reader:
            self.capacity = reader["capacity_blocks"].or_null(Reader.integer)
        self.requests = reader["requests"].each(Request)
        if "billing" in reader:
            self.billing = reader["billing"].or_null(Billing)

    def refuse_impossible(self):
        if self.block_size < 1 or (self.capacity or 0) < 0:
            raise Refusal("bad_block_size")
        for i, request in enumerate(self.requests):
            if not request.tokens:
                raise Refusal("empty_prompt", f"/requests/{i}/tokens")
        for i, request in enumerate(self.requests):
            if min(request.tokens) < 0:
                raise Refusal("negative_token", f"/requests/{i}/tokens")
        for i in range(1, len(self.requests)):
            if self.requests[i].at < self.requests[i - 1].at:
                raise Refusal("time_goes_back", f"/requests/{i}/at")
        if self.billing and self.billing.is_bad():
            raise Refusal("bad_billing", "/billing")

    def answer(self):
        cache, billing = Cache(self.block_size, self.capacity), self.billing
        ledger, results, total = Ledger(billing and billing.time_to_live), [], Fraction(0)
        for request in self.requests:
            hit, evicted = cache.serve(request)
            count, billed, cost = len(request.tokens), None, None
            if billing:
                billed = billing.rounded(ledger.shared(request))
                cost = billing.cost(count, billed)
                total += cost
            results.append(
                {
                    "hit_tokens": hit,
                    "computed_tokens": count - hit,
                    "evicted_blocks": evicted,
                    "billed_cached_tokens": billed,
                    "cost": self.text(cost),
                }
            )
        total = total + billing.cost_of_overheads() if billing else None
        return {"ok": True, "requests": results, "totals": self.totals(results, cache, total)}

    def totals(self, results, cache, cost):
        hit = sum(result["hit_tokens"] for result in results)
        prompt = hit + sum(result["computed_tokens"] for result in results)
        return {
            "prompt_tokens": prompt,
            "hit_tokens": hit,
            "hit_rate": self.text(Fraction(hit, prompt) if prompt else None),
            "cached_blocks": len(cache),
            "cost": self.text(cost),
        }

    @staticmethod
    def text(fraction):
        return fraction if fraction is None else f"{fraction.numerator}/{fraction.denominator}"


if __name__ == "__main__":
    gc.disable()  # a dropped block is linked from nowhere, so that it goes at once
    try:
        lab = Lab(Reader.of_bytes(sys.stdin.buffer.read()))
        lab.refuse_impossible()
        print(json.dumps(lab.answer()))
    except Refusal as refusal:
        print(json.dumps({"ok": False, "error": refusal.code, "at": refusal.at}))
