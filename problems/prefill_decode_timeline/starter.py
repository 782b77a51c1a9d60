"""prefill_decode_timeline: start here.

Run it on a sample without the grader:
    python prefill_decode_timeline.py < 01-worked-example.in.json
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


def measure(call):
    """What one call shows to its client."""
    # Your work: one gap for every token after the first, and the rest of the figures.
    return {"tokens": 1, "ttft": 0, "itl": [], "tpot": None, "longest_gap": None, "e2e": 0}


def whole_task(calls, results):
    """Every moment from the first arrival to the last event belongs to one phase."""
    # Your work.
    phases = {"queue": 0, "prefill": 0, "decode": 0, "tool": 0}
    task = {"tokens": len(calls), "ttft": 0, "tpot": None, "e2e": 0, "phases": phases}
    return task | {"shares": None, "largest": None}


def suppose(what_if, calls, task):
    """One phase stretched, everything else as it was recorded."""
    # Your work: do not walk the timeline again.
    return {"ttft": "0/1", "e2e": "0/1", "speedup": None}


def main():
    try:
        given = json.loads(sys.stdin.read())
    except ValueError:  # not JSON, or not UTF-8
        refuse("malformed")
    check(given)
    calls = given.get("calls", [])
    results = [measure(call) for call in calls]
    task = whole_task(calls, results)
    what_ifs = [suppose(what_if, calls, task) for what_if in given.get("what_ifs", [])]
    print(json.dumps({"ok": True, "calls": results, "task": task, "what_ifs": what_ifs}))


if __name__ == "__main__":
    main()
