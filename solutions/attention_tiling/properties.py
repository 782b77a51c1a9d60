"""Checks that compute a whole answer: for staff only."""

from fractions import Fraction
from math import exp, log

try:  # here and not in the check: a check has ten seconds, and a busy machine imports for longer
    import torch
except (ImportError, OSError):
    torch = None

GROUPS = {"check_float_attention": ("normal", "edge")}
LN2 = log(2)


def check_reference(answer, expected):
    """The whole answer equals the reference's.

    整个答案与参考答案一致。
    """
    for key in ("rows", "plans"):
        found, due = answer[key], expected[key]
        assert len(found) == len(due), f"{key}: {len(due)} expected, {len(found)} found"
        for i, (one, other) in enumerate(zip(due, found)):
            assert one == other, f"{key} {i}: expected {one}, found {other}"


def _kept(scores, values):
    return [(s, row) for s, row in zip(scores, values) if s is not None]


def check_plain_formula(given, answer):
    """The outputs are those of softmax over the whole query at once, Σ 2^s · v / Σ 2^s; each entry
    of trace is max s and Σ 2^(s - m), added up from the first key.

    输出等于对整个 query 一次性做 softmax：Σ 2^s · v / Σ 2^s；trace 每一项都是从第一个 key 重新
    求得的 max s 与 Σ 2^(s - m)。
    """
    values, rows = given["values"], answer["rows"]
    assert len(rows) == len(given["scores"]), f"{len(given['scores'])} queries, {len(rows)} rows"
    for i, (scores, result) in enumerate(zip(given["scores"], rows)):
        kept = _kept(scores, values)
        total = sum(Fraction(2) ** s for s, _ in kept)
        output = []
        for column in range(len(values[0])):
            mixed = sum(Fraction(2) ** s * row[column] for s, row in kept)
            output.append(_text(mixed / total if kept else 0))
        assert result["output"] == output, f"query {i}: output {result['output']}, not {output}"
        trace = []
        for end in range(given["tile"], len(scores) + given["tile"], given["tile"]):
            read = [s for s, _ in _kept(scores[:end], values)]
            m = max(read, default=None)
            trace.append([m, _text(sum(Fraction(2) ** (s - m) for s in read))])
        assert result["trace"] == trace, f"query {i}: trace {result['trace']}, not {trace}"


def _text(number):
    value = Fraction(number)
    return f"{value.numerator}/{value.denominator}"


def check_float_attention(given, answer):
    """Within 1e-9 of the largest value, the outputs are those of attention in float64 with scores
    s · ln 2: torch's scaled_dot_product_attention, or the same formula where torch is missing.

    输出与 float64 注意力（分数取 s · ln 2）之差不超过最大值的 1e-9：装有 torch 时与它的
    scaled_dot_product_attention 比较，否则与同一公式的浮点计算比较。
    """
    values, rows = given["values"], answer["rows"]
    assert len(rows) == len(given["scores"]), f"{len(given['scores'])} queries, {len(rows)} rows"
    pairs = [(i, row) for i, row in enumerate(given["scores"]) if _kept(row, values)]
    if not pairs:
        return  # a query without keys has no softmax
    if torch is None:
        found = [_with_floats(row, values) for _, row in pairs]
    else:
        found = _with_torch([row for _, row in pairs], values)
    for (i, _), due in zip(pairs, found):
        output = rows[i]["output"]
        assert len(output) == len(due), f"query {i}: {len(due)} columns, {len(output)} outputs"
        for j, (text, number) in enumerate(zip(output, due)):
            n, d = map(int, text.split("/"))
            assert d > 0, f"query {i}, column {j}: {text}"
            largest = max(1, *(abs(row[j]) for row in values))
            near = abs(Fraction(n, d) - Fraction(number)) * 10**9 <= largest
            assert near, f"query {i}, column {j}: output {text}, in float64 {number}"


def _with_torch(scores, values):
    """Query i is the i-th unit vector, and key j has score [i][j] as its i-th entry."""
    keys = torch.tensor([[(s or 0) * LN2 for s in row] for row in scores], dtype=torch.float64).T
    mask = torch.tensor([[s is not None for s in row] for row in scores])
    queries = torch.eye(len(scores), dtype=torch.float64)
    floats = torch.tensor([[float(v) for v in row] for row in values], dtype=torch.float64)
    attention = torch.nn.functional.scaled_dot_product_attention
    return attention(queries, keys, floats, attn_mask=mask, scale=1.0).tolist()


def _with_floats(scores, values):
    kept = _kept(scores, values)
    top = max(s for s, _ in kept)
    weights = [exp((s - top) * LN2) for s, _ in kept]
    columns = zip(*(row for _, row in kept))
    return [sum(w * v for w, v in zip(weights, column)) / sum(weights) for column in columns]
