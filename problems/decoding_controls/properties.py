"""Where to look for wrong controls (one strategy per group), and what must always hold."""

import json
from fractions import Fraction
from functools import cache
from itertools import accumulate, permutations, product

from hypothesis import strategies as st

UNIT = 10**12  # a decimal has at most 12 places: times UNIT it is an integer
TEMPERATURES = ("1", "2", "0.5", "0")
BASES = {"0.5": 256, "1": 16, "2": 4}  # 4 ** (2 / T): weights are powers of its square root

GROUPS = {
    "check_shifted_logits": ("normal", "edge"),
    "check_greedy": ("minimal", "edge"),
    "check_commuting_steps": ("normal",),
    "check_neutral_steps": ("edge",),
    "check_lower_temperature": ("normal",),
    "check_top_k_first": ("edge",),
    "check_reordered_uniforms": ("normal",),
    "check_metric": ("normal",),
    "check_even_uniforms": ("minimal",),
}


# Strategies
#
# The simplest option of every choice stands first: an input shrinks towards it.


@cache
def _below(bound):
    return st.integers(0, bound - 1)


def _picker(draw):
    """Choices, each a draw of its own."""
    return lambda options: options[draw(_below(len(options)))]


def _decimal(units):
    whole, places = divmod(units, UNIT)
    return f"{whole}.{places:012d}".rstrip("0").rstrip(".")


def _places(number):
    """4 becomes 0.4 and 433 becomes 0.334: the smaller the number, the shorter the decimal."""
    return "0." + str(number)[::-1] if number else "0"


def _beside(part, whole, near):
    """The border part / whole, or the nearest decimal above or below it, in units."""
    return UNIT * part // whole + (0, 1, -1)[near]


def _likeliest(logits):
    return sorted(range(len(logits)), key=lambda i: (-logits[i], i))


def _weights(logits, temperature):
    """Whole weights in the ratio of 4 ** (logit / T)."""
    doublings = BASES.get(temperature, 16).bit_length() // 2
    return [2 ** (doublings * (logit - min(logits))) for logit in logits]


_KINDS = ("top_p", "top_k", "temperature")
_ORDERS = tuple(order for size in range(4) for order in permutations(_KINDS, size))


def _steps(pick, logits, top_p):
    """A strategy; `top_p` gets what is left before it and the temperature there."""
    steps, left, temperature = [], sorted(logits, reverse=True), "1"
    for kind in pick(_ORDERS):
        if kind == "top_k":
            value = pick((1, 2, 3, 2, len(logits), len(logits) + 1, 10**30))
            left = left[:value]
        elif kind == "temperature":
            value = temperature = pick(TEMPERATURES)
        else:
            value = top_p(left, temperature)
        steps.append({kind: value})
    return steps


def _input(pick, logits, strategies, uniforms):
    """Fields with a default are often absent; a comparison has the draws that it needs."""
    given = {"logits": logits, "strategies": strategies, "uniforms": uniforms}
    draws, indices = len(uniforms), range(len(strategies))
    pairs = pick((0, 1, 1, 2)) if indices and draws >= 2 else 0
    compare = [[pick(indices), pick(indices)] for _ in range(pairs)]
    if compare or pick((False, True)):
        given["compare"] = compare
    least = pick(("absent", 2, draws, draws + 1))
    if least != "absent" and least >= 2 and (least <= draws or not compare):
        given["min_draws"] = least
    return given


_LOGITS = st.lists(st.integers(-2, 3), min_size=1, max_size=6)
_PS = ("1", "0.5", "0.9", "0.6", "0.75", "0.3", "0.95", "0.05")


@st.composite
def _normal(draw):
    """Up to six logits, up to three strategies, up to six uniforms."""
    pick, logits = _picker(draw), draw(_LOGITS)
    strategies = [_steps(pick, logits, lambda *_: pick(_PS)) for _ in range(pick((1, 2, 3, 0)))]
    uniforms = [_places(draw(_below(1000))) for _ in range(pick((2, 3, 4, 6, 0, 1)))]
    return _input(pick, logits, strategies, uniforms)


