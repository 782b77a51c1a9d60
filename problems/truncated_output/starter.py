"""truncated_output: start here.

Run it on a sample without the grader:
    python truncated_output.py < 01-worked-example.in.json
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
    # Your work: the other ways to be malformed, then the other two codes.


def find_open(kind, text):
    """What is open at the end, outermost first, as [character, offset]; None when broken."""
    # Your work: read the text from left to right, once.
    return []


def judge(output):
    """The result of one output."""
    still_open = find_open(output["kind"], output["text"])
    # Your work: the first line of the table of statuses that applies.
    return {"status": "complete", "reason": None, "open": still_open}


def main():
    try:
        given = json.loads(sys.stdin.read())
    except ValueError:  # not JSON, or not UTF-8
        refuse("malformed")
    check(given)
    results = [judge(output) for output in given.get("outputs", [])]
    counts = {"complete": 0, "truncated": 0, "suspect": 0, "invalid": 0}  # your work
    print(json.dumps({"ok": True, "results": results, "counts": counts}))


if __name__ == "__main__":
    main()
