"""Where to look for wrong acceptances (one strategy per group), and what must always hold."""

import json
from fractions import Fraction
from functools import cache
from itertools import accumulate, count, product

from hypothesis import strategies as st

UNIT = 10**12  # a decimal has at most 12 places: times UNIT it is an integer

GROUPS = {
    "check_greedy": ("minimal", "edge"),
    "check_lossless": ("normal", "edge"),
    "check_causality": ("normal", "edge"),
    "check_scaled_rows": ("normal",),
    "check_zero_uniforms": ("normal",),
    "check_forecast_grows": ("minimal",),
}


# Strategies
#
# The simplest option of every choice stands first, and no choice depends on an earlier one (with
# two tokens, the first two of three weights count): so every part of an input shrinks by itself.


@cache
def _below(bound):
    return st.integers(0, bound - 1)


def _picker(draw):
    """Choices, each a draw of its own."""
    return lambda options: options[draw(_below(len(options)))]


@st.composite
def _several(draw, counts, *parts):
    """Lists of tuples. With the length drawn first, the shrinker can take out any item."""
    length = counts[draw(_below(len(counts)))]
    return [draw(item) for item in [st.tuples(*parts)] * length]


def _row(width, values):
    return st.tuples(*[_below(values)] * width)


def _decimal(units):
    whole, places = divmod(units, UNIT)
    return f"{whole}.{places:012d}".rstrip("0").rstrip(".")


def _places(number):
    """4 becomes 0.4 and 433 becomes 0.334: the smaller the number, the shorter the decimal."""
    return "0." + str(number)[::-1] if number else "0"


def _step(positions, bonus, next_uniform):
    """A step; a position is (token, draft row, target row, uniform)."""
    tokens, drafts, targets, uniforms = map(list, zip(*positions)) if positions else ([],) * 4
    return {
        "draft_tokens": tokens,
        "draft_weights": drafts,
        "target_weights": [*targets, bonus],
        "uniforms": uniforms,
        "next_uniform": next_uniform,
    }


def _target(weights):
    return weights if any(weights) else [*weights[:-1], 1]


def _draft(weights, token):
    """A draft row from which the token can have been drawn."""
    return [weight or int(y == token) for y, weight in enumerate(weights)]


def _input(pick, vocab, steps):
    """Fields with a default are often absent."""
    given = {"vocab_size": vocab, "steps": steps}
    eos = pick(("absent", None, "absent", 0, 1, 2, 3))
    if eos != "absent":
        given["eos"] = eos and eos % vocab
    forecast = pick(("absent", None, "given", "given"))
    if forecast == "given":
        acceptance = pick(("0", "1", "0.5", "0.8", "0.25", "-0", "0.333", "0.999999999999"))
        length = pick((1, 2, 3, 4, 5, 8))
        cost = pick((None, "0", "1", "0.1", "2.5", "-0", "0.000000000001", "999999999999"))
        forecast = {"acceptance": acceptance, "draft_length": length, "draft_cost": cost}
    return given if forecast == "absent" else given | {"forecast": forecast}


@st.composite
def _ordinary(draw, width, raw_steps):
    """Small weights and short uniforms."""
    pick = _picker(draw)
    vocab, steps = pick((1, 2, *[width] * 3)), []
    for positions, bonus, next_uniform in draw(raw_steps):
        ready = []
        for token, draft, target, uniform in positions:
            token %= vocab
            draft, target = _draft(draft[:vocab], token), _target(list(target[:vocab]))
            ready.append((token, draft, target, _places(uniform)))
        steps.append(_step(ready, _target(list(bonus[:vocab])), _places(next_uniform)))
    return _input(pick, vocab, steps)


def _raw_steps(steps, drafts, row, uniform):
    return _several(steps, _several(drafts, _below(6), row, row, uniform), row, uniform)