@st.composite
def _minimal(draw):
    """One or two logits, up to two strategies, up to two uniforms."""
    pick = _picker(draw)
    logits = [pick((0, 1, -1)) for _ in range(pick((1, 2, 2)))]
    strategies = [_steps(pick, logits, lambda *_: pick(_PS)) for _ in range(pick((1, 1, 2, 0)))]
    uniforms = [pick(("0", "0.5", "0.8", "0.2", "0.9")) for _ in range(pick((1, 2, 2, 0)))]
    return _input(pick, logits, strategies, uniforms)


_NICE = (  # at some temperature the weights of all or of the first have a total like 5, 10 or 20
    (0, 0), (0, 0, 0, 0), (0,) * 5, (0,) * 8, (1, 0), (1, 1, 0, 0), (3, 1), (2, 1, 1, 0),
    (1, 1, 0), (1, 0, 0, 0), (1, 0, 0, 0, 0), (2, 0, 0, 0, 0), (0,), (0, 0, 0), (3, 2, 1, 0),
    (4, 2, 2, 0, 0),
)  # fmt: skip


@st.composite
def _borders(draw):
    """top_p is what the first tokens have, exactly or but for the last place; uniforms are on
    the borders between tokens; equal logits often stand on both sides of the cut."""
    pick = _picker(draw)
    shape, offset, turn = pick(_NICE), pick((0, -1, 196, -200)), pick(range(8))
    turn %= len(shape)
    logits = [offset + logit for logit in (*shape[turn:], *shape[:turn])]

    def top_p(left, temperature):
        prefix = list(accumulate(_weights(left, temperature)))
        border = _beside(pick(prefix), prefix[-1], pick((0, 0, 1, 2)))
        return _decimal(min(max(border, 1), UNIT))

    def uniform():
        first = sorted(_likeliest(logits)[: pick(range(len(logits), 0, -1))])
        prefix = list(accumulate(_weights([logits[i] for i in first], pick(("1", "2", "0.5")))))
        border = _beside(pick((0, *prefix)), prefix[-1], pick((0, 0, 1, 2)))
        return _decimal(min(max(border, 0), UNIT - 1))

    strategies = [_steps(pick, logits, top_p) for _ in range(pick((1, 1, 2, 3)))]
    uniforms = [uniform() for _ in range(pick((2, 3, 5, 1)))]
    return _input(pick, logits, strategies, uniforms)


_FAR = st.lists(st.sampled_from((0, 30, -200, 200, 199, -199, 26, 100)), min_size=1, max_size=5)
_FAR_PS = ("1", "0.999999999999", "0.5", "0.000000000001")
_FAR_UNIFORMS = ("0", "0.999999999999", "0.5", "0.000000000001", "-0", "0.333333333333")


@st.composite
def _far(draw):
    """Logits so far apart that a float has no room for both."""
    pick, logits = _picker(draw), draw(_FAR)
    strategies = [_steps(pick, logits, lambda *_: pick(_FAR_PS)) for _ in range(pick((1, 2, 3)))]
    uniforms = [pick(_FAR_UNIFORMS) for _ in range(pick((2, 3, 1, 0)))]
    return _input(pick, logits, strategies, uniforms)


# What must be refused: edits of a small legal input

_LEGAL_TEXT = json.dumps(
    {
        "logits": [3, 2, 1, 0],
        "strategies": [
            [{"temperature": "2"}, {"top_k": 2}],
            [{"top_p": "0.6"}, {"temperature": "0.5"}, {"top_k": 3}],
        ],
        "uniforms": ["0", "0.3", "0.6"],
        "compare": [[0, 1], [1, 1]],
        "min_draws": 3,
    }
)
_WARMTHS = (("strategies", 0, 0, "temperature"), ("strategies", 1, 1, "temperature"))
_TOP_KS = (("strategies", 0, 1, "top_k"), ("strategies", 1, 2, "top_k"))
_TOP_PS = (("strategies", 1, 0, "top_p"),)
_UNIFORMS = (("uniforms", 0), ("uniforms", 2))
_LOGIT_PLACES = (("logits", 0), ("logits", 3))
_INDICES = tuple(("compare", *place) for place in product((0, 1), (0, 1)))
_INTEGERS = (*_LOGIT_PLACES, *_TOP_KS, *_INDICES, ("min_draws",))
_DECIMALS = (*_TOP_PS, *_UNIFORMS)
_STRATEGIES = (("strategies", 0), ("strategies", 1))
_PAIRS = (("compare", 0), ("compare", 1))
_LISTS = (("logits",), ("strategies",), ("uniforms",), ("compare",), *_STRATEGIES, *_PAIRS)
_STEPS = (("strategies", 0, 0), ("strategies", 1, 2))
_GONE = object()

