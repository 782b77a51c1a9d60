"""Functions; sequences are tuples of tokens, and what is kept are the states of (token, row).

A state depends on a token and on its row of positions alone. So an output needs, of what a position
sees, only how often each of these pairs occurs.
"""

import json
import sys
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from math import lcm


def stop(answer):
    print(json.dumps(answer))
    sys.exit(0)


def refuse(code):
    stop({"ok": False, "error": code})


def number(value):
    return type(value) is int


def name(value):
    return type(value) is str and value != ""


def numbers(value):
    return type(value) is list and all(number(item) for item in value)


def table(value):
    return type(value) is list and all(numbers(row) for row in value)


KINDS = {
    "start": numbers,
    "append": numbers,
    "decode": number,
    "rollback": number,
    "fork": name,
}


def operation(value):
    if type(value) is not list or len(value) != 3 or type(value[0]) is not str:
        return False
    return value[0] in KINDS and name(value[1]) and KINDS[value[0]](value[2])


def read():
    try:
        given = json.loads(sys.stdin.buffer.read().decode("utf-8", "strict"))
    except ValueError:
        refuse("malformed")
    if type(given) is not dict:
        refuse("malformed")
    window = given.pop("window", None)
    if set(given) != {"embed", "positions", "operations"}:
        refuse("malformed")
    embed, positions, operations = given["embed"], given["positions"], given["operations"]
    well = table(embed) and table(positions) and (window is None or number(window))
    if not (well and type(operations) is list and all(map(operation, operations))):
        refuse("malformed")
    return embed, positions, window, operations


def faults(embed, positions, window, operations):
    """Every code that the input deserves."""
    widths = {len(row) for row in chain(embed, positions)}
    if embed == [] or positions == [] or len(widths) != 1 or widths == {0}:
        yield "bad_shape"
    if window is not None and window <= 0:
        yield "out_of_range"
    lengths = {}
    for kind, first, second in operations:
        if kind in ("start", "append"):
            if any(token < 0 or token >= len(embed) for token in second):
                yield "out_of_range"
            if not second:
                yield "no_tokens"
        elif kind != "fork" and second < 0:
            yield "out_of_range"
        new = {"start": first, "fork": second}.get(kind)
        if new is not None and new in lengths:
            yield "sequence_exists"
        if kind != "start" and first not in lengths:
            yield "unknown_sequence"
            lengths[first] = 0
        if kind == "start":
            lengths[first] = len(second)
        elif kind == "append":
            lengths[first] += len(second)
        elif kind == "decode":
            lengths[first] += second
        elif kind == "fork":
            lengths[second] = lengths[first]
        elif second >= lengths[first]:
            yield "too_far"
        else:
            lengths[first] -= second


ORDER = "bad_shape out_of_range no_tokens unknown_sequence sequence_exists too_far".split()
embed, positions, window, operations = read()
found = set(faults(embed, positions, window, operations))
for code in ORDER:
    if code in found:
        refuse(code)

ROWS = len(positions)


@lru_cache(None)
def state(token, row):
    return tuple(x + y for x, y in zip(embed[token], positions[row]))


def output(tokens):
    """Exact rationals, one for each column."""
    last = len(tokens) - 1
    first = 0 if window is None else max(0, last + 1 - window)
    often = Counter((tokens[j], j % ROWS) for j in range(first, last + 1))
    query = state(tokens[last], last % ROWS)
    terms = []
    for pair, times in often.items():
        values = state(*pair)
        terms.append((sum(x * y for x, y in zip(query, values)), times, values))
    least = min(score for score, _, _ in terms)
    weights = [(times << (score - least), values) for score, times, values in terms]
    total = sum(weight for weight, _ in weights)
    columns = range(len(embed[0]))
    return [Fraction(sum(w * values[j] for w, values in weights), total) for j in columns]


def best(values):
    common = lcm(*(value.denominator for value in values))
    whole = [int(value * common) for value in values]
    products = [sum(map(int.__mul__, row, whole)) for row in embed]
    return max(range(len(embed)), key=products.__getitem__)


def all_pairs(length):
    reach = length if window is None else min(window, length)
    return reach * (2 * length - reach + 1) // 2


sequences = {}
cached, recomputed = Counter(computed=0, attended=0), Counter(computed=0, attended=0)


def grow(key, tokens):
    before = sequences.get(key, ())
    after = before + tuple(tokens)
    sequences[key] = after
    less, more = all_pairs(len(before)), all_pairs(len(after))
    cached.update(computed=len(tokens), attended=more - less)
    recomputed.update(computed=len(after), attended=more)


for kind, first, second in operations:
    match kind:
        case "start" | "append":
            grow(first, second)
        case "decode":
            for _ in range(second):
                grow(first, [best(output(sequences[first]))])
        case "rollback":
            sequences[first] = sequences[first][: len(sequences[first]) - second]
        case "fork":
            sequences[second] = sequences[first]

told = {}
for key, tokens in sequences.items():
    values = output(tokens)
    texts = [f"{value.numerator}/{value.denominator}" for value in values]
    told[key] = {"tokens": tokens, "output": texts, "next": best(values)}
stop({"ok": True, "sequences": told, "cached": dict(cached), "recomputed": dict(recomputed)})
