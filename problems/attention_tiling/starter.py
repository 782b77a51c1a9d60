"""attention_tiling: start here.

Run it on a sample without the grader:
    python attention_tiling.py < 01-worked-example.in.json
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


def attend(scores, values, tile):
    """What one query gets."""
    # Your work: tile after tile, the largest score m and the sum l so far; in the end the output.
    return {"output": [], "trace": []}


def count(plan):
    """How many numbers a shape stores, as a whole table and in tiles."""
    # Your work.
    return {"naive": 0, "tiled": 0, "ratio": "0/1"}


def main():
    try:
        given = json.loads(sys.stdin.read())
    except ValueError:  # not JSON, or not UTF-8
        refuse("malformed")
    check(given)
    values, tile = given.get("values", []), given.get("tile", 1)
    rows = [attend(scores, values, tile) for scores in given.get("scores", [])]
    plans = [count(plan) for plan in given.get("plans", [])]
    print(json.dumps({"ok": True, "rows": rows, "plans": plans}))


if __name__ == "__main__":
    main()
