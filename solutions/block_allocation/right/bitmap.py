"""block_allocation with bitmaps: a bit for each block, set while it is free.

Words of 512 bits, and one bit for each word that has a free block; x & -x is the lowest bit of x.
"""

import json
import sys

WIDTH = 512


class Bitmap:
    def __init__(self, count):
        full, rest = divmod(count, WIDTH)
        self.words = [(1 << WIDTH) - 1] * full + [(1 << rest) - 1]
        self.summary = sum(1 << i for i, word in enumerate(self.words) if word)
        self.free = count

    def pop_lowest(self):
        i = (self.summary & -self.summary).bit_length() - 1
        word = self.words[i]
        low = word & -word
        self.words[i] = word ^ low
        if not self.words[i]:
            self.summary ^= 1 << i
        self.free -= 1
        return i * WIDTH + low.bit_length() - 1

    def add(self, block):
        i, bit = divmod(block, WIDTH)
        self.words[i] |= 1 << bit
        self.summary |= 1 << i
        self.free += 1


def fault(given):
    """The refusal of the input as a whole, or None."""
    if not isinstance(given, dict):
        return "malformed"
    keys = set(given)
    if not {"block_size", "block_count", "max_length", "operations"} <= keys:
        return "malformed"
    if keys - {"block_size", "block_count", "max_length", "operations", "detail"}:
        return "malformed"
    if given.get("detail", True) not in (True, False) or type(given.get("detail", True)) is int:
        return "malformed"
    if type(given.get("detail", True)) is float or not isinstance(given["operations"], list):
        return "malformed"
    sizes = [given["block_size"], given["block_count"], given["max_length"]]
    if [type(size) for size in sizes] != [int, int, int]:
        return "malformed"
    kinds = {"create": [str, int], "append": [str, int], "fork": [str, str], "free": [str]}
    for operation in given["operations"]:
        if not isinstance(operation, list) or not operation or not isinstance(operation[0], str):
            return "malformed"
        if [type(argument) for argument in operation[1:]] != kinds.get(operation[0]):
            return "malformed"
        if not all(argument != "" for argument in operation):
            return "malformed"
    return "bad_pool" if min(sizes) <= 0 else None


def simulate(given):
    size, longest = given["block_size"], given["max_length"]
    free, references = Bitmap(given["block_count"]), {}
    tables, lengths, log = {}, {}, []
    peak = live = copies = failed = 0

    def drop(block):
        if references[block] == 1:
            del references[block]
            free.add(block)
        else:
            references[block] -= 1

    for operation in given["operations"]:
        kind, who, last = operation[0], operation[1], operation[-1]
        allocated, copied, result = [], [], "ok"
        if kind in ("create", "append"):
            if last <= 0:
                return "bad_count"
            if kind == "append" and who not in tables:
                return "unknown_sequence"
            if kind == "create" and who in tables:
                return "sequence_exists"
            length = lengths.get(who, 0)
            if length + last > longest:
                return "too_long"
            table = tables.get(who, [])
            copy = 1 if length % size and references[table[-1]] >= 2 else 0
            fresh = (length + last - 1) // size - (length - 1) // size
            if copy + fresh <= free.free:
                allocated = [free.pop_lowest() for _ in range(copy + fresh)]
                references |= dict.fromkeys(allocated, 1)
                if copy:
                    copied = [[table[-1], allocated[0]]]
                    drop(table[-1])
                    table[-1] = allocated[0]
                table.extend(allocated[copy:])
                tables[who], lengths[who] = table, length + last
            else:
                result = "out_of_blocks"
        else:
            if who not in tables:
                return "unknown_sequence"
            if kind == "free":
                for block in tables.pop(who):
                    drop(block)
                del lengths[who]
            elif last in tables:
                return "sequence_exists"
            else:
                tables[last], lengths[last] = list(tables[who]), lengths[who]
                for block in tables[who]:
                    references[block] += 1
        peak, live = max(peak, len(references)), max(live, len(tables))
        copies, failed = copies + len(copied), failed + (result != "ok")
        if given.get("detail", True):
            entry = {"result": result, "allocated": allocated, "copied": copied}
            log.append({**entry, "free_blocks": free.free})
    answer = {"ok": True, "tables": tables, "lengths": lengths}
    answer["reference_counts"] = {str(block): count for block, count in references.items()}
    answer["peak_blocks"], answer["peak_reserved_tokens"] = peak, live * longest
    answer["copies"], answer["out_of_blocks"] = copies, failed
    if given.get("detail", True):
        answer["results"] = log
    return answer


def main():
    try:
        given = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    except ValueError:
        outcome = "malformed"
    else:
        outcome = fault(given) or simulate(given)
    print(json.dumps({"ok": False, "error": outcome} if isinstance(outcome, str) else outcome))


if __name__ == "__main__":
    main()
