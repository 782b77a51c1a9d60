"""Where to look for wrong counts (one strategy per group), and what must always hold."""

import json
from fractions import Fraction
from functools import cache

from hypothesis import strategies as st

GROUPS = {
    "check_counted_pairs": ("normal", "minimal", "edge"),
    "check_twice_as_long": ("normal", "edge"),
    "check_prefix_and_rest": ("normal", "edge"),
    "check_other_chunks": ("edge",),
    "check_idle_windows": ("minimal", "edge"),
    "check_wider_windows": ("normal",),
    "check_multiples": ("normal",),
    "check_groups_of_layers": ("normal",),
    "check_prompts_apart": ("normal",),
}


# Strategies
#
# The simplest option of every choice stands first, and no choice depends on an earlier one: so
# every part of an input shrinks by itself. A prompt is drawn as its cached tokens and its chunks;
# the length is their sum, and the chunks are not always shown.


@cache
def _below(bound):
    return st.integers(0, bound - 1)


@st.composite
def _several(draw, counts, *parts):
    """Lists of tuples. With the length drawn first, the shrinker can take out any item."""
    length = counts[draw(_below(len(counts)))]
    return [draw(item) for item in [st.tuples(*parts)] * length]


_SHOWN = ("absent", "chunks", "absent", "null", "chunks")


def _prompt(cached, chunks, shown, says_zero):
    chunks = chunks if cached or chunks else [1]
    prompt = {"length": cached + sum(chunks)}
    if cached or says_zero:
        prompt["cached"] = cached
    if _SHOWN[shown] != "absent":
        prompt["chunks"] = chunks if _SHOWN[shown] == "chunks" else None
    return prompt


def _input(query_heads, kv_bytes, layers, prompts):
    groups = [{"count": count, "window": window} for count, window in layers]
    return {"query_heads": query_heads, "kv_bytes": kv_bytes, "layers": groups, "prompts": prompts}


_CACHED = (0, 0, 1, 0, 4, 16, 30)
_UNITS = (1, 1, 1, 1, 1, 100)


@st.composite
def _ordinary(draw):
    """A few prompts of some dozens of tokens, sometimes some thousands; a few groups of layers."""
    heads, each, unit = draw(st.tuples(_below(4), _below(4), _below(len(_UNITS))))
    layers = draw(_several((1, 1, 2, 3), _below(5), _below(2), _below(40)))
    raw = (_below(len(_CACHED)), _several((1, 0, 1, 2, 3), _below(20)), _below(5), _below(2))
    prompts = draw(_several((1, 2, 1, 3, 2), *raw))
    unit = _UNITS[unit]
    return _input(
        (1, 2, 8, 32)[heads],
        (1, 2, 512, 4096)[each],
        [(count + 1, unit * (width + 1) if limited else None) for count, limited, width in layers],
        [
            _prompt(unit * _CACHED[cached], [unit * (size + 1) for (size,) in chunks], *rest)
            for cached, chunks, *rest in prompts
        ],
    )


@st.composite
def _smallest(draw):
    """Ones and twos, at most one prompt of at most two chunks."""
    heads, each = draw(st.tuples(_below(2), _below(2)))
    layers = draw(_several((1, 1, 1, 2), _below(2), _below(4)))
    raw = (_below(3), _several((1, 1, 0, 2), _below(2)), _below(5), _below(2))
    prompts = draw(_several((1, 1, 1, 1, 0), *raw))
    return _input(
        heads + 1,
        each + 1,
        [(count + 1, (None, 1, 2, 3)[window]) for count, window in layers],
        [
            _prompt(cached, [size + 1 for (size,) in chunks], *rest)
            for cached, chunks, *rest in prompts
        ],
    )


_SIZES = (1, 2, 3, 1, 5, 8)
_HUGE = (1, 1, 1, 2**53 + 1, 10**15, 2**63 - 1, 7 * 10**29 + 1)
_FACTORS = (1, 1, 3, 2**31 - 1, 2**53 + 1)


