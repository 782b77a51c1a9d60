"""reasoning_budget: start here.

Run it on a sample without the grader:
    python reasoning_budget.py < 01-worked-example.in.json
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
    # Your work: the other ways to be malformed, then the other four codes.


def count(convention, turn):
    """What one turn cost. None is a number that nobody reported, which is not 0."""
    # Your work: the table of the two conventions.
    return {"hidden": None, "visible": None, "billed": None}


def account(task):
    """The result of one task."""
    turns = [count(task["convention"], turn) for turn in task["turns"]]
    # Your work: the sums over all turns, and what follows from them; then the status.
    return {
        "status": "answered",
        "turns": turns,
        "hidden": None,
        "visible": None,
        "billed": None,
        "hidden_at_least": 0,
        "hidden_share": None,
        "over_budget": None,
    }


def totals(results):
    """What all tasks make together."""
    # Your work.
    return {
        "hidden": None,
        "visible": None,
        "billed": None,
        "unknown_turns": 0,
        "billed_without_evidence": None,
    }


def main():
    try:
        given = json.loads(sys.stdin.read())
    except ValueError:  # not JSON, or not UTF-8
        refuse("malformed")
    check(given)
    results = [account(task) for task in given.get("tasks", [])]
    print(json.dumps({"ok": True, "tasks": results, "totals": totals(results)}))


if __name__ == "__main__":
    main()
