"""Wrong: a number that is out of range is refused before the rest is read."""

import heapq
import json
import sys
from fractions import Fraction
from typing import NamedTuple


class Refusal(Exception):
    """The input must be refused with this code."""


class Limits(NamedTuple):
    """What a class has been promised; None is no limit."""

    ttft: int | None
    e2e: int | None


class Request(NamedTuple):
    """One request; None is a user, or a server, that waits for ever."""

    name: str
    arrival: int
    prefill: int
    tokens: int
    cancel_after: int | None
    timeout: int | None


class Outcome(NamedTuple):
    """What became of a request. `end` is the tick in which it was complete or gave up."""

    status: str
    start: int | None
    ttft: int | None
    e2e: int | None
    good: bool
    end: int

    def busy(self):
        """The ticks that a server spent on it."""
        return 0 if self.start is None else self.end - self.start


# ---- Reading: everything that is malformed


def parse(data):
    """(servers, ticks_per_token, slo, requests, detail)"""
    try:
        given = json.loads(data.decode("utf-8"))
    except ValueError:
        raise Refusal("malformed") from None
    check_fields(given, {"servers", "ticks_per_token", "slo", "requests"}, {"detail"})
    servers, ticks_per_token = integer(given["servers"]), integer(given["ticks_per_token"])
    limits = exact(dict, given["slo"])
    slo = {name: parse_limits(value) for name, value in limits.items()}
    requests = [parse_request(value) for value in exact(list, given["requests"])]
    return servers, ticks_per_token, slo, requests, exact(bool, given.get("detail", True))


def parse_limits(value):
    check_fields(value, {"ttft", "e2e"})
    return Limits(integer_or_null(value["ttft"]), integer_or_null(value["e2e"]))


def parse_request(value):
    check_fields(value, {"class", "arrival", "prefill", "tokens"}, {"cancel_after", "timeout"})
    return Request(
        exact(str, value["class"]),
        integer(value["arrival"]),
        integer(value["prefill"]),
        at_least_one(value["tokens"]),
        integer_or_null(value.get("cancel_after")),
        integer_or_null(value.get("timeout")),
    )


def check_fields(value, required, optional=frozenset()):
    if not required <= exact(dict, value).keys() <= required | optional:
        raise Refusal("malformed")


def exact(kind, value):
    if type(value) is not kind:  # isinstance would take True for an integer
        raise Refusal("malformed")
    return value


def integer(value):
    return exact(int, value)


def at_least_one(value):
    if integer(value) < 1:
        raise Refusal("out_of_range")
    return value


def integer_or_null(value):
    return None if value is None else integer(value)


# ---- The refusals of the table, in its order, each over the whole input


def check(servers, ticks_per_token, slo, requests):
    positive, not_negative = [servers, ticks_per_token], []
    for limits in slo.values():
        not_negative += limits
    for request in requests:
        not_negative.append(request.arrival)
        positive += request[2:]  # prefill, tokens, cancel_after, timeout
    if any(number is not None and number < 1 for number in positive):
        raise Refusal("out_of_range")
    if any(number is not None and number < 0 for number in not_negative):
        raise Refusal("out_of_range")
    if any(request.name not in slo for request in requests):
        raise Refusal("unknown_class")


# ---- The simulation


def simulate(servers, ticks_per_token, slo, requests):
    """The outcome of every request, in the order of the input."""
    free = [0] * servers  # a heap: when each server is free
    outcomes = {}
    for place in sorted(range(len(requests)), key=lambda i: requests[i].arrival):
        request = requests[place]
        outcome = serve(request, free[0], ticks_per_token, slo[request.name])
        outcomes[place] = outcome
        if outcome.start is not None:
            heapq.heapreplace(free, outcome.end)
    return [outcomes[place] for place in range(len(requests))]


def serve(request, free, ticks_per_token, limits):
    """What becomes of a request for which a server is free from the tick `free` on."""
    status, leaves = giving_up(request)
    start = max(request.arrival, free)
    if leaves is not None and leaves <= start:  # it has gone when servers start
        return Outcome(status, None, None, None, False, leaves)
    first = start + request.prefill
    complete = first + (request.tokens - 1) * ticks_per_token
    ttft = first - request.arrival
    if leaves is not None and leaves < complete:
        return Outcome(status, start, ttft if first <= leaves else None, None, False, leaves)
    e2e = complete - request.arrival
    good = is_within(ttft, limits.ttft) and is_within(e2e, limits.e2e)
    return Outcome("completed", start, ttft, e2e, good, complete)


def giving_up(request):
    """(how it ends when it is not complete in time, in which tick)"""
    cancel_after, timeout = request.cancel_after, request.timeout
    if cancel_after is not None and (timeout is None or cancel_after <= timeout):
        return "cancelled", request.arrival + cancel_after
    return "timed_out", None if timeout is None else request.arrival + timeout


def is_within(time, limit):
    return limit is None or time <= limit


# ---- The figures


def figures(outcomes):
    statuses = [outcome.status for outcome in outcomes]
    completed = [outcome for outcome in outcomes if outcome.status == "completed"]
    good = sum(outcome.good for outcome in outcomes)
    return {
        "sent": len(outcomes),
        "completed": len(completed),
        "cancelled": statuses.count("cancelled"),
        "timed_out": statuses.count("timed_out"),
        "ttft": mean_and_tail([outcome.ttft for outcome in completed]),
        "e2e": mean_and_tail([outcome.e2e for outcome in completed]),
        "good": good,
        "goodput": ratio(good, len(outcomes)) if outcomes else None,
    }


def mean_and_tail(times):
    if not times:
        return {"mean": None, "p95": None}
    place = -(-95 * len(times) // 100)  # rounded up, counted from 1
    return {"mean": ratio(sum(times), len(times)), "p95": sorted(times)[place - 1]}


def throughput(requests, outcomes):
    if not requests:
        return None
    pairs = zip(requests, outcomes)
    tokens = sum(request.tokens for request, outcome in pairs if outcome.status == "completed")
    end = max(outcome.end for outcome in outcomes)
    return ratio(tokens, end - min(request.arrival for request in requests))


def ratio(n, d):
    value = Fraction(n, d)
    return f"{value.numerator}/{value.denominator}"


def solve(servers, ticks_per_token, slo, requests, detail):
    outcomes = simulate(servers, ticks_per_token, slo, requests)
    of_class = {name: [] for name in slo}
    for request, outcome in zip(requests, outcomes):
        of_class[request.name].append(outcome)
    unfinished = [outcome for outcome in outcomes if outcome.status != "completed"]
    answer = {
        "ok": True,
        "classes": {name: figures(some) for name, some in of_class.items()},
        "all": figures(outcomes),
        "throughput": throughput(requests, outcomes),
        "busy_ticks": sum(outcome.busy() for outcome in outcomes),
        "wasted_ticks": sum(outcome.busy() for outcome in unfinished),
    }
    if detail:
        keys = ("status", "start", "ttft", "e2e", "good")
        answer["requests"] = [{key: getattr(one, key) for key in keys} for one in outcomes]
    return answer


def main():
    try:
        *given, detail = parse(sys.stdin.buffer.read())
        check(*given)
        answer = solve(*given, detail)
    except Refusal as refusal:
        answer = {"ok": False, "error": str(refusal)}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