_NO_INTEGERS = (1.0, 1e3, 0.5, True, False, "1", "", [1], {}, None)
_NO_DECIMALS = (
    "", "x", ".5", "5.", "+0.5", "00.5", " 0.5", "0.5 ", "0.5\n", "1e0", "0_1", "1/2", "-", "NaN",
    "0.٥", "０", "1000000000000", "0.0000000000001", 0, 0.5, 1, True, False, ["0.5"], {}, None,
)  # fmt: skip
_NO_TEMPERATURES = (
    "1.0", "0.7", "-0", "0.0", "3", "0.50", ".5", "-1", "", "1\n", " 2", "１", 1, 2, 0, 0.5, 1.0,
    True, False, None, ["1"], {},
)  # fmt: skip
_NO_STEPS = (
    {}, {"top_k": 2, "top_p": "0.5"}, {"min_p": "0.1"}, {"Top_k": 2}, {"top_k": 2, "seed": None},
    [], ["top_k", 2], ["top_k"], "top_k", 2, None, True, [{"top_k": 2}],
)  # fmt: skip
_NO_PAIRS = ([], [0], [0, 1, 1], [0, 1, None], {"0": 1}, "01", 0, None)
_TEXTS = (
    "", "\n", "null", "1", "[]", '"logits"', '["logits", "strategies", "uniforms"]', "{}",
    '[{"logits": [0], "strategies": [], "uniforms": []}]',
    '{"logits": [0], "strategies": [], "uniforms": []',
    '{"logits": [0], "strategies": [], "uniforms": []} {}',
    '{"logits": [0], "strategies": [], "uniforms": [],}',
    "{'logits': [0], 'strategies': [], 'uniforms': []}",
    '{"logits": [0e0], "strategies": [], "uniforms": []}',
    '{"logits": [00], "strategies": [], "uniforms": []}',
    '{"logits": [NaN], "strategies": [], "uniforms": []}',
    b'{"logits": [0], "strategies": [], "uniforms": [], "\xff": 1}',
    b'{"logits": [0], "strategies": [], "uniforms": []}\x80',
)  # fmt: skip


def _edit(given, path, value):
    *parents, last = path
    for key in parents:
        given = given[key]
    if value is _GONE:
        del given[last]
    else:
        given[last] = value


_WRONG_VALUES = {
    "integer": (_INTEGERS, _NO_INTEGERS),
    "decimal": (_DECIMALS, _NO_DECIMALS),
    "temperature": (_WARMTHS, _NO_TEMPERATURES),
    "step": (_STEPS, _NO_STEPS),
    "pair": (_PAIRS, _NO_PAIRS),
    "list": (_LISTS, (None, {}, "", "12", 1, True, [None], [{}])),
    "missing": ((("logits",), ("strategies",), ("uniforms",)), (_GONE,)),
    "unknown": ((("seed",), ("top_k",), ("logits ",)), (1, None)),
}


def _malformed(pick, given):
    kind = pick((*_WRONG_VALUES, "text"))
    if kind == "text":
        return pick(_TEXTS)
    paths, values = _WRONG_VALUES[kind]
    _edit(given, pick(paths), pick(values))
    return given


def _at(paths, *values):
    def fault(pick, given):
        _edit(given, pick(paths), pick(values))
        return given

    return fault


def _repeated_step(pick, given):
    """A second step of a kind, the same or another, next to the first or at the end."""
    steps = given["strategies"][pick((0, 1))]
    step = steps[pick((0, 1))]
    other = {"temperature": "1", "top_k": 3, "top_p": "0.7"}
    again = {kind: pick((value, other[kind])) for kind, value in step.items()}
    steps.insert(pick((len(steps), 0, 1)), again)
    return given


def _too_few_draws(pick, given):
    kind = pick(("more wanted", "default", "fewer"))
    if kind == "more wanted":
        return given | {"min_draws": pick((4, 5, 10**30))}
    if kind == "fewer":
        given["uniforms"].pop()
        return given
    del given["min_draws"]
    return given | {"uniforms": pick((["0"], ["0.5"]))}


