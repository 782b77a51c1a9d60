"""Where to look for wrong nuclei (one strategy per group), and what every right answer has."""

from fractions import Fraction
from functools import cache, lru_cache
from itertools import accumulate, combinations
from math import ceil

from hypothesis import strategies as st

UNIT = 10**12  # a decimal has at most 12 places: times UNIT it is an integer
LARGEST = 10**24 - 1  # 999999999999.999999999999 in units

GROUPS = {
    "check_nested": ("normal", "edge"),
    "check_equal_weights": ("minimal", "edge"),
    "check_no_smaller_set": ("normal", "edge"),
    "check_scaling": ("normal",),
    "check_permuted_ids": ("normal",),
    "check_zero_weights_appended": ("edge",),
}


# Strategies


@cache
def _below(bound):
    return st.integers(0, bound - 1)


def _picker(draw):
    """Choices, each a draw of its own: it shrinks by itself, towards the option that is first."""
    return lambda options: options[draw(_below(len(options)))]


def _decimal(units):
    whole, places = divmod(units, UNIT)
    return f"{whole}.{places:012d}".rstrip("0").rstrip(".")


def _input(pick, weights, ps):
    """All-zero weights get a one in front; optional fields are often absent."""
    if not any(weights):
        weights[0] = UNIT
    detail = pick(({}, {"detail": True}, {"detail": False}))
    queries = []
    for p in ps:
        min_keep = pick(range(2 * len(weights)))
        least = {"min_keep": min_keep} if 1 <= min_keep <= len(weights) else {}
        queries.append({"p": _decimal(p)} | least)
    return {"weights": [_decimal(weight) for weight in weights], "queries": queries} | detail


_SMALL_WEIGHTS = st.lists(st.integers(0, 999), min_size=1, max_size=6)
_TINY_WEIGHTS = st.lists(st.integers(0, 20), min_size=1, max_size=6)