def _borders(prompt):
    """Where a window makes a difference: at the prefix, the first chunk, the end, twice that."""
    cached, length = prompt.get("cached", 0), prompt["length"]
    first = cached + (prompt.get("chunks") or [length - cached])[0]
    return (length, 2 * length, first, cached)


@st.composite
def _bordering(draw):
    """Windows on the borders of the prompts and one position to either side; huge numbers."""
    heads, each, unit = draw(st.tuples(_below(5), _below(5), _below(len(_HUGE))))
    layers = draw(_several((1, 1, 2, 3), _below(3), _below(6), _below(3), _below(3)))
    chunk = (_below(len(_SIZES)), _below(2))
    raw = (_below(8), _several((1, 1, 2, 0, 3), *chunk), _below(5), _below(2))
    raw_prompts = draw(_several((1, 1, 2, 3), *raw))
    unit, prompts = _HUGE[unit], []
    for cached, chunks, *rest in raw_prompts:
        sizes = [max(1, unit * _SIZES[size] - less) for size, less in chunks]
        prompts.append(_prompt(unit * (0, 0, 1, 4, 0, 2, 9, 3)[cached], sizes, *rest))
    windows = []
    for count, border, offset, which in layers:
        places = (*_borders(prompts[which % len(prompts)]), None, 1)
        place = places[border]
        window = None if place is None else max(1, place + (0, -1, 1)[offset])
        windows.append((count + 1, window))
    return _input(_FACTORS[heads], _FACTORS[each], windows, prompts)


# What must be refused: edits of a small legal input

_LEGAL = {
    "query_heads": 2,
    "kv_bytes": 16,
    "layers": [{"count": 1, "window": None}, {"count": 2, "window": 4}],
    "prompts": [
        {"length": 9, "cached": 2, "chunks": [3, 4]},
        {"length": 5, "cached": 0, "chunks": None},
        {"length": 4, "cached": 4, "chunks": []},
        {"length": 6, "chunks": [1, 5]},
    ],
}
_LEGAL_TEXT = json.dumps(_LEGAL)
_LAYERS = (("layers", 0), ("layers", 1))
_PROMPTS = tuple(("prompts", i) for i in range(4))
_CHUNKS = (("prompts", 0, "chunks"), ("prompts", 3, "chunks"))
_COUNTS = tuple((*layer, "count") for layer in _LAYERS)
_WINDOWS = tuple((*layer, "window") for layer in _LAYERS)
_LENGTHS = tuple((*prompt, "length") for prompt in _PROMPTS)
_CACHES = tuple((*prompt, "cached") for prompt in _PROMPTS)
_FROM_ONE = (("query_heads",), ("kv_bytes",), *_COUNTS, *_WINDOWS, *_LENGTHS)
_FROM_ONE += tuple((*chunks, i) for chunks in _CHUNKS for i in range(2))
_NEEDED = (("query_heads",), ("kv_bytes",), ("layers",), ("prompts",))
_NEEDED += (*_COUNTS, *_WINDOWS, *_LENGTHS)
_LISTS = (("layers",), ("prompts",), *((*prompt, "chunks") for prompt in _PROMPTS))
_GONE = object()

_NO_INTEGERS = (1.0, 1e3, 0.5, True, False, "1", "", [1], {}, [], None)
_TEXTS = (
    "", "\n", "null", "1", "[]", '"prompts"', "{}",
    '[{"query_heads": 1, "kv_bytes": 1, "layers": [{"count": 1, "window": null}], "prompts": []}]',
    '["query_heads", "kv_bytes", "layers", "prompts"]',
    _LEGAL_TEXT[:-1], _LEGAL_TEXT + "{}", _LEGAL_TEXT + ",", _LEGAL_TEXT.replace('"', "'"),
    _LEGAL_TEXT + "\f", "\u00a0" + _LEGAL_TEXT, _LEGAL_TEXT.replace(": 9", ": 09"),
    _LEGAL_TEXT.replace(": 9", ": +9"), _LEGAL_TEXT.replace(": 9", ": NaN"),
    _LEGAL_TEXT.replace(": 9", ": \u0669"), _LEGAL_TEXT.replace("[3, 4]", "[3, 4,]"),
    _LEGAL_TEXT.encode("utf-16-le"), _LEGAL_TEXT.encode() + b"\x80",
)  # fmt: skip


