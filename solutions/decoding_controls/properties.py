"""Checks that compute a whole answer: for staff only."""

import math
from fractions import Fraction

try:  # here and not in the check: a check has ten seconds, and a busy machine imports for longer
    import torch
except (ImportError, OSError):
    torch = None

CLOSE = 1e-9
GROUPS = {"check_torch": ("normal", "edge")}


def check_reference(answer, expected):
    """The whole answer equals the reference's.

    整个答案与参考答案一致。
    """
    found = answer["strategies"]
    assert len(found) == len(expected["strategies"]), f"{len(found)} strategies"
    for i, (one, other) in enumerate(zip(expected["strategies"], found)):
        assert one == other, f"strategy {i}: expected {one}, found {other}"
    one, other = expected["comparisons"], answer["comparisons"]
    assert one == other, f"comparisons: expected {one}, found {other}"


def check_torch(given, answer):
    """What is kept and its probabilities are within 1e-9 of torch.softmax and filters in float64
    as libraries have them, away from ties and borders. (Where torch is missing, this looks only
    whether every kept token has a probability.)

    除并列与边界情形外，保留的 token 及其概率与 torch.softmax 和各库所用的 float64 过滤器相差
    不超过 1e-9。（没有安装 torch 时，只看每个保留的 token 是否都有概率。）
    """
    strategies, results = given["strategies"], answer["strategies"]
    assert len(results) == len(strategies), f"{len(strategies)} strategies, {len(results)} results"
    for i, result in enumerate(results):
        counts = len(result["kept"]), len(result["probabilities"])
        assert counts[0] == counts[1], f"strategy {i}: kept {counts[0]}, {counts[1]} probabilities"
    if torch is None:
        return
    for i, (steps, result) in enumerate(zip(strategies, results)):
        scores = _filtered(given["logits"], steps)
        if scores is None:
            continue
        kept = torch.isfinite(scores).nonzero().flatten().tolist()
        assert result["kept"] == kept, f"strategy {i}: torch keeps {kept}, found {result['kept']}"
        shares = torch.softmax(scores, dim=-1).tolist()
        for token, text in zip(kept, result["probabilities"]):
            n, d = map(int, text.split("/"))
            close = abs(n - Fraction(shares[token]) * d) <= Fraction(CLOSE) * d
            assert d and close, f"strategy {i}, token {token}: torch {shares[token]}, found {text}"


def _filtered(logits, steps):
    """Scores with -inf for what is left out, by the filters of transformers; None where a tie or
    a border is so close that floats cannot decide. Base 4 makes a logit worth log(4)."""
    scores = torch.tensor(logits, dtype=torch.float64) * math.log(4)
    for step in steps:
        [(kind, value)] = step.items()
        if kind == "temperature" and value != "0":
            scores = scores / float(value)
            continue
        if kind == "top_p":
            ascending, ids = torch.sort(scores, descending=False, stable=True)
            before = torch.softmax(ascending, dim=-1).cumsum(dim=-1)
            shown = before[torch.isfinite(ascending)][:-1]  # all is 1, whatever p is
            if ((shown - (1 - float(value))).abs() < CLOSE).any():
                return None
            left_out = before <= 1 - float(value)
            left_out[-1] = False
            masked = torch.zeros_like(left_out).scatter(0, ids, left_out)
        else:
            k = min(value if kind == "top_k" else 1, len(logits))
            masked = scores < torch.topk(scores, k).values[-1]
            if (torch.isfinite(scores) & ~masked).sum() > k:
                return None  # libraries keep ties with the k-th
        if (scores[masked] == scores[~masked].min()).any():
            return None  # equal logits on both sides of the cut
        scores = scores.masked_fill(masked, -math.inf)
    return scores
