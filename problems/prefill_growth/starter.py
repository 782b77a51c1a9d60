"""prefill_growth: start here.

Run it on a sample without the grader:
    python prefill_growth.py < 01-worked-example.in.json
"""

import json
import sys


def refuse(code):
    """Print a refusal and stop. The exit status is 0: a refusal is not a crash."""
    print(json.dumps({"ok": False, "error": code}))
    sys.exit(0)


def check(given):
    """Refuse what the statement refuses: `malformed` first, then in the order of its table."""
    if not isinstance(given, dict):
        refuse("malformed")
    # Your work: the other ways to be malformed, then the other three codes.


def pairs(given, cached, length):
    """How many positions the new tokens see, over all layers and query heads."""
    return 0  # Your work: a sum in closed form, no loop over positions.


def kv_bytes(given, length):
    """What the cache holds after so many tokens, over all layers."""
    return 0  # Your work.


def cost(given, prompt):
    """The result of one prompt."""
    length, cached = prompt["length"], prompt.get("cached", 0)
    # Your work: new_tokens, the chunks, and the two ratios.
    return {
        "new_tokens": 0,
        "pairs": pairs(given, cached, length),
        "chunk_pairs": None,
        "kv_bytes": kv_bytes(given, length),
        "pairs_ratio": None,
        "kv_ratio": "1/1",
    }


def main():
    try:
        given = json.loads(sys.stdin.read())
    except ValueError:  # not JSON, or not UTF-8
        refuse("malformed")
    check(given)
    results = [cost(given, prompt) for prompt in given.get("prompts", [])]
    # Your work: the two totals.
    print(json.dumps({"ok": True, "prompts": results, "total_pairs": 0, "total_kv_bytes": 0}))


if __name__ == "__main__":
    main()
