"""Where to look for wrong hits and wrong bills (one strategy per group), and what must hold."""

import json
from fractions import Fraction
from functools import cache

from hypothesis import strategies as st

GROUPS = {
    "check_more_capacity": ("normal", "edge"),
    "check_repeated_prompt": ("minimal", "edge"),
    "check_timestamp_first": ("normal",),
    "check_renamed_tokens": ("edge",),
    "check_keys_apart": ("minimal", "normal"),
    "check_longer_prompt": ("edge",),
    "check_useless_prefix": ("normal",),
}

# ---- Drawing ----------------------------------------------------------------
# Prompts are two runs of equal tokens, so that few choices share and part in many places. Blocks,
# capacities, minimum and step are small: boundaries lie close, and evictions are the rule.


@cache
def _below(bound):
    return st.integers(0, bound - 1)


def _picker(draw):
    """Choices, each a draw of its own: it shrinks by itself, towards the option that is first."""
    return lambda options: options[draw(_below(len(options))) if len(options) > 1 else 0]


def _key(adapter=None, salt=None, images=()):
    return {"adapter": adapter, "salt": salt, "images": list(images)}


ABSENT = object()
TIMES = (0, 0, 0, 1, 2, 3, 4, -1, -2)
FEWEST_KEYS = (ABSENT, ABSENT, _key(), _key("X"), _key(""))
FEW_KEYS = (ABSENT, ABSENT, ABSENT, ABSENT, _key(), _key("X"), _key(salt="X"))
NAMES = ("None", "Y", "X", "", None)
PICTURES = (["X", "X", "Y"], ["XY"], ["Y", "X"], ["X", "Y"], ["X"], [""])
MANY_KEYS = [_key(images=images) for images in PICTURES]
MANY_KEYS += [_key("Y", "X"), _key("X", "Y"), _key("X", None, ["Y"]), _key("X", "X"), _key("X", "")]
MANY_KEYS += [*(_key(salt=salt) for salt in NAMES), *(_key(adapter) for adapter in NAMES), ABSENT]


@st.composite
def _request(draw, first=3, more=4, symbols=3, keys=(ABSENT,), times=(0,)):
    """1 to `first` times one token, then fewer than `more` times another; key and at."""
    pick = _picker(draw)
    a, length = pick(range(symbols)), pick(range(first)) + 1
    b, longer = pick(range(symbols)), pick(range(more))
    return [a] * length + [b] * longer, pick(keys), pick(times)


def _requests(least, most, **kinds):
    return st.lists(_request(**kinds), min_size=least, max_size=most)


ORDINARY = _requests(0, 8, first=5, more=5, keys=FEW_KEYS, times=TIMES)
FEWEST = _requests(0, 2, first=3, more=2, keys=FEWEST_KEYS, times=(0, 0, 1, -1))
ONE_KEY = _requests(2, 16, first=2, more=2)
TWO_KEYS = _requests(2, 16, first=2, more=2, symbols=2, keys=(ABSENT, _key("X")))
BILLED = _requests(1, 5, first=7, more=3)
AGED = st.lists(st.tuples(st.integers(1, 5), st.integers(0, 3)), min_size=2, max_size=12)
FAR_TIMES = ((0, 1), (-(10**30), 0, 10**30), (2**53, 2**53 + 1))
FAR_APART = [_requests(1, 5, first=3, more=3, times=times) for times in FAR_TIMES]


def _given(block_size, capacity, requests, billing):
    """Optional fields are absent where the choice is ABSENT; `at` never goes back."""
    given = {"block_size": block_size, "capacity_blocks": capacity, "requests": []}
    latest = min((at for _, _, at in requests), default=0)
    for tokens, key, at in requests:
        latest = max(latest, at)
        request = {"tokens": tokens, "key": key, "at": latest or ABSENT}
        given["requests"].append(_without_absent(request))
    return _without_absent(given | {"billing": billing})


def _without_absent(fields):
    return {name: value for name, value in fields.items() if value is not ABSENT}


PRICES = ("1", "0", "2", "0.1", "1.25", "3.000000000001")
EXTREME_PRICES = ("1", "0.000000000001", "999999999999.999999999999", "0.3", "-0", "1.250")


