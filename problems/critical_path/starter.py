"""critical_path: start here.

Run it on a sample without the grader:
    python critical_path.py < 01-worked-example.in.json
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
    # Your work: the other ways to be malformed, then the other seven codes.


def schedule(tasks):
    """When each task starts, how much slack it has, and the critical path."""
    # Your work: first an order in which every task comes after what it waits for.
    return [{"start": 0, "slack": 0} for _ in tasks], []


def try_out(idea, tasks):
    """The makespan with one idea, alone on the unchanged plan."""
    # Your work.
    return 0


def main():
    try:
        given = json.loads(sys.stdin.read())
    except ValueError:  # not JSON, or not UTF-8
        refuse("malformed")
    check(given)
    tasks, ideas = given.get("tasks", []), given.get("what_if", [])
    times, path = schedule(tasks)
    makespan = 0  # your work
    results = []
    for idea in ideas:
        other = try_out(idea, tasks)
        results.append({"makespan": other, "saved": makespan - other})
    answer = {"ok": True, "makespan": makespan, "total_ticks": 0}
    print(json.dumps(answer | {"critical_path": path, "tasks": times, "what_if": results}))


if __name__ == "__main__":
    main()