def _uniform_out_of_range(pick, given):
    bad = pick(("1", "-0.5", "-0.000000000001", "1.0", "2"))
    given["uniforms"][pick((0, -1))] = bad
    return given


_FAULTS = {
    "malformed": _malformed,
    "no_logits": lambda pick, given: given | {"logits": []},
    "logit_out_of_range": _at(_LOGIT_PLACES, 201, -201, 10**30, -(10**30)),
    "repeated_step": _repeated_step,
    "top_k_out_of_range": _at(_TOP_KS, 0, -1, -(10**30)),
    "top_p_out_of_range": _at(_TOP_PS, "0", "-0", "0.000", "-0.5", "1.000000000001", "2"),
    "uniform_out_of_range": _uniform_out_of_range,
    "unknown_strategy": _at(_INDICES, 2, -1, -2, 10**30),
    "min_draws_out_of_range": _at((("min_draws",),), 1, 0, -1, -(10**30)),
    "too_few_draws": _too_few_draws,
}
_CODES = tuple(_FAULTS)


@st.composite
def _failure(draw):
    """A fault, often with faults from further down the table as well."""
    # Early inputs come in runs that differ in one choice only. What fault there is depends on
    # all choices, which are drawn first: so every code comes up soon.
    dice = draw(st.tuples(*[_below(1000)] * 30))
    code, numbers = sum(dice) % len(_CODES), iter(dice)

    def pick(options):
        return options[next(numbers) % len(options)]

    given = json.loads(_LEGAL_TEXT)
    later = [] if code == 0 else [i for i in range(code + 1, len(_CODES)) if pick((0, 0, 1))]
    for other in later[::-1]:
        given = _FAULTS[_CODES[other]](pick, given)
    if code == 0 and pick((False, True)):  # one that leaves all places where they are
        given = _FAULTS[pick(("logit_out_of_range", "top_k_out_of_range"))](pick, given)
    return _FAULTS[_CODES[code]](pick, given), _CODES[code]


normal, minimal, failure = _normal(), _minimal(), _failure()
edge = st.one_of(_borders(), _borders(), _borders(), _far())


# What the checks read


def _results(given, answer):
    """Per strategy (name, steps, result), once the results are known to belong to `given`."""
    strategies, results = given["strategies"], answer["strategies"]
    assert len(results) == len(strategies), f"{len(strategies)} strategies, {len(results)} results"
    pairs, found = len(given.get("compare", [])), len(answer["comparisons"])
    assert found == pairs, f"{pairs} pairs to compare, {found} comparisons"
    last = len(given["logits"]) - 1
    for i, result in enumerate(results):
        name, kept, draws = f"strategy {i}", result["kept"], result["draws"]
        for a, b in zip([-1, *kept], [*kept, last + 1]):
            assert a < b, f"{name}: kept must be ascending ids from 0 to {last}, found {kept}"
        for key in ("probabilities", "counts"):
            _same(f"{name}: length of {key}", len(kept), len(result[key]))
        _same(f"{name}: number of draws", len(given["uniforms"]), len(draws))
        for token in draws:
            assert token in kept, f"{name}: token {token} is drawn, kept are {kept}"
    for i, (steps, result) in enumerate(zip(strategies, results)):
        yield f"strategy {i}", steps, result


def _fraction(text, name):
    n, d = map(int, text.split("/"))
    assert d > 0, f"{name} is {text}"
    lowest = _text(Fraction(n, d))
    assert text == lowest, f"{name} is {text}, in lowest terms {lowest}"
    return Fraction(n, d)


def _probabilities(name, result):
    texts = zip(result["kept"], result["probabilities"])
    return [_fraction(text, f"{name}: probability of token {token}") for token, text in texts]


def _text(fraction):
    return f"{fraction.numerator}/{fraction.denominator}"


def _same(what, expected, found):
    assert found == expected, f"{what}: expected {expected}, found {found}"


def _value(steps, kind, default=None):
    return next((step[kind] for step in steps if kind in step), default)


def _place(steps, kind):
    return next((i for i, step in enumerate(steps) if kind in step), None)


# Checks


