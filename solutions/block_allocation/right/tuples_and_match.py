"""block_allocation with tuples for tables and structural pattern matching.

Blocks that were never used are a counter, those that came back are a heap: the lowest free one is
the top of the heap where it has one, for whatever came back is below the counter.
"""

import json
import sys
from collections import Counter
from heapq import heappop, heappush
from itertools import chain


def refuse(code):
    print(json.dumps({"ok": False, "error": code}))
    sys.exit()


def integer(*values):
    return all(type(value) is int for value in values)


def name(*values):
    return all(type(value) is str and value for value in values)


def operation_is_well_formed(operation):
    match operation:
        case ["create" | "append", who, count]:
            return name(who) and integer(count)
        case ["fork", source, new]:
            return name(source, new)
        case ["free", who]:
            return name(who)
    return False


def read(data):
    try:
        given = json.loads(data.decode())
    except ValueError:
        refuse("malformed")
    match given:
        case {
            "block_size": size,
            "block_count": count,
            "max_length": longest,
            "operations": [*operations],
            **rest,
        }:
            detail = rest.pop("detail", True)
        case _:
            refuse("malformed")
    if rest or type(detail) is not bool or not integer(size, count, longest):
        refuse("malformed")
    if not all(operation_is_well_formed(operation) for operation in operations):
        refuse("malformed")
    if size < 1 or count < 1 or longest < 1:
        refuse("bad_pool")
    return size, count, longest, operations, detail


def refuse_if_due(operation, sequences, longest):
    length = 0
    match operation:
        case ["create" | "append", _, count] if count < 1:
            refuse("bad_count")
        case ["append" | "fork" | "free", who, *_] if who not in sequences:
            refuse("unknown_sequence")
        case ["create", new, *_] | ["fork", _, new] if new in sequences:
            refuse("sequence_exists")
        case ["append", who, _]:
            length = sequences[who][0]
    match operation:
        case ["create" | "append", _, count] if length + count > longest:
            refuse("too_long")


def main():
    size, block_count, longest, operations, detail = read(sys.stdin.buffer.read())
    sequences = {}  # name: (length, tuple of blocks)
    owners, returned, untouched = Counter(), [], 0
    results, most_used, most_live, copies, failures = [], 0, 0, 0, 0
    for operation in operations:
        refuse_if_due(operation, sequences, longest)
        allocated, copied, outcome = (), (), "ok"
        given_up = ()
        match operation:
            case ["fork", source, new]:
                sequences[new] = sequences[source]
                owners.update(sequences[source][1])
            case ["free", who]:
                given_up = sequences.pop(who)[1]
            case [_, who, count]:
                length, table = sequences.get(who, (0, ()))
                inside = length % size
                copies_one = inside > 0 and owners[table[-1]] > 1
                kept = table[:-1] if copies_one else table
                needed = (length + count + size - 1) // size - len(kept)
                if needed > block_count - untouched + len(returned):
                    outcome = "out_of_blocks"
                else:
                    old = min(needed, len(returned))
                    fresh = range(untouched, untouched + needed - old)
                    untouched = fresh.stop
                    allocated = (*(heappop(returned) for _ in range(old)), *fresh)
                    if copies_one:
                        copied, given_up = ((table[-1], allocated[0]),), table[-1:]
                    for block in allocated:
                        owners[block] = 1
                    sequences[who] = length + count, kept + allocated
        for block in given_up:
            owners[block] -= 1
            if owners[block] == 0:
                del owners[block]
                heappush(returned, block)
        copies, failures = copies + len(copied), failures + (outcome != "ok")
        most_used, most_live = max(most_used, len(owners)), max(most_live, len(sequences))
        if detail:
            keys, free = ("result", "allocated", "copied", "free_blocks"), block_count - len(owners)
            results.append(dict(zip(keys, (outcome, allocated, copied, free))))
    answer = {
        "ok": True,
        "tables": {who: table for who, (_, table) in sequences.items()},
        "lengths": {who: length for who, (length, _) in sequences.items()},
        "reference_counts": {
            str(block): owners[block]
            for block in set(chain.from_iterable(table for _, table in sequences.values()))
        },
        "peak_blocks": most_used,
        "peak_reserved_tokens": most_live * longest,
        "copies": copies,
        "out_of_blocks": failures,
    }
    print(json.dumps(answer | {"results": results} if detail else answer))


main()
