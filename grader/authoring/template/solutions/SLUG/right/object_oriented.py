"""Another style: objects, and the budget that is left instead of the total."""

import json
import sys


class Malformed(ValueError):
    code = "malformed"


class NegativeBudget(ValueError):
    code = "negative_budget"


class NoRequests(ValueError):
    code = "no_requests"


class EmptyRequest(ValueError):
    code = "empty_request"


def integer(value):
    if type(value) is int:
        return value
    raise Malformed


class Batch:
    def __init__(self, given):
        if not isinstance(given, dict) or set(given) != {"budget", "requests"}:
            raise Malformed
        if not isinstance(given["requests"], list):
            raise Malformed
        self.left = integer(given["budget"])
        self.waiting = [integer(tokens) for tokens in given["requests"]]
        if self.left < 0:
            raise NegativeBudget
        if self.waiting == []:
            raise NoRequests
        if any(tokens < 1 for tokens in self.waiting):
            raise EmptyRequest

    def admit(self):
        budget, admitted = self.left, 0
        while admitted < len(self.waiting) and self.waiting[admitted] <= self.left:
            self.left -= self.waiting[admitted]
            admitted += 1
        return {"ok": True, "admitted": admitted, "tokens": budget - self.left}


try:
    try:
        text = json.loads(str(sys.stdin.buffer.read(), "utf-8"))
    except ValueError:
        raise Malformed from None
    answer = Batch(text).admit()
except (Malformed, NegativeBudget, NoRequests, EmptyRequest) as error:
    answer = {"ok": False, "error": error.code}
print(json.dumps(answer))
