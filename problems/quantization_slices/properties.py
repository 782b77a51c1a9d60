"""Where to look for wrong judgements (one strategy per group), and what must always hold."""

import json
from decimal import Decimal
from fractions import Fraction
from functools import cache

from hypothesis import strategies as st

GROUPS = {
    "check_merged_slices": ("edge",),
    "check_raised_minimum": ("edge",),
    "check_multiplied_counts": ("edge",),
    "check_reversed_slices": ("normal",),
    "check_larger_allowed_drop": ("normal",),
    "check_swapped_sides": ("normal",),
    "check_identical_models": ("minimal",),
    "check_resources_apart": ("minimal",),
}

SIDES = ("base", "quantized")
RATES = (*SIDES, "drop")
COUNTS = ("items", *SIDES)
FIGURES = ("weight_bytes", "cache_bytes", "queue_us", "service_us", "energy_mj")
QUANTITIES = {
    "memory_bytes": ("weight_bytes", "cache_bytes"),
    "latency_us": ("queue_us", "service_us"),
    "energy_mj": ("energy_mj",),
}
VERDICTS = ("fail", "insufficient", "pass")


# Strategies
#
# The simplest option of every choice stands first, and no choice depends on an earlier one: so
# every part of an input shrinks by itself.

_NAMES = ("sw", "en", "yo", "SW", "长文本", "e n", "ar")


@cache
def _below(bound):
    return st.integers(0, bound - 1)


class _Pick:
    """Choices, each a draw of its own."""

    def __init__(self, draw):
        self.draw = draw

    def of(self, *options):
        return options[self.draw(_below(len(options)))]

    def several(self, number, options):
        """A list of choices, drawn at once."""
        picked = self.draw(st.tuples(*[_below(len(options))] * number))
        return [options[place] for place in picked]

    def table(self, lengths, *columns):
        """A list of tuples. With the length drawn first, the shrinker can take out any of them."""
        places = st.tuples(*[_below(len(options)) for options in columns])
        rows = [self.draw(places) for _ in range(self.of(*lengths))]
        return [tuple(column[i] for column, i in zip(columns, row)) for row in rows]


def _input(pick, minimum_items, allowed_drop, counts, figures):
    """Slices of (items, base, quantized), and the ten figures drawn from a list."""
    first, ten = pick.of(0, 1, 2), pick.several(10, figures)
    names = _NAMES[first:] + _NAMES[:first]
    return {
        "minimum_items": minimum_items,
        "allowed_drop": allowed_drop,
        "slices": [{"name": name} | dict(zip(COUNTS, three)) for name, three in zip(names, counts)],
        "resources": {
            "base": dict(zip(FIGURES, ten[:5])),
            "quantized": dict(zip(FIGURES, ten[5:])),
        },
    }


def _counts(items, lost, rest):
    """A slice that loses so many right answers; `rest` eighths of all others are right twice."""
    lost = max(-items, min(items, lost))
    both = (items - abs(lost)) * rest // 8
    return items, both + max(lost, 0), both - min(lost, 0)


