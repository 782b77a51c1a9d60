"""block_allocation: start here.

Run it on a sample without the grader:  python block_allocation.py < 01-worked-example.in.json
"""

import json
import sys


def refuse(code):
    """Print a refusal and stop. The exit status is 0: a refusal is not a crash."""
    print(json.dumps({"ok": False, "error": code}))
    sys.exit(0)


def check(given):
    """Refuse what is wrong with the input as a whole: `malformed` first, then `bad_pool`."""
    if not isinstance(given, dict):
        refuse("malformed")
    # Your work: the other ways to be malformed, also inside the operations, then the pool.


def solve(given):
    """Run the operations one by one; refuse at the first one that the statement refuses."""
    results = []
    for _operation in given["operations"]:
        # Your work: which blocks are free, and how many tables hold each of the others?
        results.append({"result": "ok", "allocated": [], "copied": [], "free_blocks": 0})
    return {
        "ok": True,
        "results": results,
        "tables": {},
        "lengths": {},
        "reference_counts": {},
        "peak_blocks": 0,
        "peak_reserved_tokens": 0,
        "copies": 0,
        "out_of_blocks": 0,
    }


def main():
    try:
        given = json.loads(sys.stdin.read())
    except ValueError:  # not JSON, or not UTF-8
        refuse("malformed")
    check(given)
    print(json.dumps(solve(given)))


if __name__ == "__main__":
    main()