_normal = _ordinary(3, _raw_steps((0, 1, 1, 2, 2), (0, 1, 2, 2, 3, 3), _row(3, 10), _below(1000)))
_minimal = _ordinary(2, _raw_steps((0, 1, 1, 1, 1), (0, 1, 1), _row(2, 3), _below(10)))

_SMALL = (0, 1, 2, 4, 5, 8)
_ROUND = (1, 2, 4, 5, 8, 10, 16, 20, 25, 32, 40)  # they divide UNIT
_UNITS = (1, 1, 1, 10**9 + 7, 2**63 - 1, 7 * 10**29 + 1)
_BORDER_ROW, _NEAR = _row(3, len(_SMALL)), _below(4)
_BORDER_STEPS = _several(
    (0, 1, 1, 1, 2, 2, 2),
    _several((0, 1, 1, 1, 2, 2), _below(6), _BORDER_ROW, _BORDER_ROW, _NEAR, _below(4)),
    _BORDER_ROW,
    st.tuples(_below(6), _below(6), _NEAR),
)


def _rounded(weights):
    """The last weight grows until the total divides a power of ten: then borders are decimals."""
    total = sum(weights)
    return [*weights[:-1], weights[-1] + next(t for t in _ROUND if t >= total) - total]


def _beside(part, whole, near):
    """0, the border part / whole, or the nearest decimal below or above it."""
    border = UNIT * part // whole + (-UNIT, 0, -1, 1)[near]
    return _decimal(min(max(border, 0), UNIT - 1))


def _excess(draft, target):
    """max(target - draft, 0) for every token, in units that are whole."""
    drafts, targets = sum(draft), sum(target)
    return [max(t * drafts - d * targets, 0) for d, t in zip(draft, target)]


@st.composite
def _borders(draw):
    """Uniforms on the border of acceptance, next_uniform on one between two tokens; with a large
    unit and one more, too close to the border for floats."""
    pick = _picker(draw)
    vocab, unit, more, steps = pick((1, 2, 3, 3)), pick(_UNITS), pick((0, 0, 1)), []
    for positions, bonus, (where, y, near) in draw(_BORDER_STEPS):
        ready, bonus = [], _rounded([_SMALL[i] for i in bonus[:vocab]])
        for token, draft, target, nearby, same in positions:
            token %= vocab
            draft = _rounded(_draft([_SMALL[i] for i in draft[:vocab]], token))
            target = draft if same == 3 else _rounded([_SMALL[i] for i in target[:vocab]])
            part, whole = target[token] * sum(draft), draft[token] * sum(target)
            ready.append((token, draft, target, _beside(part, whole, nearby)))
        where %= len(ready) + 1
        weights = bonus if where == len(ready) else _excess(*ready[where][1:3])
        prefix = list(accumulate(weights if any(weights) else bonus))
        steps.append(_step(ready, bonus, _beside(prefix[y % vocab], prefix[-1], near)))
    for step in steps:
        for rows in (step["draft_weights"], step["target_weights"]):
            rows[:] = [
                [unit * row[0] + more, *(unit * weight for weight in row[1:])] for row in rows
            ]
    return _input(pick, vocab, steps)


_SURE_STEPS = _several(
    (0, 1, 1, 2),
    _several((0, 1, 2, 3), _below(6), _below(6), st.booleans(), _below(100)),
    _below(6),
    _below(100),
)


@st.composite
def _sure(draw):
    """The target is sure of one token at every position, often of the drafted one."""
    pick = _picker(draw)
    vocab, steps = pick((1, 2, 3)), []
    for positions, bonus, next_uniform in draw(_SURE_STEPS):
        ready = []
        for token, other, agree, uniform in positions:
            token %= vocab
            best = token if agree else other % vocab
            ready.append((token, _one_hot(vocab, token), _one_hot(vocab, best), _places(uniform)))
        steps.append(_step(ready, _one_hot(vocab, bonus % vocab), _places(next_uniform)))
    return _input(pick, vocab, steps)


