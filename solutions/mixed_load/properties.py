"""Checks that compute a whole answer: for staff only."""

from fractions import Fraction

import numpy


def check_reference(answer, expected):
    """The whole answer equals the reference's.

    整个答案与参考答案一致。
    """
    assert answer.keys() == expected.keys(), f"fields {sorted(answer)}, not {sorted(expected)}"
    for key, due in expected.items():
        if key == "requests":
            assert len(answer[key]) == len(due), f"{len(answer[key])} results, not {len(due)}"
            for i, (one, other) in enumerate(zip(due, answer[key])):
                assert one == other, f"request {i}: expected {one}, found {other}"
        elif key == "classes":
            names = sorted(due)
            assert sorted(answer[key]) == names, f"classes {sorted(answer[key])}, not {names}"
            for name, figures in due.items():
                found = answer[key][name]
                assert found == figures, f"class {name!r}: expected {figures}, found {found}"
        else:
            assert answer[key] == due, f"{key}: expected {due}, found {answer[key]}"


def _happenings(given):
    """What happens to each request, found by following the clock from one event to the next."""
    rows = [
        {"status": None, "start": None, "first": None, "done": None, "talks": False}
        for _ in given["requests"]
    ]
    leaves, waiting, running = {}, [], []
    for i, request in enumerate(given["requests"]):
        ways = [
            (request["arrival"] + request[key], status)  # "cancelled" is the smaller one
            for key, status in (("timeout", "timed_out"), ("cancel_after", "cancelled"))
            if request.get(key) is not None
        ]
        if ways:
            leaves[i] = min(ways)
    agenda = {request["arrival"] for request in given["requests"]}
    agenda |= {tick for tick, _ in leaves.values()}
    while agenda:
        now = min(agenda)
        agenda.remove(now)
        for i in [i for i in running if rows[i]["first"] == now]:
            rows[i]["talks"] = True
        for i in [i for i in running if rows[i]["done"] == now]:
            running.remove(i)
            rows[i]["status"] = "completed"
        for i, (tick, status) in leaves.items():
            if tick == now and rows[i]["status"] is None:
                rows[i]["status"] = status
                (running if i in running else waiting).remove(i)
        waiting += [i for i, one in enumerate(given["requests"]) if one["arrival"] == now]
        while waiting and len(running) < given["servers"]:
            i, request = waiting[0], given["requests"][waiting[0]]
            decode = (request["tokens"] - 1) * given["ticks_per_token"]
            rows[i] |= {"start": now, "first": now + request["prefill"]}
            rows[i]["done"] = rows[i]["first"] + decode
            agenda |= {rows[i]["first"], rows[i]["done"]}
            running.append(waiting.pop(0))
    return rows


def check_clock(given, answer):
    """The results are those of a clock that goes from event to event: completions, giving up,
    arrivals, starts.

    结果与逐个事件推进的时钟一致：先完成，再放弃，再到达，再开始。
    """
    rows, counts = _happenings(given), {"completed": 0, "cancelled": 0, "timed_out": 0}
    for i, (request, row) in enumerate(zip(given["requests"], rows)):
        counts[row["status"]] += 1
        arrival, complete = request["arrival"], row["status"] == "completed"
        due = {
            "status": row["status"],
            "start": row["start"],
            "ttft": row["first"] - arrival if row["talks"] else None,
            "e2e": row["done"] - arrival if complete else None,
        }
        if "requests" in answer:
            assert len(answer["requests"]) == len(rows), f"{len(answer['requests'])} results"
            found = {key: answer["requests"][i][key] for key in due}
            assert found == due, f"request {i}: expected {due}, found {found}"
    found = {status: answer["all"][status] for status in counts}
    assert found == counts, f"all: expected {counts}, found {found}"


def check_numpy_percentile(given, answer):
    """p95 is numpy.percentile(…, 95, method="inverted_cdf") of the times of the completed requests,
    and mean lies within the least and the largest of them.

    p95 等于对完成的请求的时间求 numpy.percentile(…, 95, method="inverted_cdf")；mean 介于最小值与
    最大值之间。
    """
    if "requests" not in answer:
        return  # without detail the times are not told
    pairs = list(zip(given["requests"], answer["requests"]))
    assert len(pairs) == len(given["requests"]), f"{len(pairs)} results"
    groups = {("all", None): answer["all"]}
    groups |= {("class", name): figures for name, figures in answer["classes"].items()}
    for (kind, name), figures in groups.items():
        for key in ("ttft", "e2e"):
            times = sorted(
                result[key]
                for request, result in pairs
                if result["status"] == "completed" and result[key] is not None
                if kind == "all" or request["class"] == name
            )
            what = f"{kind} {name or ''}: {key} of {len(times)} completed"
            if not times:
                assert figures[key]["p95"] is None, f"{what}: p95 is {figures[key]['p95']}"
                continue
            # Of the places and not of the times: those may be integers that no float holds.
            places = numpy.arange(len(times))
            place = int(numpy.percentile(places, 95, method="inverted_cdf"))
            due, found = times[place], figures[key]["p95"]
            assert found == due, f"{what}: p95 {found}, in numpy {due}"
            mean = figures[key]["mean"]
            assert mean is not None, f"{what}: no mean"
            n, d = map(int, mean.split("/"))
            inside = d > 0 and times[0] <= Fraction(n, d) <= times[-1]
            assert inside, f"{what}: mean {mean}, not between {times[0]} and {times[-1]}"