@st.composite
def _ordinary(draw):
    """One to four slices that lose or gain some twentieths of their items."""
    pick = _Pick(draw)
    minimum = pick.of(1, 10, 1, 8, 50, 101)
    allowed = pick.of("0.03", "0", "0.05", "0.1", "0.25", "1")
    rows = pick.table(
        (1, 2, 2, 3, 4), (100, 10, 20, 50, 7, 3, 0, 900), (0, 1, -1, 2, 0, 6, -8, 16), range(9)
    )
    counts = [_counts(items, items * change // 20, rest) for items, change, rest in rows]
    return _input(pick, minimum, allowed, counts, (4, 16, None, 0, 1, 350000, 7, 12))


@st.composite
def _smallest(draw):
    """One slice, seldom two, of no, one or two items."""
    pick = _Pick(draw)
    rows = pick.table((1, 1, 1, 2), (1, 0, 2), (1, 0, 2), (0, 1, 2))
    counts = [(items, min(base, items), min(other, items)) for items, base, other in rows]
    return _input(pick, pick.of(1, 1, 2), pick.of("0", "1", "0.5"), counts, (1, 0, None, 2))


_ALLOWED = ("0.02", "0", "0.5", "0.3", "1", "0.125", "0.000000000001", "0.040", "-0")
_SIZES = (1, 2, 1, 3, 7, 0, 2**53 + 1, 10**20)
_SHIFTS = (0, 0, 1, -1, 3, -2)


@st.composite
def _borders(draw):
    """Slices that lose just what is allowed, or an item more or less. Often the last of them
    makes the whole average lose just what is allowed."""
    pick = _Pick(draw)
    allowed, balance = pick.of(*_ALLOWED), pick.of(None, 0, 0, 1, -1)
    rows = pick.table((1, 2, 2, 3, 3, 4), _SIZES, _SHIFTS, (4, 0, 8, 5))
    exact = Fraction(allowed)
    unit = exact.denominator * pick.of(1, 1, 50)
    shifts = [shift for _, shift, _ in rows]
    if balance is not None:
        shifts[-1] = balance - sum(shifts[:-1])
    counts = [
        _counts(unit * size, int(exact * unit * size) + shift, rest)
        for (size, _, rest), shift in zip(rows, shifts)
    ]
    near = counts[0][0] + pick.of(0, 1, -1)
    minimum = pick.of(1, 1, max(near, 1))
    return _input(pick, minimum, allowed, counts, (1, None, 0, 3, 2**53 + 1, 2**63 - 1, 10**18))


normal, minimal, edge = _ordinary(), _smallest(), _borders()


# What must be refused: edits of a small legal input

_LEGAL = {
    "minimum_items": 20,
    "allowed_drop": "0.05",
    "slices": [
        {"name": "en", "items": 100, "base": 90, "quantized": 91},
        {"name": "sw", "items": 20, "base": 14, "quantized": 9},
        {"name": "yo", "items": 7, "base": 0, "quantized": 3},
    ],
    "resources": {
        "base": dict(zip(FIGURES, (1600, 400, 30, 50, None))),
        "quantized": dict(zip(FIGURES, (400, None, 35, 40, 0))),
    },
}
_LEGAL_TEXT = json.dumps(_LEGAL)
_SLICES = tuple(("slices", i) for i in range(3))
_COUNT_PLACES = tuple((*part, name) for part in _SLICES for name in COUNTS)
_NAME_PLACES = tuple((*part, "name") for part in _SLICES)
_SIDE_PLACES = tuple(("resources", side) for side in SIDES)
_FIGURE_PLACES = tuple((*side, name) for side in _SIDE_PLACES for name in FIGURES)
_MINIMUM, _ALLOWED_PLACE, _RESOURCES = ("minimum_items",), ("allowed_drop",), ("resources",)
_OBJECTS = (*_SLICES, _RESOURCES, *_SIDE_PLACES)
_NEEDED = (_MINIMUM, _ALLOWED_PLACE, ("slices",), *_OBJECTS[3:], *_NAME_PLACES, *_COUNT_PLACES,
           *_FIGURE_PLACES)  # fmt: skip
_GONE = object()

_NO_INTEGERS = (1.0, 1e3, 0.5, True, False, "1", "", [1], {})
_NO_NAMES = ("", None, 1, 0, True, [], ["en"], {}, 1.5)
_NO_DECIMALS = (
    0.05, 0, 1, None, True, "", "0.05\n", "\n0.05", " 0.05", ".05", "0.", "00.05", "+0.05", "5e-2",
    "1/20", "NaN", "5%", "0,05", "0.0000000000001", "1000000000000", "\u0660.05", "0.\u0665", "--1",
    ["0.05"], {},
)  # fmt: skip
_TEXTS = (
    "", "\n", "null", "1", "[]", '"slices"', "{}", '["minimum_items"]',
    f"[{_LEGAL_TEXT}]", f"{_LEGAL_TEXT} {{}}", f"{_LEGAL_TEXT},", _LEGAL_TEXT[:-1],
    f"{_LEGAL_TEXT}\f", f"\u00a0{_LEGAL_TEXT}", _LEGAL_TEXT.replace('"', "'"),
    _LEGAL_TEXT.replace("20,", "020,", 1), _LEGAL_TEXT.replace("1600", "NaN"),
    _LEGAL_TEXT.replace("1600", "-Infinity"), _LEGAL_TEXT.replace("}]", "},]"),
    _LEGAL_TEXT.replace("yo", "\xff").encode("latin-1"), _LEGAL_TEXT.encode("utf-16-le"),
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
    kind = pick(
        ("integer", "decimal", "name", "list", "object", "missing", "unknown", "text", "null")
    )
    if kind == "text":
        return pick(_TEXTS)
    if kind == "integer":
        _edit(given, pick((_MINIMUM, *_COUNT_PLACES, *_FIGURE_PLACES)), pick(_NO_INTEGERS))
    elif kind == "null":
        _edit(given, pick((_MINIMUM, *_COUNT_PLACES)), None)
    elif kind == "decimal":
        _edit(given, _ALLOWED_PLACE, pick(_NO_DECIMALS))
    elif kind == "name":
        _edit(given, pick(_NAME_PLACES), pick(_NO_NAMES))
    elif kind == "list":
        _edit(given, ("slices",), pick((None, {}, "", "en", 0, 1, True, [None], [{}], [[]])))
    elif kind == "object":
        _edit(given, pick(_OBJECTS), pick(([], "", 1, True, None, {}, list(SIDES), list(FIGURES))))
    elif kind == "missing":
        _edit(given, pick(_NEEDED), _GONE)
    else:
        _edit(given, (*pick(((), *_OBJECTS)), pick(("seed", "items "))), pick((1, None)))
    return given


def _no_slices(_, given):
    return given | {"slices": []}


def _duplicate_slice(pick, given):
    one, other = pick(((0, 1), (1, 2), (0, 2)))
    given["slices"][other]["name"] = given["slices"][one]["name"]
    return given


def _out_of_range(pick, given):
    kind = pick(("minimum", "allowed", "count", "figure"))
    if kind == "minimum":
        _edit(given, _MINIMUM, pick((0, -1, -(10**30))))
    elif kind == "allowed":
        beyond = ("1.000000000001", "-0.000000000001", "2", "-1", "999999999999")
        _edit(given, _ALLOWED_PLACE, pick(beyond))
    else:
        places = _COUNT_PLACES if kind == "count" else _FIGURE_PLACES
        _edit(given, pick(places), pick((-1, -(10**30))))
    return given


def _more_correct_than_items(pick, given):
    part = given["slices"][pick((0, 1, 2))]
    part[pick(SIDES)] = part["items"] + pick((1, 10**30))
    return given


_FAULTS = {
    "malformed": _malformed,
    "no_slices": _no_slices,
    "duplicate_slice": _duplicate_slice,
    "out_of_range": _out_of_range,
    "more_correct_than_items": _more_correct_than_items,
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
    for later in range(last, max(code, 1), -1):  # not no_slices, it takes places away
        if pick((False, False, True)):
            given = _FAULTS[_CODES[later]](pick, given)
    return _FAULTS[_CODES[code]](pick, given), _CODES[code]


failure = _refused()


# What the checks read


def _fraction(text, name):
    assert text is not None, f"{name} is null"
    n, d = map(int, text.split("/"))
    assert d > 0, f"{name} is {text}"
    lowest = _text(Fraction(n, d))
    assert text == lowest, f"{name} is {text}, in lowest terms {lowest}"
    return Fraction(n, d)


def _text(value):
    return f"{value.numerator}/{value.denominator}"


def _same(what, expected, found):
    assert found == expected, f"{what}: expected {_shown(expected)}, found {_shown(found)}"


def _shown(value):
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=_text)


def _slices(given, answer):
    """Per slice (name, slice, result), once the results are known to belong to `given`."""
    slices, results = given["slices"], answer["slices"]
    assert len(results) == len(slices), f"{len(slices)} slices, {len(results)} results"
    triples = []
    for i, (part, result) in enumerate(zip(slices, results)):
        name = f"slice {i} ({part['name']})"
        for key in RATES:
            due = "null" if part["items"] == 0 else "a fraction"
            _same(f"{name}: {key}", due, "null" if result[key] is None else "a fraction")
        triples.append((name, part, result))
    return triples


def _drops(given, answer, least=1):
    """(slice, drop) of the slices with at least so many items, as the answer has them."""
    return [
        (part, _fraction(result["drop"], f"{name}: drop"))
        for name, part, result in _slices(given, answer)
        if part["items"] >= least
    ]


def _average(given, answer, name):
    """The three figures of micro or macro; None when no slice has items."""
    there = any(part["items"] for part in given["slices"])
    _same(name, "an object" if there else "null", "an object" if answer[name] else "null")
    return there and {key: _fraction(answer[name][key], f"{name}.{key}") for key in RATES}


def _same_answer(answer, found, when, but=()):
    for key, value in answer.items():
        if key not in but:
            _same(f"{key}, {when}", value, found[key])


# Checks


def check_rates(given, answer):
    """A rate times the items gives the right answers back, drop is the difference of the rates;
    all three are null exactly when the slice has no items.

    正确率乘以题数就是答对的题数，drop 是两个正确率之差；三者为 null 当且仅当切片没有题。
    """
    for name, part, result in _slices(given, answer):
        if part["items"] == 0:
            continue
        base, quantized, drop = (_fraction(result[key], f"{name}: {key}") for key in RATES)
        for key, rate in (("base", base), ("quantized", quantized)):
            _same(
                f"{name}: {key} rate times {part['items']} items", part[key], rate * part["items"]
            )
        _same(f"{name}: drop from {_text(base)} to {_text(quantized)}", base - quantized, drop)


def check_status(given, answer):
    """A slice is insufficient exactly when it has fewer than minimum_items items; of the others,
    exactly those with a drop above allowed_drop fail.

    切片为 insufficient 当且仅当题数少于 minimum_items；其余切片中，为 fail 的恰好是 drop 大于
    allowed_drop 的那些。
    """
    least, allowed = given["minimum_items"], Fraction(given["allowed_drop"])
    for name, part, result in _slices(given, answer):
        if part["items"] < least:
            due, why = "insufficient", f"{part['items']} items, {least} wanted"
        else:
            drop = _fraction(result["drop"], f"{name}: drop")
            due = "fail" if drop > allowed else "pass"
            why = f"drop {_text(drop)}, allowed {given['allowed_drop']}"
        _same(f"{name}: status ({why})", due, result["status"])


def check_verdict(given, answer):
    """The verdict is fail when any slice fails, pass when all pass, insufficient otherwise.

    有切片为 fail 时 verdict 为 fail，全部为 pass 时为 pass，否则为 insufficient。
    """
    words = {result["status"] for _, _, result in _slices(given, answer)}
    due = next(word for word in VERDICTS if word in words)
    _same(f"verdict of {', '.join(sorted(words))}", due, answer["verdict"])


def check_worst_slice(given, answer):
    """worst_slice has at least minimum_items items; no such slice has a larger drop, and none
    before it an equal one. It is null exactly when there is none.

    worst_slice 的题数不少于 minimum_items；这样的切片中没有 drop 更大的，在它之前也没有相等的。
    一个都没有时才为 null。
    """
    judged, worst = _drops(given, answer, given["minimum_items"]), answer["worst_slice"]
    if not judged:
        _same("worst_slice, all slices being insufficient", None, worst)
        return
    names = [part["name"] for part, _ in judged]
    assert worst in names, f"worst_slice is {_shown(worst)}, not one of {_shown(names)}"
    place = names.index(worst)
    drop = judged[place][1]
    for i, (part, other) in enumerate(judged):
        assert other < drop or (other == drop and i >= place), (
            f"worst_slice is {worst} with drop {_text(drop)}, {part['name']} has {_text(other)}"
        )


def check_micro(given, answer):
    """A rate of micro times all items gives all right answers, drop is the difference; micro is
    null exactly when no slice has items.

    micro 的正确率乘以总题数就是总共答对的题数，drop 是两者之差；micro 为 null 当且仅当所有切片
    都没有题。
    """
    micro = _average(given, answer, "micro")
    if micro:
        items, *right = (sum(part[count] for part in given["slices"]) for count in COUNTS)
        for side, number in zip(SIDES, right):
            _same(f"micro.{side} times {items} items", number, micro[side] * items)
        _same("micro.drop", micro["base"] - micro["quantized"], micro["drop"])


def check_macro(given, answer):
    """A rate of macro times the number of slices with items is the sum of their rates, drop is the
    difference; macro is null exactly when no slice has items.

    macro 的正确率乘以有题的切片数，就是这些切片的正确率之和，drop 是两者之差；macro 为 null
    当且仅当所有切片都没有题。
    """
    macro = _average(given, answer, "macro")
    if macro:
        filled = [triple for triple in _slices(given, answer) if triple[1]["items"]]
        for side in SIDES:
            rates = [_fraction(result[side], f"{name}: {side}") for name, _, result in filled]
            found = macro[side] * len(filled)
            _same(f"macro.{side} times {len(filled)} slices", sum(rates), found)
        _same("macro.drop", macro["base"] - macro["quantized"], macro["drop"])


def check_averages_between(given, answer):
    """The drops of micro and macro lie between the smallest and the largest drop of the slices
    that have items; when all these have equally many, micro = macro.

    micro 与 macro 的 drop 介于有题切片的最小与最大 drop 之间；这些切片题数都相同时，micro = macro。
    """
    micro, macro = (_average(given, answer, name) for name in ("micro", "macro"))
    drops = _drops(given, answer)
    if not drops:
        return
    low, high = min(drop for _, drop in drops), max(drop for _, drop in drops)
    for name, average in (("micro", micro), ("macro", macro)):
        drop = average["drop"]
        shown = f"{name}.drop is {_text(drop)}, not between {_text(low)} and {_text(high)}"
        assert low <= drop <= high, shown
    if len({part["items"] for part, _ in drops}) == 1:
        _same("macro, of slices of one size, as micro", answer["micro"], answer["macro"])


def check_hidden(given, answer):
    """hidden_by_average is true exactly when the verdict is fail and the drop of micro is at most
    allowed_drop; then there are two slices or more, and the largest drop is above allowed_drop.

    hidden_by_average 为 true 当且仅当 verdict 为 fail，而 micro 的 drop 不超过 allowed_drop；
    这时至少有两个切片，且最大的 drop 大于 allowed_drop。
    """
    micro, allowed = _average(given, answer, "micro"), Fraction(given["allowed_drop"])
    drops, verdict = [drop for _, drop in _drops(given, answer)], answer["verdict"]
    due = verdict == "fail" and bool(micro) and micro["drop"] <= allowed
    shown = f"hidden_by_average (verdict {verdict}, {_shown(answer['micro'])})"
    _same(shown, due, answer["hidden_by_average"])
    if due:
        assert len(drops) > 1, "hidden_by_average, but only one slice has items"
        above = max(drops) > allowed
        assert above, f"hidden_by_average, but the largest drop is {_text(max(drops))}"


def check_resources(given, answer):
    """Per side, a quantity is the sum of its parts, null exactly when a part is; ratio times base
    is the quantised one, and it is null exactly when a side is null or the base 0.

    每一边的量是各部分之和，有一部分为 null 才为 null；ratio 乘以 base 就是量化后的量，
    任一边为 null 或 base 为 0 时 ratio 才为 null。
    """
    for name, parts in QUANTITIES.items():
        result = answer["resources"][name]
        for side in SIDES:
            figures = [given["resources"][side][part] for part in parts]
            due = None if None in figures else sum(figures)
            _same(f"{name}.{side} of {_shown(figures)}", due, result[side])
        base, quantized, ratio = result["base"], result["quantized"], result["ratio"]
        shown = f"{name}.ratio of {_shown(quantized)} and {_shown(base)}"
        is_due = base is not None and base > 0 and quantized is not None
        there = "null" if ratio is None else "a fraction"
        _same(shown, "a fraction" if is_due else "null", there)
        if is_due:
            _same(f"{shown}, times {base}", quantized, _fraction(ratio, f"{name}.ratio") * base)


def check_merged_slices(given, answer, run):
    """Merging two slices that are both judged leaves micro alone, and the largest drop of the
    judged slices does not grow.

    合并两个都已判定的切片，micro 不变，已判定切片的最大 drop 不会变大。
    """
    least = given["minimum_items"]
    judged = _drops(given, answer, least)
    if len(judged) < 2:
        return
    (one, _), (other, _), *_ = judged
    merged = {key: value if key == "name" else value + other[key] for key, value in one.items()}
    left = [merged if part is one else part for part in given["slices"] if part is not other]
    fewer = given | {"slices": left}
    found = run(fewer)
    names = f"{one['name']} and {other['name']} merged"
    _same(f"micro, with {names}", answer["micro"], found["micro"])
    before = max(drop for _, drop in judged)
    after = max(drop for _, drop in _drops(fewer, found, least))
    assert after <= before, f"with {names} a drop is {_text(after)}, before at most {_text(before)}"


def check_raised_minimum(given, answer, run):
    """With a larger minimum_items no other verdict becomes pass, and with one above the items of
    any slice the verdict is not pass; the averages stay.

    minimum_items 变大，别的结论不会变成 pass；只要它超过某个切片的题数，结论就不是 pass；
    两种平均值不变。
    """
    fewest = min(part["items"] for _, part, _ in _slices(given, answer))
    least = given["minimum_items"]
    for more in sorted({least + 1, max(fewest, least) + 1}):
        found = run(given | {"minimum_items": more})
        was, now = answer["verdict"], found["verdict"]
        when = f"with minimum_items {more} instead of {least}"
        assert now != "pass" or was == "pass", f"the verdict {was} becomes pass {when}"
        assert now != "pass" or more <= fewest, f"pass {when}, a slice has {fewest} items"
        for name in ("micro", "macro"):
            _same(f"{name}, {when}", answer[name], found[name])


def check_multiplied_counts(given, answer, run):
    """Multiplying minimum_items and all counts by 3 changes nothing.

    minimum_items 与所有题数、答对数都乘以 3，答案不变。
    """
    thrice = [
        {key: value if key == "name" else 3 * value for key, value in part.items()}
        for _, part, _ in _slices(given, answer)
    ]
    other = given | {"minimum_items": 3 * given["minimum_items"], "slices": thrice}
    _same_answer(answer, run(other), "with three times the counts")


def check_reversed_slices(given, answer, run):
    """Slices in the reverse order get their results in the reverse order; nothing else changes,
    but for worst_slice when several have the largest drop.

    切片倒序，结果也倒序，其余不变；只有几个切片并列最大时 worst_slice 可能不同。
    """
    found = run(given | {"slices": given["slices"][::-1]})
    turned = found | {"slices": found["slices"][::-1]}
    drops = [drop for _, drop in _drops(given, answer, given["minimum_items"])]
    ties = drops.count(max(drops, default=None)) > 1
    but = ("worst_slice",) if ties else ()
    _same_answer(answer, turned, "with the slices in reverse", but)


def check_larger_allowed_drop(given, answer, run):
    """With a larger allowed_drop the verdict is never lower (fail < insufficient < pass), and
    nothing but status, verdict and hidden_by_average changes; with 1 nothing fails.

    allowed_drop 变大，结论不会变差（fail < insufficient < pass），除 status、verdict 和
    hidden_by_average 外都不变；为 1 时没有 fail。
    """
    twice = f"{min(2 * Decimal(given['allowed_drop']), Decimal(1)):f}"
    for allowed in (twice, "1"):
        found, when = run(given | {"allowed_drop": allowed}), f"with allowed_drop {allowed}"
        was, now = answer["verdict"], found["verdict"]
        lower = VERDICTS.index(now) < VERDICTS.index(was)
        assert not lower, f"{when} the verdict is {now}, with {given['allowed_drop']} {was}"
        assert allowed != "1" or now != "fail", f"{when} the verdict is fail"
        _same_answer(answer, found, when, ("slices", "verdict", "hidden_by_average"))
        for (name, _, one), (_, _, other) in zip(_slices(given, answer), _slices(given, found)):
            for key in RATES:
                _same(f"{name}: {key}, {when}", one[key], other[key])


def check_swapped_sides(given, answer, run):
    """With the two models swapped, rates swap, every drop is negated, and every ratio inverted
    where both ratios exist.

    两个模型对调，正确率也对调，每个 drop 变号，两边都有 ratio 时 ratio 变为倒数。
    """
    swap = dict(zip(SIDES, SIDES[::-1]))
    slices = [part | {side: part[swap[side]] for side in SIDES} for part in given["slices"]]
    sides = {side: given["resources"][swap[side]] for side in SIDES}
    other = given | {"slices": slices, "resources": sides}
    found = run(other)
    for average in ("micro", "macro"):
        _average(given, answer, average)
        _average(other, found, average)
    both = zip(_slices(given, answer), _slices(other, found))
    pairs = [(name, one, swapped) for (name, _, one), (_, _, swapped) in both]
    pairs += [(name, answer[name], found[name]) for name in ("micro", "macro")]
    for name, one, swapped in pairs:
        if one is None or one["drop"] is None:
            continue
        for side in SIDES:
            _same(f"{name}, models swapped: {side}", one[swap[side]], swapped[side])
        due = _text(-_fraction(one["drop"], f"{name}: drop"))
        _same(f"{name}, models swapped: drop", due, swapped["drop"])
    for name in QUANTITIES:
        one, swapped = answer["resources"][name]["ratio"], found["resources"][name]["ratio"]
        if one is not None and swapped is not None:
            product = _fraction(one, f"{name}.ratio") * _fraction(swapped, f"{name}.ratio")
            _same(f"{name}.ratio, times that of the models swapped", 1, product)


def check_identical_models(given, answer, run):
    """Of two models with equal counts no drop differs from 0, nothing fails, nothing is hidden.

    两个模型答对的题数相同时，drop 都是 0，没有 fail，也没有什么被掩盖。
    """
    equal = [part | {"quantized": part["base"]} for part in given["slices"]]
    other = given | {"slices": equal}
    found = run(other)
    for name, part, result in _slices(other, found):
        _same(f"{name}, equal counts: drop", "0/1" if part["items"] else None, result["drop"])
        assert result["status"] != "fail", f"{name} fails with equal counts"
    for name in ("micro", "macro"):
        if _average(other, found, name):
            _same(f"{name}, equal counts: drop", "0/1", found[name]["drop"])
    assert found["verdict"] != "fail", "the verdict is fail with equal counts"
    _same("hidden_by_average, equal counts", False, found["hidden_by_average"])


def check_resources_apart(given, answer, run):
    """Without any figure of resources nothing but resources changes, and there all is null.

    resources 的数全部为 null 时，只有 resources 改变，且其中全为 null。
    """
    nothing = {side: dict.fromkeys(FIGURES) for side in SIDES}
    _slices(given, answer)
    found = run(given | {"resources": nothing})
    _same_answer(answer, found, "without figures of resources", ("resources",))
    for name in QUANTITIES:
        due = {"base": None, "quantized": None, "ratio": None}
        _same(f"{name}, without figures", due, found["resources"][name])