def _edit(given, path, value):
    *parents, last = path
    for key in parents:
        given = given[key]
    if value is not _GONE:
        given[last] = value
    else:
        del given[last]


def _malformed(pick, given):
    kind = pick(("integer", "list", "object", "missing", "unknown", "text", "integer"))
    if kind == "text":
        return pick(_TEXTS)
    if kind == "integer":
        path = pick((*_FROM_ONE, *_CACHES))
        _edit(given, path, pick(_NO_INTEGERS[:-1] if path in _WINDOWS else _NO_INTEGERS))
    elif kind == "list":
        path, values = pick(_LISTS), ({}, "", "12", 0, False, True, {"0": 1}, None)
        _edit(given, path, pick(values[:-1] if path[-1] == "chunks" else values))
    elif kind == "object":
        _edit(given, pick((*_LAYERS, *_PROMPTS)), pick(([], "", 1, True, None, {}, [1, None])))
    elif kind == "missing":
        _edit(given, pick(_NEEDED), _GONE)
    else:
        place = pick(((), *_LAYERS, *_PROMPTS))
        _edit(given, (*place, pick(("seed", "length "))), pick((1, None)))
    return given


def _out_of_range(pick, given):
    low, places = pick((0, -1, -(10**30))), (*_FROM_ONE, *_CACHES, ("layers",))
    path = pick(places)
    if path in _CACHES:
        _edit(given, path, min(low, -1))
    else:
        _edit(given, path, [] if path == ("layers",) else low)
    return given


def _cached_too_long(pick, given):
    prompt = given["prompts"][pick(range(4))]
    prompt["cached"] = prompt["length"] + pick((1, 1, 2, 10**30))
    return given


def _chunks_do_not_add_up(pick, given):
    place = pick(range(4))
    prompt, by = given["prompts"][place], pick((1, -1, 2, 10**30))
    if place == 1:
        prompt["chunks"] = pick(([], [4], [6], [1, 2, 3], [5, 5]))
    elif place == 2:
        prompt["chunks"] = pick(([1], [4], [10**30]))
    elif pick((False, True)):
        prompt["chunks"].append(max(by, 1))
    else:
        prompt["chunks"][1] += by
    return given


_FAULTS = {
    "malformed": _malformed,
    "out_of_range": _out_of_range,
    "cached_too_long": _cached_too_long,
    "chunks_do_not_add_up": _chunks_do_not_add_up,
}
_CODES = tuple(_FAULTS)


@st.composite
def _refused(draw):
    """A fault, often with faults from further down the table as well."""
    # Early inputs come in runs that differ in one choice only. What fault there is depends on
    # all choices, which are drawn first: so every code comes up soon.
    dice = draw(st.tuples(*[_below(1000)] * 16))
    code, numbers = sum(dice) % len(_CODES), iter(dice)

    def pick(options):
        return options[next(numbers) % len(options)]

    given, last = json.loads(_LEGAL_TEXT), len(_CODES) - 1
    for later in range(last, code, -1):
        if pick((False, False, True)):
            given = _FAULTS[_CODES[later]](pick, given)
    if not given["layers"]:  # or nothing could be planted there
        given["layers"] = [{"count": 0, "window": None}, {"count": 1, "window": 0}]
    return _FAULTS[_CODES[code]](pick, given), _CODES[code]


normal, minimal, edge, failure = _ordinary(), _smallest(), _bordering(), _refused()


# What the checks read


