"""cached_decode: start here.

Run it on a sample without the grader:
    python cached_decode.py < 01-worked-example.in.json
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
    # Your work: the other ways to be malformed, then the other six codes.


class Decoder:
    """All sequences, and the work that was done."""

    def __init__(self, given):
        self.embed, self.positions = given.get("embed"), given.get("positions")
        self.window = given.get("window")
        self.tokens = {}  # by name
        self.cached = {"computed": 0, "attended": 0}
        self.recomputed = {"computed": 0, "attended": 0}

    def run(self, kind, name, argument):
        """One operation."""
        if kind == "start":
            self.tokens[name] = argument
        # Your work: the other operations, and what they cost.

    def state(self, token, position):
        """Query, key and value of a token at a position of its sequence."""
        row = self.positions[position % len(self.positions)]
        return [a + b for a, b in zip(self.embed[token], row)]

    def tell(self, name):
        """What a sequence is in the end."""
        # Your work: the output at the last position, and the next token.
        return {"tokens": self.tokens[name], "output": [], "next": 0}


def main():
    try:
        given = json.loads(sys.stdin.read())
    except ValueError:  # not JSON, or not UTF-8
        refuse("malformed")
    check(given)
    decoder = Decoder(given)
    for operation in given.get("operations", []):
        decoder.run(*operation)
    sequences = {name: decoder.tell(name) for name in decoder.tokens}
    answer = {"ok": True, "sequences": sequences}
    print(json.dumps(answer | {"cached": decoder.cached, "recomputed": decoder.recomputed}))


if __name__ == "__main__":
    main()
