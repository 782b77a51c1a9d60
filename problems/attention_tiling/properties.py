"""Where to look for wrong sums (one strategy per group), and what must always hold."""

import json
from fractions import Fraction
from functools import cache

from hypothesis import strategies as st

LOWEST, HIGHEST = -100, 100

GROUPS = {
    "check_equal_scores": ("minimal", "edge"),
    "check_other_tiles": ("normal", "edge"),
    "check_order_of_keys": ("normal",),
    "check_shifted_scores": ("normal", "edge"),
    "check_masked_keys_removed": ("normal",),
    "check_other_values": ("normal",),
    "check_plan_of_one_tile": ("edge",),
    "check_doubled_plan": ("edge",),
}


# Strategies
#
# The simplest option of every choice stands first, and no choice depends on an earlier one (with
# two keys, the first two of five scores count): so every part of an input shrinks by itself.


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


def _table(pick, height, width, most_high, most_wide, options):
    """All rows are drawn as large as they may be, then cut."""
    rows = [pick.several(most_wide, options) for _ in range(most_high)]
    return [row[:width] for row in rows[:height]]


def _plan(*numbers):
    return dict(zip(("rows", "columns", "width", "row_tile", "column_tile"), numbers))


def _input(pick, scores, values, tile, plans):
    """Without plans the field is often absent."""
    given = {"scores": scores, "values": values, "tile": tile}
    return given if not plans and pick.of(True, False) else given | {"plans": plans}


_SCORES = (0, 1, 2, None, 3, -1, -2, 5, None, -4)
_VALUES = (0, 1, 2, 3, -1, 4, 8, -5, 16, 10)


@st.composite
def _ordinary(draw):
    """A few queries and keys, small scores, some of them masked."""
    pick = _Pick(draw)
    keys, width, rows = pick.of(1, 2, 3, 4, 5), pick.of(1, 1, 2), pick.of(1, 0, 1, 2, 2)
    scores = _table(pick, rows, keys, 2, 5, _SCORES)
    values = _table(pick, keys, width, 5, 2, _VALUES)
    plans = [_plan(*pick.several(5, (1, 2, 3, 4, 8, 128))) for _ in range(pick.of(0, 1, 1, 2))]
    return _input(pick, scores, values, pick.of(1, 2, 3, 1, 2, 7), plans)


@st.composite
def _smallest(draw):
    """At most one query of one or two keys, at most one small plan."""
    pick = _Pick(draw)
    keys, rows = pick.of(1, 1, 2), pick.of(1, 1, 1, 0)
    scores = _table(pick, rows, keys, 1, 2, (0, None, 1, -3))
    values = _table(pick, keys, 1, 2, 1, (0, 1, -1, 7))
    plans = [_plan(*pick.several(5, (1, 2)))] if pick.of(False, True) else []
    return _input(pick, scores, values, pick.of(1, 2), plans)


_NUMBERS = (1, 2, 3, 7, 10**12 - 1, 2**31, 64)


def _border_plan(pick):
    """Tiles as large as the table, one larger, one smaller, or of another order."""
    rows, columns, width = pick.several(3, _NUMBERS)
    largest = 10**12 - 1
    row_tile = pick.of(rows, min(rows + 1, largest), max(rows - 1, 1), 1, largest)
    column_tile = pick.of(columns, min(columns + 1, largest), max(columns - 1, 1), 1, largest)
    return _plan(rows, columns, width, row_tile, column_tile)


