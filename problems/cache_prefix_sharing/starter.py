"""cache_prefix_sharing: start here.

Run it on a sample without the grader:
    python cache_prefix_sharing.py < 01-worked-example.in.json
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
    # Your work: the other ways to be malformed, then the other five codes.


def engine_view(given):
    """For each request hit_tokens, computed_tokens and evicted_blocks; and what stays cached."""
    # Your work: which leading full blocks are cached, and which block is dropped first?
    return [], 0


def billing_view(given):
    """For each request billed_cached_tokens and cost: by token, whatever the capacity."""
    # Your work: the longest prefix in common with an earlier request, then minimum and step.
    return []


def solve(given):
    results, cached_blocks = engine_view(given)
    # Your work: put the two views together, then add up the totals.
    totals = {
        "prompt_tokens": 0,
        "hit_tokens": 0,
        "hit_rate": None,
        "cached_blocks": cached_blocks,
        "cost": None,
    }
    return {"ok": True, "requests": results, "totals": totals}


def main():
    try:
        given = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    except ValueError:  # not JSON, or not UTF-8
        refuse("malformed")
    check(given)
    print(json.dumps(solve(given)))


if __name__ == "__main__":
    main()