def _billing(pick, minimums, steps, prices=PRICES, lives=(None,), counts=(0, 1, 3)):
    terms = {"version": pick(("v", "v", "2")), "minimum": pick(minimums), "step": pick(steps)}
    for kind in ("uncached", "cached", "output"):
        terms[f"price_{kind}"] = pick(prices)
    terms["time_to_live"] = pick(lives)
    number = pick((None, None, 0, 1, 2))
    if number is not None:
        terms["overheads"] = [_overhead(pick, counts) for _ in range(number)]
    return terms


def _overhead(pick, counts):
    kind = pick(("compression", "reread", "rework"))
    return {"kind": kind, "input_tokens": pick(counts), "output_tokens": pick(counts)}


@st.composite
def _normal(draw):
    """Prompts of up to nine tokens, mostly few keys, mostly a bounded cache, mostly billing."""
    pick = _picker(draw)
    block_size, capacity = pick((1, 2, 3, 4)), pick((ABSENT, ABSENT, None, 1, 2, 3, 4, 5, 6))
    billing = pick((ABSENT, None, 1, 1, 1))
    requests = draw(ORDINARY)
    if billing == 1:
        billing = _billing(pick, (1, 2, 3, 4, 5, 0), (1, 2, 3), lives=(None, None, 2, 1, 0, 3))
    return _given(block_size, capacity, requests, billing)


@st.composite
def _minimal(draw):
    """At most two prompts of about one block."""
    pick = _picker(draw)
    block_size, capacity = pick((1, 2)), pick((ABSENT, None, 0, 1, 2))
    billing = pick((ABSENT, None, 1, 1))
    requests = draw(FEWEST)
    if billing == 1:
        billing = _billing(pick, (0, 1, 2), (1, 2), ("1", "0", "0.1"), (None, 0, 1))
    return _given(block_size, capacity, requests, billing)


@st.composite
def _evictions(draw):
    """Many prompts of few blocks. The capacity is small, or what all of them need, give or take."""
    pick = _picker(draw)
    block_size = pick((1, 1, 2))
    requests = draw(pick((ONE_KEY, ONE_KEY, TWO_KEYS)))
    different = set()
    for tokens, key, _ in requests:
        different.update(_blocks(tokens, block_size, str(key)))
    needed = len(different)
    capacity = pick((0, 1, 2, 3, 4, 5, 6, max(0, needed - 1), needed, needed + 1))
    return _given(block_size, capacity, requests, ABSENT)


@st.composite
def _bills(draw):
    """`minimum` close to what is shared, so that minimum + j x step falls on it or beside it."""
    pick = _picker(draw)
    block_size, capacity = pick((1, 2, 4)), pick((ABSENT, ABSENT, 0, 1, 2))
    requests = draw(BILLED)
    shared = max(tokens.count(tokens[0]) for tokens, _, _ in requests)
    prices = pick((PRICES, EXTREME_PRICES))
    counts = pick(((0, 1, 3), (0, 2**53 + 1, 10**30)))
    steps = (1, 2, 3, 4, 10**30)
    billing = ABSENT
    if pick((False, True, True, True, True, True)):
        billing = _billing(pick, range(shared + 2), steps, prices, counts=counts)
    return _given(block_size, capacity, requests, billing)


@st.composite
def _lifetimes(draw):
    """Prompts that only differ in length, sent about time_to_live apart."""
    pick, requests = _picker(draw), []
    at = pick((0, 0, -1, -4))
    for length, later in draw(AGED):
        at += later
        requests.append(([0] * length, ABSENT, at))
    billing = ABSENT
    if pick((False, True, True, True, True, True)):
        billing = _billing(pick, (1, 0, 2), (1, 2), ("1", "0", "2"), (0, 1, 2, 3, None))
    return _given(pick((1, 2, 3)), pick((ABSENT, ABSENT, 0, 1, 2)), requests, billing)


@st.composite
def _keys_in_one_field(draw):
    """The same prompt under keys that look alike, or are equal; the simplest keys stand last."""
    pick = _picker(draw)
    block_size = pick((1, 2))
    keys = [key for key in MANY_KEYS if pick((False, True))]
    requests = [([0] * (block_size + 1), key, 0) for key in keys]
    billing = pick((ABSENT, _billing(pick, (0, 1, 2), (1,), ("1", "0"))))
    return _given(block_size, pick((ABSENT, ABSENT, 1, 2, 3)), requests, billing)


