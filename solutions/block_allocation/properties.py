"""Checks that compute a whole answer: for staff only.

The simulator here knows no reference counts and keeps no free blocks: what is free is whatever no
table holds, and a block is shared when two tables hold it.
"""

from itertools import count, islice


def check_reference(answer, expected):
    """The whole answer equals the reference's.

    整个答案与参考答案一致。
    """
    _assert_equal(expected, answer)


def check_simulated(given, answer):
    """The whole answer equals that of a plain simulation, which looks for everything anew.

    整个答案与逐步朴素模拟的结果一致。
    """
    _assert_equal(_simulated(given), answer)


def _assert_equal(expected, answer):
    for i, (one, other) in enumerate(zip(expected.get("results", []), answer.get("results", []))):
        assert one == other, f"operation {i}: expected {one}, found {other}"
    for key in sorted(expected.keys() | answer.keys()):
        a, b = expected.get(key), answer.get(key)
        assert a == b, f"{key}: expected {str(a)[:200]}, found {str(b)[:200]}"


def _simulated(given):
    tables, lengths, results, used, live = {}, {}, [], [0], [0]
    for operation in given["operations"]:
        result = _step(given, operation, tables, lengths)
        used.append(len(set().union(*tables.values())))
        live.append(len(tables))
        results.append(result | {"free_blocks": given["block_count"] - used[-1]})
    held = [str(block) for table in tables.values() for block in table]
    answer = {
        "ok": True,
        "tables": tables,
        "lengths": lengths,
        "reference_counts": {block: held.count(block) for block in held},
        "peak_blocks": max(used),
        "peak_reserved_tokens": max(live) * given["max_length"],
        "copies": sum(len(result["copied"]) for result in results),
        "out_of_blocks": sum(result["result"] == "out_of_blocks" for result in results),
    }
    return answer | {"results": results} if given.get("detail", True) else answer


def _step(given, operation, tables, lengths):
    kind, name, *rest = operation
    allocated, copied = [], []
    if kind == "fork":
        tables[rest[0]], lengths[rest[0]] = tables[name], lengths[name]
    elif kind == "free":
        del tables[name], lengths[name]
    else:
        size, table, length = given["block_size"], tables.get(name, []), lengths.get(name, 0)
        holders = sum(table[-1:] == other[-1:] for other in tables.values())
        kept = table[:-1] if length % size and holders > 1 else table
        needed = (length + rest[0] + size - 1) // size - len(kept)
        used = set().union(*tables.values())
        if needed > given["block_count"] - len(used):
            return {"result": "out_of_blocks", "allocated": [], "copied": []}
        allocated = list(islice((block for block in count() if block not in used), needed))
        copied = [[table[-1], allocated[0]]] if kept != table else []
        tables[name], lengths[name] = kept + allocated, length + rest[0]
    return {"result": "ok", "allocated": allocated, "copied": copied}
