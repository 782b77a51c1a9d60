"""A right solution that reads by a table, and finds the layers whose window is full by bisection.

Up to position n, a layer whose window is full adds the window per position, any other one the
position itself. So the sums over all layers are polynomials in n between two windows.
"""

import json
import math
import sys
from bisect import bisect_right

# A shape is a dict of fields, a one-element list, or the least value of an integer. A field "x?"
# may be absent, and ("null", shape) admits null.
INPUT = {
    "query_heads": 1,
    "kv_bytes": 1,
    "layers": [{"count": 1, "window": ("null", 1)}],
    "prompts": [{"length": 1, "cached?": 0, "chunks?": ("null", [1])}],
}


def matches(value, shape):
    """Whether all types are right."""
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return False
        known = {name.rstrip("?"): name for name in shape}
        if any(name not in known for name in value):
            return False
        needed = [name for name in shape if not name.endswith("?")]
        return all(name in value for name in needed) and all(
            matches(inner, shape[known[name]]) for name, inner in value.items()
        )
    if isinstance(shape, list):
        return isinstance(value, list) and all(matches(item, shape[0]) for item in value)
    if isinstance(shape, tuple):
        return value is None or matches(value, shape[1])
    return isinstance(value, int) and not isinstance(value, bool)


def in_range(value, shape):
    """Whether all integers of a value of this shape are large enough."""
    if isinstance(shape, dict):
        return all(
            in_range(value[name.rstrip("?")], inner)
            for name, inner in shape.items()
            if name.rstrip("?") in value
        )
    if isinstance(shape, list):
        return all(in_range(item, shape[0]) for item in value)
    if isinstance(shape, tuple):
        return value is None or in_range(value, shape[1])
    return value >= shape


def refusal(doc):
    """The code of the first refusal that applies, or None."""
    if not matches(doc, INPUT):
        return "malformed"
    if not doc["layers"] or not in_range(doc, INPUT):
        return "out_of_range"
    rest = [prompt["length"] - prompt.get("cached", 0) for prompt in doc["prompts"]]
    if any(new < 0 for new in rest):
        return "cached_too_long"
    for prompt, new in zip(doc["prompts"], rest):
        chunks = prompt.get("chunks")
        if chunks is not None and new - sum(chunks) != 0:
            return "chunks_do_not_add_up"
    return None


class Layers:
    def __init__(self, groups):
        self.windows = sorted({one["window"] for one in groups if one["window"] is not None})
        # Beside index k: layers that are not full yet when k windows are, and what the full
        # ones have in windows and in triangles that were left out.
        self.growing, self.flat, self.missing = [], [], []
        for k in range(len(self.windows) + 1):
            full = set(self.windows[:k])
            done = [(one["count"], one["window"]) for one in groups if one["window"] in full]
            left = [one["count"] for one in groups if one["window"] not in full]
            self.growing.append(sum(left))
            self.flat.append(sum(count * window for count, window in done))
            self.missing.append(sum(count * window * (window - 1) for count, window in done))

    def after(self, n):
        """Twice the pairs of the first n positions, and the tokens that they leave."""
        k = bisect_right(self.windows, n)
        growing, flat = self.growing[k], self.flat[k]
        return growing * n * (n + 1) + 2 * flat * n - self.missing[k], growing * n + flat


def quotient(n, d):
    if d == 0:
        return None
    common = math.gcd(n, d)
    return "%d/%d" % (n // common, d // common)


def answer(doc):
    layers, heads = Layers(doc["layers"]), doc["query_heads"]
    results = []
    for prompt in doc["prompts"]:
        cached, length = prompt.get("cached", 0), prompt["length"]
        start, (end, kept) = layers.after(cached)[0], layers.after(length)
        later, kept_later = layers.after(2 * length)
        pieces = prompt.get("chunks")
        if pieces is not None:
            parts, position, last = [], cached, start
            for piece in pieces:
                position += piece
                now = layers.after(position)[0]
                parts.append(heads * (now - last) // 2)
                last = now
            pieces = parts
        results.append(
            {
                "new_tokens": length - cached,
                "pairs": heads * (end - start) // 2,
                "chunk_pairs": pieces,
                "kv_bytes": doc["kv_bytes"] * kept,
                "pairs_ratio": quotient(later - start, end - start),
                "kv_ratio": quotient(kept_later, kept),
            }
        )
    pairs = sum(result["pairs"] for result in results)
    kept = sum(result["kv_bytes"] for result in results)
    return {"ok": True, "prompts": results, "total_pairs": pairs, "total_kv_bytes": kept}


def main():
    try:
        doc = json.loads(str(sys.stdin.buffer.read(), "utf-8"))
    except ValueError:
        doc = None
    code = refusal(doc)
    print(json.dumps(answer(doc) if code is None else {"ok": False, "error": code}))


main()