def check_beginning(given, answer):
    """The kept ids are a beginning of the order: whoever is left out comes after all of them.

    保留的 id 是排序的一个前缀：被去掉的 token 都排在它们之后。
    """
    order = _likeliest(given["logits"])
    for name, _, result in _results(given, answer):
        expected = sorted(order[: len(result["kept"])])
        _same(f"{name}: the first {len(expected)} of the order", expected, result["kept"])


def check_sizes(given, answer):
    """top_k keeps at most k, and exactly k without top_p (all, when there are fewer);
    temperature 0 keeps one; without such steps all are kept.

    top_k 至多保留 k 个，没有 top_p 时恰为 k 个（不足 k 个则全部保留）；温度 0 只保留一个；
    没有这些步骤时全部保留。
    """
    for name, steps, result in _results(given, answer):
        size, most = len(result["kept"]), len(given["logits"])
        most = min(most, _value(steps, "top_k", most))
        if _value(steps, "temperature") == "0":
            most = 1
        assert size <= most, f"{name}: at most {most} are left, kept {size}"
        if _place(steps, "top_p") is None:
            _same(f"{name} without top_p: number of kept tokens", most, size)


def check_top_p(given, answer):
    """What top_p keeps has at least p of what was left before it; without its last token, less.

    top_p 保留的部分在它之前剩下的 token 中至少占 p；去掉最后一个就不足 p。
    """
    order = _likeliest(given["logits"])
    for name, steps, result in _results(given, answer):
        place, size = _place(steps, "top_p"), len(result["kept"])
        if place is None or _value(steps, "temperature") == "0":
            continue
        left = order[: _value(steps[:place], "top_k", len(order))]
        cut = _value(steps[place:], "top_k", len(order) + 1)
        weights = _weights([given["logits"][i] for i in left], _value(steps[:place], "temperature"))
        p, total, mass = Fraction(steps[place]["top_p"]), sum(weights), sum(weights[:size])
        told = f"{name} keeps {size} of {len(left)} tokens, {_text(Fraction(mass, total))} of them"
        if size < cut:
            assert mass >= p * total, f"{told}; p is {steps[place]['top_p']}"
        if 1 < size <= len(left):
            rest = Fraction(mass - weights[size - 1], total)
            assert rest < p, f"{told}; without the last {_text(rest)} would do for p"


def check_probabilities(given, answer):
    """Probabilities sum to exactly 1, in the ratio 4^(l/T) with the last T, in lowest terms.

    概率之和恰为 1，相互之比为 4^(l/T)（T 取最后设定的温度），都是最简分数。
    """
    for name, steps, result in _results(given, answer):
        kept, found = result["kept"], _probabilities(name, result)
        assert sum(found) == 1, f"{name}: probabilities sum to {_text(sum(found))}"
        weights = _weights([given["logits"][i] for i in kept], _value(steps, "temperature"))
        for token, weight, text in zip(kept, weights, result["probabilities"]):
            due = _text(Fraction(weight, sum(weights)))
            _same(f"{name}: probability of token {token}", due, text)


def check_counts(given, answer):
    """Each kept id has the number of its draws; together they are as many as the uniforms.

    每个保留的 id 都有它被抽中的次数；次数之和等于均匀数的个数。
    """
    for name, _, result in _results(given, answer):
        for token, count in zip(result["kept"], result["counts"]):
            _same(f"{name}: count of token {token}", result["draws"].count(token), count)


def check_draws(given, answer):
    """In id order, the cumulative probability up to the drawn token is > u, before it it is not.

    按 id 顺序累加，到所抽的 token 为止累计概率 > u，在它之前则不然。
    """
    for name, _, result in _results(given, answer):
        ends = list(accumulate(_probabilities(name, result)))
        before = dict(zip(result["kept"], [Fraction(0), *ends]))
        upto = dict(zip(result["kept"], ends))
        for i, (text, token) in enumerate(zip(given["uniforms"], result["draws"])):
            falls = before[token] <= Fraction(text) < upto[token]
            span = f"[{_text(before[token])}, {_text(upto[token])})"
            assert falls, f"{name}, draw {i}: u = {text} draws token {token}, which has {span}"


