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
    due, found = expected["sequences"], answer["sequences"]
    assert sorted(due) == sorted(found), f"sequences {sorted(found)}, not {sorted(due)}"
    for name, entry in due.items():
        assert found[name] == entry, f"sequence {name!r}: expected {entry}, found {found[name]}"
    for key in ("cached", "recomputed"):
        assert answer[key] == expected[key], f"{key}: expected {expected[key]}, found {answer[key]}"


def check_recomputation(given, answer):
    """Everything is as it is without any cache: after each start, append and decoded token, the
    outputs at all positions are computed anew from the tokens.

    一切都与完全没有缓存时相同：每次 start、append 和每解码一个 token 之后，都从 token 重新算出所有
    位置的输出。
    """
    sequences, work, doubled = {}, {"computed": 0, "attended": 0}, {"computed": 0, "attended": 0}

    def whole(tokens, new):
        outputs, seen = _outputs(given, tokens)
        doubled["computed"] += len(seen)
        doubled["attended"] += sum(seen)
        work["computed"] += new
        work["attended"] += sum(seen[len(seen) - new :])
        return outputs[-1]

    for kind, name, argument in given["operations"]:
        if kind == "fork":
            sequences[argument] = sequences[name]
        elif kind == "rollback":
            sequences[name] = sequences[name][: len(sequences[name]) - argument]
        elif kind == "decode":
            for _ in range(argument):
                last = _outputs(given, sequences[name])[0][-1]
                sequences[name] = [*sequences[name], _following(given, last)]
                whole(sequences[name], 1)
        else:
            sequences[name] = [*sequences.get(name, []), *argument]
            whole(sequences[name], len(argument))
    assert sorted(sequences) == sorted(answer["sequences"]), f"not {sorted(sequences)}"
    for name, tokens in sequences.items():
        last = _outputs(given, tokens)[0][-1]
        entry = {
            "tokens": tokens,
            "output": [f"{value.numerator}/{value.denominator}" for value in last],
            "next": _following(given, last),
        }
        found = answer["sequences"][name]
        assert found == entry, f"sequence {name!r}: {found}, without a cache {entry}"
    assert answer["cached"] == work, f"cached: expected {work}, found {answer['cached']}"
    found = answer["recomputed"]
    assert found == doubled, f"recomputed: expected {doubled}, found {found}"


def _states(given, tokens):
    rows = given["positions"]
    pairs = [(given["embed"][token], rows[i % len(rows)]) for i, token in enumerate(tokens)]
    return [[x + y for x, y in zip(*pair)] for pair in pairs]


def _visible(given, i):
    window = given.get("window")
    return range(0 if window is None else max(0, i + 1 - window), i + 1)


def _outputs(given, tokens):
    """(the output at every position, how many positions each of them sees)"""
    states = _states(given, tokens)
    outputs, seen = [], []
    for i, query in enumerate(states):
        places = _visible(given, i)
        scores = [sum(x * y for x, y in zip(query, states[j])) for j in places]
        weights = [1 << score - min(scores) for score in scores]
        columns = zip(*(states[j] for j in places))
        sums = [sum(w * x for w, x in zip(weights, column)) for column in columns]
        outputs.append([Fraction(value, sum(weights)) for value in sums])
        seen.append(len(places))
    return outputs, seen


def _following(given, output):
    products = [sum(x * y for x, y in zip(row, output)) for row in given["embed"]]
    return max(range(len(products)), key=lambda y: (products[y], -y))


def check_float_attention(given, answer):
    """Within 1e-9 of the largest state, the outputs are those of attention in float64 with scores
    times ln 2: torch's scaled_dot_product_attention over the final tokens, or the same formula
    where torch is missing.

    输出与对最终 token 做 float64 注意力（分数乘以 ln 2）之差不超过最大状态的 1e-9：装有 torch 时与
    它的 scaled_dot_product_attention 比较，否则与同一公式的浮点计算比较。
    """
    for name, entry in answer["sequences"].items():
        tokens, output = entry["tokens"], entry["output"]
        fine = tokens and max(tokens) < len(given["embed"])
        assert fine, f"sequence {name!r}: tokens {tokens}, with {len(given['embed'])} rows of embed"
        states = _states(given, tokens)
        attention = _with_floats if torch is None else _with_torch
        due = attention(states, _visible(given, len(tokens) - 1))
        assert len(output) == len(due), f"sequence {name!r}: {len(due)} columns, not {len(output)}"
        largest = max(1, *(abs(x) for row in states for x in row))
        for j, (text, number) in enumerate(zip(output, due)):
            n, d = map(int, text.split("/"))
            assert d > 0, f"sequence {name!r}, component {j}: {text}"
            near = abs(Fraction(n, d) - Fraction(number)) * 10**9 <= largest
            assert near, f"sequence {name!r}, component {j}: {text}, in float64 {number}"


def _with_torch(states, visible):
    """The last position asks; what it does not see is masked."""
    floats = torch.tensor([[float(x) for x in row] for row in states], dtype=torch.float64)
    mask = torch.tensor([[j in visible for j in range(len(states))]])
    attention = torch.nn.functional.scaled_dot_product_attention
    return attention(floats[-1:], floats, floats, attn_mask=mask, scale=LN2).tolist()[0]


def _with_floats(states, visible):
    scores = [sum(x * y for x, y in zip(states[-1], states[j])) for j in visible]
    weights = [exp((score - max(scores)) * LN2) for score in scores]
    columns = zip(*(states[j] for j in visible))
    return [sum(w * x for w, x in zip(weights, column)) / sum(weights) for column in columns]