LARGE = 2**61 - 1  # where Python's own hash begins again: hash(LARGE) is hash(0)
FAR_TOKENS = ((0, LARGE, LARGE + 1), (0, 2**64, 31), (31, 0, 10**30))


@st.composite
def _large_values(draw):
    """Tokens with equal hashes or beyond 64 bits, times far apart, very large blocks."""
    pick = _picker(draw)
    far, block_size = pick(FAR_TOKENS), pick((1, 2, 2**64))
    drawn = draw(pick(FAR_APART))
    requests = [([far[token] for token in tokens], key, at) for tokens, key, at in drawn]
    lives = (None, 0, 1, 10**30, 2 * 10**30)
    billing = ABSENT
    if pick((False, True, True, True)):
        billing = _billing(pick, (0, 1, 2), (1, 2), EXTREME_PRICES, lives, (0, 10**30))
    return _given(block_size, pick((ABSENT, 2, 2**64)), requests, billing)


normal = _normal()
minimal = _minimal()
KINDS_OF_EDGES = (_evictions(), _evictions(), _bills(), _lifetimes(), _keys_in_one_field())
edge = st.one_of(*KINDS_OF_EDGES, _large_values())

# ---- Drawing what must be refused -------------------------------------------
# A fault is a table of edits, {path: new value}, to a small legal input; ABSENT deletes a field.

BILLING = ("billing",)
OVERHEAD = (*BILLING, "overheads", 0)
KEY = ("requests", 0, "key")
PRICE_PATHS = [(*BILLING, f"price_{kind}") for kind in ("uncached", "cached", "output")]
COUNT_PATHS = [(*OVERHEAD, "input_tokens"), (*OVERHEAD, "output_tokens")]
BILLED_INTEGERS = [(*BILLING, "minimum"), (*BILLING, "step"), *COUNT_PATHS]
INTEGERS = [("block_size",), ("requests", 0, "at"), ("requests", 1, "at"), *BILLED_INTEGERS]
OR_NULL = [("capacity_blocks",), (*BILLING, "time_to_live")]
LISTS = [("requests",), ("requests", 1, "tokens"), (*KEY, "images"), (*BILLING, "overheads")]
NOT_INTEGERS = (True, False, 1.0, 0.5, "1", "", [], {})
NOT_DECIMALS = (
    *("", "x", ".5", "5.", "+1", "01", " 1", "1 ", "0.5\n", "1e3", "1_0", "1/2", "0x1", "-"),
    *("NaN", "Infinity", "0.٥", "１", "1000000000000", "0.0000000000001", "--1", "1.-1"),
    *(1, 0.5, True, None, ["1"], {}),
)
LITERALS = ("1e3", "1.0", "1E0", "NaN", "٣", "01", "+1")
TEXTS = (
    *("", " \n", "{", "{}", "[]", "null", "1", '"{}"', "{}{}", "[{}]", "{'block_size': 1}"),
    *('{"block_size": 1, "requests": [],}', '{"block_size": 1, "requests": []', b"\xff"),
    *(b'{"block_size": 1, "requests": []}\x80', b'{"block_size": 1, "requests": [], "\xff": 1}'),
)


def _legal():
    """Two requests and every optional field."""
    terms = {"version": "v", "minimum": 1, "step": 1, "time_to_live": 5}
    prices = {"price_uncached": "1", "price_cached": "0.1", "price_output": "5"}
    overhead = {"kind": "compression", "input_tokens": 1, "output_tokens": 2}
    requests = [
        {"tokens": [1, 2, 3], "key": _key("a", "s", ["i"]), "at": 0},
        {"tokens": [1, 2, 3, 4], "key": _key("a", "s", ["i"]), "at": 1},
    ]
    billing = terms | prices | {"overheads": [overhead]}
    return {"block_size": 2, "capacity_blocks": 3, "requests": requests, "billing": billing}


