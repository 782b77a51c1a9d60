"""decoding_controls: start here.

Run it on a sample without the grader:
    python decoding_controls.py < 01-worked-example.in.json
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
    # Your work: the other ways to be malformed, then the other nine codes.


def order(logits):
    """The ids, likeliest first; of equal logits the smaller id first."""
    return sorted(range(len(logits)), key=lambda i: (-logits[i], i))


def control(logits, steps, uniforms):
    """The result of one strategy."""
    kept = sorted(order(logits))
    # Your work: the steps, the exact probabilities, a draw for each uniform, the distance.
    return {
        "kept": kept,
        "probabilities": ["0/1" for _ in kept],
        "draws": [kept[0] for _ in uniforms],
        "counts": [0 for _ in kept],
        "distance": None,
    }


def main():
    try:
        given = json.loads(sys.stdin.read())
    except ValueError:  # not JSON, or not UTF-8
        refuse("malformed")
    check(given)
    logits, uniforms = given.get("logits", []), given.get("uniforms", [])
    results = [control(logits, steps, uniforms) for steps in given.get("strategies", [])]
    # Your work: the comparisons.
    print(json.dumps({"ok": True, "strategies": results, "comparisons": []}))


if __name__ == "__main__":
    main()