def _prompts(given, answer):
    """Per prompt (name, prompt, result), once the results can belong to `given`.

    Every new token sees itself in every layer, and every layer keeps at least one token: that
    stops answers that depend on nothing.
    """
    prompts, results = given["prompts"], answer["prompts"]
    assert len(results) == len(prompts), f"{len(prompts)} prompts, {len(results)} results"
    layers = _layers(given)
    for i, (prompt, result) in enumerate(zip(prompts, results)):
        least = layers * _new(prompt)
        found = result["pairs"]
        assert (found > 0) == (least > 0) and found >= least, (
            f"prompt {i}: {found} pairs, but each of {_new(prompt)} new tokens sees itself"
            f" in each of {layers} layers"
        )
        kept = result["kv_bytes"]
        assert kept >= layers, f"prompt {i}: kv_bytes {kept}, but {layers} layers keep a token each"
    return [(f"prompt {i}", *pair) for i, pair in enumerate(zip(prompts, results))]


def _chunked(given, answer):
    """Per prompt with chunks (name, result, chunks, chunk_pairs), one for each."""
    for name, prompt, result in _prompts(given, answer):
        chunks, found = prompt.get("chunks"), result["chunk_pairs"]
        if chunks is None:
            assert found is None, f"{name}: no chunks, but chunk_pairs is {found}"
            continue
        assert found is not None, f"{name}: chunks is {chunks}, but chunk_pairs is null"
        _same(f"{name}, chunks {chunks}: entries of chunk_pairs", len(chunks), len(found))
        yield name, result, chunks, found


def _layers(given):
    return sum(group["count"] for group in given["layers"])


def _new(prompt):
    return prompt["length"] - prompt.get("cached", 0)


def _windows(given):
    return [group["window"] for group in given["layers"]]


def _fraction(text, name):
    n, d = map(int, text.split("/"))
    assert d > 0, f"{name} is {text}"
    lowest = _text(Fraction(n, d))
    assert text == lowest, f"{name} is {text}, in lowest terms {lowest}"
    return Fraction(n, d)


def _text(number):
    value = Fraction(number)
    return f"{value.numerator}/{value.denominator}"


def _same(what, expected, found):
    assert found == expected, f"{what}: expected {_shown(expected)}, found {_shown(found)}"


def _shown(value):
    return "null" if value is None else value


FIGURES = ("new_tokens", "pairs", "chunk_pairs", "kv_bytes", "pairs_ratio", "kv_ratio")
TOTALS = ("total_pairs", "total_kv_bytes")


def _same_results(given, answer, found, when, but=()):
    """All figures of the prompts and the totals, except those named."""
    _same(f"{when}: number of results", len(answer["prompts"]), len(found["prompts"]))
    for (name, _, one), other in zip(_prompts(given, answer), found["prompts"]):
        for key in FIGURES:
            if key not in but:
                _same(f"{name}, {when}: {key}", one[key], other[key])
    for key in TOTALS:
        if key not in but:
            _same(f"{when}: {key}", answer[key], found[key])


# Checks


def check_new_tokens(given, answer):
    """new_tokens is length - cached; pairs is 0 and pairs_ratio null exactly when nothing is new.

    new_tokens 等于 length - cached；当且仅当没有新 token 时，pairs 为 0、pairs_ratio 为 null。
    """
    for name, prompt, result in _prompts(given, answer):
        new, ratio = _new(prompt), result["pairs_ratio"]
        _same(f"{name}: new_tokens", new, result["new_tokens"])
        is_due = "null" if new == 0 else "a ratio"
        is_found = "null" if ratio is None else "a ratio"
        _same(f"{name}, {new} new tokens: pairs_ratio is", is_due, is_found)


def check_chunks(given, answer):
    """chunk_pairs is null exactly when chunks is; else it has an entry for each chunk, they add up
    to pairs, and no chunk sees fewer positions per token than the one before.

    当且仅当没有 chunks 时 chunk_pairs 为 null；否则每个分块一项，合计等于 pairs，而且平均到每个
    token，后一个分块看到的位置不会比前一个少。
    """
    for name, result, chunks, found in _chunked(given, answer):
        _same(f"{name}: sum of chunk_pairs", result["pairs"], sum(found))
        for k in range(1, len(chunks)):
            assert found[k - 1] * chunks[k] <= found[k] * chunks[k - 1], (
                f"{name}: chunk {k} of {chunks[k]} tokens sees {found[k]}, fewer per token than"
                f" the {found[k - 1]} of the {chunks[k - 1]} before"
            )