@st.composite
def _normal(draw):
    """Up to six weights of up to three digits; p in steps of 1/10, 1/100 or 10**-7."""
    pick = _picker(draw)
    unit, steps = pick((UNIT, UNIT // 100, UNIT // 1000)), pick((10, 100, 10**7))
    weights = draw(_SMALL_WEIGHTS)
    ps = [UNIT // steps * (draw(_below(steps)) + 1) for _ in range(pick((1, 2, 3)))]
    return _input(pick, [unit * w for w in weights], ps)


@st.composite
def _minimal(draw):
    """One or two weights, at most one query."""
    pick = _picker(draw)
    weights = [pick((UNIT, 0, 2 * UNIT, UNIT // 2, 1, LARGEST)) for _ in range(pick((1, 2, 2)))]
    ps = [pick((UNIT, UNIT // 2, UNIT // 2 + 1, 1, UNIT - 1)) for _ in range(pick((0, 1, 1, 1)))]
    return _input(pick, weights, ps)


@st.composite
def _edge(draw):
    """p is the mass of the first tokens exactly, or the nearest decimal below or above it."""
    pick = _picker(draw)
    unit = pick((UNIT, UNIT // 10, UNIT // 1000, 1, 7 * 10**21 + 1))
    if pick((False, False, True)):
        weights = [1] * pick(range(1, 9))
    else:  # one more weight makes the total divide a power of ten: then the boundary is a decimal
        weights = draw(_TINY_WEIGHTS)
        total = next(t for t in (10, 16, 20, 25, 40, 50, 64, 80, 100, 125) if t >= sum(weights))
        weights.append(total - sum(weights))
    prefix = list(accumulate(sorted(weights, reverse=True)))
    ps = []
    for _ in range(pick((1, 2, 3))):
        boundary = pick(prefix) * UNIT // prefix[-1] + pick((0, 1, -1))
        ps.append(min(max(boundary, 1), UNIT))
    return _input(pick, [unit * weight for weight in weights], ps)


_ABSENT = object()
_BAD_DECIMALS = (
    "", "x", ".5", "5.", "+1", "01", " 1", "1 ", "0.5\n", "1e3", "1_0", "1/2", "0x1", "-", "NaN",
    "Infinity", "0.٥", "１", "1000000000000", "0.0000000000001", 1, 0.5, True, None, ["1"], {},
)  # fmt: skip
_BAD_INTEGERS = (1.0, 1e3, 1.5, True, False, None, "1", "", [1], {})
_BAD_FIELDS = (
    ("weights", (_ABSENT, None, "12", {}, 1, [["1"]])),
    ("queries", (_ABSENT, None, "", {}, 1, [None], [[]], ["0.5"], [{}], [{"p": "1", "q": 1}])),
    ("detail", (None, 0, 1, 1.0, "true", [])),
    ("top_p", ("0.5", None)),
)
_BAD_TEXTS = (
    "", "\n", "null", "1", '"weights"', "[]", '[{"weights": ["1"], "queries": []}]', "{}",
    '{"weights": ["1"], "queries": []', '{"weights": ["1"], "queries": []} {}',
    "{'weights': ['1'], 'queries': []}", '{"weights": ["1"], "queries": [],}',
    '{"weights": ["1"], "queries": [{"p": "1", "min_keep": 1e0}]}',
    '{"weights": ["1"], "queries": [{"p": NaN}]}',
    b'{"weights": ["\xff"], "queries": []}', b'{"weights": ["1"], "queries": []}\x80',
)  # fmt: skip


@st.composite
def _failure(draw):
    """A legal input with a fault, often with faults from further down the table as well."""
    pick = _picker(draw)
    code = pick(_CODES)
    given = {"weights": ["3", "2", "1"], "queries": [{"p": "0.5", "min_keep": 1}, {"p": "1"}]}
    also = [later for later in _CODES[_CODES.index(code) + 1 :] if pick((False, False, True))]
    for fault in reversed([code] + also):
        given = _FAULTS[fault](pick, given)
    return given, code


def _malformed(pick, given):
    """A bad decimal or integer in the first or last place, a bad field, or a bad text."""
    kind, place = pick(("weight", "p", "min_keep", "field", "text")), pick((0, -1))
    if kind == "text":
        return pick(_BAD_TEXTS)
    if kind == "weight":
        weights = given["weights"] or ["1"]
        weights[place] = pick(_BAD_DECIMALS)
        return given | {"weights": weights}
    if kind == "field":
        field, values = pick(_BAD_FIELDS)
        bad = given | {field: pick(values)}
        return {name: value for name, value in bad.items() if value is not _ABSENT}
    given["queries"][place][kind] = pick(_BAD_DECIMALS if kind == "p" else _BAD_INTEGERS)
    return given


def _in_query(pick, given, field, values):
    given["queries"][pick((0, 1))][field] = pick(values)
    return given


def _negative_weight(pick, given):
    given["weights"][pick((0, 1, 2))] = pick(("-1", "-6", "-0.000000000001"))
    return given


_BAD_PS = ("0", "-0", "0.000", "-0.5", "1.000000000001", "2")
_BAD_KEEPS = (0, 4, -1, 2**63, -(10**30), 10**999)
_FAULTS = {
    "malformed": _malformed,
    "empty_weights": lambda pick, given: given | {"weights": []},
    "negative_weight": _negative_weight,
    "zero_total": lambda pick, given: given | {"weights": [pick(("0", "-0", "0.0")), "0", "0"]},
    "p_out_of_range": lambda pick, given: _in_query(pick, given, "p", _BAD_PS),
    "min_keep_out_of_range": lambda pick, given: _in_query(pick, given, "min_keep", _BAD_KEEPS),
}
_CODES = tuple(_FAULTS)

normal, minimal, edge, failure = _normal(), _minimal(), _edge(), _failure()


# What the checks read


def _weights(given):
    return _in_units(tuple(given["weights"]))


@lru_cache(maxsize=8)
def _in_units(weights):
    """Every check of an example reads the same weights."""
    return tuple(int(Fraction(weight) * UNIT) for weight in weights)


def _nuclei(given, answer):
    """Per query (name, p, min_keep, result), once the results are known to belong to `given`."""
    queries, results = given["queries"], answer["results"]
    assert len(results) == len(queries), f"{len(queries)} queries, {len(results)} results"
    count, detail = len(given["weights"]), given.get("detail", True)
    for i, (query, result) in enumerate(zip(queries, results)):
        name = f"query {i} (p {query['p']})"
        size, kept = result["size"], result.get("kept", [])
        assert size <= count, f"{name}: size {size} of {count} tokens"
        for token in (result["last"], *kept):
            assert token < count, f"{name}: token {token}, but the last id is {count - 1}"
        if detail:
            for key in ("kept", "renormalized"):
                listed = len(result.get(key, []))
                assert listed == size, f"{name}: size is {size}, {key} has {listed} elements"
        else:
            result = {key: result[key] for key in ("size", "last", "mass")}
        yield name, Fraction(query["p"]), query.get("min_keep", 1), result


def _text(fraction):
    return f"{fraction.numerator}/{fraction.denominator}"


def _units(weights, result):
    """The weight of the kept tokens; where they are not listed, of as many of the heaviest."""
    if "kept" in result:
        return sum(weights[token] for token in result["kept"])
    return sum(sorted(weights, reverse=True)[: result["size"]])


# Checks


def check_shape(given, answer):
    """`size` counts the kept tokens, `last` is the final one; lists only when `detail` is true.

    size 是保留的 token 数，last 是其中最后一个；仅当 detail 为 true 时才有两个列表。
    """
    for (name, _, _, result), printed in zip(_nuclei(given, answer), answer["results"]):
        if "kept" in result:
            end, last = result["kept"][-1], result["last"]
            assert last == end, f"{name}: last is {last}, kept ends with {end}"
        assert printed == result, f"{name}: detail is false, but there is a list"


def check_order(given, answer):
    """Tokens are kept by weight descending, then id ascending, and none of weight zero.

    按权重降序、权重相同按 id 升序保留，中间不跳过任何 token；权重为零的从不保留。
    """
    weights = _weights(given)
    for name, _, _, result in _nuclei(given, answer):
        kept = result.get("kept", [result["last"]])
        for token in kept:
            assert weights[token] > 0, f"{name}: token {token} has weight zero"
        for a, b in zip(kept, kept[1:]):
            assert (-weights[a], a) < (-weights[b], b), f"{name}: token {a} stands before {b}"
        end = (-weights[kept[-1]], kept[-1])
        before = sum((-weight, token) < end for token, weight in enumerate(weights))
        assert before == result["size"] - 1, (
            f"{name}: {before} tokens come before token {kept[-1]}, size is {result['size']}"
        )


def check_mass(given, answer):
    """`mass` is the exact probability of the kept tokens, in lowest terms.

    mass 是所保留 token 的精确概率之和，写成最简分数。
    """
    weights = _weights(given)
    for name, _, _, result in _nuclei(given, answer):
        expected = _text(Fraction(_units(weights, result), sum(weights)))
        assert result["mass"] == expected, f"{name}: expected {expected}, found {result['mass']}"


def check_minimality(given, answer):
    """What is kept is enough for p and for min_keep; without `last` it would not be (or size is 1).

    保留的 token 足以满足 p 和 min_keep；去掉 last 就不够了（或者 size 为 1）。
    """
    weights = _weights(given)
    for name, p, min_keep, result in _nuclei(given, answer):
        size, units = result["size"], _units(weights, result)
        mass = Fraction(units, sum(weights))
        assert mass >= p, f"{name}: the {size} kept tokens have mass {_text(mass)}, below p"
        least = min(min_keep, sum(weight > 0 for weight in weights))
        assert size >= least, f"{name}, min_keep {min_keep}: at least {least}, found size {size}"
        if size > least:
            mass = Fraction(units - weights[result["last"]], sum(weights))
            assert mass < p, f"{name}: size {size}, but without last the mass is {_text(mass)}"


def check_nested(given, answer):
    """With min_keep 1 and p <= q, what p keeps is the beginning of what q keeps.

    min_keep 为 1 且 p <= q 时，p 保留的序列是 q 保留的序列的前缀。
    """
    default = [nucleus for nucleus in _nuclei(given, answer) if nucleus[2] == 1]
    default.sort(key=lambda nucleus: nucleus[1])
    for (name, _, _, small), (bigger, _, _, big) in zip(default, default[1:]):
        sizes = f"sizes {small['size']} and {big['size']}"
        assert small["size"] <= big["size"], f"{name} and {bigger}: {sizes}"
        kept = small.get("kept", [])
        beginning = big.get("kept", [])[: len(kept)]
        assert kept == beginning, f"{name} keeps {kept}, {bigger} begins with {beginning}"


def check_renormalized(given, answer):
    """`renormalized` sums to exactly 1, keeps the ratios of the weights, in lowest terms.

    renormalized 之和恰为 1，保持权重之间的比例，且都是最简分数。
    """
    weights = _weights(given)
    for name, _, _, result in _nuclei(given, answer):
        kept, shares = result.get("kept", []), []
        for token, text in zip(kept, result.get("renormalized", [])):
            n, d = map(int, text.split("/"))
            assert d > 0, f"{name}: token {token} has {text}"
            shares.append(Fraction(n, d))
            lowest = _text(shares[-1])
            assert text == lowest, f"{name}: token {token}: expected {lowest}, found {text}"
            same = shares[-1] * weights[kept[0]] == shares[0] * weights[token]
            assert same, f"{name}: token {token} has {text}, not in the ratio of the weights"
        assert not kept or sum(shares) == 1, f"{name}: renormalized sums to {sum(shares)}"


def check_p_one(given, answer):
    """p = 1 keeps exactly the tokens with positive weight.

    p = 1 恰好保留所有权重为正的 token。
    """
    positive = sum(weight > 0 for weight in _weights(given))
    for name, p, _, result in _nuclei(given, answer):
        if p == 1:
            size = result["size"]
            assert size == positive, f"{name}: {positive} positive tokens, size is {size}"


def check_equal_weights(given, answer):
    """With N equal weights and min_keep 1, size is p * N, rounded up.

    N 个权重相等且 min_keep 为 1 时，size 等于 p * N 向上取整。
    """
    weights = _weights(given)
    if len(set(weights)) == 1:
        for name, p, min_keep, result in _nuclei(given, answer):
            size, expected = result["size"], ceil(p * len(weights))
            if min_keep == 1:
                assert size == expected, f"{name}: size expected {expected}, found {size}"


def check_no_smaller_set(given, answer):
    """With min_keep 1, no set of fewer tokens whatever has mass >= p (all are tried, up to 8).

    min_keep 为 1 时，任何更少 token 的集合概率都小于 p（至多 8 个 token，逐一尝试）。
    """
    weights = _weights(given)
    for name, p, min_keep, result in _nuclei(given, answer):
        if min_keep == 1 and len(weights) <= 8:
            for fewer in combinations(range(len(weights)), result["size"] - 1):
                units = sum([weights[token] for token in fewer])
                enough = units * p.denominator >= p.numerator * sum(weights)
                assert not enough, f"{name}: size {result['size']}, but {fewer} have mass >= p"


def check_scaling(given, answer, run):
    """Seven times the weights: the same answer.

    所有权重乘以 7，答案不变。
    """
    weights = [7 * weight for weight in _weights(given)]
    if max(weights) <= LARGEST:
        scaled = run(given | {"weights": [_decimal(weight) for weight in weights]})
        _assert_same(given, answer["results"], scaled["results"], "weights times 7")


def check_permuted_ids(given, answer, run):
    """When all weights differ, giving them in reverse order only renames the ids.

    权重互不相同时，把它们倒序给出，只会改变 id 的编号。
    """
    last_id = len(given["weights"]) - 1
    if len(set(_weights(given))) == last_id + 1:
        renamed = []
        for _, _, _, result in _nuclei(given, answer):
            renamed.append(result | {"last": last_id - result["last"]})
            if "kept" in result:
                renamed[-1]["kept"] = [last_id - token for token in result["kept"]]
        reverse = run(given | {"weights": given["weights"][::-1]})
        _assert_same(given, renamed, reverse["results"], "weights in reverse order")


def check_zero_weights_appended(given, answer, run):
    """Tokens of weight zero at the end change no answer.

    在末尾追加权重为零的 token，答案不变。
    """
    longer = run(given | {"weights": given["weights"] + ["0", "0"]})
    _assert_same(given, answer["results"], longer["results"], "two zero weights appended")


def _assert_same(given, expected, found, what):
    for results in (expected, found):
        queries = len(given["queries"])
        assert len(results) == queries, f"{what}: {queries} queries, {len(results)} results"
    for i, (one, other) in enumerate(zip(expected, found)):
        for key in sorted(one.keys() | other.keys()):
            a, b = one.get(key), other.get(key)
            assert a == b, f"{what}: query {i}, {key}: expected {a}, found {b}"
