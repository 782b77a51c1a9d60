"""speculative_acceptance: start here.

Run it on a sample without the grader:
    python speculative_acceptance.py < 01-worked-example.in.json
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


def verify(step, eos):
    """The result of one step."""
    # Your work: accept, up to the first rejection or the eos; then draw the next token.
    return {
        "accepted": 0,
        "emitted": [],
        "ending": "bonus",
        "acceptance_probabilities": [],
        "residual": None,
    }


def totals(steps, results):
    """What all steps make together."""
    # Your work.
    return {"drafted": 0, "accepted": 0, "emitted": 0, "mean_emitted": None}


def predict(forecast):
    """What to expect of a step; None where the input has no forecast."""
    # Your work.


def main():
    try:
        given = json.loads(sys.stdin.read())
    except ValueError:  # not JSON, or not UTF-8
        refuse("malformed")
    check(given)
    steps = given.get("steps", [])
    results = [verify(step, given.get("eos")) for step in steps]
    answer = {"ok": True, "steps": results, "totals": totals(steps, results)}
    print(json.dumps(answer | {"forecast": predict(given.get("forecast"))}))


if __name__ == "__main__":
    main()
