"""A right solution that describes the input by a table and counts bytes as exact fractions."""

import json
import math
import sys
from collections import Counter
from fractions import Fraction

# A shape is a dict of fields, a one-element list, or the least value of an integer.
# "field?" may be absent, ("null", least) may be null, ANY is an integer without a least value.
ANY = -math.inf
GQA = {
    "attention": "gqa",
    "hidden_size": 1,
    "query_heads": 1,
    "kv_heads": 1,
    "head_dim": ("null", 1),
    "value_dim?": 1,
}
MLA = {"attention": "mla", "latent_dim": 1, "rope_dim": 1}
INPUT = {
    "layers": [{"count": 1, "window": ("null", 1)}],
    "cache": {"bits": ANY, "scale_bytes": 0, "block_size": 1},
    "tensor_parallel": 1,
    "sequences": [{"length": 0, "count": 1}],
    "memory": {"total": 0, "weights": 0, "reserved": 0, "per_sequence": 0},
    "plan_length": 1,
}


def matches(value, shape):
    """Whether the types are right, down to the last leaf."""
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return False
        present = 0
        for name, inner in shape.items():
            if name.rstrip("?") in value:
                present += 1
                if not matches(value[name.rstrip("?")], inner):
                    return False
            elif not name.endswith("?"):
                return False
        return present == len(value)
    if isinstance(shape, list):
        return isinstance(value, list) and all(matches(item, shape[0]) for item in value)
    if isinstance(shape, tuple):
        return value is None or matches(value, shape[1])
    if isinstance(shape, str):
        return value == shape
    return type(value) is int


def in_range(value, shape):
    """Whether every integer of a value of this shape is large enough; an absent one is."""
    if isinstance(shape, dict):
        names = [(name.rstrip("?"), inner) for name, inner in shape.items()]
        return all(in_range(value[name], inner) for name, inner in names if name in value)
    if isinstance(shape, list):
        return all(in_range(item, shape[0]) for item in value)
    if isinstance(shape, tuple):
        return value is None or in_range(value, shape[1])
    return isinstance(shape, str) or value >= shape


def refusal(doc):
    """The code of the first refusal that applies, or None."""
    kind = GQA
    if isinstance(doc, dict) and matches(doc.get("model"), MLA):
        kind = MLA
    shape = INPUT | {"model": kind}
    if not matches(doc, shape):
        return "malformed"
    if not in_range(doc, shape) or doc["layers"] == []:
        return "out_of_range"
    bad_bits = doc["cache"]["bits"] not in (4, 8, 16, 32)
    if kind is MLA:
        return "unsupported_bits" if bad_bits else None
    model, devices = doc["model"], doc["tensor_parallel"]
    query, heads = model["query_heads"], model["kv_heads"]
    faults = {
        "heads_not_divisible": heads > query or query % heads != 0,
        "head_dim_unknown": model["head_dim"] is None and model["hidden_size"] % query != 0,
        "unsupported_bits": bad_bits,
        "tensor_parallel_mismatch": math.gcd(heads, devices) not in (heads, devices),
    }
    return next((code for code, found in faults.items() if found), None)


def vector(width, cache):
    return math.ceil(Fraction(width * cache["bits"], 8)) + cache["scale_bytes"]


def bytes_per_token(model, cache, devices):
    if model["attention"] == "mla":
        return vector(model["latent_dim"] + model["rope_dim"], cache)
    head = model["head_dim"]
    if head is None:
        head = int(Fraction(model["hidden_size"], model["query_heads"]))
    pair = vector(head, cache) + vector(model.get("value_dim", head), cache)
    return int(max(Fraction(1), Fraction(model["kv_heads"], devices)) * pair)


def blocks_of(length, windows, block):
    """Blocks of one sequence over all layers, as a half-open range of block numbers per layer."""
    total = 0
    for window, layers in windows.items():
        first = 0 if window is None or window >= length else (length - window) // block
        total += layers * (-(-length // block) - first)
    return total


def answer(doc):
    cache, memory, block = doc["cache"], doc["memory"], doc["cache"]["block_size"]
    windows, lengths = Counter(), Counter()
    for group in doc["layers"]:
        windows[group["window"]] += group["count"]
    for sequence in doc["sequences"]:
        lengths[sequence["length"]] += sequence["count"]
    per_token = bytes_per_token(doc["model"], cache, doc["tensor_parallel"])

    logical = per_token * sum(
        layers * sum(min(length, window or length) * count for length, count in lengths.items())
        for window, layers in windows.items()
    )
    blocks = sum(blocks_of(length, windows, block) * count for length, count in lengths.items())
    allocated = blocks * block * per_token
    free = memory["total"] - memory["weights"] - memory["reserved"]
    headroom = free - sum(lengths.values()) * memory["per_sequence"] - allocated
    each = blocks_of(doc["plan_length"], windows, block) * block * per_token
    most = math.floor(Fraction(free, each + memory["per_sequence"]))
    return {
        "ok": True,
        "bytes_per_token_per_layer": per_token,
        "logical_bytes": logical,
        "allocated_bytes": allocated,
        "waste_bytes": allocated - logical,
        "blocks": blocks,
        "fits": headroom >= 0,
        "headroom_bytes": headroom,
        "max_sequences": max(most, 0),
    }


def main():
    try:
        doc = json.loads(str(sys.stdin.buffer.read(), "utf-8"))
    except ValueError:
        doc = None
    code = refusal(doc)
    print(json.dumps(answer(doc) if code is None else {"ok": False, "error": code}))


main()
