"""Never leaves the server idle: the first request is admitted in any case."""

import json
import sys


class Refusal(Exception):
    """The input is refused; the only argument is the code."""


def read():
    try:
        return json.loads(sys.stdin.buffer.read().decode("utf-8"))
    except ValueError:
        raise Refusal("malformed") from None


def check(given):
    """Raise the first refusal of the table that applies."""
    if type(given) is not dict or given.keys() != {"budget", "requests"}:
        raise Refusal("malformed")
    budget, requests = given["budget"], given["requests"]
    # bool is a subclass of int, so `isinstance` would let true through.
    if type(budget) is not int or type(requests) is not list:
        raise Refusal("malformed")
    if any(type(tokens) is not int for tokens in requests):
        raise Refusal("malformed")
    if budget < 0:
        raise Refusal("negative_budget")
    if not requests:
        raise Refusal("no_requests")
    if min(requests) < 1:
        raise Refusal("empty_request")


def admit(budget, requests):
    admitted = total = 0
    for tokens in requests:
        if admitted and total + tokens > budget:
            break
        admitted += 1
        total += tokens
    return admitted, total


def main():
    try:
        given = read()
        check(given)
        admitted, total = admit(given["budget"], given["requests"])
        result = {"ok": True, "admitted": admitted, "tokens": total}
    except Refusal as refusal:
        result = {"ok": False, "error": str(refusal)}
    print(json.dumps(result))


main()
