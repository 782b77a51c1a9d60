"""A simulation by events: a heap of (tick, kind, place) in the order that the rules give a tick."""

import json
import sys
from collections import deque
from heapq import heapify, heappop, heappush
from math import gcd

COMPLETE, GIVE_UP, ARRIVE = 0, 1, 2
TOP = {"servers": int, "ticks_per_token": int, "slo": dict, "requests": list}
REQUEST = {"class": str, "arrival": int, "prefill": int, "tokens": int}
WAYS = ("cancel_after", "timeout")


def refuse(code, at=""):
    print(json.dumps({"ok": False, "error": code, "at": at}))
    sys.exit(0)


def demand(condition, at, code="malformed"):
    if not condition:
        refuse(code, at)


def demand_fields(value, fields, optional, at):
    demand(isinstance(value, dict), at)
    for name, kind in fields.items():
        demand(name in value and type(value[name]) is kind, at)
    for name in value:
        demand(name in fields or name in optional, at)


def demand_integer_or_null(value, at):
    demand(value is None or type(value) is int, at)


def read():
    try:
        given = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    except ValueError:
        refuse("malformed")
    demand_fields(given, TOP, ("detail",), "")
    demand(isinstance(given.get("detail", True), bool), "/detail")
    for name, limits in given["slo"].items():
        demand_fields(limits, {}, ("ttft", "e2e"), f"/slo/{name}")
        demand(len(limits) == 2, f"/slo/{name}")
        for limit in limits.values():
            demand_integer_or_null(limit, f"/slo/{name}")
    for i, request in enumerate(given["requests"]):
        at = f"/requests/{i}"
        demand_fields(request, REQUEST, WAYS, at)
        for way in WAYS:
            demand_integer_or_null(request.get(way), at)
    return given


def refuse_impossible(given):
    def least(bound, value, at):
        demand(value is None or value >= bound, at, "out_of_range")

    least(1, given["servers"], "/servers")
    least(1, given["ticks_per_token"], "/ticks_per_token")
    for name, limits in given["slo"].items():
        least(0, limits["ttft"], f"/slo/{name}/ttft")
        least(0, limits["e2e"], f"/slo/{name}/e2e")
    for i, request in enumerate(given["requests"]):
        at = f"/requests/{i}"
        least(0, request["arrival"], at)
        for key in ("prefill", "tokens", *WAYS):
            least(1, request.get(key), at)
    for i, request in enumerate(given["requests"]):
        demand(request["class"] in given["slo"], f"/requests/{i}/class", "unknown_class")


def gives_up(request):
    """(tick, status), or None"""
    ticks = [request[way] for way in WAYS if request.get(way) is not None]
    if not ticks:
        return None
    status = "cancelled" if request.get("cancel_after") == min(ticks) else "timed_out"
    return request["arrival"] + min(ticks), status


def simulate(given):
    """Per request [status, start, end]."""
    requests, ticks = given["requests"], given["ticks_per_token"]
    rows = [[None, None, None] for _ in requests]
    events = [(request["arrival"], ARRIVE, i) for i, request in enumerate(requests)]
    heapify(events)
    queue, idle = deque(), given["servers"]
    while events:
        now, kind, i = heappop(events)
        request, row = requests[i], rows[i]
        if kind == ARRIVE:
            queue.append(i)
            leaving = gives_up(request)
            if leaving:
                heappush(events, (leaving[0], GIVE_UP, i))
        elif row[0] is None:  # else it is over already
            row[0] = "completed" if kind == COMPLETE else gives_up(request)[1]
            row[2] = now
            idle += row[1] is not None
        if events and events[0][0] == now:
            continue  # the tick is not over
        while queue and idle:
            first = queue.popleft()
            if rows[first][0] is None:
                rows[first][1] = now
                idle -= 1
                needs = requests[first]["prefill"] + (requests[first]["tokens"] - 1) * ticks
                heappush(events, (now + needs, COMPLETE, first))
    return rows


def describe(request, row, limits):
    """The result of one request."""
    status, start, end = row
    first = None if start is None else start + request["prefill"]
    ttft = first - request["arrival"] if first is not None and first <= end else None
    e2e = end - request["arrival"] if status == "completed" else None
    good = e2e is not None
    for time, limit in ((ttft, limits["ttft"]), (e2e, limits["e2e"])):
        if good and limit is not None and time > limit:
            good = False
    return {"status": status, "start": start, "ttft": ttft, "e2e": e2e, "good": good}


def text(n, d):
    common = gcd(n, d)
    return f"{n // common}/{d // common}"


class Account:
    def __init__(self):
        self.counts = {"completed": 0, "cancelled": 0, "timed_out": 0}
        self.times = {"ttft": [], "e2e": []}
        self.good = 0

    def add(self, result):
        self.counts[result["status"]] += 1
        if result["status"] == "completed":
            self.good += result["good"]
            for key, times in self.times.items():
                times.append(result[key])

    def told(self):
        sent = sum(self.counts.values())
        told = {"sent": sent, **self.counts, "good": self.good}
        for key, times in self.times.items():
            times.sort()
            n = len(times)
            mean = text(sum(times), n) if n else None
            told[key] = {"mean": mean, "p95": times[(95 * n + 99) // 100 - 1] if n else None}
        told["goodput"] = text(self.good, sent) if sent else None
        return told


def main():
    given = read()
    refuse_impossible(given)
    requests, rows = given["requests"], simulate(given)
    classes, everybody = {name: Account() for name in given["slo"]}, Account()
    results, busy, wasted, tokens = [], 0, 0, 0
    for request, row in zip(requests, rows):
        result = describe(request, row, given["slo"][request["class"]])
        results.append(result)
        classes[request["class"]].add(result)
        everybody.add(result)
        spent = 0 if row[1] is None else row[2] - row[1]
        busy += spent
        if row[0] == "completed":
            tokens += request["tokens"]
        else:
            wasted += spent
    answer = {"ok": True, "classes": {name: one.told() for name, one in classes.items()}}
    answer |= {"all": everybody.told(), "throughput": None}
    if requests:
        span = max(row[2] for row in rows) - min(request["arrival"] for request in requests)
        answer["throughput"] = text(tokens, span)
    answer |= {"busy_ticks": busy, "wasted_ticks": wasted}
    if given.get("detail", True):
        answer["requests"] = results
    json.dump(answer, sys.stdout)


main()