def check_totals(given, answer):
    """total_pairs and total_kv_bytes are the sums over the prompts, 0 over none.

    total_pairs 与 total_kv_bytes 是各个提示之和，没有提示时为 0。
    """
    results = [result for _, _, result in _prompts(given, answer)]
    for total, figure in zip(TOTALS, ("pairs", "kv_bytes")):
        _same(total, sum(result[figure] for result in results), answer[total])


def check_ratios(given, answer):
    """The ratios are in lowest terms, and pairs_ratio >= 2 >= kv_ratio >= 1.

    两个比值都是最简分数，且 pairs_ratio >= 2 >= kv_ratio >= 1。
    """
    for name, _, result in _prompts(given, answer):
        kv_ratio = _fraction(result["kv_ratio"], f"{name}: kv_ratio")
        assert 1 <= kv_ratio <= 2, f"{name}: kv_ratio is {_text(kv_ratio)}, not from 1 to 2"
        if result["pairs_ratio"] is not None:
            ratio = _fraction(result["pairs_ratio"], f"{name}: pairs_ratio")
            assert ratio >= 2, f"{name}: pairs_ratio is {_text(ratio)}, below 2"


def check_full_attention(given, answer):
    """Without windows every token is kept and kv_ratio is 2; with nothing cached pairs_ratio is
    2(2L + 1)/(L + 1), from 3 to just below 4, and behind a cached prefix it is more than that.

    没有窗口时，每个 token 都保留，kv_ratio 为 2；没有缓存时 pairs_ratio 等于 2(2L + 1)/(L + 1)，
    从 3 到略小于 4；有缓存前缀时比它更大。
    """
    rows = _prompts(given, answer)
    if any(window is not None for window in _windows(given)):
        return
    for name, prompt, result in rows:
        length = prompt["length"]
        _same(f"{name}, no windows: kv_ratio", "2/1", result["kv_ratio"])
        due = given["kv_bytes"] * _layers(given) * length
        _same(f"{name}, no windows: kv_bytes", due, result["kv_bytes"])
        if result["pairs_ratio"] is None:
            continue
        plain = Fraction(2 * (2 * length + 1), length + 1)
        if prompt.get("cached", 0) == 0:
            what = f"{name}, {length} tokens without a cache or windows: pairs_ratio"
            _same(what, _text(plain), result["pairs_ratio"])
        else:
            found = _fraction(result["pairs_ratio"], f"{name}: pairs_ratio")
            what = f"{name}: pairs_ratio {_text(found)} behind a cached prefix"
            assert found > plain, f"{what}, not above the {_text(plain)} without one"


def check_filled_windows(given, answer):
    """When no window is longer than the prompt, kv_ratio is 1 and kv_bytes counts every window in
    full; with nothing cached, pairs_ratio is below 3.

    若每个窗口都不超过提示的长度，则 kv_ratio 为 1，kv_bytes 按整个窗口计；若又没有缓存，
    pairs_ratio 小于 3。
    """
    for name, prompt, result in _prompts(given, answer):
        if any(window is None or window > prompt["length"] for window in _windows(given)):
            continue
        _same(f"{name}, all windows full: kv_ratio", "1/1", result["kv_ratio"])
        due = given["kv_bytes"] * sum(one["count"] * one["window"] for one in given["layers"])
        _same(f"{name}, all windows full: kv_bytes", due, result["kv_bytes"])
        if prompt.get("cached", 0) == 0 and result["pairs_ratio"] is not None:
            found = _fraction(result["pairs_ratio"], f"{name}: pairs_ratio")
            assert found < 3, f"{name}, all windows full: pairs_ratio {_text(found)}, not below 3"


