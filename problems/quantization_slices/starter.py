"""quantization_slices: start here.

Run it on a sample without the grader:
    python quantization_slices.py < 01-worked-example.in.json
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


def judge(part, minimum_items, allowed_drop):
    """What one slice gets: its rates, their difference and a status."""
    # Your work; fractions.Fraction is exact, and reads a decimal such as "0.03".
    return {"base": "0/1", "quantized": "0/1", "drop": "0/1", "status": "pass"}


def averages(slices):
    """Both averages: over all items, and over the slices that have items."""
    # Your work.
    return {"micro": None, "macro": None}


def compare(base, quantized):
    """Resources end to end, base and quantised side by side."""
    # Your work: sums of two figures, null where one of them was not measured.
    nothing = {"base": None, "quantized": None, "ratio": None}
    return {"memory_bytes": nothing, "latency_us": nothing, "energy_mj": nothing}


def main():
    try:
        given = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    except ValueError:  # not JSON, or not UTF-8
        refuse("malformed")
    check(given)
    slices, least, allowed = given["slices"], given["minimum_items"], given["allowed_drop"]
    answer = {"ok": True, "slices": [judge(part, least, allowed) for part in slices]}
    answer |= averages(slices)
    # Your work: the worst slice, the verdict, and whether the average hides it.
    answer |= {"worst_slice": None, "verdict": "pass", "hidden_by_average": False}
    resources = given["resources"]
    answer["resources"] = compare(resources["base"], resources["quantized"])
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
