"""Servers are alike: what is kept is how many of them become free in which tick.

Reading is a table of types. The figures come from columns, one list per quantity.
"""

import json
import sys
from collections import Counter, defaultdict
from fractions import Fraction
from heapq import heappop, heappush
from itertools import compress

OPTIONAL_INTEGER = "integer or null"
LIMITS = ({"ttft": OPTIONAL_INTEGER, "e2e": OPTIONAL_INTEGER}, {})
REQUEST = (
    {"class": str, "arrival": int, "prefill": int, "tokens": int},
    {"cancel_after": OPTIONAL_INTEGER, "timeout": OPTIONAL_INTEGER},
)
INPUT = ({"servers": int, "ticks_per_token": int, "slo": dict, "requests": list}, {"detail": bool})


class Refused(Exception):
    pass


def fits(value, kind):
    if kind is OPTIONAL_INTEGER:
        return value is None or type(value) is int
    if type(kind) is not tuple:
        return type(value) is kind
    needed, others = kind
    if type(value) is not dict or not needed.keys() <= value.keys():
        return False
    kinds = needed | others
    return all(name in kinds and fits(item, kinds[name]) for name, item in value.items())


def read(data):
    try:
        given = json.loads(str(data, "utf-8"))
    except ValueError:
        raise Refused("malformed") from None
    fine = (
        fits(given, INPUT)
        and all(fits(limits, LIMITS) for limits in given["slo"].values())
        and all(fits(request, REQUEST) for request in given["requests"])
    )
    if not fine:
        raise Refused("malformed")
    return given


def refuse(given):
    requests, limits = (
        given["requests"],
        [each for pair in given["slo"].values() for each in pair.values()],
    )
    ones = [given["servers"], given["ticks_per_token"]]
    for key in ("prefill", "tokens", "cancel_after", "timeout"):
        ones += [request.get(key) for request in requests]
    zeros = limits + [request["arrival"] for request in requests]
    lowest_one = min(number for number in ones if number is not None)
    lowest_zero = min((number for number in zeros if number is not None), default=0)
    if lowest_one <= 0 or lowest_zero <= -1:
        raise Refused("out_of_range")
    if {request["class"] for request in requests} - set(given["slo"]):
        raise Refused("unknown_class")


class Servers:
    """Equal servers, by the tick in which they become free."""

    def __init__(self, number):
        self.ticks, self.number = [0], {0: number}

    def earliest(self):
        return self.ticks[0]

    def occupy(self, until):
        tick = self.ticks[0]
        self.number[tick] -= 1
        if not self.number[tick]:
            heappop(self.ticks)
            del self.number[tick]
        if until in self.number:
            self.number[until] += 1
        else:
            self.number[until] = 1
            heappush(self.ticks, until)


def simulate(given):
    """Columns: status, start, end of every request."""
    requests, servers = given["requests"], Servers(given["servers"])
    status, start, end = ([None] * len(requests) for _ in range(3))
    for arrival, i in sorted((request["arrival"], i) for i, request in enumerate(requests)):
        request = requests[i]
        user, server = request.get("cancel_after"), request.get("timeout")
        limit = server if user is None else user if server is None else min(user, server)
        begin = max(arrival, servers.earliest())
        if limit is not None and begin >= arrival + limit:
            end[i] = arrival + limit
        else:
            start[i] = begin
            end[i] = begin + request["prefill"] + (request["tokens"] - 1) * given["ticks_per_token"]
            if limit is None or end[i] <= arrival + limit:
                status[i] = "completed"
            else:
                end[i] = arrival + limit
            servers.occupy(end[i])
        if status[i] is None:
            status[i] = "cancelled" if user == limit else "timed_out"
    return status, start, end


def fraction(value):
    return "/".join(map(str, value.as_integer_ratio()))


def tail(times):
    n = len(times)
    if n == 0:
        return {"mean": None, "p95": None}
    above = 5 * n // 100  # as many may be larger
    return {"mean": fraction(Fraction(sum(times), n)), "p95": sorted(times, reverse=True)[above]}


def figures(status, ttft, e2e, good):
    done, count = [each == "completed" for each in status], Counter(status)
    return {
        "sent": len(status),
        **{name: count[name] for name in ("completed", "cancelled", "timed_out")},
        "ttft": tail(list(compress(ttft, done))),
        "e2e": tail(list(compress(e2e, done))),
        "good": sum(good),
        "goodput": fraction(Fraction(sum(good), len(status))) if status else None,
    }


def solve(given):
    requests = given["requests"]
    status, start, end = simulate(given)
    ttft, e2e, good = [], [], []
    for request, how, began, over in zip(requests, status, start, end):
        limits, arrival = given["slo"][request["class"]], request["arrival"]
        first = over + 1 if began is None else began + request["prefill"]
        ttft.append(first - arrival if first <= over else None)
        e2e.append(over - arrival if how == "completed" else None)
        keeps = [
            limits[name] is None or time <= limits[name]
            for name, time in (("ttft", ttft[-1]), ("e2e", e2e[-1]))
            if how == "completed"
        ]
        good.append(keeps == [True, True])
    columns = defaultdict(list)
    for request, row in zip(requests, zip(status, ttft, e2e, good)):
        columns[request["class"]].append(row)
    spent = [0 if began is None else over - began for began, over in zip(start, end)]
    lost = [how != "completed" for how in status]
    answer = {
        "ok": True,
        "classes": {
            name: figures(*map(list, zip(*columns[name])))
            if columns[name]
            else figures([], [], [], [])
            for name in given["slo"]
        },
        "all": figures(status, ttft, e2e, good),
        "throughput": None,
        "busy_ticks": sum(spent),
        "wasted_ticks": sum(compress(spent, lost)),
    }
    if requests:
        tokens = sum(request["tokens"] for request, lose in zip(requests, lost) if not lose)
        span = max(end) - min(request["arrival"] for request in requests)
        answer["throughput"] = fraction(Fraction(tokens, span))
    if given.get("detail", True):
        names = ("status", "start", "ttft", "e2e", "good")
        rows = zip(status, start, ttft, e2e, good)
        answer["requests"] = [dict(zip(names, row)) for row in rows]
    return answer


if __name__ == "__main__":
    try:
        given = read(sys.stdin.buffer.read())
        refuse(given)
        answer = solve(given)
    except Refused as refused:
        answer = {"ok": False, "error": str(refused)}
    print(json.dumps(answer))