def _one_hot(vocab, token):
    return [int(y == token) for y in range(vocab)]


# What must be refused: edits of a small legal input

_LEGAL_STEP = {
    "draft_tokens": [0, 1],
    "draft_weights": [[2, 1, 1], [1, 2, 1]],
    "target_weights": [[1, 1, 2], [1, 1, 2], [1, 1, 1]],
    "uniforms": ["0.9", "0.5"],  # rejects; in the second step "0.1" accepts, which is the eos
    "next_uniform": "0.5",
}
_LEGAL = {
    "vocab_size": 3,
    "steps": [_LEGAL_STEP, _LEGAL_STEP | {"uniforms": ["0.1", "0.5"]}],
    "eos": 0,
    "forecast": {"acceptance": "0.5", "draft_length": 2, "draft_cost": "0.1"},
}
_LEGAL_TEXT = json.dumps(_LEGAL)
_STEPS = (("steps", 0), ("steps", 1))
_ROWS = tuple(
    (*step, *row)
    for step in _STEPS
    for row in (("draft_weights", 0), ("draft_weights", 1), ("target_weights", 0),
                ("target_weights", 2))
)  # fmt: skip
_WEIGHTS = tuple((*row, y) for row in _ROWS for y in (0, 2))
_TOKENS = tuple((*step, "draft_tokens", i) for step in _STEPS for i in (0, 1))
_UNIFORMS = tuple(
    (*step, *place)
    for step in _STEPS
    for place in (("uniforms", 0), ("uniforms", 1), ("next_uniform",))
)
_ACCEPTANCE, _LENGTH, _COST = (("forecast", key) for key in _LEGAL["forecast"])
_INTEGERS = (("vocab_size",), ("eos",), _LENGTH, *_TOKENS, *_WEIGHTS)
_DECIMALS = (_ACCEPTANCE, _COST, *_UNIFORMS)
_MAY_BE_NULL = (("eos",), _COST)
_FIELDS = tuple(("steps", 1, name) for name in _LEGAL_STEP)
_NEEDED = (("vocab_size",), ("steps",), _ACCEPTANCE, _LENGTH, _COST, *_FIELDS)
_LISTS = (("steps",), *_FIELDS[:4], *_ROWS)
_OBJECTS = (("forecast",), *_STEPS)
_GONE = object()

_NO_INTEGERS = (1.0, 1e3, 0.5, True, False, "1", "", [1], {}, None)
_NO_DECIMALS = (
    "", "x", ".5", "5.", "+0.5", "00.5", " 0.5", "0.5 ", "0.5\n", "1e0", "0_1", "1/2", "-", "NaN",
    "0.٥", "０", "1000000000000", "0.0000000000001", 0, 0.5, True, False, ["0.5"], {}, None,
)  # fmt: skip
_TEXTS = (
    "", "\n", "null", "1", "[]", '"steps"', '[{"vocab_size": 1, "steps": []}]', "{}",
    '{"vocab_size": 1, "steps": []', '{"vocab_size": 1, "steps": []} {}',
    "{'vocab_size': 1, 'steps': []}", '{"vocab_size": 1e0, "steps": []}',
    '{"vocab_size": 01, "steps": []}', '{"vocab_size": NaN, "steps": []}',
    b'{"vocab_size": 1, "steps": [], "\xff": 1}', b'{"vocab_size": 1, "steps": []}\x80',
)  # fmt: skip


def _edit(given, path, value):
    *parents, last = path
    for key in parents:
        given = given[key]
    if value is _GONE:
        del given[last]
    else:
        given[last] = value


