"""A right solution that adds up rows of positions from the first new one on, without differences.

The new positions up to the window see one more each, and those behind it the window.
"""

import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction


class Refused(ValueError):
    pass


def need(condition, code):
    if not condition:
        raise Refused(code)


@dataclass
class Reader:
    """Insists on types at once, and remembers what was out of range."""

    in_range: bool = True

    def fields(self, value, *names, optional=()):
        need(isinstance(value, dict), "malformed")
        need(all(name in value for name in names), "malformed")
        need(all(name in names or name in optional for name in value), "malformed")

    def items(self, value):
        need(isinstance(value, list), "malformed")
        return value

    def integer(self, value, least):
        need(isinstance(value, int) and not isinstance(value, bool), "malformed")
        self.in_range = self.in_range and value >= least
        return value


@dataclass(frozen=True)
class Prompt:
    length: int
    cached: int
    chunks: list | None

    @classmethod
    def read(cls, value, reader):
        reader.fields(value, "length", optional=("cached", "chunks"))
        chunks = value.get("chunks")
        if chunks is not None:
            chunks = [reader.integer(chunk, 1) for chunk in reader.items(chunks)]
        cached = reader.integer(value["cached"], 0) if "cached" in value else 0
        return cls(reader.integer(value["length"], 1), cached, chunks)

    def check_chunks(self):
        if self.chunks is not None:
            need(self.cached + sum(self.chunks) == self.length, "chunks_do_not_add_up")


@dataclass
class Model:
    query_heads: int
    kv_bytes: int
    unlimited: int = 0
    limited: Counter = field(default_factory=Counter)

    def add(self, count, window):
        if window is None:
            self.unlimited += count
        else:
            self.limited[window] += count

    def pairs(self, start, end):
        """What the positions start + 1 ... end see."""
        new = end - start
        total = self.unlimited * (new * (start + 1 + end) // 2)
        for window, count in self.limited.items():
            if window >= end:
                total += count * (new * (start + 1 + end) // 2)
            elif window <= start:
                total += count * new * window
            else:
                row = (window - start) * (start + 1 + window) // 2
                total += count * (row + (end - window) * window)
        return total * self.query_heads

    def bytes_kept(self, length):
        tokens = self.unlimited * length
        for window, count in self.limited.items():
            tokens += count * min(window, length)
        return tokens * self.kv_bytes


def read(data):
    doc, reader = json.loads(data.decode()), Reader()
    reader.fields(doc, "query_heads", "kv_bytes", "layers", "prompts")
    model = Model(reader.integer(doc["query_heads"], 1), reader.integer(doc["kv_bytes"], 1))
    for group in reader.items(doc["layers"]):
        reader.fields(group, "count", "window")
        count, window = reader.integer(group["count"], 1), group["window"]
        model.add(count, None if window is None else reader.integer(window, 1))
    prompts = [Prompt.read(prompt, reader) for prompt in reader.items(doc["prompts"])]
    need(reader.in_range and doc["layers"], "out_of_range")
    need(all(prompt.cached <= prompt.length for prompt in prompts), "cached_too_long")
    for prompt in prompts:
        prompt.check_chunks()
    return model, prompts


def written(value):
    return f"{value.numerator}/{value.denominator}"


def result(model, prompt):
    pairs = model.pairs(prompt.cached, prompt.length)
    twice = model.pairs(prompt.cached, 2 * prompt.length)
    kept = model.bytes_kept(prompt.length)
    chunk_pairs, end = None, prompt.cached
    if prompt.chunks is not None:
        chunk_pairs = []
        for chunk in prompt.chunks:
            chunk_pairs.append(model.pairs(end, end + chunk))
            end += chunk
    return {
        "new_tokens": prompt.length - prompt.cached,
        "pairs": pairs,
        "chunk_pairs": chunk_pairs,
        "kv_bytes": kept,
        "pairs_ratio": written(Fraction(twice, pairs)) if pairs else None,
        "kv_ratio": written(Fraction(model.bytes_kept(2 * prompt.length), kept)),
    }


def main():
    try:
        model, prompts = read(sys.stdin.buffer.read())
    except Refused as refused:
        print(json.dumps({"ok": False, "error": str(refused)}))
        return
    except ValueError:
        print(json.dumps({"ok": False, "error": "malformed"}))
        return
    results = [result(model, prompt) for prompt in prompts]
    answer = {"ok": True, "prompts": results}
    for total, name in (("total_pairs", "pairs"), ("total_kv_bytes", "kv_bytes")):
        answer[total] = sum(one[name] for one in results)
    print(json.dumps(answer))


main()
