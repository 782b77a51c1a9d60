"""Wrong: bytes are rounded up once for all heads of a device, not for each vector."""

import json
import sys

TOP = {"model", "layers", "cache", "tensor_parallel", "sequences", "memory", "plan_length"}
GQA = {"attention", "hidden_size", "query_heads", "kv_heads", "head_dim"}
MLA = {"attention", "latent_dim", "rope_dim"}
CACHE = {"bits", "scale_bytes", "block_size"}
MEMORY = {"total", "weights", "reserved", "per_sequence"}


class Refusal(Exception):
    """The input is refused; the only argument is the code."""


# ---- What is legal ----------------------------------------------------------


def record(value, required, optional=frozenset()):
    """Insist on an object that has all required fields and none but the optional ones besides."""
    if type(value) is not dict or not required <= value.keys() <= required | optional:
        raise Refusal("malformed")


def check_shape(doc):
    """Insist on the right fields everywhere; the integers in them come later."""
    record(doc, TOP)
    model = doc["model"]
    attention = model.get("attention") if type(model) is dict else None
    if attention == "gqa":
        record(model, GQA, {"value_dim"})
    elif attention == "mla":
        record(model, MLA)
    else:
        raise Refusal("malformed")
    record(doc["cache"], CACHE)
    record(doc["memory"], MEMORY)
    for name, fields in (("layers", {"count", "window"}), ("sequences", {"length", "count"})):
        if type(doc[name]) is not list:
            raise Refusal("malformed")
        for entry in doc[name]:
            record(entry, fields)


def figures(doc):
    """Yield (integer, least value allowed) for every figure but `bits`."""
    for name, value in doc["model"].items():
        if name != "attention" and not (name == "head_dim" and value is None):
            yield value, 1
    for group in doc["layers"]:
        yield group["count"], 1
        if group["window"] is not None:
            yield group["window"], 1
    for sequence in doc["sequences"]:
        yield sequence["length"], 0
        yield sequence["count"], 1
    for value in doc["memory"].values():
        yield value, 0
    yield doc["cache"]["scale_bytes"], 0
    yield doc["cache"]["block_size"], 1
    yield doc["tensor_parallel"], 1
    yield doc["plan_length"], 1


def check(doc):
    """Raise the first refusal of the table that applies."""
    check_shape(doc)
    bits = doc["cache"]["bits"]
    numbers = list(figures(doc))
    # bool is a subclass of int, so `isinstance` would let true through.
    if type(bits) is not int or any(type(number) is not int for number, _ in numbers):
        raise Refusal("malformed")
    if not doc["layers"] or any(number < least for number, least in numbers):
        raise Refusal("out_of_range")
    model, devices = doc["model"], doc["tensor_parallel"]
    gqa = model["attention"] == "gqa"
    # A remainder of zero says it all: query_heads >= 1, so kv_heads cannot be the larger one.
    if gqa and model["query_heads"] % model["kv_heads"]:
        raise Refusal("heads_not_divisible")
    if gqa and model["head_dim"] is None and model["hidden_size"] % model["query_heads"]:
        raise Refusal("head_dim_unknown")
    if bits not in (4, 8, 16, 32):
        raise Refusal("unsupported_bits")
    if gqa and model["kv_heads"] % devices and devices % model["kv_heads"]:
        raise Refusal("tensor_parallel_mismatch")


# ---- What it costs ----------------------------------------------------------


def vector_bytes(width, cache):
    """Bytes of one stored vector; the division rounds up without ever meeting a float."""
    return (width * cache["bits"] + 7) // 8 + cache["scale_bytes"]


def bytes_per_token(model, cache, devices):
    """Bytes that one token costs in one layer on one device."""
    if model["attention"] == "mla":
        return vector_bytes(model["latent_dim"] + model["rope_dim"], cache)
    head = model["head_dim"] or model["hidden_size"] // model["query_heads"]
    value = model.get("value_dim", head)
    heads = max(1, model["kv_heads"] // devices)
    scales = (heads - 1) * cache["scale_bytes"]
    return vector_bytes(heads * head, cache) + vector_bytes(heads * value, cache) + 2 * scales


def stored(lengths, windows, block_size):
    """Tokens and blocks, summed over (length, count) pairs and over {window: layers}.

    A sequence of length 0 needs no case of its own: its last token would be in block -1.
    """
    tokens = blocks = 0
    for window, layers in windows.items():
        for length, count in lengths:
            kept = length if window is None else min(length, window)
            touched = (length - 1) // block_size - (length - kept) // block_size + 1
            tokens += kept * count * layers
            blocks += touched * count * layers
    return tokens, blocks


def size(doc):
    """Answer for a legal input."""
    cache, memory = doc["cache"], doc["memory"]
    block_size = cache["block_size"]
    per_token = bytes_per_token(doc["model"], cache, doc["tensor_parallel"])
    windows = {}
    for group in doc["layers"]:
        windows[group["window"]] = windows.get(group["window"], 0) + group["count"]

    lengths = [(sequence["length"], sequence["count"]) for sequence in doc["sequences"]]
    tokens, blocks = stored(lengths, windows, block_size)
    allocated = blocks * block_size * per_token
    running = sum(count for _, count in lengths)

    available = memory["total"] - memory["weights"] - memory["reserved"]
    headroom = available - running * memory["per_sequence"] - allocated
    _, plan_blocks = stored([(doc["plan_length"], 1)], windows, block_size)
    each = plan_blocks * block_size * per_token + memory["per_sequence"]
    return {
        "ok": True,
        "bytes_per_token_per_layer": per_token,
        "logical_bytes": tokens * per_token,
        "allocated_bytes": allocated,
        "waste_bytes": allocated - tokens * per_token,
        "blocks": blocks,
        "fits": headroom >= 0,
        "headroom_bytes": headroom,
        "max_sequences": max(0, available // each),
    }


def read(data):
    """The JSON value in these bytes."""
    try:
        return json.loads(data.decode("utf-8"))
    except ValueError:  # not UTF-8, or not JSON
        raise Refusal("malformed") from None


def main():
    try:
        doc = read(sys.stdin.buffer.read())
        check(doc)
        answer = size(doc)
    except Refusal as refusal:
        answer = {"ok": False, "error": refusal.args[0]}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
