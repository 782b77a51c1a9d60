"""Where to look for caches that go wrong (one strategy per group), and what must always hold."""

import json
from fractions import Fraction
from functools import cache

from hypothesis import strategies as st

GROUPS = {
    "check_fresh_start": ("normal", "edge"),
    "check_chunks": ("normal", "edge"),
    "check_decode": ("normal",),
    "check_draft": ("normal",),
    "check_fork": ("normal",),
    "check_window": ("normal", "edge"),
    "check_positions_twice": ("edge",),
    "check_components": ("normal",),
    "check_other_names": ("minimal", "normal"),
}


# Strategies
#
# The simplest option of every choice stands first, and no choice depends on an earlier one (a
# number is taken modulo what is possible): so every part of an input shrinks by itself.


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


def _input(pick, embed, positions, window, operations):
    """Without a window the field is often absent."""
    given = {"embed": embed, "positions": positions, "window": window, "operations": operations}
    if window is None and pick.of(False, True):
        del given["window"]
    return given


_STEPS = ("append", "decode", "rollback", "fork", "start", "decode", "append", "rollback", "fork")


class _Script:
    """Legal operations, from numbers that mean something whatever they are."""

    def __init__(self, vocabulary, names):
        self.vocabulary, self.names = vocabulary, names
        self.operations, self.lengths, self.most = [], {}, 1

    def add(self, kind, which, number, tokens):
        tokens = [token % self.vocabulary for token in tokens[: 1 + number % len(tokens)]]
        known = list(self.lengths)
        if not known or (kind in ("start", "fork") and len(known) < len(self.names)):
            new = self.names[len(known)]
            if kind == "fork" and known:
                source = known[which % len(known)]
                self._run(["fork", source, new], new, self.lengths[source])
            else:
                self._run(["start", new, tokens], new, len(tokens))
            return
        name = known[which % len(known)]
        length = self.lengths[name]
        if kind in ("rollback", "start", "fork"):
            number = number % length
            self._run(["rollback", name, number], name, length - number)
        elif kind == "decode":
            self._run(["decode", name, number % 4], name, length + number % 4)
        else:
            self._run(["append", name, tokens], name, length + len(tokens))

    def _run(self, operation, name, length):
        self.operations.append(operation)
        self.lengths[name] = length
        self.most = max(self.most, length)


def _script(pick, vocabulary, names, steps, decodes=True):
    """`steps` operations at most, and each one less for every step that is "none"."""
    script = _Script(vocabulary, names)
    kinds = _STEPS if decodes else tuple(kind for kind in _STEPS if kind != "decode")
    script.add("start", 0, pick.of(0, 1, 2, 3), pick.several(4, range(12)))
    for _ in range(steps):
        kind = pick.of("none", *kinds)
        which, number = pick.of(0, 1, 2), pick.of(1, 0, 2, 3, 4, 5, 6, 7)
        tokens = pick.several(4, range(12))
        if kind != "none":
            script.add(kind, which, number, tokens)
    return script


