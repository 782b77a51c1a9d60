"""A right solution in an object-oriented style: every noun of the lab is a class."""

import json
import sys
from dataclasses import dataclass


class Refused(ValueError):
    pass


def need(condition, code):
    if not condition:
        raise Refused(code)


class Reader:
    """Walks a JSON object, insists on types at once and remembers what is out of range."""

    def __init__(self):
        self.in_range = True

    def fields(self, value, *names, optional=()):
        need(isinstance(value, dict), "malformed")
        need(all(name in value for name in names), "malformed")
        need(all(name in names or name in optional for name in value), "malformed")
        return value

    def items(self, value):
        need(isinstance(value, list), "malformed")
        return value

    def integer(self, value, least):
        need(isinstance(value, int) and not isinstance(value, bool), "malformed")
        if least is not None and value < least:
            self.in_range = False
        return value

    def integer_or_null(self, value, least):
        return None if value is None else self.integer(value, least)


@dataclass(frozen=True)
class Cache:
    bits: int
    scale_bytes: int
    block_size: int

    def vector(self, width):
        return -(-width * self.bits // 8) + self.scale_bytes

    def blocks(self, length, kept):
        """Blocks that the last `kept` of `length` tokens touch."""
        if length == 0:
            return 0
        return (length - 1) // self.block_size - (length - kept) // self.block_size + 1


@dataclass(frozen=True)
class GroupedQuery:
    hidden_size: int
    query_heads: int
    kv_heads: int
    head_dim: int | None
    value_dim: int | None

    def check_heads(self):
        need(self.kv_heads <= self.query_heads, "heads_not_divisible")
        need(self.query_heads % self.kv_heads == 0, "heads_not_divisible")
        known = self.head_dim is not None or self.hidden_size % self.query_heads == 0
        need(known, "head_dim_unknown")

    def check_devices(self, devices):
        divides = self.kv_heads % devices == 0 or devices % self.kv_heads == 0
        need(divides, "tensor_parallel_mismatch")

    def bytes_per_token(self, cache, devices):
        head = self.hidden_size // self.query_heads if self.head_dim is None else self.head_dim
        value = head if self.value_dim is None else self.value_dim
        heads = max(1, self.kv_heads // devices)
        return heads * (cache.vector(head) + cache.vector(value))


@dataclass(frozen=True)
class Latent:
    latent_dim: int
    rope_dim: int

    def check_heads(self):
        """There are no heads to check."""

    def check_devices(self, devices):
        """Every device holds the whole latent vector."""

    def bytes_per_token(self, cache, devices):
        return cache.vector(self.latent_dim + self.rope_dim)


def read_model(reader, raw):
    need(isinstance(raw, dict), "malformed")
    if raw.get("attention") == "mla":
        reader.fields(raw, "attention", "latent_dim", "rope_dim")
        return Latent(reader.integer(raw["latent_dim"], 1), reader.integer(raw["rope_dim"], 1))
    need(raw.get("attention") == "gqa", "malformed")
    names = ("hidden_size", "query_heads", "kv_heads", "head_dim")
    reader.fields(raw, "attention", *names, optional=("value_dim",))
    sizes = [reader.integer(raw[name], 1) for name in names[:3]]
    head_dim = reader.integer_or_null(raw["head_dim"], 1)
    value_dim = reader.integer(raw["value_dim"], 1) if "value_dim" in raw else None
    return GroupedQuery(*sizes, head_dim, value_dim)


class Plan:
    """A whole legal input."""

    def __init__(self, raw):
        reader = Reader()
        reader.fields(
            raw, "model", "layers", "cache", "tensor_parallel", "sequences", "memory", "plan_length"
        )
        self.model = read_model(reader, raw["model"])
        self.layers = {}
        for group in reader.items(raw["layers"]):
            reader.fields(group, "count", "window")
            window = reader.integer_or_null(group["window"], 1)
            before = self.layers.get(window, 0)
            self.layers[window] = before + reader.integer(group["count"], 1)
        names = ("bits", "scale_bytes", "block_size")
        cache = reader.fields(raw["cache"], *names)
        pairs = zip(names, (None, 0, 1))
        self.cache = Cache(*[reader.integer(cache[name], least) for name, least in pairs])
        self.devices = reader.integer(raw["tensor_parallel"], 1)
        self.sequences = []
        for sequence in reader.items(raw["sequences"]):
            reader.fields(sequence, "length", "count")
            length = reader.integer(sequence["length"], 0)
            self.sequences.append((length, reader.integer(sequence["count"], 1)))
        names = ("total", "weights", "reserved", "per_sequence")
        memory = reader.fields(raw["memory"], *names)
        self.total, self.weights, self.reserved, self.per_sequence = (
            reader.integer(memory[name], 0) for name in names
        )
        self.plan_length = reader.integer(raw["plan_length"], 1)
        need(reader.in_range and self.layers, "out_of_range")
        self.model.check_heads()
        need(self.cache.bits in {4, 8, 16, 32}, "unsupported_bits")
        self.model.check_devices(self.devices)

    def tokens_and_blocks(self, length):
        """Summed over the layers, for one sequence."""
        tokens = blocks = 0
        for window, layers in self.layers.items():
            kept = length if window is None else min(length, window)
            tokens += layers * kept
            blocks += layers * self.cache.blocks(length, kept)
        return tokens, blocks

    def answer(self):
        tokens = blocks = running = 0
        for length, count in self.sequences:
            more_tokens, more_blocks = self.tokens_and_blocks(length)
            tokens += count * more_tokens
            blocks += count * more_blocks
            running += count
        per_token = self.model.bytes_per_token(self.cache, self.devices)
        logical, allocated = tokens * per_token, blocks * self.cache.block_size * per_token
        free = self.total - self.weights - self.reserved
        headroom = free - running * self.per_sequence - allocated
        planned = self.tokens_and_blocks(self.plan_length)[1] * self.cache.block_size * per_token
        return {
            "ok": True,
            "bytes_per_token_per_layer": per_token,
            "logical_bytes": logical,
            "allocated_bytes": allocated,
            "waste_bytes": allocated - logical,
            "blocks": blocks,
            "fits": headroom >= 0,
            "headroom_bytes": headroom,
            "max_sequences": max(free, 0) // (planned + self.per_sequence),
        }


if __name__ == "__main__":
    try:
        try:
            document = json.loads(sys.stdin.buffer.read().decode("utf-8"))
        except ValueError:
            raise Refused("malformed") from None
        print(json.dumps(Plan(document).answer()))
    except Refused as refused:
        print(json.dumps({"ok": False, "error": str(refused)}))