def _malformed_edits():
    for value in NOT_INTEGERS:
        yield from ({path: value} for path in INTEGERS + OR_NULL)
        yield from ({("requests", i, "tokens"): [1, value]} for i in (0, 1))
    yield from ({path: None} for path in [*INTEGERS, *LISTS, ("requests", 0), KEY, OVERHEAD])
    yield {("requests", 1, "tokens"): [None, 1]}
    yield from ({path: value} for path in PRICE_PATHS for value in NOT_DECIMALS)
    yield from ({path: value} for path in LISTS for value in ({}, "", 1, True))
    objects = [BILLING, OVERHEAD, KEY, ("requests", 1)]
    yield from ({path: value} for path in objects for value in ([], "", 1, True, {}))
    yield from ({(*path, "note"): None} for path in [(), *objects])
    required = [(*BILLING, "version"), (*BILLING, "time_to_live"), (*OVERHEAD, "kind")]
    required += [("block_size",), ("requests",), ("requests", 1, "tokens")]
    required += [(*KEY, name) for name in ("adapter", "salt", "images")]
    yield from ({path: ABSENT} for path in [*required, *PRICE_PATHS, *BILLED_INTEGERS])
    yield from ({(*KEY, name): value} for name in ("adapter", "salt") for value in (1, [], False))
    yield from ({(*KEY, "images"): value} for value in ([1], [None], ["a", []]))
    yield from ({(*BILLING, "version"): value} for value in (None, 1, ["v"], False))
    kinds = ("compress", "", "Rework", "rework\n", None, 1, ["rework"])
    yield from ({(*OVERHEAD, "kind"): kind} for kind in kinds)


FAULTS = {
    "malformed": list(_malformed_edits()),
    "bad_block_size": [
        *({("block_size",): value} for value in (0, -1, -(2**64))),
        *({("capacity_blocks",): value} for value in (-1, -(2**64))),
    ],
    "empty_prompt": [{("requests", i, "tokens"): []} for i in (0, 1)],
    "negative_token": [
        {("requests", i, "tokens"): tokens}
        for i in (0, 1)
        for tokens in ([-1], [1, 2, -1], [-1, 1], [-(2**64)], [0, -5, 7])
    ],
    "time_goes_back": [
        {("requests", 0, "at"): 2},
        {("requests", 1, "at"): -1},
        {("requests", 0, "at"): 1, ("requests", 1, "at"): ABSENT},
        {("requests", 0, "at"): ABSENT, ("requests", 1, "at"): -(10**30)},
        {("requests", 0, "at"): 2**53 + 1, ("requests", 1, "at"): 2**53},
    ],
    "bad_billing": [
        {(*BILLING, "version"): ""},
        {(*BILLING, "step"): 0},
        *({path: -1} for path in [*BILLED_INTEGERS, (*BILLING, "time_to_live")]),
        *({path: value} for path in PRICE_PATHS for value in ("-1", "-0.000000000001")),
    ],
}
CODES = list(FAULTS)


def _edit(given, edits):
    for (*parents, last), value in edits.items():
        place = given
        for step in parents:
            place = place[step]
        place[last] = value
        if value is ABSENT:
            del place[last]


@st.composite
def _failure(draw):
    """A legal input with a fault, and often another one from further down the table."""
    # Early examples come in runs that share their first draws, so a later draw counts as well:
    # every code comes up soon.
    pick = _picker(draw)
    given, first, kind = _legal(), pick(range(len(CODES))), pick(range(8))
    rank = (first + pick(range(len(CODES)))) % len(CODES)
    code, later = CODES[rank], CODES[rank + 1 :]
    if later and pick((False, True)):
        _edit(given, pick(FAULTS[pick(later)]))
    if code == "malformed" and kind == 6:
        return pick(TEXTS), code
    if code == "malformed" and kind == 7:
        _edit(given, {pick(INTEGERS + OR_NULL): "@"})
        return json.dumps(given).replace('"@"', pick(LITERALS)), code
    _edit(given, pick(FAULTS[code]))
    return given, code


failure = _failure()

# ---- Reading an answer ------------------------------------------------------


def _results(given, answer):
    """The results, once they are known to be as many as the requests."""
    results, requests = answer["requests"], given["requests"]
    assert len(results) == len(requests), f"{len(requests)} requests, {len(results)} results"
    return results


def _key_of(request):
    key = request.get("key", _key())
    return key["adapter"], key["salt"], tuple(key["images"])


