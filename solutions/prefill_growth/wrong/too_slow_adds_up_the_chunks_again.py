"""Wrong: adds up all earlier chunks again for every chunk."""

import json
import sys
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import NamedTuple


class Refusal(Exception):
    """The input must be refused with this code."""


class Layer(NamedTuple):
    count: int
    window: int | None


class Prompt(NamedTuple):
    length: int
    cached: int
    chunks: list | None


class Input(NamedTuple):
    query_heads: int
    kv_bytes: int
    layers: list
    prompts: list


# ---- Reading: everything that is malformed


def parse(data):
    try:
        given = json.loads(data.decode("utf-8"))
    except ValueError:
        raise Refusal("malformed") from None
    check_fields(given, required=set(Input._fields))
    return Input(
        query_heads=integer(given["query_heads"]),
        kv_bytes=integer(given["kv_bytes"]),
        layers=[parse_layer(layer) for layer in array(given["layers"])],
        prompts=[parse_prompt(prompt) for prompt in array(given["prompts"])],
    )


def parse_layer(layer):
    check_fields(layer, required={"count", "window"})
    window = layer["window"]
    return Layer(integer(layer["count"]), None if window is None else integer(window))


def parse_prompt(prompt):
    check_fields(prompt, required={"length"}, optional={"cached", "chunks"})
    chunks = prompt.get("chunks")
    return Prompt(
        length=integer(prompt["length"]),
        cached=integer(prompt.get("cached", 0)),
        chunks=None if chunks is None else [integer(chunk) for chunk in array(chunks)],
    )


def check_fields(value, *, required, optional=frozenset()):
    if type(value) is not dict or not required <= value.keys() <= required | optional:
        raise Refusal("malformed")


def array(value):
    if type(value) is not list:
        raise Refusal("malformed")
    return value


def integer(value):
    if type(value) is not int:  # isinstance would let True through
        raise Refusal("malformed")
    return value


# ---- The refusals of the table, in its order, each over the whole input


def check(given):
    prompts = given.prompts
    if not given.layers or any(number < least for number, least in numbers(given)):
        raise Refusal("out_of_range")
    if any(prompt.cached > prompt.length for prompt in prompts):
        raise Refusal("cached_too_long")
    in_chunks = [prompt for prompt in prompts if prompt.chunks is not None]
    if any(sum(prompt.chunks) != prompt.length - prompt.cached for prompt in in_chunks):
        raise Refusal("chunks_do_not_add_up")


def numbers(given):
    """Every number of the input, with the least value that it may have."""
    yield given.query_heads, 1
    yield given.kv_bytes, 1
    for layer in given.layers:
        yield layer.count, 1
        if layer.window is not None:
            yield layer.window, 1
    for prompt in given.prompts:
        yield prompt.length, 1
        yield prompt.cached, 0
        for chunk in prompt.chunks or ():
            yield chunk, 1


# ---- The answer


def layers_of_each_window(layers):
    totals = {}
    for count, window in layers:
        totals[window] = totals.get(window, 0) + count
    return list(totals.items())


def seen_and_kept(layers, n):
    """What the first n positions see together, and what they leave in the cache, over all layers.

    The last of them sees `width` positions, and as many are kept. The sum of min(i, window) for
    i = 1 ... n is a triangle of that width, then n - width times the width.
    """
    seen = kept = 0
    for window, count in layers:
        width = n if window is None or window > n else window
        seen += count * (width * (width + 1) // 2 + (n - width) * width)
        kept += count * width
    return seen, kept


def ratio(n, d):
    value = Fraction(n, d)
    return f"{value.numerator}/{value.denominator}"


def cost(given, layers, prompt):
    length, cached, chunks = prompt
    before, _ = seen_and_kept(layers, cached)
    after, kept = seen_and_kept(layers, length)
    after_doubling, kept_after_doubling = seen_and_kept(layers, 2 * length)
    chunk_pairs = None
    if chunks is not None:
        borders = [cached + sum(chunks[:end]) for end in range(len(chunks) + 1)]
        sums = [seen_and_kept(layers, border)[0] for border in borders]
        chunk_pairs = [given.query_heads * (end - start) for start, end in pairwise(sums)]
    return {
        "new_tokens": length - cached,
        "pairs": given.query_heads * (after - before),
        "chunk_pairs": chunk_pairs,
        "kv_bytes": given.kv_bytes * kept,
        "pairs_ratio": ratio(after_doubling - before, after - before) if length > cached else None,
        "kv_ratio": ratio(kept_after_doubling, kept),
    }


def solve(given):
    layers = layers_of_each_window(given.layers)
    results = [cost(given, layers, prompt) for prompt in given.prompts]
    return {
        "ok": True,
        "prompts": results,
        "total_pairs": sum(result["pairs"] for result in results),
        "total_kv_bytes": sum(result["kv_bytes"] for result in results),
    }


def main():
    try:
        given = parse(sys.stdin.buffer.read())
        check(given)
        answer = solve(given)
    except Refusal as refusal:
        answer = {"ok": False, "error": str(refusal)}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
