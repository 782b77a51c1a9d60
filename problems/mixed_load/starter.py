"""mixed_load: start here.

Run it on a sample without the grader:
    python mixed_load.py < 01-worked-example.in.json
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


def simulate(given):
    """What becomes of every request, in the order of the input."""
    # Your work: the queue is served by arrival, not in the order of the input.
    return [
        {"status": "completed", "start": None, "ttft": None, "e2e": None, "good": False}
        for _ in given.get("requests", [])
    ]


def figures(results):
    """The figures of some requests: those of one class, or all of them."""
    # Your work: counts, and mean and p95 over the completed ones.
    return {
        "sent": len(results),
        "completed": 0,
        "cancelled": 0,
        "timed_out": 0,
        "ttft": {"mean": None, "p95": None},
        "e2e": {"mean": None, "p95": None},
        "good": 0,
        "goodput": None,
    }


def main():
    try:
        given = json.loads(sys.stdin.read())
    except ValueError:  # not JSON, or not UTF-8
        refuse("malformed")
    check(given)
    results = simulate(given)
    answer = {
        "ok": True,
        "classes": {name: figures([]) for name in given.get("slo", {})},
        "all": figures(results),
        "throughput": None,
        "busy_ticks": 0,
        "wasted_ticks": 0,
    }
    if given.get("detail", True):
        answer["requests"] = results
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