def _blocks(tokens, block_size, key):
    """The full blocks, each with its key and all tokens up to its end."""
    ends = range(block_size, len(tokens) + 1, block_size)
    return [(key, tuple(tokens[:end])) for end in ends]


def _common(one, other):
    """How many leading tokens are equal."""
    for count, (a, b) in enumerate(zip(one, other)):
        if a != b:
            return count
    return min(len(one), len(other))


def _relatives(given, index):
    """Earlier requests with an equal key, the latest first: (index, tokens in common)."""
    request = given["requests"][index]
    key, tokens = _key_of(request), request["tokens"]
    for i in reversed(range(index)):
        earlier = given["requests"][i]
        if _key_of(earlier) == key:
            yield i, _common(earlier["tokens"], tokens)


def _alive(given, index):
    """The relatives that count for the bill: (index, tokens in common, at most n - 1)."""
    life, requests = given["billing"]["time_to_live"], given["requests"]
    at, most = requests[index].get("at", 0), len(requests[index]["tokens"]) - 1
    for i, common in _relatives(given, index):
        if life is None or at - requests[i].get("at", 0) <= life:
            yield i, min(common, most)


def _range(least, most):
    return f"{least}" if least == most else f"{least} to {most}"


def _text(fraction):
    return f"{fraction.numerator}/{fraction.denominator}"


def _fraction(text, where):
    n, d = map(int, text.split("/"))
    assert d > 0, f"{where}: {text} is no fraction"
    return Fraction(n, d)


def _with_tokens(given, tokens):
    """The same requests with other prompts."""
    pairs = zip(given["requests"], tokens)
    return given | {"requests": [request | {"tokens": new} for request, new in pairs]}


def _fresh(given):
    """A token that no prompt contains."""
    return 1 + max((max(request["tokens"]) for request in given["requests"]), default=0)


# ---- The engine's view ------------------------------------------------------


def check_counts(given, answer):
    """hit_tokens is a multiple of block_size and less than n, computed_tokens is the rest, and
    the totals add up.

    hit_tokens 是 block_size 的倍数且小于 n，computed_tokens 是其余部分，合计对得上。
    """
    prompt = hits = 0
    for i, result in enumerate(_results(given, answer)):
        n, hit = len(given["requests"][i]["tokens"]), result["hit_tokens"]
        computed, block_size = result["computed_tokens"], given["block_size"]
        assert hit % block_size == 0, f"request {i}: hit_tokens {hit}, no multiple of {block_size}"
        assert hit < n, f"request {i}: hit_tokens {hit} of {n} tokens, expected at most {n - 1}"
        assert computed == n - hit, (
            f"request {i}: {n} tokens, {hit} of them hit: computed_tokens expected {n - hit},"
            f" found {computed}"
        )
        prompt, hits = prompt + n, hits + hit
    rate = _text(Fraction(hits, prompt)) if prompt else None
    expected = {"prompt_tokens": prompt, "hit_tokens": hits, "hit_rate": rate}
    for name, value in expected.items():
        found = answer["totals"][name]
        assert found == value, f"totals: {name} expected {value}, found {found}"


def check_hits_were_sent(given, answer):
    """What a request hits is the beginning of an earlier request with an equal key.

    命中的部分一定是某个键相同的更早请求的开头。
    """
    for i, result in enumerate(_results(given, answer)):
        hit, longest = result["hit_tokens"], max((m for _, m in _relatives(given, i)), default=0)
        assert hit <= longest, (
            f"request {i}: hit_tokens {hit}, expected at most {longest}: only so many leading"
            " tokens were sent before"
        )