def _pattern(pick, tile, keys):
    """Scores that are equal, rise, fall or alternate; some tiles masked as a whole."""
    kind = pick.of("equal", "rising", "falling", "zigzag")
    base, step = pick.of(0, 3, -7), pick.of(1, 2)
    masked, holes = pick.several(3, (False, True)), pick.several(9, (False, False, False, True))
    row = []
    for i in range(keys):
        slope = {"equal": 0, "rising": i, "falling": -i, "zigzag": i % 2}[kind]
        row.append(None if masked[i // tile] or holes[i] else base + step * slope)
    return row


@st.composite
def _tiles(draw):
    """One to three tiles, whole or with a last one that is short, some masked."""
    pick = _Pick(draw)
    tile, number, short = pick.of(1, 2, 3), pick.of(1, 2, 3), pick.of(0, 1, 2)
    keys = max(1, tile * number - min(short, tile - 1))
    scores = [_pattern(pick, tile, keys) for _ in range(pick.of(1, 1, 2))]
    values = _table(pick, keys, pick.of(1, 2), 9, 2, _VALUES)
    plans = [_border_plan(pick) for _ in range(pick.of(0, 1, 1))]
    return _input(pick, scores, values, tile, plans)


_EXTREME_SCORES = (0, 100, -100, None, 99, -99, 53, 1)
_EXTREME_VALUES = (
    0, 1, -1, 2**53 + 1, 2**63 - 1, -(2**63), 10**20 - 1, 1 - 10**20, 3,
)  # fmt: skip


@st.composite
def _extremes(draw):
    """Scores at the ends of their range, values past 64 bits, tiles past every number of keys."""
    pick = _Pick(draw)
    keys = pick.of(1, 2, 3, 4)
    scores = _table(pick, pick.of(1, 1, 2), keys, 2, 4, _EXTREME_SCORES)
    values = _table(pick, keys, 1, 4, 1, _EXTREME_VALUES)
    tile = pick.of(1, 2, keys, keys + 1, 2**63, 10**999)
    return _input(pick, scores, values, tile, [_border_plan(pick)] if pick.of(False, True) else [])


# What must be refused: edits of a small legal input

_LEGAL = {
    "scores": [[0, None, 2], [-1, 3, None]],
    "values": [[4, 0], [8, 1], [16, 5]],
    "tile": 2,
    "plans": [_plan(4, 4, 1, 2, 2), _plan(5, 7, 2, 8, 1)],
}
_LEGAL_TEXT = json.dumps(_LEGAL)
_SCORE_PLACES = (("scores", 0, 0), ("scores", 0, 2), ("scores", 1, 1))
_VALUE_PLACES = (("values", 0, 0), ("values", 1, 1), ("values", 2, 1))
_PLANS = (("plans", 0), ("plans", 1))
_PLAN_PLACES = tuple((*plan, name) for plan in _PLANS for name in _LEGAL["plans"][0])
_INTEGERS = (("tile",), ("tile",), *_SCORE_PLACES, *_VALUE_PLACES, *_PLAN_PLACES)
_LISTS = (("scores",), ("scores", 1), ("values",), ("values", 0), ("values", 2), ("plans",))
_GONE = object()

_NO_INTEGERS = (1.0, 1e3, 0.5, True, False, "1", "", [1], {}, None)
_TEXTS = (
    "", "\n", "null", "1", "[]", '"scores"', '[{"scores": [], "values": [[1]], "tile": 1}]', "{}",
    '{"scores": [], "values": [[1]], "tile": 1', '{"scores": [], "values": [[1]], "tile": 1} {}',
    "{'scores': [], 'values': [[1]], 'tile': 1}", '{"scores": [], "values": [[1]], "tile": 1e0}',
    '{"scores": [], "values": [[1]], "tile": 01}',
    '{"scores": [[NaN]], "values": [[1]], "tile": 1}',
    '{"scores": [[-Infinity]], "values": [[1]], "tile": 1}',
    b'{"scores": [], "values": [[1]], "tile": 1, "\xff": 1}',
    b'{"scores": [], "values": [[1]], "tile": 1}\x80',
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
    kind = pick(("integer", "list", "object", "missing", "unknown", "text", "integer"))
    if kind == "text":
        return pick(_TEXTS)
    if kind == "integer":
        path = pick(_INTEGERS)
        _edit(given, path, pick(_NO_INTEGERS[:-1] if path in _SCORE_PLACES else _NO_INTEGERS))
    elif kind == "list":
        _edit(given, pick(_LISTS), pick((None, {}, "", "12", 1, True, {"0": 1})))
    elif kind == "object":
        _edit(given, pick(_PLANS), pick(([], "", 1, True, {}, None, [1, 1, 1, 1, 1])))
    elif kind == "missing":
        _edit(given, pick((("scores",), ("values",), ("tile",), *_PLAN_PLACES)), _GONE)
    else:
        _edit(given, (*pick(((), *_PLANS)), pick(("mask", "tile "))), pick((1, None)))
    return given


def _no_values(pick, given):
    return given | {"values": [], "scores": pick(([], [[]], [[], []], given["scores"]))}


def _shape_mismatch(pick, given):
    name, kind = pick(("scores", "values")), pick(("shorter", "longer", "empty"))
    rows = given[name]
    row = rows[pick(range(len(rows)))]
    if kind == "longer":
        row.append(row[0])
    elif kind == "shorter":
        row.pop()
    elif name == "values" and pick((False, True)):
        given["values"] = [[] for _ in rows]
    else:
        row.clear()
    return given


def _at(paths, *values):
    def fault(pick, given):
        _edit(given, pick(paths), pick(values))
        return given

    return fault


_FAULTS = {
    "malformed": _malformed,
    "no_values": _no_values,
    "shape_mismatch": _shape_mismatch,
    "score_out_of_range": _at(_SCORE_PLACES, 101, -101, 10**30, -(10**30)),
    "tile_out_of_range": _at((("tile",),), 0, -1, -(10**30)),
    "plan_out_of_range": _at(_PLAN_PLACES, 0, -1, -(10**30)),
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
    for later in range(last, max(code, 2), -1):  # no fault of shape, it takes places away
        if pick((False, False, True)):
            given = _FAULTS[_CODES[later]](pick, given)
    return _FAULTS[_CODES[code]](pick, given), _CODES[code]


normal, minimal, failure = _ordinary(), _smallest(), _refused()
edge = st.one_of(_tiles(), _tiles(), _extremes())


# What the checks read


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
    assert found == expected, f"{what}: expected {expected}, found {found}"


def _rows(given, answer):
    """Per query (name, scores, result), once the results are known to belong to `given`."""
    keys, width, tile = len(given["values"]), len(given["values"][0]), given["tile"]
    _same("number of rows", len(given["scores"]), len(answer["rows"]))
    for i, (scores, result) in enumerate(zip(given["scores"], answer["rows"])):
        _same(f"query {i}: length of output", width, len(result["output"]))
        _same(f"query {i}: number of tiles in trace", -(-keys // tile), len(result["trace"]))
        yield f"query {i}", scores, result


def _entries(given, scores, result, name):
    """Per tile (name, scores read so far, scores of the tile, m, l)."""
    tile = min(given["tile"], len(scores))
    for i, (m, text) in enumerate(result["trace"]):
        where = f"{name}, after tile {i}"
        read, new = scores[: (i + 1) * tile], scores[i * tile : (i + 1) * tile]
        yield where, _unmasked(read), _unmasked(new), m, _fraction(text, f"{where}: l")


def _unmasked(scores):
    return [score for score in scores if score is not None]


def _plans(given, answer):
    """Per plan (name, plan, result)."""
    asked = given.get("plans", [])
    _same("number of plans", len(asked), len(answer["plans"]))
    for i, (plan, result) in enumerate(zip(asked, answer["plans"])):
        yield f"plan {i}", plan, result


def _same_in_the_end(given, answer, other, found, when):
    """The outputs and the last trace entries are the same in both answers."""
    pairs = zip(_rows(given, answer), _rows(other, found))
    for (name, _, one), (_, _, two) in pairs:
        _same(f"{name}, {when}: output", one["output"], two["output"])
        _same(f"{name}, {when}: last entry of trace", one["trace"][-1], two["trace"][-1])


# Checks


def check_maximum(given, answer):
    """After each tile m is the largest score read so far, null while all are masked; so it never
    falls.

    每读完一块，m 都是到此为止最大的分数，若全被掩蔽则为 null；因此 m 从不下降。
    """
    for name, scores, result in _rows(given, answer):
        for where, read, _, m, _ in _entries(given, scores, result, name):
            _same(f"{where}: m", max(read) if read else None, m)


def check_bounds_of_sum(given, answer):
    """1 <= l <= the number of unmasked keys so far; l is "0/1" while there is none.

    1 <= l <= 到此为止未被掩蔽的 key 数；一个都没有时 l 为 "0/1"。
    """
    for name, scores, result in _rows(given, answer):
        for where, read, _, _, found in _entries(given, scores, result, name):
            least = 1 if read else 0
            inside = least <= found <= len(read)
            assert inside, f"{where}: l is {_text(found)}, not between {least} and {len(read)}"


def check_recurrence(given, answer):
    """From tile to tile, l' = l · 2^(m - m') + Σ 2^(s - m') over the unmasked keys of the tile.

    逐块满足 l' = l · 2^(m - m') + Σ 2^(s - m')，求和取该块中未被掩蔽的 key。
    """
    for name, scores, result in _rows(given, answer):
        before, due = None, Fraction(0)
        for where, read, new, m, found in _entries(given, scores, result, name):
            there = "null" if m is None else "there"
            _same(f"{where}: m is", "there" if read else "null", there)
            if m is None:
                assert found == 0, f"{where}: l is {_text(found)} before the first unmasked key"
                continue
            assert LOWEST <= m <= HIGHEST, f"{where}: m is {m}, which is no score"
            due *= 1 if before is None else Fraction(2) ** (before - m)
            due += sum(Fraction(2) ** (score - m) for score in new)
            _same(f"{where}: l", _text(due), _text(found))
            before = m


def check_bounds_of_output(given, answer):
    """An output lies between the least and the largest unmasked value of its column;
    all are "0/1" when every key is masked.

    每个输出都介于该列未被掩蔽的最小值与最大值之间；key 全被掩蔽时全为 "0/1"。
    """
    for name, scores, result in _rows(given, answer):
        kept = [row for row, score in zip(given["values"], scores) if score is not None]
        for j, text in enumerate(result["output"]):
            found, column = _fraction(text, f"{name}, column {j}"), [row[j] for row in kept] or [0]
            low, high = min(column), max(column)
            inside = low <= found <= high
            assert inside, f"{name}, column {j}: output {text}, not between {low} and {high}"


def check_equal_scores(given, answer):
    """Equal scores: each output is the plain mean of the unmasked values, l their number.

    分数全相等时，输出就是未被掩蔽的值的普通平均，l 就是它们的个数。
    """
    for name, scores, result in _rows(given, answer):
        kept = [row for row, score in zip(given["values"], scores) if score is not None]
        if len(set(_unmasked(scores))) == 1:
            for j, (found, *column) in enumerate(zip(result["output"], *kept)):
                _same(f"{name}, column {j}", _text(Fraction(sum(column), len(kept))), found)
            _same(f"{name}: last l", f"{len(kept)}/1", result["trace"][-1][1])


def check_other_tiles(given, answer, run):
    """With other tiles, the outputs and the last entries of trace are the same.

    换一种分块大小，输出和 trace 的最后一项不变。
    """
    for tile in sorted({1, 2, len(given["values"])} - {given["tile"]}):
        other = given | {"tile": tile}
        _same_in_the_end(given, answer, other, run(other), f"with tile {tile}")


def check_order_of_keys(given, answer, run):
    """With the keys (and their values) the other way round, outputs and last entries of trace are
    the same.

    把 key 的顺序倒过来（值随之移动），输出和 trace 的最后一项不变。
    """
    turned = [row[::-1] for row in given["scores"]]
    other = given | {"scores": turned, "values": given["values"][::-1]}
    _same_in_the_end(given, answer, other, run(other), "with the keys turned round")


def check_shifted_scores(given, answer, run):
    """Adding c to all scores of a query adds c to every m and changes nothing else.

    给一个 query 的所有分数加上 c，每个 m 都加 c，其余不变。
    """
    for end in (max, min):
        goal, shifts, moved = (HIGHEST if end is max else LOWEST), [], []
        for scores in given["scores"]:
            c = goal - end(_unmasked(scores) or [goal])
            shifts.append(c)
            moved.append([score if score is None else score + c for score in scores])
        other = given | {"scores": moved}
        pairs = zip(_rows(given, answer), _rows(other, run(other)))
        for ((name, _, one), (_, _, two)), c in zip(pairs, shifts):
            _same(f"{name}, with {c} added: output", one["output"], two["output"])
            expected = [[m if m is None else m + c, text] for m, text in one["trace"]]
            _same(f"{name}, with {c} added: trace", expected, two["trace"])


def check_masked_keys_removed(given, answer, run):
    """Without its masked keys, a query has the same output and the same last entry of trace.

    去掉被掩蔽的 key（至少留下一个 key），输出和 trace 的最后一项不变。
    """
    for i, (name, scores, result) in enumerate(_rows(given, answer)):
        kept = [(s, row) for s, row in zip(scores, given["values"]) if s is not None]
        if not 0 < len(kept) < len(scores):
            continue
        left, values = map(list, zip(*kept))
        other = given | {"scores": [left], "values": values}
        for _, _, found in _rows(other, run(other)):
            _same(f"query {i} without masked keys: output", result["output"], found["output"])
            last, end = result["trace"][-1], found["trace"][-1]
            _same(f"{name} without masked keys: last entry of trace", last, end)


def check_other_values(given, answer, run):
    """With 7 - 3v for every value v, outputs are 7 - 3 times what they were, where a key is left.

    每个值 v 换成 7 - 3v，只要还有未被掩蔽的 key，输出也作同样的变换。
    """
    other = given | {"values": [[7 - 3 * value for value in row] for row in given["values"]]}
    pairs = zip(_rows(given, answer), _rows(other, run(other)))
    for (name, scores, one), (_, _, two) in pairs:
        for j, text in enumerate(one["output"]):
            before = _fraction(text, f"{name}, column {j}")
            expected = _text(7 - 3 * before) if _unmasked(scores) else "0/1"
            _same(f"{name}, column {j}, with 7 - 3v", expected, two["output"][j])
        _same(f"{name}, with 7 - 3v: trace", one["trace"], two["trace"])


def check_plan_figures(given, answer):
    """naive is rows × columns, ratio is naive / tiled, and tiled is at least one score, an output,
    a maximum and a sum.

    naive = rows × columns；ratio = naive / tiled；tiled 至少容得下一个分数、一行输出、
    一个最大值与一个和。
    """
    for name, plan, result in _plans(given, answer):
        naive, tiled = result["naive"], result["tiled"]
        _same(f"{name}: naive", plan["rows"] * plan["columns"], naive)
        least = plan["width"] + 3
        assert tiled >= least, f"{name}: tiled is {tiled}, but one row of one score needs {least}"
        _same(f"{name}: ratio", _text(Fraction(naive, tiled)), result["ratio"])


def check_plan_of_one_tile(given, answer, run):
    """A table that is one tile holds rows × (columns + width + 2); a larger one holds no more.

    整张表恰为一块时，tiled = rows × (columns + width + 2)；表更大时也不会更多。
    """
    plans = []
    for plan in given.get("plans", []):
        r, c = min(plan["rows"], plan["row_tile"]), min(plan["columns"], plan["column_tile"])
        plans.append(_plan(r, c, plan["width"], r, c))
    if plans:
        other = given | {"plans": plans}
        pairs = zip(_plans(given, answer), _plans(other, run(other)))
        for (name, _, one), (_, plan, two) in pairs:
            expected = plan["rows"] * (plan["columns"] + plan["width"] + 2)
            _same(f"{name}, cut to one tile: tiled", expected, two["tiled"])
            _same(f"{name}: tiled, as that of one tile", expected, one["tiled"])


def check_doubled_plan(given, answer, run):
    """Twice the rows and columns make naive four times as large and leave tiled alone, when the
    tiles fit in the smaller table.

    行列都加倍时，naive 变为四倍；若分块在较小的表里放得下，tiled 不变。
    """
    plans = [
        plan | {"rows": 2 * plan["rows"], "columns": 2 * plan["columns"]}
        for plan in given.get("plans", [])
        if max(plan["rows"], plan["columns"]) < 10**11
    ]
    if len(plans) == len(given.get("plans", [])) > 0:
        other = given | {"plans": plans}
        pairs = zip(_plans(given, answer), _plans(other, run(other)))
        for (name, plan, one), (_, _, two) in pairs:
            _same(f"{name}, doubled: naive", 4 * one["naive"], two["naive"])
            if plan["row_tile"] <= plan["rows"] and plan["column_tile"] <= plan["columns"]:
                _same(f"{name}, doubled: tiled", one["tiled"], two["tiled"])
