"""What the grader draws for each group of kv_sizing, and what must hold of the answers."""

import json
from functools import cache

from hypothesis import strategies as st

GROUPS = {
    "check_doubled_lengths": ("normal",),
    "check_doubled_layers": ("normal", "minimal"),
    "check_doubled_heads": ("normal",),
    "check_more_query_heads": ("normal",),
    "check_order_of_sequences": ("normal",),
    "check_multi_head_attention": ("minimal", "edge"),
    "check_wide_window": ("minimal", "edge"),
    "check_halved_bits": ("minimal", "edge"),
    "check_sequences_add_up": ("edge",),
    "check_tensor_parallel": ("normal", "edge"),
    "check_max_sequences": ("normal", "edge"),
}

# ---- Drawing ----------------------------------------------------------------
# Every choice is a draw of its own, so that it shrinks by itself; the simplest option stands first.


@cache
def number_below(bound):
    return st.integers(0, bound - 1)


class Pick:
    """Choices out of what Hypothesis draws."""

    def __init__(self, draw):
        self.draw = draw

    def below(self, bound):
        return self.draw(number_below(bound))

    def of(self, *options):
        return options[self.below(len(options))]

    def one_to_three(self):
        return range(self.below(3) + 1)


def gqa(query, kv, head, hidden, value=None):
    model = {"attention": "gqa", "hidden_size": hidden, "query_heads": query, "kv_heads": kv}
    model["head_dim"] = head
    return model if value is None else model | {"value_dim": value}


def mla(latent, rope):
    return {"attention": "mla", "latent_dim": latent, "rope_dim": rope}


def given_of(model, layers, cache, devices, sequences, memory, plan):
    return {
        "model": model,
        "layers": [{"count": count, "window": window} for count, window in layers],
        "cache": dict(zip(("bits", "scale_bytes", "block_size"), cache)),
        "tensor_parallel": devices,
        "sequences": [{"length": length, "count": count} for length, count in sequences],
        "memory": dict(zip(("total", "weights", "reserved", "per_sequence"), memory)),
        "plan_length": plan,
    }


