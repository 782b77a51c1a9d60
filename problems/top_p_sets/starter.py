"""top_p_sets: start here.

Run it on a sample without the grader:  python top_p_sets.py < 01-worked-example.in.json
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


def solve(given):
    """One result per query."""
    # Your work: order the tokens once, then find for every query where its nucleus ends.
    return []


def main():
    try:
        given = json.loads(sys.stdin.read())
    except ValueError:  # not JSON, or not UTF-8
        refuse("malformed")
    check(given)
    print(json.dumps({"ok": True, "results": solve(given)}))


if __name__ == "__main__":
    main()
