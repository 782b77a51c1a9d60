"""Lab kv_sizing: how much memory the KV cache of one device needs.

Run it without the grader:  python kv_sizing.py < 01-worked-example.in.json
"""

import json
import sys


class Refusal(Exception):
    """Raise Refusal("out_of_range") and so on; `main` prints it."""


def read():
    """The JSON value that stdin holds."""
    try:
        return json.loads(sys.stdin.buffer.read().decode("utf-8"))
    except ValueError:
        raise Refusal("malformed") from None


def check(doc):
    """Refuse what must be refused: first every `malformed`, then the codes in their order."""
    if not isinstance(doc, dict):
        raise Refusal("malformed")
    # Your work: fields that are missing, unknown or of the wrong type, at every level
    # Your work: the five other codes, each over the whole input


def bytes_per_token_per_layer(model, cache, tensor_parallel):
    """Bytes that one token costs in one layer on one device."""
    return 0  # Your work: vectors first, then the two kinds of attention


def stored(length, window, block_size):
    """(tokens kept, blocks touched) of one sequence in one layer."""
    return 0, 0  # Your work


def size(doc):
    """The answer for a legal input."""
    # Your work: call the two functions above, sum over layers and sequences, compare with memory
    return {
        "ok": True,
        "bytes_per_token_per_layer": 0,
        "logical_bytes": 0,
        "allocated_bytes": 0,
        "waste_bytes": 0,
        "blocks": 0,
        "fits": False,
        "headroom_bytes": 0,
        "max_sequences": 0,
    }


def main():
    try:
        doc = read()
        check(doc)
        result = size(doc)
    except Refusal as refusal:
        result = {"ok": False, "error": str(refusal)}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