def _malformed(pick, given):
    kind = pick(("integer", "decimal", "list", "object", "missing", "unknown", "text"))
    if kind == "text":
        return pick(_TEXTS)
    if kind in ("integer", "decimal"):
        path = pick(_INTEGERS if kind == "integer" else _DECIMALS)
        values = _NO_INTEGERS if kind == "integer" else _NO_DECIMALS
        _edit(given, path, pick(values[:-1] if path in _MAY_BE_NULL else values))
    elif kind == "list":
        _edit(given, pick(_LISTS), pick((None, {}, "", "12", 1, True, [None], [{}])))
    elif kind == "object":
        _edit(given, pick(_OBJECTS), pick(([], "", 1, True, {})))
    elif kind == "missing":
        _edit(given, pick(_NEEDED), _GONE)
    else:
        _edit(given, (*pick(((), *_OBJECTS)), pick(("seed", "steps "))), pick((1, None)))
    return given


def _shape_mismatch(pick, given):
    kind = pick(("vocab_size", "shorter", "longer"))
    if kind == "vocab_size":
        return given | {"vocab_size": pick((2, 4, 0, -1, 10**30))}
    step = given["steps"][pick((0, 1))]
    name = pick(("draft_tokens", "draft_weights", "target_weights", "uniforms"))
    items = step[name][-1] if name.endswith("weights") and pick((False, True)) else step[name]
    if kind == "longer":
        items.append(items[0])
    else:
        items.pop()
    return given


def _at(paths, *values):
    def fault(pick, given):
        _edit(given, pick(paths), pick(values))
        return given

    return fault


def _empty_distribution(pick, given):
    _edit(given, pick(_ROWS), [0, 0, 0])
    return given


def _impossible_draft(pick, given):
    """No weight for a drafted token, also behind a rejection or an eos."""
    i = pick((0, 1))
    _edit(given, (*pick(_STEPS), "draft_weights", i, i), 0)
    return given


def _bad_forecast(pick, given):
    path, value = pick(
        (
            (_ACCEPTANCE, "2"), (_ACCEPTANCE, "1.000000000001"), (_ACCEPTANCE, "-0.000000000001"),
            (_LENGTH, 0), (_LENGTH, -1), (_COST, "-1"), (_COST, "-0.000000000001"),
        )
    )  # fmt: skip
    _edit(given, path, value)
    return given


_FAULTS = {
    "malformed": _malformed,
    "shape_mismatch": _shape_mismatch,
    "negative_weight": _at(_WEIGHTS, -1, -(10**30)),
    "empty_distribution": _empty_distribution,
    "token_out_of_range": _at((("eos",), *_TOKENS), 3, -1, 10**30),
    "impossible_draft": _impossible_draft,
    "uniform_out_of_range": _at(_UNIFORMS, "1", "-0.5", "-0.000000000001", "1.0", "2"),
    "bad_forecast": _bad_forecast,
}
_CODES = tuple(_FAULTS)


@st.composite
def _failure(draw):
    """A fault, often with faults from further down the table as well."""
    # Early inputs come in runs that differ in one choice only. What fault there is depends on
    # all choices, which are drawn first: so every code comes up soon.
    dice = draw(st.tuples(*[_below(1000)] * 20))
    code, numbers = sum(dice) % len(_CODES), iter(dice)

    def pick(options):
        return options[next(numbers) % len(options)]

    given, last = json.loads(_LEGAL_TEXT), len(_CODES) - 1
    for later in range(last, max(code, 1), -1):  # no shape fault, it takes places away
        if pick((False, False, True)):
            given = _FAULTS[_CODES[later]](pick, given)
    return _FAULTS[_CODES[code]](pick, given), _CODES[code]


normal, minimal, failure = _normal, _minimal, _failure()
edge = st.one_of(_borders(), _borders(), _borders(), _sure())


# What the checks read


