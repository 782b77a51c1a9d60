"""block_allocation, wrong: an operation is whatever can be unpacked, an object of its words too."""

import json
import sys
from heapq import heappop, heappush

ARGUMENTS = {"create": (str, int), "append": (str, int), "fork": (str, str), "free": (str,)}
FIELDS = {"block_size": int, "block_count": int, "max_length": int, "operations": list}


class Refusal(Exception):
    """The input must be refused with this code."""


def parse(data):
    """The input as a dict in which `detail` is never absent."""
    try:
        given = json.loads(data.decode("utf-8"))
    except ValueError:
        raise Refusal("malformed") from None
    if type(given) is not dict:
        raise Refusal("malformed")
    given = {"detail": True} | given
    fields = FIELDS | {"detail": bool}
    if given.keys() != fields.keys():
        raise Refusal("malformed")
    # Types are compared as they are: isinstance would take True for an integer.
    if any(type(given[name]) is not kind for name, kind in fields.items()):
        raise Refusal("malformed")
    if not all(map(is_operation, given["operations"])):
        raise Refusal("malformed")
    return given


def is_operation(operation):
    try:
        kind, *arguments = operation
    except (TypeError, ValueError):
        return False
    if type(kind) is not str or kind not in ARGUMENTS or "" in arguments:
        return False
    return tuple(map(type, arguments)) == ARGUMENTS[kind]


class Pool:
    """Blocks; of those that are free the lowest-numbered one is taken first."""

    def __init__(self, block_count):
        self.free = list(range(block_count))  # in order, so it is a heap already
        self.references = {}

    def take(self, count):
        blocks = [heappop(self.free) for _ in range(count)]
        self.references.update(dict.fromkeys(blocks, 1))
        return blocks

    def share(self, blocks):
        for block in blocks:
            self.references[block] += 1

    def drop(self, blocks):
        for block in blocks:
            self.references[block] -= 1
            if self.references[block] == 0:
                del self.references[block]
                heappush(self.free, block)


class Sequences:
    """The live sequences: a table of blocks and a length for each."""

    def __init__(self, block_size, block_count, max_length):
        self.block_size, self.max_length = block_size, max_length
        self.pool = Pool(block_count)
        self.tables, self.lengths = {}, {}

    def check(self, kind, name, argument=None):
        """The refusals of one operation, in the order of the table."""
        counted = kind in ("create", "append")
        if counted and argument < 1:
            raise Refusal("bad_count")
        if kind != "create" and name not in self.tables:
            raise Refusal("unknown_sequence")
        new = {"create": name, "fork": argument}.get(kind)
        if new in self.tables:
            raise Refusal("sequence_exists")
        if counted and self.lengths.get(name, 0) + argument > self.max_length:
            raise Refusal("too_long")

    def run(self, kind, name, argument=None):
        """(allocated, copied), or None where the operation needs more blocks than are free."""
        if kind == "fork":
            self.pool.share(self.tables[name])
            self.tables[argument] = self.tables[name].copy()
            self.lengths[argument] = self.lengths[name]
        elif kind == "free":
            self.pool.drop(self.tables.pop(name))
            del self.lengths[name]
        else:  # to create is to append to a sequence of length 0
            return self.write(name, argument)
        return [], []

    def write(self, name, count):
        table, length = self.tables.get(name, []), self.lengths.get(name, 0)
        partial = length % self.block_size > 0
        copies = partial and self.pool.references[table[-1]] > 1
        # The blocks of a table hold its length, rounded up, and -(-a // b) rounds up.
        needed = -(-(length + count) // self.block_size) - len(table) + copies
        if needed > len(self.pool.free):
            return None
        allocated, copied = self.pool.take(needed), []
        if copies:
            shared = table.pop()
            copied = [[shared, allocated[0]]]
            self.pool.drop([shared])
        table += allocated
        self.tables[name], self.lengths[name] = table, length + count
        return allocated, copied


def solve(given):
    sequences = Sequences(given["block_size"], given["block_count"], given["max_length"])
    pool, results = sequences.pool, []
    peak_blocks = peak_live = copies = out_of_blocks = 0
    for operation in given["operations"]:
        sequences.check(*operation)
        done = sequences.run(*operation)
        allocated, copied = done or ([], [])
        copies += len(copied)
        out_of_blocks += done is None
        peak_blocks = max(peak_blocks, len(pool.references))
        peak_live = max(peak_live, len(sequences.tables))
        if given["detail"]:
            said, free = "out_of_blocks" if done is None else "ok", len(pool.free)
            results.append(
                {"result": said, "allocated": allocated, "copied": copied, "free_blocks": free}
            )
    answer = {
        "ok": True,
        "tables": sequences.tables,
        "lengths": sequences.lengths,
        "reference_counts": {str(block): n for block, n in pool.references.items()},
        "peak_blocks": peak_blocks,
        "peak_reserved_tokens": peak_live * given["max_length"],
        "copies": copies,
        "out_of_blocks": out_of_blocks,
    }
    return answer | {"results": results} if given["detail"] else answer


def main():
    try:
        given = parse(sys.stdin.buffer.read())
        if min(given["block_size"], given["block_count"], given["max_length"]) < 1:
            raise Refusal("bad_pool")
        answer = solve(given)
    except Refusal as refusal:
        answer = {"ok": False, "error": str(refusal)}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