def check_counted_pairs(given, answer):
    """For short prompts, trying every new position i with every position j finds the same pairs
    (j <= i and i - j < window), and as many bytes as the positions that the last one sees.

    对较短的提示，逐对检查新位置 i 与每个位置 j（j <= i 且 i - j < window），数出的对数与 pairs
    一致；最后一个位置看得到的位置所占的字节与 kv_bytes 一致。
    """
    for name, prompt, result in _prompts(given, answer):
        length, cached = prompt["length"], prompt.get("cached", 0)
        if length > 60:
            continue  # too many to try
        pairs = tokens = 0
        for group in given["layers"]:
            window = length if group["window"] is None else group["window"]
            for i in range(cached + 1, length + 1):
                found = sum(i - j < window for j in range(1, i + 1))
                pairs += group["count"] * found
            tokens += group["count"] * sum(length - j < window for j in range(1, length + 1))
        _same(f"{name}: pairs, counted one by one", given["query_heads"] * pairs, result["pairs"])
        _same(f"{name}: kv_bytes, counted", given["kv_bytes"] * tokens, result["kv_bytes"])


def check_twice_as_long(given, answer, run):
    """The ratios are those of the same prompt at twice its length, behind the same cached tokens,
    to the prompt itself.

    两个比值，就是缓存的 token 不变、长度加倍之后的提示与原提示之比。
    """
    twice = []
    for prompt in given["prompts"]:
        twice.append({"length": 2 * prompt["length"], "cached": prompt.get("cached", 0)})
    other = given | {"prompts": twice}
    found = run(other)
    pairs = zip(_prompts(given, answer), _prompts(other, found))
    for (name, _, one), (_, _, two) in pairs:
        for key, figure in (("pairs_ratio", "pairs"), ("kv_ratio", "kv_bytes")):
            before, after = one[figure], two[figure]
            due = _text(Fraction(after, before)) if before else None
            _same(f"{name}, {figure} {before}, at twice the length {after}: {key}", due, one[key])


def check_prefix_and_rest(given, answer, run):
    """The pairs of a prompt without a cache are those of its prefix and those of the rest behind
    that prefix; kv_bytes does not depend on what was cached.

    没有缓存时提示的 pairs，等于前缀的 pairs 加上该前缀缓存之后其余部分的 pairs；kv_bytes 与缓存
    多少无关。
    """
    prompts = [prompt for prompt in given["prompts"] if prompt.get("cached", 0)]
    if not prompts:
        return
    whole = [{"length": prompt["length"]} for prompt in prompts]
    prefix = [{"length": prompt["cached"]} for prompt in prompts]
    found = run(given | {"prompts": whole + prefix})["prompts"]
    _same("number of results", 2 * len(prompts), len(found))
    behind = [(name, one) for name, prompt, one in _prompts(given, answer) if prompt in prompts]
    for (name, rest), all_of_it, before in zip(behind, found, found[len(prompts) :]):
        added = before["pairs"] + rest["pairs"]
        what = f"{name}: {before['pairs']} pairs of the prefix + {rest['pairs']} of the rest"
        assert added == all_of_it["pairs"], f"{what} = {added}, not {all_of_it['pairs']}"
        _same(f"{name}: kv_bytes", all_of_it["kv_bytes"], rest["kv_bytes"])