def _steps(given, answer):
    """Per step (name, step, result), once the results are known to belong to `given`."""
    steps, results = given["steps"], answer["steps"]
    assert len(results) == len(steps), f"{len(steps)} steps, {len(results)} results"
    for i, (step, result) in enumerate(zip(steps, results)):
        k, accepted, ending = len(step["draft_tokens"]), result["accepted"], result["ending"]
        assert accepted <= k, f"step {i}: {accepted} accepted out of {k}"
        assert result["emitted"], f"step {i}: nothing is emitted"
        assert len(result["emitted"]) <= k + 1, f"step {i}: more than {k + 1} tokens are emitted"
        for token in result["emitted"]:
            assert token < given["vocab_size"], f"step {i}: token {token} is not in the vocabulary"
        assert ending != "residual" or accepted < k, f"step {i}: residual, but all are accepted"
        yield f"step {i}", step, result


def _positions(step):
    """Per drafted token (token, draft weight, total, target weight, total, uniform)."""
    rows = zip(step["draft_tokens"], step["draft_weights"], step["target_weights"])
    for (token, draft, target), uniform in zip(rows, step["uniforms"]):
        yield token, draft[token], sum(draft), target[token], sum(target), Fraction(uniform)


def _fraction(text, name):
    n, d = map(int, text.split("/"))
    assert d > 0, f"{name} is {text}"
    lowest = _text(Fraction(n, d))
    assert text == lowest, f"{name} is {text}, in lowest terms {lowest}"
    return Fraction(n, d)


def _text(fraction):
    return f"{fraction.numerator}/{fraction.denominator}"


def _same(what, expected, found):
    assert found == expected, f"{what}: expected {expected}, found {found}"


# Checks


def check_emitted(given, answer):
    """`emitted` is the accepted drafts in their order, and one more token unless ending is eos.

    emitted 依次是被接受的草稿 token；除非 ending 为 eos，后面还恰有一个 token。
    """
    for name, step, result in _steps(given, answer):
        accepted, emitted = result["accepted"], result["emitted"]
        _same(f"{name}: emitted begins", step["draft_tokens"][:accepted], emitted[:accepted])
        more = 0 if result["ending"] == "eos" else 1
        _same(f"{name}: tokens after the accepted ones", more, len(emitted) - accepted)


def check_ending(given, answer):
    """bonus: all k are accepted; residual: fewer; eos: the last accepted token is the first eos.
    One acceptance probability for each position up to the deciding one; residual or null.

    bonus：k 个全部接受；residual：不足 k 个；eos：最后接受的 token 是第一个 eos。
    到决定性的位置为止，每个位置一个接受概率；residual 仅在该结局出现，否则为 null。
    """
    eos = given.get("eos")
    for name, step, result in _steps(given, answer):
        accepted, ending = result["accepted"], result["ending"]
        seen = step["draft_tokens"][:accepted]
        if eos is not None and eos in seen:
            _same(f"{name}: eos is accepted, so ending", "eos", ending)
            _same(f"{name}: accepted up to eos", seen.index(eos) + 1, accepted)
        else:
            ending_due = "bonus" if accepted == len(step["draft_tokens"]) else "residual"
            _same(f"{name}: {accepted} accepted, so ending", ending_due, ending)
        decided = accepted + (ending == "residual")
        found = len(result["acceptance_probabilities"])
        _same(f"{name}: number of acceptance probabilities", decided, found)
        there = "null" if result["residual"] is None else "listed"
        _same(f"{name}: residual", "listed" if ending == "residual" else "null", there)


def check_totals(given, answer):
    """`totals` adds up the steps; `mean_emitted` is exact, and null without steps.

    totals 是各步之和；mean_emitted 是精确值，没有步时为 null。
    """
    results = [result for _, _, result in _steps(given, answer)]
    emitted = sum(len(result["emitted"]) for result in results)
    totals = {
        "drafted": sum(len(step["draft_tokens"]) for step in given["steps"]),
        "accepted": sum(result["accepted"] for result in results),
        "emitted": emitted,
        "mean_emitted": _text(Fraction(emitted, len(results))) if results else None,
    }
    for key, value in totals.items():
        _same(key, value, answer["totals"][key])