def check_used_blocks_stay(given, answer):
    """A block stays cached while it, the blocks before it in its prompt and all blocks used since
    fit into the capacity together; a request hits all leading ones of these.

    只要一个块、它在提示中之前的块、以及此后用过的所有块合起来放得进容量，它就仍在缓存中；
    新请求会命中开头所有这样的块。
    """
    size, capacity = given["block_size"], given.get("capacity_blocks")
    used = [_blocks(request["tokens"], size, _key_of(request)) for request in given["requests"]]
    for i, result in enumerate(_results(given, answer)):
        hit, most = result["hit_tokens"], len(given["requests"][i]["tokens"]) - 1
        since, after = set(), i
        for earlier, common in _relatives(given, i):
            since.update(*used[earlier + 1 : after])
            due, together, after = 0, set(since), earlier + 1
            for block in used[earlier][: min(common, most) // size]:
                together.add(block)
                due += size if capacity is None or len(together) <= capacity else 0
            assert hit >= due, (
                f"request {i}: hit_tokens {hit}, expected at least {due}: so many are cached since"
                f" request {earlier}"
            )


def check_evicted_blocks(given, answer):
    """After each request evicted_blocks is exactly what exceeds the capacity; cached_blocks is
    what remains.

    每个请求之后，evicted_blocks 恰好是超出容量的块数，cached_blocks 是最后剩下的块数。
    """
    size, capacity = given["block_size"], given.get("capacity_blocks")
    low = high = 0  # the last block of a prompt may have been cached without being a hit
    for i, result in enumerate(_results(given, answer)):
        n, hit = len(given["requests"][i]["tokens"]), result["hit_tokens"]
        new, evicted = n // size - hit // size, result["evicted_blocks"]
        low, high = low + max(0, new - (hit == n - size)), high + new
        least, most = (0, 0) if capacity is None else (max(0, c - capacity) for c in (low, high))
        assert least <= evicted <= most, (
            f"request {i}: evicted_blocks expected {_range(least, most)}, found {evicted}:"
            f" {_range(low, high)} blocks, capacity {capacity}"
        )
        low, high = max(0, low - evicted), high - evicted
        if capacity is not None:
            low, high = (capacity, capacity) if evicted else (low, min(high, capacity))
    found = answer["totals"]["cached_blocks"]
    assert low <= found <= high, (
        f"totals: cached_blocks expected {_range(low, high)}, found {found}"
    )


def check_more_capacity(given, answer, run):
    """One block more of capacity never lowers a hit (of unbounded capacity, 2 blocks never raise
    one).

    容量多一块，任何请求的命中都不会变少（容量无限时，改为 2 块，命中不会变多）。
    """
    capacity = given.get("capacity_blocks")
    other = given | {"capacity_blocks": 2 if capacity is None else capacity + 1}
    pair = _results(given, answer), _results(given, run(other))
    less, more = reversed(pair) if capacity is None else pair
    for i, (small, large) in enumerate(zip(less, more)):
        a, b = small["hit_tokens"], large["hit_tokens"]
        assert a <= b, f"request {i}: hit_tokens {a} with less capacity, {b} with more"


def check_repeated_prompt(given, answer, run):
    """The last prompt sent once more hits floor((n - 1) / B) blocks, or as many as the capacity
    has room for.

    把最后一个请求立即再发一次，命中 floor((n - 1) / B) 块；容量不足时，容量有几块就命中几块。
    """
    _results(given, answer)
    if given["requests"]:
        last, size = given["requests"][-1], given["block_size"]
        again = given | {"requests": [*given["requests"], last]}
        blocks = (len(last["tokens"]) - 1) // size
        capacity = given.get("capacity_blocks")
        due = size * (blocks if capacity is None else min(blocks, capacity))
        hit = _results(again, run(again))[-1]["hit_tokens"]
        assert hit == due, f"the last request once more: hit_tokens {hit}, expected {due}"


def check_timestamp_first(given, answer, run):
    """With a different first token in every prompt nothing is hit, and nothing billed as cached.

    每个请求的第一个 token 都不同，就什么都命中不了，也没有按缓存计费的 token。
    """
    _results(given, answer)
    fresh, prompts = _fresh(given), [request["tokens"] for request in given["requests"]]
    stamped = _with_tokens(given, [[fresh + i, *tokens] for i, tokens in enumerate(prompts)])
    for i, result in enumerate(_results(stamped, run(stamped))):
        for name in ("hit_tokens", "billed_cached_tokens"):
            found = result[name]
            assert not found, f"request {i}, a unique token in front: {name} {found}, expected 0"


def check_renamed_tokens(given, answer, run):
    """Renaming the tokens one to one changes nothing.

    把 token 一一对应地换成别的编号，答案不变。
    """
    tokens = sorted({token for request in given["requests"] for token in request["tokens"]})
    names = {token: name for name, token in enumerate(reversed(tokens))}
    prompts = [[names[token] for token in request["tokens"]] for request in given["requests"]]
    renamed = run(_with_tokens(given, prompts))
    pairs = zip(_results(given, answer), _results(given, renamed))
    for i, (one, other) in enumerate([*pairs, (answer["totals"], renamed["totals"])]):
        where = f"request {i}" if i < len(given["requests"]) else "totals"
        for name in one:
            a, b = one[name], other[name]
            assert a == b, f"{where}: {name} {a}, but {b} after renaming the tokens"


def check_keys_apart(given, answer, run):
    """When all keys are different, nothing is hit, and nothing billed as cached.

    所有请求的键都不同，就什么都命中不了，也没有按缓存计费的 token。
    """
    _results(given, answer)
    requests = []
    for i, request in enumerate(given["requests"]):
        name = "X" * (1 + i // 6)
        fields = (name, None), (None, name), ("", name), (name, name), (None, None), (name, "")
        key = _key(*fields[i % 6], [name] if i % 6 == 4 else [])
        requests.append(request | {"key": key})
    for i, result in enumerate(_results(given, run(given | {"requests": requests}))):
        for name in ("hit_tokens", "billed_cached_tokens"):
            found = result[name]
            assert not found, f"request {i}, with a key of its own: {name} {found}, expected 0"


def check_longer_prompt(given, answer, run):
    """Appending tokens to the last prompt never lowers its hit.

    在最后一个请求末尾追加 token，它自己的命中不会变少。
    """
    results = _results(given, answer)
    if results:
        prompts = [request["tokens"] for request in given["requests"]]
        added = [_fresh(given)] * min(3, given["block_size"])
        longer = _with_tokens(given, [*prompts[:-1], prompts[-1] + added])
        before, after = results[-1], _results(longer, run(longer))[-1]
        a, b = before["hit_tokens"], after["hit_tokens"]
        assert b >= a, f"the last request: hit_tokens {a}, but {b} with {len(added)} tokens more"


# ---- The bill ---------------------------------------------------------------


def check_billed_steps(given, answer):
    """billed_cached_tokens is 0 or minimum + j x step, and so many leading tokens, less than n,
    stand in an earlier request that is alive. Without billing it is null.

    billed_cached_tokens 为 0 或 minimum + j × step，小于 n，且这么多个开头的 token 确实在某个
    仍有效的更早请求里。没有 billing 时为 null。
    """
    billing = given.get("billing")
    for i, result in enumerate(_results(given, answer)):
        billed, where = result["billed_cached_tokens"], f"request {i}: billed_cached_tokens"
        due = "null without billing" if billing is None else "a number with billing"
        assert (billed is None) == (billing is None), f"{where} {billed}, expected {due}"
        if billed:
            minimum, step = billing["minimum"], billing["step"]
            whole = billed >= minimum and (billed - minimum) % step == 0
            assert whole, f"{where} {billed}, expected 0 or {minimum} + j x {step}"
            most = max((common for _, common in _alive(given, i)), default=0)
            assert billed <= most, f"{where} {billed}, expected at most {most}: no more are known"


def check_billed_enough(given, answer):
    """Where an earlier request that is alive shares m >= minimum tokens (m < n), fewer than step
    of them are left unbilled.

    若某个仍有效的更早请求共有 m >= minimum 个 token（m < n），未按缓存计费的不足一个 step。
    """
    for i, result in enumerate(_results(given, answer)):
        billed, billing = result["billed_cached_tokens"], given.get("billing")
        if billing is not None:
            assert billed is not None, f"request {i}: billed_cached_tokens is null"
            for earlier, common in _alive(given, i):
                due = common - billing["step"] + 1
                assert common < billing["minimum"] or billed >= due, (
                    f"request {i}: billed_cached_tokens {billed}, expected at least {due}:"
                    f" {common} tokens are the same as in request {earlier}"
                )


def check_costs(given, answer):
    """cost is (n - billed) x price_uncached + billed x price_cached; the total adds the overheads;
    all in lowest terms, and null without billing.

    cost = (n - 计费缓存 token) × price_uncached + 计费缓存 token × price_cached；合计再加
    overheads；都是最简分数；没有 billing 时为 null。
    """
    billing, total = given.get("billing"), Fraction(0)
    names = ("price_uncached", "price_cached", "price_output")
    prices = [Fraction(billing[name]) for name in names] if billing else None
    for i, result in enumerate(_results(given, answer)):
        expected, billed = None, result["billed_cached_tokens"]
        if prices:
            assert billed is not None, f"request {i}: billed_cached_tokens is null"
            fresh = len(given["requests"][i]["tokens"]) - billed
            cost = fresh * prices[0] + billed * prices[1]
            total, expected = total + cost, _text(cost)
        assert result["cost"] == expected, (
            f"request {i}: cost expected {expected}, found {result['cost']}"
        )
    if prices:
        for overhead in billing.get("overheads", []):
            total += overhead["input_tokens"] * prices[0] + overhead["output_tokens"] * prices[2]
    expected, found = _text(total) if prices else None, answer["totals"]["cost"]
    assert found == expected, f"totals: cost expected {expected}, found {found}"


def check_cheaper_from_the_cache(given, answer):
    """Of two prompts of equal length, the one with more billed_cached_tokens costs less exactly
    when price_cached < price_uncached.

    两个请求一样长时，按缓存计费的 token 更多的那个更便宜，当且仅当
    price_cached < price_uncached。
    """
    billing, groups = given.get("billing"), {}
    for i, result in enumerate(_results(given, answer)):
        length = len(given["requests"][i]["tokens"])
        groups.setdefault(length, []).append((result["billed_cached_tokens"], i, result["cost"]))
    if not billing:
        return
    rebate = Fraction(billing["price_cached"]) < Fraction(billing["price_uncached"])
    for group in groups.values():
        for billed, i, cost in group:
            assert None not in (billed, cost), f"request {i}: billed {billed}, cost {cost}"
        group.sort()
        for (less, i, one), (more, k, other) in zip(group, group[1:]):
            cheaper = _fraction(other, f"request {k}") < _fraction(one, f"request {i}")
            due = "less" if rebate else "no less"
            assert less == more or cheaper == rebate, (
                f"requests {i} and {k}, equally long: billed {less} and {more}, cost {one} and"
                f" {other}; the latter should be {due}"
            )


def check_useless_prefix(given, answer, run):
    """Two blocks of constant, useless tokens in front of every prompt: where the key came before,
    hit_tokens rises by just these tokens; and every one of them is paid for (capacity unbounded).

    容量无限时，在每个请求前加两块固定而无用的 token：键出现过的请求 hit_tokens 恰好多出这些
    token，而这些 token 全都要付钱。
    """
    _results(given, answer)
    plain = given | {"capacity_blocks": None}
    prompts = [request["tokens"] for request in given["requests"]]
    useless = [_fresh(given)] * (2 * given["block_size"])
    padded = _with_tokens(plain, [useless + tokens for tokens in prompts])
    before, after = run(plain), run(padded)
    seen, billing = set(), given.get("billing")
    for i, (one, other) in enumerate(zip(_results(plain, before), _results(padded, after))):
        key = _key_of(given["requests"][i])
        rise = other["hit_tokens"] - one["hit_tokens"]
        due = len(useless) if key in seen else 0
        assert rise == due, f"request {i}: hit_tokens rises by {rise}, expected {due}"
        seen.add(key)
        if billing:
            _assert_paid(billing, i, len(useless), one, other)


def _assert_paid(billing, i, added, one, other):
    """The longer prompt costs the tokens added, less the rebate on what is billed as cached."""
    billed = [result["billed_cached_tokens"] for result in (one, other)]
    costs = [result["cost"] for result in (one, other)]
    assert None not in billed + costs, f"request {i}: null in billed {billed} or cost {costs}"
    assert billed[0] <= billed[1], (
        f"request {i}, {added} tokens more: billed {billed[1]}, expected at least {billed[0]}"
    )
    uncached, cached = Fraction(billing["price_uncached"]), Fraction(billing["price_cached"])
    expected = added * uncached - (billed[1] - billed[0]) * (uncached - cached)
    cost, longer = (_fraction(text, f"request {i}") for text in costs)
    assert longer - cost == expected, (
        f"request {i}: {added} tokens more, billed {billed[0]}, then {billed[1]}: the cost rises"
        f" by {longer - cost}, expected {expected}"
    )
