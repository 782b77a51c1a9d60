"""Where to look for wrong queues (one strategy per group), and what must always hold."""

import json
from fractions import Fraction
from functools import cache

from hypothesis import strategies as st

GROUPS = {
    "check_scaled_times": ("normal", "edge"),
    "check_shifted_arrivals": ("normal", "minimal"),
    "check_appended_request": ("normal", "edge"),
    "check_detail": ("normal",),
    "check_less_load": ("normal", "edge"),
    "check_looser_limits": ("normal", "minimal"),
    "check_as_many_servers": ("normal", "edge"),
    "check_sorted_requests": ("normal", "edge"),
}
GAVE_UP = {"cancel_after": "cancelled", "timeout": "timed_out"}


# Strategies
#
# The simplest option of every choice stands first, and no choice depends on an earlier one (of six
# requests that are drawn, the first two may count): so every part of an input shrinks by itself.


@cache
def _below(bound):
    return st.integers(0, bound - 1)


class _Pick:
    """Choices, each a draw of its own."""

    def __init__(self, draw):
        self.draw = draw

    def of(self, *options):
        return options[self.draw(_below(len(options)))]

    def each(self, *choices):
        """One option of every choice, drawn at once."""
        places = self.draw(st.tuples(*[_below(len(options)) for options in choices]))
        return [options[place] for options, place in zip(choices, places)]


def _request(name, arrival, prefill, tokens, cancel_after=None, timeout=None):
    request = {"class": name, "arrival": arrival, "prefill": prefill, "tokens": tokens}
    patience = {"cancel_after": cancel_after, "timeout": timeout}
    return request | {key: ticks for key, ticks in patience.items() if ticks is not None}


def _input(pick, servers, ticks_per_token, slo, requests, details=(None, True, None, False)):
    """`detail` is often absent, and some fields are null that may be."""
    given = {"servers": servers, "ticks_per_token": ticks_per_token, "slo": slo}
    if requests and pick.of(False, False, True):
        requests = [{"cancel_after": None, "timeout": None} | requests[0], *requests[1:]]
    given["requests"] = requests
    detail = pick.of(*details)
    return given if detail is None else given | {"detail": detail}


def _limits(pick, names, options):
    drawn = [pick.each(options, options) for _ in names]
    return {name: {"ttft": ttft, "e2e": e2e} for name, (ttft, e2e) in zip(names, drawn)}


def _several(pick, most, number, *choices):
    """`number` of `most` requests, all of which are drawn."""
    return [_request(*pick.each(*choices)) for _ in range(most)][:number]


_NEVER = (None, None, None, None)


@st.composite
def _ordinary(draw):
    """A few requests of two or three classes for one to three servers."""
    pick = _Pick(draw)
    servers, ticks, number = pick.each((1, 1, 2, 3), (1, 2, 3, 8), (2, 1, 3, 4, 5, 6, 6))
    slo = _limits(pick, ("chat", "code", ""), (None, 4, 9, 15, 30))
    arrivals, patience = (0, 1, 2, 3, 5, 8, 13, 21), (*_NEVER, 3, 6, 11, 20)
    choices = (("chat", "chat", "code", ""), arrivals, (1, 2, 3, 5, 9), (1, 2, 3, 5))
    requests = _several(pick, 6, number, *choices, patience, patience)
    return _input(pick, servers, ticks, slo, requests)


@st.composite
def _smallest(draw):
    """At most two requests of a few ticks; sometimes no class at all."""
    pick = _Pick(draw)
    servers, ticks, number = pick.each((1, 2), (1, 2), (1, 1, 2, 0))
    names = pick.of(("a",), ("a", "b"), ()) if number == 0 else pick.of(("a",), ("a", "b"))
    slo = _limits(pick, names, (None, 1, 2, 0))
    patience = (None, 1, 2, 3)
    choices = (names or ("a",), (0, 1), (1, 2), (1, 2), patience, patience)
    return _input(pick, servers, ticks, slo, _several(pick, 2, number, *choices))


def _patience(pick, ticks):
    """The user's, the server's, both at once or one of them a tick later."""
    other = pick.of(None, ticks, ticks + 1)
    cancel_after, timeout = (ticks, other) if pick.of(True, False) else (other, ticks)
    return {"cancel_after": cancel_after, "timeout": timeout}