def check_possible(given, answer):
    """Every emitted token is possible for the target; a residual token has target > draft.

    输出的每个 token 在目标分布中概率都为正；来自残差的 token 满足 target > draft。
    """
    for name, step, result in _steps(given, answer):
        for token, target in zip(result["emitted"], step["target_weights"]):
            assert target[token], f"{name}: token {token} is emitted, target probability 0"
        if result["ending"] == "residual":
            i, token = result["accepted"], result["emitted"][-1]
            assert token != step["draft_tokens"][i], f"{name}: the rejected {token} is emitted"
            draft, target = step["draft_weights"][i], step["target_weights"][i]
            more = target[token] * sum(draft) > draft[token] * sum(target)
            assert more, f"{name}: token {token} is drawn from the residual, but target <= draft"


def check_uniforms_decide(given, answer):
    """A position accepts exactly when uniform × draft(x) < target(x).

    某个位置接受 token，当且仅当 uniform × draft(x) < target(x)。
    """
    for name, step, result in _steps(given, answer):
        decided = result["accepted"] + (result["ending"] == "residual")
        for i, (_, d, drafts, t, targets, uniform) in zip(range(decided), _positions(step)):
            accepts = uniform * d * targets < t * drafts
            what = "accepts" if accepts else "rejects"
            found = "accepts" if i < result["accepted"] else "rejects"
            _same(f"{name}, position {i}", what, found)


def check_acceptance_probabilities(given, answer):
    """Acceptance probabilities are exactly min(1, target(x) / draft(x)).

    接受概率恰为 min(1, target(x) / draft(x))。
    """
    for name, step, result in _steps(given, answer):
        places = enumerate(zip(result["acceptance_probabilities"], _positions(step)))
        for i, (found, (_, d, drafts, t, targets, _)) in places:
            expected = min(Fraction(1), Fraction(t * drafts, d * targets))
            _same(f"{name}, position {i}", _text(expected), found)


def check_equal_rows(given, answer):
    """A token to which target gives at least as much as draft is accepted: with the same rows, all.

    若 target(x) >= draft(x)，token 必被接受；因此两行相同时全部接受。
    """
    for name, step, result in _steps(given, answer):
        if result["ending"] == "residual":
            i = result["accepted"]
            token, d, drafts, t, targets, _ = list(_positions(step))[i]
            less = t * drafts < d * targets
            assert less, f"{name}: token {token} is rejected at position {i}, but target >= draft"


def check_residual(given, answer):
    """`residual` is max(target - draft, 0) at the rejected position, divided by its sum.

    residual 是被拒绝位置上的 max(target - draft, 0) 除以其总和。
    """
    for name, step, result in _steps(given, answer):
        if result["residual"] is not None and result["ending"] == "residual":
            i, listed = result["accepted"], result["residual"]
            _same(f"{name}: length of residual", given["vocab_size"], len(listed))
            excess = _excess(step["draft_weights"][i], step["target_weights"][i])
            assert any(excess), f"{name}: nothing is left, the rows are the same"
            for token, found in enumerate(listed):
                expected = _text(Fraction(excess[token], sum(excess)))
                _same(f"{name}: residual of token {token}", expected, found)


def check_next_token(given, answer):
    """Up to the drawn token the cumulative probability is > next_uniform, before it it is not.

    累计概率到所抽的 token 为止 > next_uniform，在它之前则不然。
    """
    for name, step, result in _steps(given, answer):
        i, token, weights = result["accepted"], result["emitted"][-1], step["target_weights"][-1]
        if result["ending"] == "eos":
            continue
        if result["ending"] == "residual":
            weights = _excess(step["draft_weights"][i], step["target_weights"][i])
        before, mark = sum(weights[:token]), Fraction(step["next_uniform"]) * sum(weights)
        drawn = before <= mark < before + weights[token]
        what = f"next_uniform {step['next_uniform']} does not fall on token {token}"
        assert drawn, f"{name}: {what} of the {result['ending']} distribution"