def check_other_chunks(given, answer, run):
    """Other chunks change chunk_pairs only; the halves of a chunk see together what it sees.

    换一种分块方式，只有 chunk_pairs 会变；一个分块拆成两半，两半看到的合计与原来相同。
    """
    prompts = []
    for prompt in given["prompts"]:
        sizes = prompt.get("chunks")
        if sizes is None:
            sizes = [_new(prompt)] if _new(prompt) else []
        halves = [half for size in sizes for half in (size - size // 2, size // 2) if half]
        prompts.append(prompt | {"chunks": halves})
    other = given | {"prompts": prompts}
    found = run(other)
    _same_results(given, answer, found, "in other chunks", but=("chunk_pairs",))
    of_halves = {name: found for name, _, _, found in _chunked(other, found)}
    for name, _, chunks, before in _chunked(given, answer):
        parts = iter(of_halves[name])
        for k, size in enumerate(chunks):
            due = sum(next(parts) for _ in range(min(size, 2)))
            _same(f"{name}: chunk_pairs of chunk {k}, by its halves", due, before[k])


def check_idle_windows(given, answer, run):
    """A window of at least twice the length of every prompt is the same as no window.

    窗口不短于每个提示长度的两倍时，与没有窗口一样。
    """
    longest = max((2 * prompt["length"] for prompt in given["prompts"]), default=1)
    layers = []
    for group in given["layers"]:
        window = group["window"]
        if window is None or window >= longest:
            window = longest if window is None else None
        layers.append(group | {"window": window})
    if layers != given["layers"]:
        found = run(given | {"layers": layers})
        _same_results(given, answer, found, f"with null and a window of {longest} swapped")


def check_wider_windows(given, answer, run):
    """Wider windows never lower pairs or kv_bytes.

    窗口变宽，pairs 与 kv_bytes 都不会变小。
    """
    layers = []
    for group in given["layers"]:
        window = group["window"]
        layers.append(group | {"window": None if window is None else window + 1})
    other = given | {"layers": layers}
    found = run(other)
    for (name, _, one), (_, _, two) in zip(_prompts(given, answer), _prompts(other, found)):
        for key in ("pairs", "kv_bytes"):
            before, after = one[key], two[key]
            assert before <= after, f"{name}: {key} {before}, with wider windows only {after}"


def check_multiples(given, answer, run):
    """Three times the query heads see three times the pairs, and five times kv_bytes are five times
    the bytes; the ratios stay.

    query_heads 变为三倍，各 pairs 也变为三倍；kv_bytes 变为五倍，字节数也变为五倍；比值不变。
    """
    heads, each = 3 * given["query_heads"], 5 * given["kv_bytes"]
    found = run(given | {"query_heads": heads, "kv_bytes": each})
    when = "with 3 times the heads, 5 times kv_bytes"
    but = ("pairs", "chunk_pairs", "kv_bytes", *TOTALS)
    _same_results(given, answer, found, when, but=but)
    for (name, _, one), two in zip(_prompts(given, answer), found["prompts"]):
        _same(f"{name}, {when}: pairs", 3 * one["pairs"], two["pairs"])
        _same(f"{name}, {when}: kv_bytes", 5 * one["kv_bytes"], two["kv_bytes"])
        chunks = one["chunk_pairs"]
        due = None if chunks is None else [3 * pairs for pairs in chunks]
        _same(f"{name}, {when}: chunk_pairs", due, two["chunk_pairs"])


def check_groups_of_layers(given, answer, run):
    """The groups of layers in reverse, and one layer of each in a group of its own, give the same
    answer.

    把层组倒序，并从每组中拆出一层单独成组，答案不变。
    """
    layers = []
    for group in reversed(given["layers"]):
        if group["count"] > 1:
            layers.append(group | {"count": group["count"] - 1})
        layers.append(group | {"count": 1})
    if layers != given["layers"]:
        found = run(given | {"layers": layers})
        _same_results(given, answer, found, "with other groups of the same layers")


def check_prompts_apart(given, answer, run):
    """Without the first prompt, and in reverse, the others get what they got before; the totals are
    lower by the first one's figures.

    去掉第一个提示并把其余倒序，其余的结果不变；总计恰好减少第一个提示的那一份。
    """
    if not given["prompts"]:
        return
    (_, _, first), *others = _prompts(given, answer)
    found = run(given | {"prompts": given["prompts"][:0:-1]})
    _same("number of results", len(others), len(found["prompts"]))
    for (name, _, one), two in zip(others, reversed(found["prompts"])):
        for key in FIGURES:
            _same(f"{name}, without the first one: {key}", one[key], two[key])
    for total, figure in zip(TOTALS, ("pairs", "kv_bytes")):
        due = answer[total] - first[figure]
        _same(f"without the first prompt: {total}", due, found[total])