def pick_model(pick, widths, heads=(1, 2, 3, 4, 8)):
    """A model and a number of devices that suits it."""
    if pick.of(False, False, False, True):
        return mla(pick.of(*widths), pick.of(*widths)), pick.of(1, 2, 3, 8)
    kv, head = pick.of(*heads), pick.of(*widths)
    query, value = kv * pick.of(1, 2, 4, 7), pick.of(None, None, *widths)
    devices = pick.of(1, kv, 2 * kv, 3 * kv if kv % 2 else kv // 2)
    if pick.of(True, False):
        return gqa(query, kv, head, pick.of(1, 2, 4096), value), devices
    return gqa(query, kv, None, query * head, value), devices


@st.composite
def ordinary(draw):
    """Everyday models, a few groups of layers and of sequences."""
    pick = Pick(draw)
    model, devices = pick_model(pick, (1, 2, 3, 64, 80, 128))
    layers = []
    for _ in pick.one_to_three():
        window = pick.of(None, pick.below(100) + 1)
        layers.append((pick.of(1, 2, 3, 32), window))
    sequences = []
    for _ in pick.one_to_three():
        length = pick.below(100) * pick.of(1, 1, 1, 1, 1, 1, 1, 1000)
        sequences.append((length, pick.of(1, 2, 3, 8)))
    sequences = pick.of([], sequences, sequences, sequences)
    cache = (pick.of(4, 8, 16, 32), pick.of(0, 0, 1, 4), pick.of(1, 2, 3, 16, 64))
    weights, reserved = pick.of(0, 1, 1000, 10**6), pick.of(0, 1, 500)
    unit = 2 ** pick.of(0, 4, 8)
    memory = (pick.below(2**16) * unit, weights, reserved, pick.of(0, 0, 1, 1000))
    return given_of(model, layers, cache, devices, sequences, memory, pick.below(50) + 1)


@st.composite
def smallest(draw):
    """Ones and twos, at most one sequence."""
    pick = Pick(draw)
    model, devices = pick_model(pick, (1, 2), heads=(1, 2))
    layers = [(pick.of(1, 2), pick.of(None, 1, 2))]
    cache = (pick.of(4, 8, 16, 32), pick.of(0, 0, 1), pick.of(1, 2))
    sequences = pick.of([], [(0, 1)], [(1, 1)], [(1, 2)], [(2, 1)])
    memory = (pick.below(20), pick.of(0, 0, 1), pick.of(0, 0, 1), pick.of(0, 1))
    return given_of(model, layers, cache, devices, sequences, memory, pick.of(1, 2))


@st.composite
def block_borders(draw):
    """Lengths and windows on, just below and just above multiples of the block size."""
    pick = Pick(draw)
    block = pick.of(1, 2, 3, 4, 16)

    def near_border(pick):
        return pick.below(4) * block + pick.of(0, 1, -1)

    model, devices = pick_model(pick, (1, 2, 3), heads=(1, 2, 3))
    layers = []
    for _ in pick.one_to_three():
        layers.append((1, pick.of(max(1, near_border(pick)), None)))
    sequences = [(max(0, near_border(pick)), pick.of(1, 2)) for _ in pick.one_to_three()]
    memory = (pick.below(2**12), 0, 0, pick.of(0, 1))
    cache = (pick.of(4, 8, 16), pick.of(0, 0, 1), block)
    return given_of(model, layers, cache, devices, sequences, memory, max(1, near_border(pick)))


@st.composite
def exact_fits(draw):
    """Whole blocks of 8-bit vectors: so plain that the last byte of memory can be aimed at."""
    pick = Pick(draw)
    width, layers, block, blocks = (pick.below(bound) + 1 for bound in (9, 3, 4, 3))
    scale, each, weights = pick.of(0, 1, 4), pick.of(0, 1, 7), pick.of(1, 10, 1000)
    number, miss = pick.below(9), pick.of(0, -1, 1)
    plan = block * blocks
    total = weights + number * (plan * layers * 2 * (width + scale) + each) + miss
    sequences = [(plan, number)] if number else []
    cache = (8, scale, block)
    memory = (total, weights, 0, each)
    return given_of(gqa(1, 1, width, 1), [(layers, None)], cache, 1, sequences, memory, plan)


@st.composite
def huge(draw):
    """Figures that no float holds, and whose products no 64-bit integer holds."""
    pick = Pick(draw)
    model, devices = pick_model(pick, (2**53 + 1, 129, 2**31 - 1, 2**63))
    layers = [(pick.of(1, 97), pick.of(None, 10**15, 2**53 - 1))]
    cache = (pick.of(4, 8, 16, 32), pick.of(0, 0, 4), pick.of(1, 16, 2**53 + 1))
    length = pick.of(10**15 + 1, 2**53 + 1, 2**62) + pick.below(3)
    weights, each = pick.of(0, 2**53 + 1), pick.of(0, 2**53 + 1)
    sequences = [(length, pick.of(1, 10**9, 2**63 + 1))]
    memory = ((pick.below(999) + 1) << pick.of(53, 64, 90, 120, 150), weights, 1, each)
    plan = pick.of(1, 10**15, 2**53 + 1)
    return given_of(model, layers, cache, devices, sequences, memory, plan)


normal = ordinary()
minimal = smallest()
edge = st.one_of(block_borders(), exact_fits(), huge())

# ---- Drawing what must be refused -------------------------------------------
# A fault is one table of edits, {path: new value}, to a small legal input; GONE deletes a field.

GONE = object()
NOT_INTEGERS = (True, False, 1.0, 0.5, "16", "1\n", "٣", [], {})
LITERALS = ("1e3", "1.0", "1E0", "NaN", "٣", "01", "+1")
TEXTS = (
    "",
    " \n",
    "{",
    "{}",
    "[]",
    "[{}]",
    "null",
    "1",
    '"{}"',
    "{}{}",
    "{'model': 1}",
    b"\xff",
    b'{"model": "\xff"}',
    b"\xed\xa0\x80",
)
FROM_ZERO = [("cache", "scale_bytes"), ("sequences", 0, "length")]
FROM_ZERO += [("memory", name) for name in ("total", "weights", "reserved", "per_sequence")]
FROM_ONE = [("plan_length",), ("tensor_parallel",), ("cache", "block_size")]
FROM_ONE += [("layers", 0, "count"), ("sequences", 0, "count")]
INTEGERS = [("cache", "bits"), *FROM_ZERO, *FROM_ONE]
MODELS = (gqa(2, 1, 2, 4, 2), mla(2, 1))


def with_model_field(value):
    """One edit for each figure of a model: that figure becomes the value."""
    for model in MODELS:
        yield from ({("model",): model | {name: value}} for name in list(model)[1:])


def malformed_edits():
    for value in NOT_INTEGERS:
        yield from ({path: value} for path in [*INTEGERS, ("layers", 0, "window")])
        yield from with_model_field(value)
    yield from ({path: None} for path in INTEGERS)
    yield {("model",): MODELS[0] | {"value_dim": None}}
    yield {("model",): MODELS[1] | {"rope_dim": None}}
    parents = [("model",), ("cache",), ("memory",), ("layers", 0), ("sequences", 0)]
    for parent in parents:
        yield from ({parent: value} for value in (None, [], "", 1, True))
    for path in (("layers",), ("sequences",)):
        yield from ({path: value} for value in (None, {}, "", 1, [1], GONE))
    for path in [*INTEGERS, *parents[:3], ("layers", 0, "window")]:
        yield {path: GONE}
    yield from ({(*parent, "note"): 1} for parent in [(), *parents[1:]])
    for model, other in (MODELS, MODELS[::-1]):
        yield from ({("model",): model | {name: other[name]}} for name in list(other)[1:])
        for gone in [name for name in model if name != "value_dim"]:
            yield {("model",): {name: model[name] for name in model if name != gone}}
    for name in ("mha", "GQA", "gqa\n", "", None, 1, ["gqa"]):
        yield {("model",): MODELS[0] | {"attention": name}}


def out_of_range_edits():
    yield from ({path: -1} for path in FROM_ZERO)
    for value in (0, -1, -(2**64)):
        yield from ({path: value} for path in [*FROM_ONE, ("layers", 0, "window")])
        yield from with_model_field(value)


FAULTS = {
    "malformed": list(malformed_edits()),
    "out_of_range": list(out_of_range_edits()),
    "heads_not_divisible": [
        {("model",): gqa(query, kv, head, query)}
        for query, kv in ((1, 2), (3, 2), (6, 4), (4, 8), (7, 3))
        for head in (None, 2)
    ],
    "head_dim_unknown": [
        {("model",): gqa(query, kv, None, hidden)}
        for query, kv, hidden in ((2, 1, 1), (2, 2, 3), (4, 2, 10), (8, 8, 4), (3, 1, 2**60))
    ],
    "unsupported_bits": [{("cache", "bits"): bits} for bits in (0, 1, 2, 3, 6, 12, 24, 64, -8)],
    "tensor_parallel_mismatch": [
        {("model",): gqa(2 * kv, kv, 2, 4), ("tensor_parallel",): devices}
        for kv, devices in ((2, 3), (3, 2), (4, 6), (8, 12), (6, 4), (8, 3))
    ],
}
CODES = list(FAULTS)


def edit(given, edits):
    for (*parents, last), value in edits.items():
        place = given
        for step in parents:
            place = place[step]
        place[last] = value
        if value is GONE:
            del place[last]


@st.composite
def refused(draw):
    """A small input with one fault, and often a second one of a code further down the table."""
    # Early examples come in runs that share their first draws, so the last draw counts as well:
    # every code comes up soon.
    pick = Pick(draw)
    first, given, kind = pick.below(len(CODES)), draw(smallest()), pick.below(8)
    rank = (first + pick.below(len(CODES))) % len(CODES)
    code, later = CODES[rank], CODES[rank + 1 :]
    drawn = given["sequences"]
    given["sequences"] = drawn or [{"length": 1, "count": 1}]
    edits = [pick.of(*FAULTS[pick.of(*later)])] if later and pick.of(False, True) else []
    for one in edits:
        edit(given, one)
    if code == "malformed" and kind == 5:
        return pick.of(*TEXTS), code
    if code == "malformed" and kind >= 6:
        edit(given, {pick.of(*INTEGERS): "@"})
        return json.dumps(given).replace('"@"', pick.of(*LITERALS)), code
    if code == "out_of_range" and kind == 7:
        return given | {"layers": []}, code
    edits.append(pick.of(*FAULTS[code]))
    edit(given, edits[-1])
    if not any(path[0] == "sequences" for one in edits for path in one):
        given["sequences"] = drawn
    return given, code


failure = refused()

# ---- Checking ---------------------------------------------------------------


def counted(given):
    """(layers, sequences, sequences that are not empty, tokens), each with its counts."""
    layers = sum(group["count"] for group in given["layers"])
    running = occupied = tokens = 0
    for sequence in given["sequences"]:
        length, count = sequence["length"], sequence["count"]
        running += count
        occupied += count if length else 0
        tokens += length * count
    return layers, running, occupied, tokens


def sensible(given, answer):
    """Stop a constant answer, which would pass every check that compares two answers."""
    per_token, logical = answer["bytes_per_token_per_layer"], answer["logical_bytes"]
    layers, _, occupied, tokens = counted(given)
    assert per_token > 0, "bytes_per_token_per_layer is 0, but every vector takes at least a byte"
    low, high = per_token * layers * occupied, per_token * layers * tokens
    assert low <= logical <= high, (
        f"logical_bytes {logical}: at {per_token} bytes per token and layer, one token to all"
        f" tokens of each sequence take {low} to {high}"
    )


def same(found, expected, names, what):
    """The fields named are equal in both answers."""
    for name in names:
        assert found[name] == expected[name], (
            f"{name}: {found[name]} {what}, {expected[name]} in the answer itself"
        )


def has_window(given):
    return any(group["window"] is not None for group in given["layers"])


SIZES = ("logical_bytes", "allocated_bytes", "waste_bytes", "blocks")


def check_accounts_agree(given, answer):
    """waste, allocated, headroom and fits follow from the other figures of the same answer.

    waste、allocated、headroom、fits 与同一答案里的其他数值对得上账。"""
    sensible(given, answer)
    allocated, headroom = answer["allocated_bytes"], answer["headroom_bytes"]
    memory, running = given["memory"], counted(given)[1]
    whole = answer["blocks"] * given["cache"]["block_size"] * answer["bytes_per_token_per_layer"]
    assert allocated == whole, f"allocated_bytes {allocated}, but the blocks take {whole}"
    waste = allocated - answer["logical_bytes"]
    assert answer["waste_bytes"] == waste, f"waste_bytes {answer['waste_bytes']}, expected {waste}"
    used = memory["weights"] + memory["reserved"] + running * memory["per_sequence"] + allocated
    left = memory["total"] - used
    assert headroom == left, f"headroom_bytes {headroom}, but {left} bytes are left of the total"
    assert answer["fits"] == (left >= 0), f"fits is {answer['fits']} with {left} bytes left"


def check_waste(given, answer):
    """A sequence wastes less than a block per layer; with a window, less than two.

    每条序列在每层浪费不到一个块；有窗口时不到两个块。"""
    sensible(given, answer)
    layers, _, occupied, _ = counted(given)
    ends = 2 if has_window(given) else 1
    tokens = ends * (given["cache"]["block_size"] - 1) * layers * occupied
    most = tokens * answer["bytes_per_token_per_layer"]
    waste = answer["allocated_bytes"] - answer["logical_bytes"]
    assert 0 <= waste <= most, f"allocated_bytes - logical_bytes is {waste}, not in 0 to {most}"


def check_marked_tokens(given, answer):
    """Marking every kept token, one by one, finds the same tokens and the same blocks.

    逐个标记保留的 token，得到的 token 数与块数和答案一致。"""
    sensible(given, answer)
    size = given["cache"]["block_size"]
    pairs = [(group, one) for group in given["layers"] for one in given["sequences"]]
    if len(pairs) * max((one["length"] for one in given["sequences"]), default=0) > 1000:
        return  # too long to mark
    tokens = blocks = 0
    for group, one in pairs:
        first = max(0, one["length"] - (group["window"] or one["length"]))
        kept = range(first, one["length"])
        tokens += len(kept) * group["count"] * one["count"]
        blocks += len({at // size for at in kept}) * group["count"] * one["count"]
    marked = tokens * answer["bytes_per_token_per_layer"]
    assert answer["blocks"] == blocks, f"blocks {answer['blocks']}, marking finds {blocks}"
    logical = answer["logical_bytes"]
    assert logical == marked, f"logical_bytes {logical}, the {tokens} marked tokens take {marked}"


def check_doubled_lengths(given, answer, run):
    """Without windows, doubling every length doubles logical_bytes.

    没有窗口时，所有 length 加倍，logical_bytes 也加倍。"""
    sensible(given, answer)
    if has_window(given) or not given["sequences"]:
        return
    longer = [one | {"length": 2 * one["length"]} for one in given["sequences"]]
    found, expected = run(given | {"sequences": longer})["logical_bytes"], answer["logical_bytes"]
    assert found == 2 * expected, f"logical_bytes {found} for twice the lengths, not 2 x {expected}"


def check_doubled_layers(given, answer, run):
    """Doubling the layer counts doubles logical, allocated, waste and blocks.

    层数加倍，logical、allocated、waste、blocks 都加倍。"""
    sensible(given, answer)
    twice = [group | {"count": 2 * group["count"]} for group in given["layers"]]
    found = run(given | {"layers": twice})
    for name in SIZES:
        expected = 2 * answer[name]
        assert found[name] == expected, f"{name} {found[name]} for twice the layers, not {expected}"


def check_doubled_heads(given, answer, run):
    """With head_dim given, twice the KV and query heads take twice the bytes
    (when tensor_parallel divides kv_heads).

    给定 head_dim 时，KV 头与 query 头都加倍，字节数也加倍
    （tensor_parallel 整除 kv_heads 时）。"""
    sensible(given, answer)
    model, expected = given["model"], 2 * answer["bytes_per_token_per_layer"]
    if model.get("head_dim") is None or model["kv_heads"] % given["tensor_parallel"]:
        return
    twice = {name: 2 * model[name] for name in ("kv_heads", "query_heads")}
    found = run(given | {"model": model | twice})["bytes_per_token_per_layer"]
    assert found == expected, f"{found} bytes per token for twice the heads, not {expected}"


def check_more_query_heads(given, answer, run):
    """With head_dim given, more query heads on the same KV heads change nothing.

    给定 head_dim 时，KV 头不变、query 头增加，答案不变。"""
    sensible(given, answer)
    model = given["model"]
    if model.get("head_dim") is not None:
        more = model | {"query_heads": model["query_heads"] + model["kv_heads"]}
        same(run(given | {"model": more}), answer, answer, "with more query heads")


def check_order_of_sequences(given, answer, run):
    """The order of the sequences changes nothing.

    序列的先后顺序不影响答案。"""
    sensible(given, answer)
    if len(given["sequences"]) > 1:
        turned = given | {"sequences": given["sequences"][::-1]}
        same(run(turned), answer, answer, "with the sequences in reverse")


def check_multi_head_attention(given, answer, run):
    """kv_heads = query_heads is multi-head attention: on one device with 16 bits and no scales
    a token takes 4 x hidden_size bytes per layer.

    kv_heads = query_heads 就是多头注意力：单卡、16 位、无 scale 时，
    每层每 token 占 4 × hidden_size 字节。"""
    sensible(given, answer)
    model = given["model"]
    if model["attention"] == "mla":
        return
    heads, head = model["query_heads"], model["head_dim"] or 1
    plain = gqa(heads, heads, None, heads * head)
    cache = given["cache"] | {"bits": 16, "scale_bytes": 0}
    other = given | {"model": plain, "cache": cache, "tensor_parallel": 1}
    found, expected = run(other)["bytes_per_token_per_layer"], 4 * heads * head
    assert found == expected, f"bytes_per_token_per_layer {found} for MHA, expected {expected}"


def check_wide_window(given, answer, run):
    """A window at least as long as every sequence is the same as no window.

    窗口不短于所有序列时，与没有窗口一样。"""
    sensible(given, answer)
    longest = max([given["plan_length"], *(one["length"] for one in given["sequences"])])
    layers = []
    for group in given["layers"]:
        window = group["window"]
        idle = window is None or window >= longest
        layers.append(group | {"window": (longest if window is None else None) if idle else window})
    if layers != given["layers"]:
        same(run(given | {"layers": layers}), answer, answer, f"with {longest} and null swapped")


def check_halved_bits(given, answer, run):
    """Half the bits are half the logical_bytes when scale_bytes is 0 and all widths are even.

    scale_bytes 为 0 且各宽度为偶数时，位数减半，logical_bytes 也减半。"""
    sensible(given, answer)
    model, cache = given["model"], given["cache"]
    if model["attention"] == "mla":
        widths = [model["latent_dim"] + model["rope_dim"]]
    else:
        head = model["head_dim"] or model["hidden_size"] // model["query_heads"]
        widths = [head, model.get("value_dim", head)]
    if cache["bits"] == 4 or cache["scale_bytes"] or any(width % 2 for width in widths):
        return
    found = run(given | {"cache": cache | {"bits": cache["bits"] // 2}})
    for name in ("bytes_per_token_per_layer", "logical_bytes"):
        twice = 2 * found[name]
        assert twice == answer[name], f"{name} {found[name]} at half of bits, {answer[name]} before"


def check_sequences_add_up(given, answer, run):
    """Two batches apart take what they take together: logical, allocated, waste and blocks.

    两批序列分开算之和等于合起来算：logical、allocated、waste、blocks 都如此。"""
    sensible(given, answer)
    if not given["sequences"]:
        return
    first, *rest = given["sequences"]
    if first["count"] > 1:
        rest = [first | {"count": first["count"] - 1}, *rest]
    one = run(given | {"sequences": [first | {"count": 1}]})
    others = run(given | {"sequences": rest})
    for name in SIZES:
        parts = one[name] + others[name]
        assert parts == answer[name], (
            f"{name}: {one[name]} for the first sequence + {others[name]} for the rest"
            f" = {parts}, not {answer[name]}"
        )


def check_tensor_parallel(given, answer, run):
    """All devices together hold at least what one would; gqa: exactly that when
    tensor_parallel divides kv_heads; mla: every device holds it all.

    所有卡合计不少于单卡所需；gqa 在 tensor_parallel 整除 kv_heads 时恰好相等；
    mla 每张卡都存完整一份。"""
    sensible(given, answer)
    devices, model = given["tensor_parallel"], given["model"]
    name = "bytes_per_token_per_layer"
    if devices == 1:
        return
    alone, here = run(given | {"tensor_parallel": 1})[name], answer[name]
    if model["attention"] == "mla":
        assert here == alone, f"{name} {here} on each of {devices} devices, {alone} on one"
        return
    equal = model["kv_heads"] % devices == 0
    right = devices * here == alone if equal else devices * here > alone
    assert right, f"{devices} devices x {name} {here} = {devices * here}, {alone} on one device"


def check_max_sequences(given, answer, run):
    """max_sequences sequences of plan_length fit, and one more does not.

    max_sequences 条长为 plan_length 的序列装得下，再多一条就装不下。"""
    sensible(given, answer)
    most, total, length = answer["max_sequences"], given["memory"]["total"], given["plan_length"]
    assert most <= total, f"max_sequences {most} in {total} bytes: each takes at least one"
    for count, fits in ((most, True), (most + 1, False)):
        if count:
            batch = [{"length": length, "count": count}]
            found = run(given | {"sequences": batch})["fits"]
            assert found == fits, f"max_sequences is {most}, but fits is {found} for {count}"