def check_greedy(given, answer):
    """Where every target row has one possible token, just these tokens come out,
    up to the first that was not drafted, the eos, or the bonus.

    目标分布每行只有一个可能的 token 时，输出恰是这些 token，
    直到第一个与草稿不同的、eos 或奖励 token 为止。
    """
    for name, step, result in _steps(given, answer):
        rows = step["target_weights"]
        if any(sum(map(bool, row)) > 1 for row in rows):
            continue
        expected = []
        for row, drafted in zip(rows, [*step["draft_tokens"], None]):
            expected.append(row.index(max(row)))
            if drafted != expected[-1] or drafted == given.get("eos"):
                break
        _same(f"{name}: emitted", expected, result["emitted"])


def _grid(parts, draft, target):
    """A step for every drafted token and every pair of uniforms out of 0, 1/parts, 2/parts, …"""
    uniforms = [_decimal(UNIT * j // parts) for j in range(parts)]
    drafted = [token for token, weight in enumerate(draft) if weight]
    return [
        _step([(token, draft, target, uniform)], [1] * len(draft), next_uniform)
        for token, uniform, next_uniform in product(drafted, uniforms, uniforms)
    ]


def _is_fair(parts, draft, target):
    """Whether the rows differ and every border of theirs lies on the grid."""
    drafts, targets, excess = sum(draft), sum(target), _excess(draft, target)
    pairs = [(d * targets, t * drafts) for d, t in zip(draft, target) if d]
    return (
        any(excess)
        and not any(parts * min(d, t) % d for d, t in pairs)
        and not any(parts * mass % sum(excess) for mass in accumulate(excess))
    )


def check_lossless(given, run):
    """Over a whole grid of uniforms, with every draft counted by its draft probability, the emitted
    token has exactly the target's distribution (rows of the input, k = 1).

    取输入中的两行，令 k = 1，遍历整个均匀数网格，并以草稿概率为每个草稿 token 加权，
    输出 token 的分布恰为目标分布。
    """
    pairs = [rows for s in given["steps"] for rows in zip(s["draft_weights"], s["target_weights"])]
    grids = ((parts, *rows) for rows in pairs for parts in (2, 4, 5, 8) if _is_fair(parts, *rows))
    parts, draft, target = next(grids, (0, [], []))
    if not parts:
        return
    other = {"vocab_size": len(draft), "steps": _grid(parts, draft, target)}
    weights = [0] * len(draft)
    for _, step, result in _steps(other, run(other)):
        weights[result["emitted"][0]] += draft[step["draft_tokens"][0]]
    for token, weight in enumerate(weights):
        expected = _text(Fraction(target[token], sum(target)))
        found = _text(Fraction(weight, sum(draft) * parts**2))
        _same(f"draft {draft}, target {target}: probability of token {token}", expected, found)


def check_causality(given, answer, run):
    """What stands behind the deciding position changes nothing; behind an eos, neither does
    next_uniform.

    决定性位置之后的内容不影响结果；以 eos 结束时，next_uniform 也不影响结果。
    """
    changed = [_other_tail(step, result) for _, step, result in _steps(given, answer)]
    if changed != given["steps"]:
        found = run(given | {"steps": changed})
        _same_results(given, answer, found, "after a change behind the deciding position")


def _other_tail(step, result):
    """All rows, tokens and uniforms behind the deciding position replaced."""
    rejected, probabilities = result["ending"] == "residual", result["acceptance_probabilities"]
    decided = min(result["accepted"] + rejected, len(probabilities))
    if result["ending"] == "bonus":
        return step
    rest = len(step["draft_tokens"]) - decided
    vocab = len(step["target_weights"][0])
    tail = _step([(0, [1] * vocab, [1] * (vocab - 1) + [2], "0")] * rest, [1] * vocab, "0")
    other = {name: step[name][:decided] + tail[name] for name in list(tail)[:4]}
    unused = "0.5" if step["next_uniform"] == "0" else "0"
    return other | {"next_uniform": step["next_uniform"] if rejected else unused}


def _same_results(given, answer, found, when):
    for (name, _, one), (_, _, other) in zip(_steps(given, answer), _steps(given, found)):
        for key, value in one.items():
            _same(f"{name}, {when}: {key}", value, other[key])


def check_scaled_rows(given, answer, run):
    """Multiplying rows by 2, 3, 4, … changes nothing.

    各行分别乘以 2、3、4……，答案不变。
    """
    factors, scaled = count(2), []
    for step in given["steps"]:
        names = ("draft_weights", "target_weights")
        rows = {
            name: [[factor * w for w in row] for row, factor in zip(step[name], factors)]
            for name in names
        }
        scaled.append(step | rows)
    found = run(given | {"steps": scaled})
    _same_results(given, answer, found, "with rows multiplied")


def check_zero_uniforms(given, answer, run):
    """With all uniforms 0, at least as many are accepted.

    把所有 uniforms 换成 0，接受的 token 不会变少。
    """
    zeros = [step | {"uniforms": ["0"] * len(step["uniforms"])} for step in given["steps"]]
    found = run(given | {"steps": zeros})
    for (name, _, one), (_, _, other) in zip(_steps(given, answer), _steps(given, found)):
        least, accepted = one["accepted"], other["accepted"]
        assert accepted >= least, f"{name}: {least} accepted, with uniforms 0 only {accepted}"


def _forecast(given, answer):
    """(acceptance, draft_length, expected number of tokens); None without a forecast."""
    asked, told = given.get("forecast"), answer["forecast"]
    there, due = told is not None, asked is not None
    assert there == due, f"forecast is {'' if due else 'not '}asked for, found {told}"
    if due:
        emitted = _fraction(told["emitted"], "forecast emitted")
        return Fraction(asked["acceptance"]), asked["draft_length"], emitted
    return None


def check_forecast(given, answer):
    """emitted is 1 + a + … + a^k, between 1 and k + 1; accepted is one less; speedup is emitted
    over k × draft_cost + 1, and null with a reason when the cost was not measured.

    emitted 等于 1 + a + … + a^k，介于 1 与 k + 1 之间；accepted 少 1；speedup 等于 emitted
    除以 k × draft_cost + 1，成本未测量时为 null 并给出原因。
    """
    forecast, told = _forecast(given, answer), answer["forecast"]
    if forecast is None:
        return
    a, k, emitted = forecast
    assert 1 <= emitted <= k + 1, f"forecast emitted {told['emitted']}, not between 1 and {k + 1}"
    closed = k + 1 if a == 1 else (1 - a ** (k + 1)) / (1 - a)
    _same("forecast emitted", _text(Fraction(closed)), told["emitted"])
    _same("forecast accepted", _text(emitted - 1), told["accepted"])
    cost = given["forecast"]["draft_cost"]
    speedup = None if cost is None else _text(emitted / (k * Fraction(cost) + 1))
    _same("speedup", speedup, told["speedup"])
    _same("reason", "cost_not_measured" if cost is None else None, told["reason"])


def check_forecast_grows(given, answer, run):
    """A longer draft or a higher acceptance emits more (with acceptance 0, a longer one as many).

    草稿更长或接受率更高，预期输出就更多（接受率为 0 时，更长也不变）。
    """
    forecast = _forecast(given, answer)
    if forecast is None:
        return
    a, k, emitted = forecast
    higher = _decimal(UNIT - int(UNIT - UNIT * a) // 2)  # half way to 1, or 1
    for change in ({"draft_length": k + 1}, {"acceptance": higher}):
        other = given | {"forecast": given["forecast"] | change}
        _, _, found = _forecast(other, run(other))
        grows = found > emitted if (a if "draft_length" in change else a < 1) else found == emitted
        assert grows, f"forecast emitted {_text(emitted)}, with {change} {_text(found)}"
