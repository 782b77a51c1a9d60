"""What the grader draws for each group of block_allocation, and what must hold of the answers."""

import json
from functools import cache
from itertools import islice

from hypothesis import strategies as st

GROUPS = {
    "check_scaled": ("normal", "edge"),
    "check_fork_and_free": ("normal",),
    "check_split_append": ("normal", "edge"),
    "check_free_everything": ("normal", "minimal"),
    "check_renamed": ("normal",),
    "check_ran_out_changes_nothing": ("normal", "edge"),
    "check_detail": ("minimal", "edge"),
}

# ---- Drawing ----------------------------------------------------------------
# Operations are drawn as steps that mean the same wherever they stand, of which the simplest is
# none at all: so shrinking deletes them one by one. A fork that would be refused writes instead.

WRITE, FORK, FREE, FILL, NOTHING = "write", "fork", "free", "fill", "nothing"
LETTERS = ("a", "b", "c", "d")
ODD_NAMES = ("1", "01", " ", "é")


def blocks_for(length, block_size):
    return -(-length // block_size)


class Pool:
    """How many blocks are free and how many tables share each: which operations are legal.

    A block is a list of one number, the tables that hold it.
    """

    def __init__(self, block_size, free):
        self.block_size, self.free = block_size, free
        self.live, self.longest, self.operations, self.ran_out = {}, 0, [], set()

    def play(self, steps):
        for kind, name, other, count in steps:
            if kind == FORK and name in self.live and other not in self.live:
                self.fork(name, other)
            elif kind == FREE and name in self.live:
                self.release(name)
            elif kind in (WRITE, FORK):
                self.write(name, count)
            elif kind == FILL:
                self.fill(name, count)
        return self

    def must_copy(self, length, table):
        return length % self.block_size > 0 and table[-1][0] > 1

    def write(self, name, count):
        """Create a sequence that is not live, append to one that is."""
        length, table = self.live.get(name, (0, []))
        self.operations.append(["append" if table else "create", name, count])
        self.longest = max(self.longest, length + count)
        copies = self.must_copy(length, table)
        needed = blocks_for(length + count, self.block_size) - len(table) + copies
        if needed > self.free:
            self.ran_out.add(len(self.operations) - 1)
            return
        if copies:
            table[-1][0] -= 1
            table = table[:-1]
        self.free -= needed
        self.live[name] = length + count, table + [[1] for _ in range(needed)]

    def fill(self, name, beyond):
        """Write what fills the pool to its last slot, or a token more or less."""
        length, table = self.live.get(name, (0, []))
        blocks = self.free + len(table) - self.must_copy(length, table)
        count = blocks * self.block_size - length + beyond
        if count > 0:
            self.write(name, count)

    def fork(self, name, new):
        self.operations.append(["fork", name, new])
        self.live[new] = self.live[name]
        for block in self.live[name][1]:
            block[0] += 1

    def release(self, name):
        self.operations.append(["free", name])
        for block in self.live.pop(name)[1]:
            block[0] -= 1
            self.free += block[0] == 0


def replayed(given):
    """Who is live and what ran out: other inputs must be legal, whatever the answer says."""
    steps = []
    for kind, name, *rest in given["operations"]:
        last = rest[0] if rest else None
        steps.append((kind if kind in (FORK, FREE) else WRITE, name, last, last))
    return Pool(given["block_size"], given["block_count"]).play(steps)


@cache
def below(bound):
    return st.integers(0, bound - 1)


def picker(draw):
    """Choose one of several, the simplest first, by a draw of its own."""
    return lambda *options: options[draw(below(len(options)))]


@cache
def moves(names):
    writes = [(WRITE, name, None) for name in names]
    forks = [(FORK, name, other) for name in names for other in names if name != other]
    frees = [(FREE, name, None) for name in names]
    return ((NOTHING, None, None), *writes, *forks, *frees)


@cache
def moves_and_fills(names):
    return (*moves(names), (FILL, names[0], None), (FILL, names[1], None))


def steps(draw, table, tokens, most_steps):
    drawn = []
    for _ in range(most_steps):
        kind, name, other = table[draw(below(len(table)))]
        count = None
        if kind in (WRITE, FORK):
            count = tokens()
        elif kind == FILL:
            count = (0, 1, -1)[draw(below(3))]
        drawn.append((kind, name, other, count))
    return drawn


def up_to(draw, most):
    return lambda: draw(below(most)) + 1


def given_of(pick, steps, block_size, block_count, slack=0):
    pool = Pool(block_size, block_count).play(steps)
    given = {"block_size": block_size, "block_count": block_count}
    given |= {"max_length": max(1, pool.longest + slack), "operations": pool.operations}
    detail = pick(None, None, None, None, None, True, False)
    return given if detail is None else given | {"detail": detail}


@st.composite
def ordinary(draw):
    """A few sequences, most of the time with room for all of them."""
    pick = picker(draw)
    block_size, block_count = pick(1, 2, 3, 4, 8, 16), draw(below(40)) + 1
    drawn = steps(draw, moves(LETTERS), up_to(draw, 10), pick(4, 8, 12, 16))
    return given_of(pick, drawn, block_size, block_count, pick(0, 0, 1, 30))


@st.composite
def smallest(draw):
    """At most three operations on two sequences, blocks of one or two slots."""
    pick = picker(draw)
    block_size, block_count = pick(1, 2), pick(1, 2, 3)
    drawn = steps(draw, moves(LETTERS[:2]), up_to(draw, 2), 3)
    return given_of(pick, drawn, block_size, block_count, pick(0, 0, 1))


@st.composite
def borders(draw):
    """Lengths on, just below and just above whole blocks, up to 18 digits; pools that are filled
    to the last slot, or a token more or less."""
    pick = picker(draw)
    unit = pick(1, 1, 1, 2**53 + 1)
    block_size, block_count = unit * pick(1, 2, 3, 4, 2, 3, 4), draw(below(24)) + 1

    def tokens():
        return draw(below(5)) + 1 if unit == 1 else unit * (draw(below(5)) + 1) + pick(0, 1, -1)

    table = moves_and_fills(pick(LETTERS, LETTERS, ODD_NAMES))
    drawn = steps(draw, table, tokens, pick(4, 8, 12))
    return given_of(pick, drawn, block_size, block_count)


normal, minimal, edge = ordinary(), smallest(), borders()

# ---- Drawing what must be refused -------------------------------------------

GONE = object()
NOT_INTEGERS = (None, True, False, 1.0, 0.5, "1", "٣", [], {})
LITERALS = ("1e0", "1.0", "1E2", "NaN", "Infinity", "٣", "01", "+1", "0x1")
TEXTS = (
    "",
    " \n",
    "{",
    "[]",
    "[{}]",
    "null",
    "1",
    '"{}"',
    "{}",
    "{}{}",
    "{'block_size': 1}",
    b"\xff",
    b'{"block_size": "\xff"}',
    b"\xed\xa0\x80",
)
POOL_FIELDS = ("block_size", "block_count", "max_length")


def malformed_fields():
    """A field and what it becomes."""
    for field in POOL_FIELDS:
        yield from ((field, value) for value in (*NOT_INTEGERS, GONE))
    yield from (("operations", value) for value in (None, {}, "", 1, "free", GONE))
    yield from (("detail", value) for value in (None, 1, 0, "true", []))
    yield from (("note", 1), ("Detail", True), ("pool", None))


def malformed_operations():
    yield from (None, 1, "free", {"free": "a"}, [], [[]], [None])
    for kind in ("create", "append"):
        yield from ([kind, "a", value] for value in (*NOT_INTEGERS, "b"))
        yield from ([kind, name, 1] for name in ("", None, 1, True, ["a"], {}))
        yield from ([kind], [kind, "a"], [kind, 1, "a"], [kind, "a", 1, 1], [kind, "a", 1, None])
    for name in ("", None, 1, False, ["a"], {}):
        yield from (["fork", name, "b"], ["fork", "a", name], ["free", name])
    yield from (["fork"], ["fork", "a"], ["fork", "a", "e", "f"], ["fork", "a", "e", None])
    yield from (["free"], ["free", "a", 1], ["free", "a", "a"], ["free", "a", None])
    kinds = ("drop", "Create", "free\n", " free", "", None, 1, True, ["free"], {})
    yield from ([kind, "a"] for kind in kinds)
    yield from ([kind, "a", 1] for kind in ("", "extend", "CREATE", None, ["create"]))


BAD_FIELDS, BAD_OPERATIONS = tuple(malformed_fields()), tuple(malformed_operations())
OF_AN_OPERATION = ("bad_count", "unknown_sequence", "sequence_exists", "too_long")
CODES = ("malformed", "bad_pool", *OF_AN_OPERATION)


def offending(pick, code, pool, max_length):
    """An operation that is refused with this code after what the pool has played."""
    live, gone = list(pool.live), [name for name in LETTERS if name not in pool.live] + ["ghost"]
    enough = pick(1, max_length + 1, 10**17)
    if code == "bad_count":
        return [pick("create", "append"), pick(*live, *gone), pick(0, -1, -(10**17))]
    if code == "unknown_sequence":
        name, new = pick(*gone), pick(*live, "ghost", "new")
        return pick(["append", name, enough], ["free", name], ["fork", name, new])
    name = pick(*live)
    if code == "sequence_exists":
        return pick(["create", name, enough], ["fork", pick(*live), name])
    above = max_length + pick(1, 2, 10**17)
    return pick(["create", "new", above], ["append", name, above - pool.live[name][0]])


def malformed(pick, draw, given):
    kind = pick("operation", "operation", "field", "text", "literal")
    if kind == "text":
        return pick(*TEXTS)
    if kind == "literal":
        literal, place = pick(*LITERALS), pick(*POOL_FIELDS, "count")
        if place == "count":
            given["operations"].append(["append", "a", "@"])
        else:
            given[place] = "@"
        return json.dumps(given).replace('"@"', literal)
    if kind == "operation":
        index = draw(below(len(given["operations"]) + 1))
        given["operations"].insert(index, pick(*BAD_OPERATIONS))
        return given
    field, value = pick(*BAD_FIELDS)
    given[field] = value
    if value is GONE:
        del given[field]
    return given


@st.composite
def refused(draw):
    """A legal run, then an operation that is refused; or a fault of the whole input."""
    # Early examples come in runs that share their first draws, so the last draw counts as well:
    # every code comes up soon.
    pick = picker(draw)
    first, block_size, block_count = pick(*range(len(CODES))), pick(1, 2, 3), pick(1, 2, 3, 4)
    drawn = steps(draw, moves(LETTERS), up_to(draw, 4), 4)
    if not Pool(block_size, block_count).play(drawn).live:
        drawn.append((WRITE, "a", None, 1))
    given = given_of(pick, drawn, block_size, block_count, pick(0, 1))
    pool = replayed(given)
    later = pick(None, None, *OF_AN_OPERATION)
    second = offending(pick, later, pool, given["max_length"]) if later else None
    code = CODES[(first + pick(*range(len(CODES)))) % len(CODES)]
    if code in OF_AN_OPERATION:
        given["operations"].append(offending(pick, code, pool, given["max_length"]))
    if second:
        given["operations"].append(second)
    if code == "bad_pool" or (code == "malformed" and pick(False, False, True)):
        given[pick(*POOL_FIELDS)] = pick(0, -1, -(10**17))
    return (malformed(pick, draw, given) if code == "malformed" else given), code


failure = refused()

# ---- Following the answer -----------------------------------------------------
# A state is what the results so far say: {name: (length, table)} of the live sequences.


def followed(given, answer):
    """[(label, operation, result, state before, state after)]; nothing when detail is false.

    Every check calls it, so that it sees no answer that belongs to some other input."""
    if not given.get("detail", True):
        return []
    results, operations = answer.get("results", []), given["operations"]
    assert len(results) == len(operations), f"{len(operations)} operations, {len(results)} results"
    state, steps = {}, []
    for i, (operation, result) in enumerate(zip(operations, results)):
        label = f"operation {i} {json.dumps(operation, ensure_ascii=False)}"
        for block in result["allocated"]:
            assert block < given["block_count"], f"{label}: there is no block {block}"
        before, state = state, after(label, operation, result, state)
        steps.append((label, operation, result, before, state))
    for key in ("tables", "lengths"):
        found = list(answer[key])
        assert answer[key].keys() == state.keys(), (
            f"live by the results: {list(state)}, in {key}: {json.dumps(found)}"
        )
    return steps


def after(label, operation, result, state):
    """The state after an operation, as its result says."""
    kind, name, *rest = operation
    allocated, copied = result["allocated"], result["copied"]
    if result["result"] == "out_of_blocks":
        assert not allocated and not copied, f"{label}: it ran out, but there are blocks listed"
        return state
    new = {"create": name, "fork": rest[-1] if rest else None}.get(kind)
    assert new not in state, f"{label}: ok, but the results say that {new} is live"
    assert kind == "create" or name in state, f"{label}: ok, but by the results {name} is not live"
    if kind == "create":
        return state | {name: (rest[0], allocated)}
    length, table = state[name]
    if kind == "append":
        if copied:
            shown = [table[-1:] + allocated[:1]]
            assert copied == shown, (
                f"{label}: copied is {copied}, not the last block of the table"
                f" and the first that was allocated, {shown}"
            )
            table = table[:-1]
        return state | {name: (length + rest[0], table + allocated)}
    if kind == "fork":
        return state | {new: state[name]}
    return {other: held for other, held in state.items() if other != name}


def in_use(state):
    return {block for _, table in state.values() for block in table}


def needs(given, operation, state):
    """(blocks that it must copy, blocks that it takes beyond those)."""
    kind, name, *rest = operation
    if kind in ("fork", "free"):
        return 0, 0
    block_size, (length, table) = given["block_size"], state.get(name, (0, []))
    more = blocks_for(length + rest[0], block_size) - blocks_for(length, block_size)
    owners = sum(table[-1] in other for _, other in state.values()) if table else 0
    return int(length % block_size > 0 and owners > 1), more


# ---- Checking -----------------------------------------------------------------


def check_results(given, answer):
    """One result for each operation, only when `detail` is true; `copies` and `out_of_blocks`
    count what the results say.

    仅当 detail 为 true 时才有 results，每个操作一项；copies 和 out_of_blocks 与各项结果一致。"""
    steps = followed(given, answer)
    if not given.get("detail", True):
        assert "results" not in answer, "detail is false, but there are results"
        return
    for name, counted in (
        ("copies", sum(len(result["copied"]) for _, _, result, _, _ in steps)),
        ("out_of_blocks", sum(result["result"] != "ok" for _, _, result, _, _ in steps)),
    ):
        assert answer[name] == counted, f"{name} is {answer[name]}, the results say {counted}"


def check_tables(given, answer):
    """`tables` and `lengths` have the same names; a table has ceil(length / block_size) blocks,
    none of them twice.

    tables 与 lengths 的名字相同；每个表恰有 ceil(length / block_size) 块，且没有重复的块。"""
    followed(given, answer)
    tables, lengths = answer["tables"], answer["lengths"]
    lonely = sorted(tables.keys() ^ lengths.keys())
    assert not lonely, f"in only one of tables and lengths: {json.dumps(lonely[:5])}"
    for name, table in tables.items():
        length, label = lengths[name], f"table of {json.dumps(name)}"
        blocks = blocks_for(length, given["block_size"])
        found = len(table)
        assert found == blocks, f"{label}: length {length} takes {blocks} blocks, found {found}"
        assert len(set(table)) == len(table), f"{label}: a block is in it twice: {table}"


def check_reference_counts(given, answer):
    """`reference_counts` has the blocks in use, each with the number of tables that hold it.

    reference_counts 恰好列出使用中的块，值为含有该块的表的个数。"""
    followed(given, answer)
    owners = {}
    for table in answer["tables"].values():
        for block in set(table):
            owners[str(block)] = owners.get(str(block), 0) + 1
    found = answer["reference_counts"]
    for block in sorted(owners.keys() | found.keys(), key=int):
        a, b = owners.get(block), found.get(block)
        assert a == b, f"block {block}: {a or 'no'} tables hold it, its reference count is {b}"


def check_conservation(given, answer):
    """After every operation: free blocks + distinct blocks in tables = block_count.

    每个操作之后：空闲块数 + 各表中不同的块数 = block_count。"""
    for label, _, result, _, state in followed(given, answer):
        used, free = len(in_use(state)), result["free_blocks"]
        assert used + free == given["block_count"], (
            f"after {label}: {used} blocks in tables + {free} free, of {given['block_count']}"
        )


def check_lowest_blocks(given, answer):
    """A new block is always the lowest-numbered free one, in the order taken.

    新取的块总是编号最小的空闲块，并按取用的先后列出。"""
    for label, _, result, before, _ in followed(given, answer):
        used, taken = in_use(before), result["allocated"]
        free = (block for block in range(given["block_count"]) if block not in used)
        lowest = list(islice(free, len(taken)))
        assert taken == lowest, f"{label}: allocated {taken}, the lowest free ones are {lowest}"


def check_copy_on_write(given, answer):
    """An append copies the last block when that is partly filled and another table holds it,
    and nothing is copied otherwise.

    追加时，最后一块未满且另有表持有它，才复制这一块；其他情况都不复制。"""
    for label, operation, result, before, _ in followed(given, answer):
        if result["result"] == "ok":
            copies, found = needs(given, operation, before)[0], len(result["copied"])
            assert found == copies, f"{label}: copied {found} blocks, should copy {copies}"


def check_blocks_taken(given, answer):
    """An operation takes exactly the blocks that it needs, or runs out when it needs more than
    are free.

    每个操作恰好取用它所需的块；所需多于空闲时，结果才是 out_of_blocks。"""
    for label, operation, result, before, _ in followed(given, answer):
        needed = sum(needs(given, operation, before))
        free = given["block_count"] - len(in_use(before))
        ran_out, said = needed > free, result["result"]
        right = "out_of_blocks" if ran_out else "ok"
        assert said == right, f"{label}: needs {needed} blocks, {free} are free, result {said}"
        taken = len(result["allocated"])
        assert ran_out or taken == needed, f"{label}: needs {needed} blocks, allocated {taken}"


def check_content(given, answer):
    """Stamp every appended slot, copy as `copied` says, read back each table: every sequence sees
    exactly its own history.

    给每个写入的槽位盖章，按 copied 复制，再按各表读回：每个序列看到的恰是自己的历史。"""
    # Slots that every write treats alike need one stamp together, so huge blocks cost no more.
    steps, size = followed(given, answer), given["block_size"]
    ends = {length % size for *_, state in steps for length, _ in state.values()}
    pool, histories, slots = {}, {}, sorted({0} | ends)
    for label, (kind, name, *rest), result, before, state in steps:
        if result["result"] == "out_of_blocks":
            continue
        if kind == "fork":
            histories[rest[0]] = histories[name].copy()
        elif kind == "free":
            read_back(f"before {label}", name, histories.pop(name), before[name][1], pool, size)
        else:
            length, (end, table) = before.get(name, (0, []))[0], state[name]
            for source, target in result["copied"]:
                for slot in slots:
                    if slot < length % size:
                        pool[target, slot] = pool.get((source, slot))
            history = histories.setdefault(name, {})
            for index in range(length // size, blocks_for(end, size)):
                assert index < len(table), f"{label}: {len(table)} blocks for {end} tokens"
                for slot in slots:
                    token = index * size + slot
                    if length <= token < end:
                        history[token] = pool[table[index], slot] = f"token {token} of {label}"
    for name, history in histories.items():
        read_back("at the end", name, history, answer["tables"][name], pool, size)
        length, found = steps[-1][-1][name][0], answer["lengths"].get(name)
        assert length == found, f"{name}: {length} tokens were written, its length is {found}"


def read_back(when, name, history, table, pool, size):
    for token, stamp in history.items():
        index, slot = divmod(token, size)
        assert index < len(table), f"{when}: table {table} of {name} has no block for token {token}"
        found = pool.get((table[index], slot))
        assert found == stamp, (
            f"{when}, {name} reads token {token} in block {table[index]}, slot {slot}:"
            f" expected {stamp}, found {found or 'nothing'}"
        )


def check_peaks(given, answer):
    """`peak_blocks` is the most blocks in use after any operation, `peak_reserved_tokens` the most
    live sequences x max_length.

    peak_blocks 是任一操作之后使用中的块数的最大值；
    peak_reserved_tokens 是存活序列数的最大值 × max_length。"""
    steps, each = followed(given, answer), given["max_length"]
    blocks, reserved = answer["peak_blocks"], answer["peak_reserved_tokens"]
    if given.get("detail", True):
        most = max((len(in_use(state)) for *_, state in steps), default=0)
        assert blocks == most, f"peak_blocks is {blocks}, by the results {most}"
        live = max((len(state) for *_, state in steps), default=0)
        right = live * each
        assert reserved == right, f"peak_reserved_tokens {reserved}, not {live} x {each} = {right}"
    used, least = len(answer["reference_counts"]), len(answer["tables"]) * each
    assert blocks >= used, f"peak_blocks is {blocks}, but {used} are in use at the end"
    assert reserved >= least, f"peak_reserved_tokens {reserved}, but {least} at the end"


def check_sharing_saves(given, answer):
    """Blocks in use <= the sum of ceil(length / block_size) over the live sequences.

    使用中的块数 <= 各存活序列 ceil(length / block_size) 之和。"""
    followed(given, answer)
    used = len(answer["reference_counts"])
    apart = sum(blocks_for(length, given["block_size"]) for length in answer["lengths"].values())
    assert used <= apart, f"{used} blocks in use, without sharing {apart} would do"


# What two answers must have in common.
STATE = ("tables", "lengths", "reference_counts")
COUNTS = ("peak_blocks", "copies", "out_of_blocks")


def assert_same(what, expected, found, keys):
    for key in keys:
        a, b = expected.get(key), found.get(key)
        assert a == b, f"{what}: {key} should be {short(a)}, is {short(b)}"


def short(value):
    text = json.dumps(value)
    return text if len(text) <= 200 else text[:200] + " …"


def check_scaled(given, answer, run):
    """Three times block_size, max_length and all counts: the same tables and results.

    block_size、max_length 和所有 token 数都乘以 3：表和结果不变。"""
    followed(given, answer)
    if given["block_size"] * 3 >= 10**18 or given["max_length"] * 3 >= 10**18:
        return
    operations = [
        [kind, name, 3 * rest[0]] if kind in ("create", "append") else [kind, name, *rest]
        for kind, name, *rest in given["operations"]
    ]
    sizes = {name: 3 * given[name] for name in ("block_size", "max_length")}
    found = run(given | sizes | {"operations": operations})
    lengths = {name: 3 * length for name, length in answer["lengths"].items()}
    expected = answer | {"lengths": lengths}
    assert_same("all counts times 3", expected, found, (*STATE, *COUNTS, "results"))


def check_fork_and_free(given, answer, run):
    """A fork whose child is freed at once changes no table, length, count or free block.

    分叉后立即释放子序列：表、长度、计数和空闲块都不变。"""
    followed(given, answer)
    for name in list(replayed(given).live)[:1]:
        extra = [["fork", name, "child"], ["free", "child"]]
        found = run(given | {"operations": given["operations"] + extra})
        what = f"fork {json.dumps(name)} child, free child"
        assert_same(what, answer, found, (*STATE, *COUNTS))
        for result in found.get("results", [])[-1:]:
            left = given["block_count"] - len(answer["reference_counts"])
            free = result["free_blocks"]
            assert free == left, f"{what}: {left} blocks should be free, found {free}"


def check_split_append(given, answer, run):
    """Appending k and then m tokens equals appending k + m, when neither runs out.

    先追加 k 个再追加 m 个 token，等于一次追加 k + m 个（两者都没有耗尽空闲块时）。"""
    followed(given, answer)
    ran_out = replayed(given).ran_out
    for i, (kind, name, *rest) in enumerate(given["operations"]):
        if kind in ("create", "append") and rest[0] > 1 and i not in ran_out:
            first, second = rest[0] - rest[0] // 2, rest[0] // 2
            parts = [[kind, name, first], ["append", name, second]]
            operations = given["operations"][:i] + parts + given["operations"][i + 1 :]
            found = run(given | {"operations": operations})
            keys = (*STATE, *COUNTS, "peak_reserved_tokens")
            assert_same(f"operation {i} as {first} and {second}", answer, found, keys)
            break


def check_free_everything(given, answer, run):
    """Freeing every sequence frees every block.

    释放所有序列，就释放了所有的块。"""
    followed(given, answer)
    frees = [["free", name] for name in replayed(given).live]
    found = run(given | {"operations": given["operations"] + frees, "detail": True})
    assert_same("everything freed", {key: {} for key in STATE}, found, STATE)
    for result in found.get("results", [])[-1:]:
        free, count = result["free_blocks"], given["block_count"]
        assert free == count, f"everything freed: {count} blocks should be free, found {free}"


def check_renamed(given, answer, run):
    """Other names for the sequences change nothing else.

    给序列换名字，其他一概不变。"""
    followed(given, answer)
    others = dict(zip(LETTERS, ODD_NAMES))
    operations = [
        [kind, *(others.get(argument, argument) for argument in arguments)]
        for kind, *arguments in given["operations"]
    ]
    found = run(given | {"operations": operations})
    what = f"renamed {others}"
    for key in ("tables", "lengths"):
        renamed = {others.get(name, name): value for name, value in answer[key].items()}
        assert_same(what, {key: renamed}, found, (key,))
    assert_same(what, answer, found, ("reference_counts", *COUNTS, "results"))


def check_ran_out_changes_nothing(given, answer, run):
    """Without the operations that ran out, everything else is the same.

    去掉结果为 out_of_blocks 的操作，其他一概不变。"""
    followed(given, answer)
    ran_out = replayed(given).ran_out
    if ran_out:
        operations, results = (
            [one for i, one in enumerate(every) if i not in ran_out]
            for every in (given["operations"], answer.get("results", []))
        )
        # Where nothing runs out a program is more likely right: that answer is what should be.
        without = run(given | {"operations": operations})
        count = without["out_of_blocks"]
        assert count == 0, f"without what ran out: out_of_blocks should be 0, is {count}"
        found = answer | {"results": results} if "results" in answer else answer
        keys = (*STATE, "peak_blocks", "copies", "peak_reserved_tokens", "results")
        what = "with what ran out left in, and its results left out"
        assert_same(what, without, found, keys)


def check_detail(given, answer, run):
    """`detail` adds or removes `results` and changes nothing else.

    detail 只决定有没有 results，其他一概不变。"""
    followed(given, answer)
    detail = not given.get("detail", True)
    found = run(given | {"detail": detail})
    keys = (*STATE, *COUNTS, "peak_reserved_tokens")
    assert_same(f"with detail {json.dumps(detail)}", answer, found, keys)
    assert ("results" in found) == detail, f"detail {json.dumps(detail)}: results are wrong"