def _units(number, width, size):
    """Rows that each point along one axis, first forwards, then backwards."""
    signs = [size * (-1) ** (i // width) for i in range(number)]
    return [[sign * (j == i % width) for j in range(width)] for i, sign in enumerate(signs)]


_NAMES = ("a", "b", "A", "a ", "1")


@st.composite
def _ordinary(draw):
    """Up to four sequences, up to six operations after the first, small numbers."""
    # A token mostly attends to itself, and then comes next again. Where the rows of positions pull
    # to all sides, other tokens come.
    pick = _Pick(draw)
    width, vocabulary, rows = pick.of(2, 1, 2, 3), pick.of(2, 3, 4, 4, 1), pick.of(2, 1, 3, 3)
    embed = _table(pick, vocabulary, width, 4, 3, (0, 1, -1, 2, -2))
    positions = _table(pick, rows, width, 3, 3, (0, 1, -1, 3, -3, 4, -4))
    embed = pick.of(_units(vocabulary, width, 1), embed, embed)
    positions = pick.of(_units(rows, width, 2), positions, positions)
    script = _script(pick, vocabulary, _NAMES[:4], 6)
    window = pick.of(None, 1, 2, 3, None, 4, 6)
    return _input(pick, embed, positions, window, script.operations)


@st.composite
def _smallest(draw):
    """No operation, or one sequence, of which at most one thing more is asked."""
    pick = _Pick(draw)
    embed = _table(pick, pick.of(1, 2), 1, 2, 1, (0, 1, -1))
    positions = [[pick.of(0, 1)]]
    token, name, n = pick.of(0, 1) % len(embed), pick.of("a", "B", " b"), pick.of(0, 1)
    more = {
        "append": ["append", name, [0]],
        "decode": ["decode", name, n],
        "rollback": ["rollback", name, 0],
        "fork": ["fork", name, name.swapcase()],
    }
    kinds = ("start", *more, "none")
    kind = kinds[sum(pick.several(3, range(6))) % len(kinds)]  # early inputs differ in one choice
    operations = [["start", name, [token]], *([more[kind]] if kind in more else [])]
    window = pick.of(None, 1, 2)
    return _input(pick, embed, positions, window, operations if kind != "none" else [])


@st.composite
def _windows(draw):
    """A window as long as a sequence once was, one more or one less; rollbacks bring keys back."""
    pick = _Pick(draw)
    vocabulary = pick.of(2, 3)
    embed = _table(pick, vocabulary, 2, 3, 2, (0, 1, -1, 2, 3))
    positions = _table(pick, pick.of(1, 2, 3), 2, 3, 2, (0, 1, -1))
    script = _script(pick, vocabulary, _NAMES[:3], 5)
    lengths = _lengths_on_the_way(script.operations)
    window = max(1, lengths[pick.of(0, 1, 2, 3, 4, 5) % len(lengths)] + pick.of(0, -1, 1))
    name = list(script.lengths)[pick.of(0, 1, 2) % len(script.lengths)]
    if pick.of(True, False):  # down to one token, or to what a window holds
        drop = script.lengths[name] - pick.of(1, min(window, script.lengths[name]))
        script.operations.append(["rollback", name, drop])
    return _input(pick, embed, positions, window, script.operations)


@st.composite
def _circles(draw):
    """Sequences that end where the rows of positions begin anew, or one before, or one after."""
    pick = _Pick(draw)
    rows, rounds, off = pick.of(1, 2, 3, 4), pick.of(1, 2), pick.of(0, 1, -1)
    length = max(1, rows * rounds + off)
    positions = _table(pick, rows, 2, 4, 2, (0, 1, 2, -1, -2))
    embed = [[1, 0], [0, 1], [1, -1]]
    tokens, cut = pick.several(9, range(3))[:length], pick.of(1, 2, 3, 4)
    operations = [["start", "a", tokens[:cut]]]
    operations += [["append", "a", tokens[cut:]]] if tokens[cut:] else []
    operations += [["decode", "a", pick.of(0, 1, 3)], ["fork", "a", "b"], ["rollback", "b", 0]]
    return _input(pick, embed, positions, pick.of(None, rows, 2), operations)


@st.composite
def _ties(draw):
    """Rows of embed that are equal, or equal in what the output sees of them."""
    pick = _Pick(draw)
    rows = ([1, 0], [1, 0], [0, 1], [0, 0], [1, 1], [-1, 0], [0, 1])
    embed = pick.several(4, rows)
    script = _script(pick, 4, ("a", "b"), 3)
    return _input(pick, embed, [[0, 0]], pick.of(None, 2), script.operations)


_STEEP = ([44, 8], [-44, -8], [0, 0], [8, -44], [-8, 44], [0, 1], [1, 0], [44, 7], [0, -1])


@st.composite
def _steepest(draw):
    """Scores up to 2,000 on both sides: one key has all the weight, and the others are not lost."""
    pick = _Pick(draw)
    embed = pick.several(4, _STEEP)
    script = _script(pick, 4, ("a", "b"), 3)
    return _input(pick, embed, [[0, 0]], pick.of(None, 1, 2, 3), script.operations)


_HUGE = (10**20 - 1, 2**63, 2**53 + 1, -(2**53), 2**53 - 1, 1 - 10**20, 0)


@st.composite
def _enormous(draw):
    """Embeddings past 64 bits that the positions all but cancel, or that no token uses."""
    pick = _Pick(draw)
    base = pick.of(10**19, 2**53, 0, -(10**18))
    embed = [[base + 1], [base], [base + 2], [pick.of(*_HUGE)], [pick.of(*_HUGE)]]
    positions = [[-base], [-base - 1], [1 - base]][: pick.of(1, 2, 3)]
    script = _script(pick, 3, ("a", "b"), 4, decodes=False)
    return _input(pick, embed, positions, pick.of(None, 1, 2), script.operations)


# What must be refused: edits of a small legal input

_LEGAL = {
    "embed": [[1, 0], [0, 1], [-1, 1]],
    "positions": [[0, 0], [1, -1]],
    "window": 3,
    "operations": [
        ["start", "a", [0, 1]],
        ["append", "a", [2]],
        ["decode", "a", 2],
        ["fork", "a", "b"],
        ["append", "b", [1, 1]],
        ["rollback", "b", 1],
        ["start", "c", [2]],
        ["decode", "b", 0],
        ["rollback", "a", 4],
    ],
}
_LEGAL_TEXT = json.dumps(_LEGAL)
_WITH_TOKENS, _WITH_NUMBER = (0, 1, 4, 6), (2, 5, 7, 8)
_GONE = object()

_NO_INTEGERS = (1.0, 1e3, 0.5, True, False, "1", "", [1], {}, None)
_NO_LISTS = (None, {}, "", "01", 1, True, {"0": 1})
_NO_NAMES = ("", 1, None, ["a"], {}, True)
_NO_OPERATIONS = (
    [], ["start"], ["fork", "a"], ["decode", "a"], ["append", "a", [0], [1]], ["decode", "a", 1, 1],
    ["Start", "d", [0]], ["free", "a", 1], ["", "a", 1], [["decode"], "a", 1], [None, "a", 1],
    [{}, "a", 1], None, "decode", {"decode": "a"}, 1, ["append", "a", 1], ["decode", "a", [1]],
    ["fork", "a", 1], ["rollback", "a", "1"], ["append", "a", ""], ["append", "a", "0"],
    ["start", "d", {}], ["append", "a", None],
)  # fmt: skip
_TEXTS = (
    "", "\n", "null", "1", "[]", '["embed", "positions", "operations"]', "{}",
    '[{"embed": [[1]], "positions": [[0]], "operations": []}]',
    '{"embed": [[1]], "positions": [[0]], "operations": []',
    '{"embed": [[1]], "positions": [[0]], "operations": []} {}',
    "{'embed': [[1]], 'positions': [[0]], 'operations': []}",
    '{"embed": [[1e0]], "positions": [[0]], "operations": []}',
    '{"embed": [[01]], "positions": [[0]], "operations": []}',
    '{"embed": [[NaN]], "positions": [[0]], "operations": []}',
    '{"embed": [[1]], "positions": [[-Infinity]], "operations": []}',
    b'{"embed": [[1]], "positions": [[0]], "operations": [], "\xff": 1}',
    b'{"embed": [[1]], "positions": [[0]], "operations": []}\x80',
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
    kinds = ("integer", "list", "operation", "name", "missing", "unknown", "text", "operation")
    kind, bad = pick(kinds), pick(_NO_INTEGERS)
    if kind == "text":
        return pick(_TEXTS)
    if kind == "integer":
        place = pick(("embed", "positions", "tokens", "number", "window"))
        if place in ("embed", "positions"):
            given[place][pick((0, 1))][pick((0, 1))] = bad
        elif place == "tokens":
            given["operations"][pick(_WITH_TOKENS)][2] = pick(([bad], [0, bad], [bad, 0]))
        elif place == "number":
            given["operations"][pick(_WITH_NUMBER)][2] = bad
        else:
            given["window"] = bad if bad is not None else pick(([], "null", 2.0))
    elif kind == "list":
        places = (("embed",), ("embed", 1), ("positions",), ("positions", 0), ("operations",))
        _edit(given, pick(places), pick(_NO_LISTS))
    elif kind == "operation":
        given["operations"][pick(range(9))] = pick(_NO_OPERATIONS)
    elif kind == "name":
        path = pick(((0, 1), (1, 1), (2, 1), (3, 1), (3, 2), (5, 1)))
        _edit(given["operations"], path, pick(_NO_NAMES))
    elif kind == "missing":
        _edit(given, (pick(("embed", "positions", "operations")),), _GONE)
    else:
        _edit(given, (pick(("heads", "window ", "sequences")),), pick((1, None)))
    return given


def _bad_shape(pick, given):
    name, kind = pick(("embed", "positions")), pick(("shorter", "longer", "none", "empty", "all"))
    row = given[name][pick(range(len(given[name])))]
    if kind == "none":
        given[name] = []
    elif kind == "empty":
        row.clear()
    elif kind == "shorter":
        row.pop()
    elif kind == "longer":
        row.append(0)
    else:  # all rows of the one are wider than those of the other, or all of both are empty
        given[name] = [pick(([0], [0, 0, 0], [])) for _ in given[name]]
    return given


def _out_of_range(pick, given):
    kind, operations = pick(("window", "token", "number", "token")), given["operations"]
    if kind == "window":
        given["window"] = pick((0, -1, -(10**30)))
    elif kind == "number":
        operations[pick(_WITH_NUMBER)][2] = pick((-1, -2, -(10**30)))
    else:
        operations[pick(_WITH_TOKENS)][2].append(pick((3, -1, 4, 10**30, -3)))
    return given


def _no_tokens(pick, given):
    given["operations"][pick(_WITH_TOKENS)][2] = []
    return given


def _unknown_sequence(pick, given):
    kind, operations = pick(("other", "early", "source")), given["operations"]
    if kind == "other":
        operations[pick((1, 2, 4, 5, 7, 8))][1] = pick(("d", "A", "a ", "start", "0"))
    elif kind == "early":
        operations.insert(pick((0, 1, 2, 3)), ["append", pick(("b", "c")), [0]])
    else:
        operations[3][1] = pick(("b", "c", "B"))
    return given


def _sequence_exists(pick, given):
    kind, operations = pick(("start", "fork")), given["operations"]
    if kind == "start":
        operations.insert(pick((4, 7, 9)), ["start", pick(("a", "b")), [0]])
    else:
        operations.insert(pick((4, 7, 9)), ["fork", pick(("a", "b")), pick(("a", "b"))])
    return given


def _too_far(pick, given):
    kind, operations = pick(("exactly", "further", "one")), given["operations"]
    if kind == "exactly":
        operations[8][2] = 5
    elif kind == "further":
        operations[pick((5, 8))][2] = pick((7, 8, 10**30))
    else:
        operations.insert(7, ["rollback", "c", pick((1, 2))])
    return given


_FAULTS = {
    "malformed": _malformed,
    "bad_shape": _bad_shape,
    "out_of_range": _out_of_range,
    "no_tokens": _no_tokens,
    "unknown_sequence": _unknown_sequence,
    "sequence_exists": _sequence_exists,
    "too_far": _too_far,
}
_CODES = tuple(_FAULTS)


@st.composite
def _refused(draw):
    """A fault, often with faults from further down the table as well."""
    # Early inputs come in runs that differ in one choice only. What fault there is depends on
    # all choices, which are drawn first: so every code comes up soon.
    dice = draw(st.tuples(*[_below(1000)] * 24))
    code, numbers = sum(dice) % len(_CODES), iter(dice)

    def pick(options):
        return options[next(numbers) % len(options)]

    given = json.loads(_LEGAL_TEXT)
    chosen = _FAULTS[_CODES[code]](pick, given)
    # The places of the other faults are places of the text without operations put in: a second
    # fault is one that needs no place.
    if code == 0 or not pick((False, True)):
        return chosen, _CODES[code]
    later = pick(range(code, len(_CODES)))
    extra = {
        "bad_shape": [],
        "out_of_range": [["decode", "a", -1]],
        "no_tokens": [["append", "a", []]],
        "unknown_sequence": [["decode", "nobody", 1]],
        "sequence_exists": [["start", "a", [0]]],
        "too_far": [["rollback", "a", 10**6]],
    }
    for operation in extra[_CODES[later]]:
        place = 1 if pick((False, True)) else len(chosen["operations"])
        chosen["operations"].insert(place, operation)
    return chosen, _CODES[code]


normal, minimal, failure = _ordinary(), _smallest(), _refused()
edge = st.one_of(_windows(), _windows(), _circles(), _ties(), _steepest(), _enormous())


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


def _history(given):
    """(tokens by name, with None for those that are decoded; every length on the way)."""
    tokens, lengths = {}, []
    for kind, name, argument in given["operations"]:
        if kind == "fork":
            name, tokens[argument] = argument, list(tokens[name])
        elif kind == "rollback":
            tokens[name] = tokens[name][: len(tokens[name]) - argument]
        elif kind == "decode":
            tokens[name] = tokens[name] + [None] * argument
        else:
            tokens[name] = tokens.get(name, []) + argument
        lengths.append(len(tokens[name]))
    return tokens, lengths


def _lengths_on_the_way(operations):
    return _history({"operations": operations})[1]


def _sequences(given, answer):
    """Per sequence (name, tokens, output, next), once they are known to belong to `given`."""
    due, _ = _history(given)
    _same("names of sequences", sorted(due), sorted(answer["sequences"]))
    for name, tokens in due.items():
        found = answer["sequences"][name]
        where, most = f"sequence {name!r}", len(given["embed"])
        _same(f"{where}: number of tokens", len(tokens), len(found["tokens"]))
        for i, (expected, token) in enumerate(zip(tokens, found["tokens"])):
            if expected is not None:
                _same(f"{where}: token at position {i}", expected, token)
            assert token < most, f"{where}: token {token} at position {i} is no row of embed"
        assert found["next"] < most, f"{where}: next is {found['next']}, no row of embed"
        _same(f"{where}: numbers of output", len(given["embed"][0]), len(found["output"]))
        output = [_fraction(text, f"{where}: output") for text in found["output"]]
        yield name, found["tokens"], output, found["next"]


def _states(given, tokens):
    rows = given["positions"]
    pairs = ((given["embed"][token], rows[i % len(rows)]) for i, token in enumerate(tokens))
    return [[x + y for x, y in zip(*pair)] for pair in pairs]


def _pairs(length, window):
    """How many positions all positions of a sequence see together."""
    return sum(i + 1 if window is None else min(i + 1, window) for i in range(length))


def _same_sequences(one, other, when):
    names = sorted(one["sequences"])
    _same(f"{when}: names of sequences", names, sorted(other["sequences"]))
    for name in names:
        for key in ("tokens", "output", "next"):
            due, found = one["sequences"][name][key], other["sequences"][name][key]
            _same(f"{when}: {key} of sequence {name!r}", due, found)


def _same_answers(one, other, when):
    _same_sequences(one, other, when)
    for key in ("cached", "recomputed"):
        _same(f"{when}: {key}", one[key], other[key])


def _then(given, *operations):
    return given | {"operations": [*given["operations"], *operations]}


# Checks


def check_tokens(given, answer):
    """Each sequence has as many tokens as the operations give it, and those that were started and
    appended stand where they were put.

    每条序列的 token 数与操作一致，start 和 append 的 token 都在原来的位置上。
    """
    for _ in _sequences(given, answer):
        pass


def check_next(given, answer):
    """`next` is the token whose row of embed has the largest product with `output`; of equals, the
    lowest.

    `next` 是 embed 的各行与 `output` 点积最大者，相等时取最小的 token。
    """
    for name, _, output, following in _sequences(given, answer):
        products = [sum(x * y for x, y in zip(row, output)) for row in given["embed"]]
        due = products.index(max(products))
        told = ", ".join(map(_text, products))
        assert due == following, f"sequence {name!r}: next is {following}, not {due} ({told})"


def check_bounds_of_output(given, answer):
    """Each number of an output lies between the least and the largest of its column, over the
    states that the last position sees.

    输出的每个分量都介于最后一个位置看得到的各状态在该分量上的最小值与最大值之间。
    """
    for name, tokens, output, _ in _sequences(given, answer):
        window = given.get("window") or len(tokens)
        for j, (found, column) in enumerate(zip(output, zip(*_states(given, tokens)[-window:]))):
            low, high = min(column), max(column)
            where = f"sequence {name!r}, component {j}"
            inside = low <= found <= high
            assert inside, f"{where}: output {_text(found)}, not between {low} and {high}"


def check_counts(given, answer):
    """With the cache, as many states are computed as tokens were started, appended and decoded;
    each attends to one position at least and to a window at most; without it, nothing is less.

    带缓存时，计算的状态数等于 start、append、decode 的 token 数；每个至少关注一个位置，至多一个
    窗口；不带缓存时，两个数都不会更少。
    """
    sizes = {"decode": int, "start": len, "append": len}
    computed = sum(sizes[kind](x) for kind, _, x in given["operations"] if kind in sizes)
    cached, recomputed = answer["cached"], answer["recomputed"]
    _same("cached computed", computed, cached["computed"])
    window = given.get("window")
    most = max([*_history(given)[1], 1]) if window is None else window
    attended = cached["attended"]
    inside = computed <= attended <= computed * most
    assert inside, f"cached attended is {attended}, not between {computed} and {computed * most}"
    for key in ("computed", "attended"):
        less = recomputed[key] < cached[key]
        assert not less, f"{key}: {recomputed[key]} without a cache, {cached[key]} with it"


def check_fresh_start(given, answer, run):
    """Sequences that are started with the final tokens give the same outputs and next tokens; and
    as nothing is done twice then, cached and recomputed are equal.

    用最终的 token 直接 start，得到相同的输出和下一个 token；这时没有重复的工作，cached 与
    recomputed 相等。
    """
    started = [["start", name, tokens] for name, tokens, _, _ in _sequences(given, answer)]
    found = run(given | {"operations": started})
    _same_sequences(answer, found, "started with the final tokens")
    pairs = sum(_pairs(len(tokens), given.get("window")) for _, _, tokens in started)
    due = {"computed": sum(len(tokens) for _, _, tokens in started), "attended": pairs}
    for key in ("cached", "recomputed"):
        _same(f"started with the final tokens: {key}", due, found[key])


def check_chunks(given, answer, run):
    """Cut into chunks of one token, starts and appends leave sequences and cached alone; recomputed
    does not fall.

    把 start 和 append 切成每块一个 token，sequences 和 cached 不变，recomputed 不会变小。
    """
    check_tokens(given, answer)
    operations = []
    for kind, name, argument in given["operations"]:
        if kind in ("start", "append"):
            operations.append([kind, name, argument[:1]])
            operations += [["append", name, [token]] for token in argument[1:]]
        else:
            operations.append([kind, name, argument])
    found = run(given | {"operations": operations})
    _same_sequences(answer, found, "in chunks of one token")
    _same("in chunks of one token: cached", answer["cached"], found["cached"])
    for key in ("computed", "attended"):
        before, after = answer["recomputed"][key], found["recomputed"][key]
        assert after >= before, f"in chunks of one token: recomputed {key} is {after}, was {before}"


def check_decode(given, answer, run):
    """To decode two tokens is to decode one, twice, and to append them one by one, in every figure;
    the first of them is `next`.

    decode 两个 token，等于 decode 两次、每次一个，也等于把它们逐个 append，每个数都相同；其中第一个
    就是 `next`。
    """
    check_tokens(given, answer)
    names = list(answer["sequences"])
    found = run(_then(given, *(["decode", name, 2] for name in names)))
    again = run(_then(given, *(["decode", name, 1] for name in names for _ in range(2))))
    _same_answers(found, again, "decoded one by one")
    appended = []
    for name, tokens, _, _ in _sequences(_then(given, *(["decode", n, 2] for n in names)), found):
        _same(f"first decoded token of {name!r}", answer["sequences"][name]["next"], tokens[-2])
        appended += [["append", name, [token]] for token in tokens[-2:]]
    _same_answers(found, run(_then(given, *appended)), "appended instead of decoded")


def check_draft(given, answer, run):
    """A draft of two tokens that is rolled back leaves sequences as they were; its work stays
    counted.

    两个 token 的草稿回滚之后，sequences 恢复原样，而它的工作仍计入。
    """
    more, lengths = [], []
    last = len(given["embed"]) - 1
    for name, tokens, _, _ in _sequences(given, answer):
        more += [["append", name, [last, 0]], ["rollback", name, 2]]
        lengths.append(len(tokens))
    found, window = run(_then(given, *more)), given.get("window")
    _same_sequences(answer, found, "after a draft was rolled back")
    added = sum(_pairs(n + 2, window) - _pairs(n, window) for n in lengths)
    due = {
        "computed": answer["cached"]["computed"] + 2 * len(lengths),
        "attended": answer["cached"]["attended"] + added,
    }
    _same("after a draft was rolled back: cached", due, found["cached"])


def check_fork(given, answer, run):
    """A fork costs nothing and is as its source; what is done to it changes nothing in the source.

    fork 不花费任何工作，且与源序列相同；之后对它做什么都不影响源序列。
    """
    check_tokens(given, answer)
    names = list(answer["sequences"])
    copies = {name: f"copy of {name}" for name in names}
    forks = [["fork", name, copies[name]] for name in names]
    found = run(_then(given, *forks))
    for key in ("cached", "recomputed"):
        _same(f"all forked: {key}", answer[key], found[key])
    both = answer["sequences"] | {copies[name]: answer["sequences"][name] for name in names}
    _same_sequences({"sequences": both}, found, "all forked")
    more = []
    for name, tokens, _, _ in _sequences(given, answer):
        more += [["append", copies[name], [0]], ["rollback", copies[name], len(tokens)]]
        more += [["decode", copies[name], 1]]
    changed = run(_then(given, *forks, *more))["sequences"]
    kept = {name: changed.get(name) for name in names}
    _same("names that are left", [], [name for name in names if kept[name] is None])
    _same_sequences(answer, {"sequences": kept}, "after changes to the forks")


def check_window(given, answer, run):
    """A window as long as the longest sequence is none; with window 1 the output is the last state,
    and as much is attended as computed.

    与最长的序列一样长的窗口等于没有窗口；窗口为 1 时，输出就是最后一个状态，关注数等于计算数。
    """
    check_tokens(given, answer)
    most = max([*_history(given)[1], 1])
    window = given.get("window")
    if window is None or window >= most:
        other = most if window is None else None
        _same_answers(answer, run(given | {"window": other}), f"with window {other}")
    one = given | {"window": 1}
    found = run(one)
    for name, tokens, output, _ in _sequences(one, found):
        last = list(map(_text, _states(given, tokens)[-1]))
        _same(f"with window 1, sequence {name!r}: output", last, list(map(_text, output)))
    _same("with window 1: attended", found["cached"]["computed"], found["cached"]["attended"])


def check_positions_twice(given, answer, run):
    """With the rows of positions written twice over, the answer is the same.

    把 positions 的各行重复写一遍，答案不变。
    """
    check_tokens(given, answer)
    other = given | {"positions": given["positions"] * 2}
    _same_answers(answer, run(other), "with positions twice over")


def check_components(given, answer, run):
    """With the components the other way round, the outputs are, too; nothing else changes.

    把各分量的顺序倒过来，输出的分量也倒过来，其余不变。
    """
    check_tokens(given, answer)
    turned = {key: [row[::-1] for row in given[key]] for key in ("embed", "positions")}
    found = run(given | turned)
    due = {
        name: entry | {"output": entry["output"][::-1]}
        for name, entry in answer["sequences"].items()
    }
    _same_answers(answer | {"sequences": due}, found, "with the components turned round")


def check_other_names(given, answer, run):
    """With other names for the sequences, nothing else changes.

    给序列换上别的名字，其余不变。
    """
    check_tokens(given, answer)
    pool = ("x", "X", "x ", " x", "fork", "é", "0", "00")
    other = dict(zip(_history(given)[0], pool))
    operations = []
    for kind, name, argument in given["operations"]:
        operations.append([kind, other[name], other[argument] if kind == "fork" else argument])
    due = {other[name]: entry for name, entry in answer["sequences"].items() if name in other}
    found = run(given | {"operations": operations})
    _same_answers(answer | {"sequences": due}, found, f"with the names {list(due)}")