@st.composite
def _one_tick(draw):
    """Something happens to the second request in a tick that is chosen: a server becomes free, its
    first or its last token comes; it gives up just then, a tick sooner or a tick later. A third
    one is there to see when the server is free. Its limits are kept just so, or not quite.
    """
    pick = _Pick(draw)
    servers, ticks, free, gap = pick.each((1, 2, 3), (1, 2), (3, 5, 9), (0, 1, 9))
    first = [_request("x", 0, free + gap * i, 1) for i in range(servers)]
    if pick.of(False, False, True):  # cut off, instead of complete
        first[0] |= {"prefill": pick.of(1, free + 5), "tokens": free + 5, "timeout": free}
    arrival, prefill, tokens = pick.each((0, 1, free, free + 1), (1, 2, 3), (1, 2, 3))
    start = max(arrival, free)
    complete = start + prefill + (tokens - 1) * ticks
    second = _request("a", arrival, prefill, tokens)
    if pick.of(True, True, True, False):
        goal = pick.of(complete, start, start + prefill) + pick.of(0, -1, 1)
        second |= _patience(pick, max(1, goal - arrival))
    slack = pick.each((0, -1, 1, None), (0, -1, 1, None))
    goals = (start + prefill - arrival, complete - arrival)
    limits = [None if d is None else goal + d for d, goal in zip(slack, goals)]
    slo = {"a": dict(zip(("ttft", "e2e"), limits)), "x": {"ttft": None, "e2e": free}}
    third = _request("x", pick.of(arrival, complete, complete - 1), *pick.each((1, 2), (1, 2)))
    requests = [*first, second] + ([third] if pick.of(True, False) else [])
    if pick.of(False, True):
        requests = requests[::-1]
    return _input(pick, servers, ticks, slo, requests, (None, True, None))


@st.composite
def _crowd(draw):
    """Up to seven requests that arrive in the same two ticks and have little patience."""
    pick = _Pick(draw)
    servers, ticks, number = pick.each((1, 1, 2), (1, 2), (2, 3, 4, 5, 6, 7))
    slo = _limits(pick, ("a", "all"), (None, 2, 3, 5))
    patience = (None, None, 1, 2, 3, 4, 5)
    choices = (("a", "a", "all"), (0, 0, 1), (1, 2, 3), (1, 1, 2), patience, patience)
    return _input(pick, servers, ticks, slo, _several(pick, 7, number, *choices))