def check_distance(given, answer):
    """distance is half the sum of |count / draws - probability|, below 1; null without draws.

    distance 是 |次数/抽取数 - 概率| 之和的一半，小于 1；没有抽取时为 null。
    """
    draws = len(given["uniforms"])
    for name, _, result in _results(given, answer):
        told = result["distance"]
        if not draws:
            _same(f"{name}: distance without draws", None, told)
            continue
        assert told is not None, f"{name}: distance is null, but there are draws"
        assert _fraction(told, f"{name}: distance") < 1, f"{name}: distance is {told}, not below 1"
        pairs = zip(result["counts"], _probabilities(name, result))
        due = sum(abs(Fraction(count, draws) - p) for count, p in pairs) / 2
        _same(f"{name}: distance", _text(due), told)


def check_comparisons(given, answer):
    """exact and observed are half the sum of the differences of probabilities and of counts /
    draws, over all ids; what is not kept counts 0.

    exact 和 observed 分别是概率之差与频率（次数/抽取数）之差的绝对值之和的一半，遍历所有 id；
    未保留的 id 按 0 计。
    """
    draws, tables = len(given["uniforms"]), []
    for name, _, result in _results(given, answer):
        shares = [Fraction(count, draws) if draws else None for count in result["counts"]]
        exact = dict(zip(result["kept"], _probabilities(name, result)))
        tables.append({"exact": exact, "observed": dict(zip(result["kept"], shares))})
    for (a, b), told in zip(given.get("compare", []), answer["comparisons"]):
        for key, text in told.items():
            one, other = tables[a][key], tables[b][key]
            ids = one.keys() | other.keys()
            due = sum(abs(one.get(i, 0) - other.get(i, 0)) for i in ids) / Fraction(2)
            _same(f"strategies {a} and {b}: {key}", _text(due), text)


def _same_results(given, answer, found, when, keys=("kept", "probabilities", "draws", "distance")):
    for (name, _, one), (_, _, other) in zip(_results(given, answer), _results(given, found)):
        for key in keys:
            _same(f"{name}, {when}: {key}", one[key], other[key])


def check_shifted_logits(given, answer, run):
    """Adding the same number to all logits changes nothing.

    所有 logit 加上同一个数，答案不变。
    """
    logits = given["logits"]
    shift = 200 - max(logits) or -200 - min(logits)
    found = run(given | {"logits": [logit + shift for logit in logits]})
    _same_results(given, answer, found, f"with logits {shift} higher")
    _same("comparisons", answer["comparisons"], found["comparisons"])


def _alone(given, *strategies):
    """The same logits and uniforms under other strategies, and nothing to compare."""
    names = ("logits", "uniforms")
    return {name: given[name] for name in names} | {"strategies": list(strategies)}


def check_greedy(given, run):
    """Temperature 0 alone is the same as top_k 1 alone: the first of the order, for certain.

    单独的温度 0 与单独的 top_k 1 相同：必定是排序中的第一个。
    """
    other = _alone(given, [{"temperature": "0"}], [{"top_k": 1}])
    for steps, (_, _, result) in zip(("temperature 0", "top_k 1"), _results(other, run(other))):
        _same(f"{steps}: kept", _likeliest(given["logits"])[:1], result["kept"])
        _same(f"{steps}: probabilities", ["1/1"], result["probabilities"])


def check_commuting_steps(given, answer, run):
    """temperature and top_k next to each other may change places.

    相邻的 temperature 与 top_k 交换位置，答案不变。
    """
    swapped = [list(steps) for steps in given["strategies"]]
    for steps in swapped:
        for i, (one, other) in enumerate(zip(steps, steps[1:])):
            if {*one, *other} == {"temperature", "top_k"}:
                steps[i : i + 2] = [other, one]
                break
    if swapped != given["strategies"]:
        found = run(given | {"strategies": swapped})
        _same_results(given, answer, found, "with temperature and top_k exchanged")


def check_neutral_steps(given, answer, run):
    """temperature 1 and top_k = number of logits in front, top_p 1 at the end, each where there is
    no such step, change nothing.

    没有同类步骤时，在最前面加温度 1 和等于 logit 个数的 top_k、在末尾加 top_p 1，答案不变。
    """
    longer = []
    for steps in given["strategies"]:
        front = [{"temperature": "1"}, {"top_k": len(given["logits"])}]
        front = [step for step in front if all(_place(steps, kind) is None for kind in step)]
        end = [{"top_p": "1"}] if _place(steps, "top_p") is None else []
        longer.append([*front, *steps, *end])
    if longer != given["strategies"]:
        found = run(given | {"strategies": longer})
        _same_results(given, answer, found, "with steps that change nothing")


