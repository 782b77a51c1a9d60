"""Lab SLUG. Run it without the grader:  python SLUG.py < 01-worked-example.in.json"""

import json
import sys


class Refusal(Exception):
    """Raise Refusal("no_requests") and so on; `main` prints it."""


def read():
    """The JSON value that stdin holds."""
    try:
        return json.loads(sys.stdin.buffer.read().decode("utf-8"))
    except ValueError:
        raise Refusal("malformed") from None


def check(given):
    """Refuse what must be refused, in the order of the table."""
    if not isinstance(given, dict):
        raise Refusal("malformed")
    # Your work: fields and types first, then the three other codes


def admit(budget, requests):
    """(requests admitted, their tokens)."""
    return 0, 0  # Your work


def main():
    try:
        given = read()
        check(given)
        admitted, tokens = admit(given["budget"], given["requests"])
        result = {"ok": True, "admitted": admitted, "tokens": tokens}
    except Refusal as refusal:
        result = {"ok": False, "error": str(refusal)}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