@st.composite
def _tails(draw):
    """As many completed requests as make ceil(95 n / 100) step, besides some that gave up."""
    pick = _Pick(draw)
    number, lost = pick.each((20, 19, 21, 39, 40, 41), (0, 0, 1, 3))
    step, queue = pick.each((1, 7, 11, 18), (True, False))
    names = pick.of(("a",), ("a", "b"))
    requests = [_request("b", 0, 2, 1, 1) for _ in range(lost)] if len(names) == 2 else []
    for i in range(number):
        prefill = 1 if queue else 1 + i * step % number
        requests.append(_request(names[i * len(names) // (number + 9)], 0, prefill, 1))
    if pick.of(False, True):
        requests = requests[::-1]
    slo = _limits(pick, names, (None, 19, 20))
    return _input(pick, 1 if queue else len(requests), 1, slo, requests, (None, True, None))


_UNITS = (2**53 + 1, 2**63 - 1, 10**18 + 9, 10**30 + 7)


@st.composite
def _huge(draw):
    """Times that no float and no 64 bits hold, a tick apart where it matters."""
    pick = _Pick(draw)
    unit, servers, number = pick.each(_UNITS, (1, 2), (1, 2, 3))
    times = (unit, 2 * unit, 3 * unit + 1, 2 * unit - 1, 5 * unit)
    slo = _limits(pick, ("a",), (None, *times))
    patience = (None, None, 3 * unit, 4 * unit + 1, 5 * unit - 1)
    choices = (("a",), (0, unit, unit + 1), times, (1, 2, 3), patience, patience)
    return _input(pick, servers, pick.of(unit, 1), slo, _several(pick, 3, number, *choices))


# What must be refused: edits of a small legal input

_LEGAL = {
    "servers": 1,
    "ticks_per_token": 2,
    "slo": {"chat": {"ttft": 10, "e2e": None}, "code": {"ttft": None, "e2e": 40}},
    "requests": [
        {"class": "chat", "arrival": 0, "prefill": 5, "tokens": 3},
        {"class": "code", "arrival": 2, "prefill": 4, "tokens": 2, "cancel_after": 9},
        {"class": "chat", "arrival": 1, "prefill": 6, "tokens": 1, "timeout": 20},
    ],
    "detail": True,
}
_LEGAL_TEXT = json.dumps(_LEGAL)
_ROWS = tuple(("requests", i) for i in range(3))
_CLASSES = (("slo", "chat"), ("slo", "code"))
_NUMBERS = (
    ("servers",), ("ticks_per_token",),
    *((*row, key) for row in _ROWS for key in ("arrival", "prefill", "tokens")),
)  # fmt: skip
_NULLABLE = (
    *((*place, key) for place in _CLASSES for key in ("ttft", "e2e")),
    *((*row, key) for row in _ROWS for key in GAVE_UP),
)
_NEEDED = (
    *_NUMBERS, ("slo",), ("requests",), *((*row, "class") for row in _ROWS), *_NULLABLE[:4],
)  # fmt: skip
_GONE = object()

_NO_INTEGERS = (1.0, 1e3, 0.5, True, False, "1", "", [1], {}, None)
_SHORT = '{"servers": 1, "ticks_per_token": 1, "slo": {}, "requests": []'
_TEXTS = (
    "", "\n", "null", "1", "[]", '"servers"', f"[{_SHORT}}}]", "{}", _SHORT, _SHORT + "} {}",
    _SHORT.replace('"', "'") + "}", _SHORT.replace("1", "1e0") + "}",
    _SHORT.replace("1", "01") + "}", _SHORT.replace("1", "NaN") + "}", _SHORT + ",}",
    _SHORT.encode() + b', "\xff": 1}', _SHORT.encode() + b"}\x80",
)  # fmt: skip


def _edit(given, path, value):
    *parents, last = path
    for key in parents:
        given = given[key]
    if value is _GONE:
        del given[last]
    else:
        given[last] = value


def _malformed(pick, given):
    kinds = ("integer", "nullable", "list", "object", "class", "detail", "missing", "unknown")
    kind = pick((*kinds, "text", "integer"))
    if kind == "text":
        return pick(_TEXTS)
    if kind == "integer":
        _edit(given, pick(_NUMBERS), pick(_NO_INTEGERS))
    elif kind == "nullable":
        _edit(given, pick(_NULLABLE), pick(_NO_INTEGERS[:-1]))
    elif kind == "list":
        _edit(given, ("requests",), pick((None, {}, "", "12", 1, True, {"0": 1})))
    elif kind == "object":
        wrong = ([], "", 1, True, {}, None, ["ttft", "e2e"], ["a", 0, 1, 1])
        _edit(given, pick((*_ROWS, *_CLASSES)), pick(wrong))
    elif kind == "class":
        _edit(given, (*pick(_ROWS), "class"), pick((None, 1, True, ["chat"], {})))
    elif kind == "detail":
        _edit(given, ("detail",), pick((None, 1, 0, "true", [], 1.0)))
    elif kind == "missing":
        _edit(given, pick(_NEEDED), _GONE)
    else:
        _edit(given, (*pick(((), *_ROWS, *_CLASSES)), pick(("seed", "ttft "))), pick((1, None)))
    return given


def _out_of_range(pick, given):
    path = pick((*_NUMBERS, *_NULLABLE))
    least = 0 if path[-1] in ("arrival", "ttft", "e2e") else 1
    _edit(given, path, pick((least - 1, -1, -(10**30))))
    return given


def _unknown_class(pick, given):
    if pick((True, False, False)):
        return given | {"slo": {}}
    _edit(given, (*pick(_ROWS), "class"), pick(("", "Chat", "code ", "all", "chat\n")))
    return given


_FAULTS = {
    "malformed": _malformed,
    "out_of_range": _out_of_range,
    "unknown_class": _unknown_class,
}
_CODES = tuple(_FAULTS)


@st.composite
def _refused(draw):
    """A fault, often with faults from further down the table as well."""
    # Early inputs come in runs that differ in one choice only. What fault there is depends on
    # all choices, which are drawn first: so every code comes up soon.
    dice = draw(st.tuples(*[_below(1000)] * 16))
    code, numbers = sum(dice) % len(_CODES), iter(dice)

    def pick(options):
        return options[next(numbers) % len(options)]

    given = json.loads(_LEGAL_TEXT)
    if code < 2 and pick((False, False, True)):
        _edit(given, (*pick(_ROWS), "class"), "batch")
    if code < 1 and pick((False, False, True)):
        _edit(given, pick(_NUMBERS), -1)
    return _FAULTS[_CODES[code]](pick, given), _CODES[code]


normal, minimal, failure = _ordinary(), _smallest(), _refused()
edge = st.one_of(_one_tick(), _one_tick(), _crowd(), _tails(), _huge())


# What the checks read


def _shown(value):
    return json.dumps(value, ensure_ascii=False)


def _same(what, expected, found):
    assert found == expected, f"{what}: expected {_shown(expected)}, found {_shown(found)}"


def _same_all(what, expected, found):
    """Two parts of an answer; the first figure that differs is told."""
    if isinstance(expected, dict) and isinstance(found, dict):
        _same(f"{what}: fields", sorted(expected), sorted(found))
        for key, value in expected.items():
            _same_all(f"{what}, {key}" if key else f'{what}, ""', value, found[key])
    elif isinstance(expected, list) and isinstance(found, list):
        _same(f"{what}: length", len(expected), len(found))
        for i, (one, other) in enumerate(zip(expected, found)):
            _same_all(f"{what} {i}", one, other)
    else:
        _same(what, expected, found)


def _fraction(text, name):
    n, d = map(int, text.split("/"))
    assert d > 0, f"{name} is {text}"
    value = Fraction(n, d)
    _same(name, _text(value), text)
    return value


def _text(number):
    value = Fraction(number)
    return f"{value.numerator}/{value.denominator}"


def _service(given, request):
    return request["prefill"] + (request["tokens"] - 1) * given["ticks_per_token"]


def _patience_of(request):
    """How many ticks after its arrival it gives up, None: never."""
    ticks = [request[key] for key in GAVE_UP if request.get(key) is not None]
    return min(ticks, default=None)


def _results(given, answer):
    """Per request (name, request, result), once they are known to belong to `given`; none without
    detail.
    """
    requests = given["requests"]
    _same("names in classes", sorted(given["slo"]), sorted(answer["classes"]))
    _same("all: sent", len(requests), answer["all"]["sent"])
    with_detail = given.get("detail", True)
    _same("there is a field requests", with_detail, "requests" in answer)
    if not with_detail:
        return []
    results = answer["requests"]
    _same("number of results", len(requests), len(results))
    for i, (request, result) in enumerate(zip(requests, results)):
        status = result["status"]
        if status == "completed":
            for key in ("start", "ttft", "e2e"):
                there = result[key] is not None
                assert there, f"request {i} is completed, but has {key} null"
        else:
            never = _patience_of(request) is None
            assert not never, f"request {i} is {status}, but it never gives up"
    return [(f"request {i}", *pair) for i, pair in enumerate(zip(requests, results))]


def _end(request, result):
    """The tick in which it was complete or gave up."""
    ticks = result["e2e"] if result["status"] == "completed" else _patience_of(request)
    return request["arrival"] + ticks


def _running(pairs, tick):
    """How many requests have a server in this tick, after its starts."""
    return sum(
        result["start"] is not None and result["start"] <= tick < _end(request, result)
        for _, request, result in pairs
    )


def _figures(given, answer):
    """Per class, and for all requests, (name, figures, the results that belong to it or None)."""
    pairs = _results(given, answer)
    with_detail = given.get("detail", True)
    for name, figures in answer["classes"].items():
        own = [result for _, request, result in pairs if request["class"] == name]
        yield f"class {_shown(name)}", figures, own if with_detail else None
    yield "all", answer["all"], [result for _, _, result in pairs] if with_detail else None


def _completed(results):
    return [result for result in results if result["status"] == "completed"]


# Checks


def check_counts(given, answer):
    """sent is the number of requests and completed + cancelled + timed_out, for each class and all;
    `all` is the sum of the classes, and the counts are those of the results.

    每个类别以及 all 的 sent 都是请求数，也等于 completed + cancelled + timed_out；`all` 是各类别
    之和，各计数与逐个结果一致。
    """
    statuses = ("completed", "cancelled", "timed_out")
    for name, figures, results in _figures(given, answer):
        total = sum(figures[status] for status in statuses)
        _same(f"{name}: completed + cancelled + timed_out", figures["sent"], total)
        if results is not None:
            _same(f"{name}: sent", len(results), figures["sent"])
            _same(f"{name}: good", sum(one["good"] for one in results), figures["good"])
            for status in statuses:
                due = sum(result["status"] == status for result in results)
                _same(f"{name}: {status}", due, figures[status])
    for name in given["slo"]:
        sent = sum(request["class"] == name for request in given["requests"])
        _same(f"class {_shown(name)}: sent", sent, answer["classes"][name]["sent"])
    for key in ("sent", "good", *statuses):
        total = sum(figures[key] for figures in answer["classes"].values())
        _same(f"all: {key}, the sum of the classes", total, answer["all"][key])


def check_completed(given, answer):
    """A completed request has ttft = wait + prefill and e2e = wait + service, where wait is start -
    arrival; and e2e is at most its cancel_after and its timeout.

    完成的请求：ttft = 等待 + prefill，e2e = 等待 + 服务时间，等待 = start - arrival；e2e 不超过它的
    cancel_after 和 timeout。
    """
    for name, request, result in _results(given, answer):
        if result["status"] == "completed":
            wait = result["start"] - request["arrival"]
            _same(f"{name}, which waits {wait}: ttft", wait + request["prefill"], result["ttft"])
            _same(
                f"{name}, which waits {wait}: e2e", wait + _service(given, request), result["e2e"]
            )
            patience = _patience_of(request)
            in_time = patience is None or result["e2e"] <= patience
            assert in_time, f"{name}: completed after {result['e2e']}, gives up after {patience}"


def check_gave_up(given, answer):
    """A request that gave up would not have been complete by then; it is `cancelled` when that tick
    is cancel_after ticks after its arrival; it started before that tick or never; it has a ttft
    exactly when its first token came by then; its e2e is null, and it is not good.

    放弃的请求到那时不可能完成；若那个 tick 就是到达之后 cancel_after 个 tick，则为 `cancelled`；它
    在那之前开始，或从未开始；到那时第一个 token 已产出才有 ttft；e2e 为 null，也不算好。
    """
    for name, request, result in _results(given, answer):
        if result["status"] == "completed":
            continue
        patience = _patience_of(request)
        is_cancel = request.get("cancel_after") == patience
        _same(f"{name}: status", "cancelled" if is_cancel else "timed_out", result["status"])
        _same(f"{name}, which gave up: e2e", None, result["e2e"])
        _same(f"{name}, which gave up: good", False, result["good"])
        start, due = result["start"], None
        if start is not None:
            wait = start - request["arrival"]
            assert wait < patience, f"{name}: starts after {wait}, but gives up after {patience}"
            needs = wait + _service(given, request)
            assert needs > patience, (
                f"{name}: gave up after {patience}, but was complete by {needs}"
            )
            due = wait + request["prefill"] if wait + request["prefill"] <= patience else None
        _same(f"{name}, which gave up after {patience}: ttft", due, result["ttft"])


def check_good(given, answer):
    """good is true exactly when the request is completed and ttft and e2e are <= the limits of its
    class; a limit of null is kept.

    请求已完成，且 ttft 与 e2e 都 <= 所属类别的限制时，good 才为 true；限制为 null 则总是满足。
    """
    for name, request, result in _results(given, answer):
        limits, due = given["slo"][request["class"]], result["status"] == "completed"
        for key in ("ttft", "e2e"):
            due = due and (limits[key] is None or result[key] <= limits[key])
        figures = ", ".join(f"{key} {_shown(result[key])}" for key in ("status", "ttft", "e2e"))
        _same(f"{name}, {figures}, limits {_shown(limits)}: good", due, result["good"])


def check_means(given, answer):
    """mean is the sum over the completed requests / their number, so between the extremes; null
    when there are none.

    mean 是完成的请求的总和除以它们的个数，因此介于最小值与最大值之间；一个都没有时为 null。
    """
    for name, figures, results in _figures(given, answer):
        for key in ("ttft", "e2e"):
            mean, number = figures[key]["mean"], figures["completed"]
            is_there = mean is not None
            _same(f"{name}, {number} completed: there is a mean {key}", number > 0, is_there)
            if is_there:
                _fraction(mean, f"{name}: mean {key}")
                if results is not None:
                    times = [result[key] for result in _completed(results)]
                    due = _text(Fraction(sum(times), number))
                    _same(f"{name}: mean {key} of {number} completed", due, mean)


def check_p95(given, answer):
    """p95 is one of the values of the completed requests: at least 95 % of them are <= it, fewer
    than 95 % are below it; null when there are none.

    p95 是完成的请求的某一个值：至少 95% 的值 <= 它，小于它的不到 95%；一个都没有时为 null。
    """
    for name, figures, results in _figures(given, answer):
        for key in ("ttft", "e2e"):
            found, number = figures[key]["p95"], figures["completed"]
            _same(
                f"{name}, {number} completed: there is a p95 {key}", number > 0, found is not None
            )
            if found is not None and results is not None:
                times = [result[key] for result in _completed(results)]
                assert found in times, f"{name}: p95 {key} is {found}, which nobody observed"
                reached, below = (sum(t <= found for t in times), sum(t < found for t in times))
                enough = 100 * reached >= 95 * number
                assert enough, f"{name}: p95 {key} {found}: only {reached} of {number} are <= it"
                least = 100 * below < 95 * number
                assert least, f"{name}: p95 {key} {found}: {below} of {number} are below it"


def check_goodput(given, answer):
    """goodput is good / sent; null when nothing was sent.

    goodput = good / sent；什么也没发送时为 null。
    """
    for name, figures, _ in _figures(given, answer):
        good, sent = figures["good"], figures["sent"]
        due = _text(Fraction(good, sent)) if sent > 0 else None
        _same(f"{name}: goodput, {good} good of {sent} sent", due, figures["goodput"])


def check_throughput(given, answer):
    """throughput is the tokens of completed requests / (the last tick in which one completed or
    gave up - the first arrival); null without requests.

    throughput 是完成的请求的 token 数 /（最后一次有请求完成或放弃的 tick - 第一次到达）；没有请求时
    为 null。
    """
    pairs = _results(given, answer)
    if not given["requests"]:
        _same("throughput without requests", None, answer["throughput"])
    elif pairs:
        done = [request for _, request, result in pairs if result["status"] == "completed"]
        tokens = sum(request["tokens"] for request in done)
        first = min(request["arrival"] for _, request, _ in pairs)
        span = max(_end(request, result) for _, request, result in pairs) - first
        assert span > 0, f"the last request ends {span} ticks after the first arrival"
        due = _text(Fraction(tokens, span))
        _same(f"throughput, {tokens} tokens in {span} ticks", due, answer["throughput"])


def check_busy_ticks(given, answer):
    """busy_ticks is the sum of end - start over the requests that started; wasted_ticks is that
    over those that did not complete.

    busy_ticks 是所有开始过的请求的（结束 - 开始）之和；wasted_ticks 只算其中没有完成的。
    """
    busy, wasted = answer["busy_ticks"], answer["wasted_ticks"]
    assert wasted <= busy, f"{wasted} ticks wasted of only {busy}"
    if given.get("detail", True):
        spent = [
            (result["status"], _end(request, result) - result["start"])
            for _, request, result in _results(given, answer)
            if result["start"] is not None
        ]
        _same("busy_ticks", sum(ticks for _, ticks in spent), busy)
        lost = sum(ticks for status, ticks in spent if status != "completed")
        _same("wasted_ticks", lost, wasted)


def check_queue(given, answer):
    """By arrival, then position, the starts never decrease; none is before its arrival, and at most
    `servers` requests run at once.

    按到达时刻、再按位置排列，start 从不减小；没有请求在到达之前开始；同时运行的请求不超过
    `servers` 个。
    """
    pairs, before = _results(given, answer), (None, 0)
    for name, request, result in sorted(pairs, key=lambda pair: pair[1]["arrival"]):
        start, arrival = result["start"], request["arrival"]
        if start is not None:
            assert start >= arrival, f"{name} starts in {start}, before it arrives in {arrival}"
            earlier, tick = before
            assert start >= tick, f"{name} starts in {start}, {earlier} before it only in {tick}"
            before = name, start
            running = _running(pairs, start)
            enough = running <= given["servers"]
            assert enough, f"tick {start}: {running} requests run on {given['servers']} servers"


def check_no_idle_server(given, answer):
    """While a request waits, from its arrival until it starts or gives up, all servers are busy.

    请求等待期间，即从到达直到开始或放弃，所有服务器都在忙。
    """
    pairs = _results(given, answer)
    ends = {_end(request, result) for _, request, result in pairs}
    for name, request, result in pairs:
        arrival, start = request["arrival"], result["start"]
        until = _end(request, result) if start is None else start
        for tick in sorted(tick for tick in {arrival, *ends} if arrival <= tick < until):
            running, servers = _running(pairs, tick), given["servers"]
            busy = running >= servers
            assert busy, f"{name} waits in tick {tick}, but only {running} of {servers} are busy"


def _other_slo(given, change):
    slo = {
        name: {key: change(limit) for key, limit in limits.items()}
        for name, limits in given["slo"].items()
    }
    return given | {"slo": slo}


def _other_requests(given, change):
    return given | {"requests": [request | change(request) for request in given["requests"]]}


def _tripled(value):
    return None if value is None else 3 * value


def check_scaled_times(given, answer, run):
    """With all times three times as long (limits and ticks_per_token too), starts, latencies and
    ticks are three times as long, throughput is a third, and the rest is the same.

    所有时间（包括限制和 ticks_per_token）都变为三倍：各 start、延迟与 tick 数变为三倍，throughput
    变为三分之一，其余不变。
    """

    def longer(request):
        keys = ("arrival", "prefill", *GAVE_UP)
        return {key: _tripled(request[key]) for key in keys if key in request}

    other = _other_requests(_other_slo(given, _tripled), longer)
    found = run(other | {"ticks_per_token": 3 * given["ticks_per_token"]})
    _results(given, answer)

    def scaled(figures):
        times = {}
        for key in ("ttft", "e2e"):
            mean, p95 = figures[key]["mean"], figures[key]["p95"]
            mean = None if mean is None else _text(3 * _fraction(mean, f"mean {key}"))
            times[key] = {"mean": mean, "p95": _tripled(p95)}
        return figures | times

    due = answer | {"all": scaled(answer["all"])}
    due["classes"] = {name: scaled(figures) for name, figures in answer["classes"].items()}
    if answer["throughput"] is not None:
        due["throughput"] = _text(_fraction(answer["throughput"], "throughput") / 3)
    for key in ("busy_ticks", "wasted_ticks"):
        due[key] = 3 * answer[key]
    if "requests" in answer:
        due["requests"] = [
            result | {key: _tripled(result[key]) for key in ("start", "ttft", "e2e")}
            for result in answer["requests"]
        ]
    _same_all("three times as long", due, found)


def check_shifted_arrivals(given, answer, run):
    """When all requests arrive 7 ticks later, they start 7 ticks later, and nothing else changes.

    所有请求都晚到 7 个 tick，则都晚 7 个 tick 开始，其余不变。
    """
    found = run(_other_requests(given, lambda request: {"arrival": request["arrival"] + 7}))
    due = dict(answer)
    if _results(given, answer):
        due["requests"] = [
            result | {"start": None if result["start"] is None else result["start"] + 7}
            for result in answer["requests"]
        ]
    _same_all("7 ticks later", due, found)


def check_appended_request(given, answer, run):
    """One more request at the end of the list, which arrives no earlier than all others, changes
    none of them.

    在列表末尾再添一个请求，它不早于其他任何请求到达，则其他请求的结果不变。
    """
    pairs = _results(given, answer)
    if pairs:
        last = max(request["arrival"] for _, request, _ in pairs)
        more = _request(pairs[0][1]["class"], last, 1, 1, 1)
        other = given | {"requests": [*given["requests"], more]}
        kept = [result for _, _, result in _results(other, run(other))[:-1]]
        _same_all("with one request more: request", answer["requests"], kept)


def check_detail(given, answer, run):
    """With `detail` the other way round, nothing changes but the field `requests`.

    把 `detail` 反过来，除字段 `requests` 外一切不变。
    """
    other = given | {"detail": not given.get("detail", True)}
    found = run(other)
    _results(given, answer)
    _results(other, found)
    shown = [{key: part[key] for key in part if key != "requests"} for part in (answer, found)]
    _same_all(f"with detail {_shown(other['detail'])}", *shown)


def check_less_load(given, answer, run):
    """With one server more, or without the first request to arrive, every (other) request that
    started starts, no later; one that completed completes, with no larger e2e; a good one is good.

    多一台服务器，或者去掉最先到达的请求：（其余的）请求凡是开始过的仍会开始，且不更晚；凡是完成的仍会
    完成，e2e 不更大；凡是好的仍是好的。
    """
    pairs = _results(given, answer)
    if not pairs:
        return
    arrivals = [request["arrival"] for request in given["requests"]]
    gone = arrivals.index(min(arrivals))
    fewer = [request for i, request in enumerate(given["requests"]) if i != gone]
    changes = (
        ("one server more", given | {"servers": given["servers"] + 1}, pairs),
        (f"without request {gone}", given | {"requests": fewer}, pairs[:gone] + pairs[gone + 1 :]),
    )
    for when, other, kept in changes:
        for (name, _, one), (_, _, two) in zip(kept, _results(other, run(other))):
            for key in ("start", "e2e"):
                before, after = one[key], two[key]
                fine = before is None or (after is not None and after <= before)
                assert fine, f"{name}, {when}: {key} {_shown(after)}, before {before}"
            assert two["good"] or not one["good"], f"{name}, {when}: no longer good"


def check_looser_limits(given, answer, run):
    """With no limit on ttft and e2e limits that are one tick longer, no good request turns bad, and
    statuses and times are the same.

    取消 ttft 的限制，e2e 的限制放宽一个 tick：好的请求不会变坏，各状态与时间不变。
    """
    slo = {
        name: {"ttft": None, "e2e": None if limits["e2e"] is None else limits["e2e"] + 1}
        for name, limits in given["slo"].items()
    }
    other = given | {"slo": slo}
    found = run(other)
    for (name, _, one), (_, _, two) in zip(_results(given, answer), _results(other, found)):
        assert two["good"] or not one["good"], f"{name}, with looser limits: no longer good"
        _same_all(f"{name}, with looser limits", one | {"good": two["good"]}, two)
    for name, figures in answer["classes"].items():
        less, more = figures["good"], found["classes"][name]["good"]
        assert less <= more, f"class {_shown(name)}, with looser limits: {more} good, before {less}"


def check_as_many_servers(given, answer, run):
    """With as many servers as requests, every request starts when it arrives, and is completed
    exactly when its service is <= its cancel_after and its timeout.

    服务器与请求一样多：每个请求一到达就开始；服务时间不超过 cancel_after 和 timeout 的才完成。
    """
    pairs = _results(given, answer)
    if pairs:
        other = given | {"servers": len(pairs)}
        for name, request, result in _results(other, run(other)):
            what = f"{name}, with {len(pairs)} servers"
            _same(f"{what}: start", request["arrival"], result["start"])
            service, patience = _service(given, request), _patience_of(request)
            due, found = patience is None or service <= patience, result["status"] == "completed"
            needs = f"needs {service}, gives up after {_shown(patience)}"
            _same(f"{what}, which {needs}: completed", due, found)


def check_sorted_requests(given, answer, run):
    """With the requests sorted by arrival (equal ones as they stand), each has the same result, and
    all figures are the same.

    把请求按到达时刻排序（同时到达的次序不变），每个请求的结果不变，各项数字也不变。
    """
    requests = given["requests"]
    order = sorted(range(len(requests)), key=lambda i: requests[i]["arrival"])
    due = dict(answer)
    if _results(given, answer):
        due["requests"] = [answer["requests"][i] for i in order]
    found = run(given | {"requests": [requests[i] for i in order]})
    _same_all("with the requests sorted", due, found)