def check_lower_temperature(given, run):
    """In [temperature, top_p] a lower temperature never keeps more.

    在 [temperature, top_p] 中，温度更低时保留的 token 不会变多。
    """
    ps = [_value(steps, "top_p") for steps in given["strategies"]]
    p = next(filter(None, ps), "0.9")
    warmths = ("0", "0.5", "1", "2")
    other = _alone(given, *([{"temperature": t}, {"top_p": p}] for t in warmths))
    sizes = [len(result["kept"]) for _, _, result in _results(other, run(other))]
    message = f"temperatures {', '.join(warmths)}, then top_p {p}: kept {sizes}"
    assert sizes == sorted(sizes), message


def check_top_k_first(given, run):
    """[top_k, top_p] keeps nothing that [top_p, top_k] does not keep.

    [top_k, top_p] 保留的 token，[top_p, top_k] 也都保留。
    """
    for steps in given["strategies"]:
        masks = [step for step in steps if "temperature" not in step]
        if len(masks) == 2:
            masks.sort(key=lambda step: "top_p" in step)
            other = _alone(given, masks, masks[::-1])
            kept = [set(result["kept"]) for _, _, result in _results(other, run(other))]
            told = f"{masks} keeps {sorted(kept[0])}, the other way round {sorted(kept[1])}"
            assert kept[0] <= kept[1], told
            return


def check_reordered_uniforms(given, answer, run):
    """The uniforms in reverse order give the draws in reverse order, and change nothing else.

    把均匀数倒序，抽取结果随之倒序，其余不变。
    """
    found = run(given | {"uniforms": given["uniforms"][::-1]})
    keys = ("kept", "probabilities", "counts", "distance")
    _same_results(given, answer, found, "with uniforms in reverse order", keys)
    for (name, _, one), (_, _, other) in zip(_results(given, answer), _results(given, found)):
        _same(f"{name}: draws in reverse order", one["draws"][::-1], other["draws"])
    _same("comparisons", answer["comparisons"], found["comparisons"])


def check_metric(given, run):
    """Both distances of strategies are symmetric, at most 1, 0 from a strategy to itself, and
    obey the triangle inequality.

    策略间的两种距离都对称，不超过 1，到自身为 0，并满足三角不等式。
    """
    strategies = given["strategies"][:3]
    pairs = list(product(range(len(strategies)), repeat=2))
    other = _alone(given | {"uniforms": [*given["uniforms"], "0", "0.5"]}, *strategies)
    other["compare"] = [list(pair) for pair in pairs]
    answer = run(other)
    found = len(answer["comparisons"])
    assert found == len(pairs), f"{len(pairs)} pairs to compare, {found} comparisons"
    for key in ("exact", "observed"):
        texts = [told[key] for told in answer["comparisons"]]
        far = {p: _fraction(text, f"{key} of {p}") for p, text in zip(pairs, texts)}
        for a, b in pairs:
            _same(f"{key} of strategy {b} and {a}", far[a, b], far[b, a])
            assert far[a, b] <= 1, f"{key} of {a} and {b} is {far[a, b]}"
            assert a != b or far[a, b] == 0, f"{key} of strategy {a} and itself is {far[a, b]}"
            for c in range(len(strategies)):
                way = far[a, c] + far[c, b]
                assert far[a, b] <= way, f"{key} of {a} and {b} is more than by way of {c}"


def check_even_uniforms(given, run):
    """With V equal logits, no step and uniforms 0/n, 1/n, … (n a multiple of V), distance is 0.

    V 个相等的 logit、没有步骤、均匀数为 0/n、1/n、……（n 是 V 的倍数）时，distance 为 0。
    """
    logit, tokens = given["logits"][0], 4 * len(given["logits"])
    parts = tokens * (1 + len(given["uniforms"]) % 2)
    uniforms = [_decimal(UNIT * i // parts) for i in range(parts)]
    other = {"logits": [logit] * tokens, "uniforms": uniforms, "strategies": [[]]}
    for _, _, result in _results(other, run(other)):
        _same(f"{tokens} equal logits, {parts} even uniforms: distance", "0/1", result["distance"])
