"""Where to look for wrong timelines (one strategy per group), and what must always hold."""

import json
from fractions import Fraction
from functools import cache

from hypothesis import strategies as st

PHASES = ("queue", "prefill", "decode", "tool")

GROUPS = {
    "check_shifted_clock": ("minimal", "edge"),
    "check_scaled_clock": ("normal", "edge"),
    "check_split_chunks": ("normal",),
    "check_cut_short": ("normal",),
    "check_delayed_calls": ("normal", "edge"),
    "check_order_of_what_ifs": ("normal",),
}


# Strategies
#
# The simplest option of every choice stands first, and no choice depends on an earlier one: so
# every part of an input shrinks by itself.


@cache
def _below(bound):
    return st.integers(0, bound - 1)


def _one_of(*options):
    return _below(len(options)).map(options.__getitem__)


@st.composite
def _several(draw, counts, *parts):
    """Lists of tuples. With the length drawn first, the shrinker can take out any item."""
    length = draw(_one_of(*counts))
    return [draw(item) for item in [st.tuples(*parts)] * length]


def _given(start, unit, raw_calls, what_ifs):
    """A raw call is (time since the call before, queue, prefill, [(wait, tokens), …])."""
    time, calls = start, []
    for tool, queue, prefill, chunks in raw_calls:
        arrival = time + unit * tool * bool(calls)
        scheduled = arrival + unit * queue
        time = first_token = scheduled + unit * prefill
        pieces = []
        for wait, tokens in chunks:
            time += unit * wait
            pieces.append([time, tokens])
        call = {"arrival": arrival, "scheduled": scheduled, "first_token": first_token}
        calls.append(call | {"chunks": pieces})
    given = {"calls": calls}
    if what_ifs is not None:
        given["what_ifs"] = [{"phase": phase, "factor": factor} for phase, factor in what_ifs]
    return given


_PHASE = _one_of(*PHASES)
_FACTORS = _one_of("0", "1", "0.5", "0.25", "2", "0.9", "1.5", "0.333")
_NORMAL_CALLS = _several(
    (1, 2, 2, 3),
    _below(200),
    _below(60),
    _below(200),
    _several((0, 1, 2, 3), _one_of(12, 24, 7, 30, 0, 60, 5), _one_of(1, 2, 3, 4)),
)
normal = st.builds(
    _given,
    _one_of(0, 100, -50, 12345),
    st.just(1),
    _NORMAL_CALLS,
    st.one_of(_several((0, 1, 2, 4), _PHASE, _FACTORS), st.none()),
)

_SHORT = _below(3)
minimal = st.builds(
    _given,
    _one_of(0, 1, -1),
    st.just(1),
    _several((1, 1, 1, 2), _SHORT, _SHORT, _SHORT, _several((0, 1, 1), _SHORT, _one_of(1, 2))),
    st.one_of(_several((0, 1), _PHASE, _one_of("0", "1", "0.5", "2")), st.none()),
)

_STARTS = _one_of(0, -1, 2**53, -(2**63), 10**28, -(10**28))
_UNITS = _one_of(1, 1, 2, 10**9 + 7, 2**62 + 1, 7 * 10**26 + 1)
_EDGE_FACTORS = _one_of(
    "0", "1", "0.5", "-0", "2", "0.999999999999", "1.000000000001", "0.000000000001",
    "999999999999.999999999999", "-0.00", "0.1",
)  # fmt: skip
_EDGE_WHAT_IFS = _several((0, 1, 2, 3), _PHASE, _EDGE_FACTORS)
_FEW = _one_of(0, 1, 2, 0, 1)
_EDGE_CHUNKS = _several((0, 1, 2, 0, 3), _FEW, _one_of(1, 2, 3, 7, 1, 2, 1000))
_ties = st.builds(
    _given,
    _STARTS,
    _UNITS,
    _several((1, 2, 3), _FEW, _FEW, _FEW, _EDGE_CHUNKS),
    _EDGE_WHAT_IFS,
)


@st.composite
def _two_phases(draw):
    """Time passes in at most two phases, equally long; a factor may leave nothing of it."""
    first, second, unit = draw(_PHASE), draw(_PHASE), draw(_UNITS)
    length, tokens = draw(_one_of(1, 0, 2)), draw(_one_of(1, 2, 3))
    lengths = [length * (name in (first, second)) for name in PHASES]
    queue, prefill, decode, tool = lengths
    calls = [(0, queue, prefill, [(decode, tokens)]), (tool, 0, 0, [])]
    what_ifs = [(first, "0"), (second, draw(_EDGE_FACTORS)), *draw(_EDGE_WHAT_IFS)]
    return _given(draw(_STARTS), unit, calls, what_ifs)


edge = st.one_of(_ties, _ties, _two_phases())


# What must be refused: edits of a small legal input

_LEGAL = {
    "calls": [
        {"arrival": 0, "scheduled": 5, "first_token": 20, "chunks": [[30, 1], [50, 2]]},
        {"arrival": 60, "scheduled": 65, "first_token": 80, "chunks": [[90, 1], [90, 3]]},
    ],
    "what_ifs": [{"phase": "prefill", "factor": "0.5"}, {"phase": "tool", "factor": "2"}],
}
_LEGAL_TEXT = json.dumps(_LEGAL)
_CALLS, _WHAT_IFS = (("calls", 0), ("calls", 1)), (("what_ifs", 0), ("what_ifs", 1))
_CHUNKS = tuple((*call, "chunks", i) for call in _CALLS for i in (0, 1))
_TIMES = tuple((*call, name) for call in _CALLS for name in ("arrival", "scheduled", "first_token"))
_TOKENS = tuple((*chunk, 1) for chunk in _CHUNKS)
_INTEGERS = (*_TIMES, *_TOKENS, *((*chunk, 0) for chunk in _CHUNKS))
_FACTOR_PATHS = tuple((*what_if, "factor") for what_if in _WHAT_IFS)
_PHASE_PATHS = tuple((*what_if, "phase") for what_if in _WHAT_IFS)
_CHUNK_LISTS = tuple((*call, "chunks") for call in _CALLS)
_OBJECTS = (*_CALLS, *_WHAT_IFS)
_NEEDED = (("calls",), *_TIMES, *_CHUNK_LISTS, *_FACTOR_PATHS, *_PHASE_PATHS)
_GONE = object()

_NO_INTEGERS = (1.0, 1e3, 0.5, True, False, "1", "", [1], {}, None)
_NO_DECIMALS = (
    "", "x", ".5", "5.", "+0.5", "00.5", " 0.5", "0.5 ", "0.5\n", "1e0", "0_1", "1/2", "-", "NaN",
    "0.٥", "０", "1000000000000", "0.0000000000001", 0, 0.5, True, False, ["0.5"], {}, None,
)  # fmt: skip
_NO_PHASES = ("", "Prefill", "tools", "queue ", "decode\n", None, 0, True, ["tool"], {})
_TEXTS = (
    "", "\n", "null", "1", "[]", '"calls"', "{}", '[{"calls": []}]', '{"calls": []',
    '{"calls": []} {}', "{'calls': []}", '{"calls": [],}', '{"calls": NaN}', '{"calls": 01}',
    b'{"calls": [], "\xff": 1}', b'{"calls": []}\x80',
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
    kind = pick(("integer", "decimal", "phase", "list", "chunk", "object", "missing", "unknown",
                 "text"))  # fmt: skip
    if kind == "text":
        return pick(_TEXTS)
    if kind == "integer":
        _edit(given, pick(_INTEGERS), pick(_NO_INTEGERS))
    elif kind == "decimal":
        _edit(given, pick(_FACTOR_PATHS), pick(_NO_DECIMALS))
    elif kind == "phase":
        _edit(given, pick(_PHASE_PATHS), pick(_NO_PHASES))
    elif kind == "list":
        lists = (("calls",), ("what_ifs",), *_CHUNK_LISTS)
        _edit(given, pick(lists), pick((None, {}, "", "12", 1, True, [None], [{}], [[]])))
    elif kind == "chunk":
        _edit(given, pick(_CHUNKS), pick(([], [90], [90, 1, 1], {}, "91", None, 1)))
    elif kind == "object":
        _edit(given, pick(_OBJECTS), pick(([], "", 1, True, {}, None)))
    elif kind == "missing":
        _edit(given, pick(_NEEDED), _GONE)
    else:
        _edit(given, (*pick(((), *_OBJECTS)), pick(("end", "calls "))), pick((1, None)))
    return given


def _no_calls(pick, given):
    return given | {"calls": []}


def _at(paths, *values):
    def fault(pick, given):
        _edit(given, pick(paths), pick(values))
        return given

    return fault


_BACK = (
    (("calls", 0, "scheduled"), -1),
    (("calls", 0, "first_token"), 4),
    (("calls", 0, "chunks", 0, 0), 19),
    (("calls", 0, "chunks", 1, 0), 29),
    (("calls", 1, "arrival"), 49),
    (("calls", 1, "scheduled"), 59),
    (("calls", 1, "first_token"), -(10**29)),
    (("calls", 1, "chunks", 0, 0), 79),
    (("calls", 1, "chunks", 1, 0), 89),
    (("calls", 0, "arrival"), 6),
)


def _time_goes_back(pick, given):
    _edit(given, *pick(_BACK))
    return given


_FAULTS = {
    "malformed": _malformed,
    "no_calls": _no_calls,
    "tokens_out_of_range": _at(_TOKENS, 0, -1, 1001, 10**29),
    "time_goes_back": _time_goes_back,
    "factor_out_of_range": _at(_FACTOR_PATHS, "-1", "-0.000000000001", "-999999999999"),
}
_CODES = tuple(_FAULTS)


@st.composite
def _failure(draw):
    """A fault, often with faults from further down the table as well."""
    # What fault there is depends on all choices, which are drawn first: so every code comes soon.
    dice = draw(st.tuples(*[_below(1000)] * 14))
    code, numbers = sum(dice) % len(_CODES), iter(dice)

    def pick(options):
        return options[next(numbers) % len(options)]

    given = json.loads(_LEGAL_TEXT)
    for later in range(len(_CODES) - 1, max(code, 1), -1):
        if pick((False, False, True)):
            given = _FAULTS[_CODES[later]](pick, given)
    return _FAULTS[_CODES[code]](pick, given), _CODES[code]


failure = _failure()


# What the checks read


def _end(call):
    return call["chunks"][-1][0] if call["chunks"] else call["first_token"]


def _calls(given, answer):
    """(name, call, result) per call, once the answer is known to belong to `given`."""
    calls, results = given["calls"], answer["calls"]
    _same("number of results of calls", len(calls), len(results))
    _same("number of results of what-ifs", len(given.get("what_ifs", [])), len(answer["what_ifs"]))
    triples = [(f"call {i}", *pair) for i, pair in enumerate(zip(calls, results))]
    for name, call, result in triples:
        tokens = 1 + sum(tokens for _, tokens in call["chunks"])
        _same(f"{name}: tokens", tokens, result["tokens"])
        _same(f"{name}: e2e", _end(call) - call["arrival"], result["e2e"])
        _same(f"{name}: number of gaps in itl", tokens - 1, len(result["itl"]))
    return triples


def _what_ifs(given, answer):
    """(name, phase, factor, result) per what-if."""
    _calls(given, answer)
    pairs = zip(given.get("what_ifs", []), answer["what_ifs"])
    for i, (asked, result) in enumerate(pairs):
        name = f"what-if {i} ({asked['phase']} × {asked['factor']})"
        yield name, asked["phase"], Fraction(asked["factor"]), result


def _fraction(text, name):
    n, d = map(int, text.split("/"))
    assert d > 0, f"{name} is {text}"
    lowest = _text(Fraction(n, d))
    assert text == lowest, f"{name} is {text}, in lowest terms {lowest}"
    return Fraction(n, d)


def _text(fraction):
    return f"{fraction.numerator}/{fraction.denominator}"


def _same(what, expected, found):
    assert found == expected, f"{what}: expected {expected}, found {found}"


# Checks


def check_first_token(given, answer):
    """ttft runs from arrival to first_token, the queue included; the task's is that of the first
    call.

    ttft 从 arrival 算到 first_token，含排队；任务的 ttft 就是第一次调用的。
    """
    calls = _calls(given, answer)
    for name, call, result in calls:
        _same(f"{name}: ttft", call["first_token"] - call["arrival"], result["ttft"])
    _same("task: ttft", calls[0][2]["ttft"], answer["task"]["ttft"])


def check_gaps(given, answer):
    """The gaps of a call sum to e2e - ttft, their mean is tpot, none exceeds longest_gap; with one
    token tpot and longest_gap are null.

    一次调用的各间隔之和为 e2e - ttft，平均值为 tpot，都不超过 longest_gap；只有一个 token 时，
    tpot 与 longest_gap 都是 null。
    """
    for name, _, result in _calls(given, answer):
        gaps = [_fraction(text, f"{name}: a gap") for text in result["itl"]]
        tpot, longest = result["tpot"], result["longest_gap"]
        if not gaps:
            _same(f"{name}, one token: tpot and longest_gap", (None, None), (tpot, longest))
            continue
        _same(f"{name}: sum of itl", result["e2e"] - result["ttft"], sum(gaps))
        _same(f"{name}: tpot", _text(sum(gaps) / len(gaps)), tpot)
        assert longest is not None, f"{name}: longest_gap is null, and there are chunks"
        most = max(gaps)
        assert most <= longest, f"{name}: a gap of {most}, longest_gap {longest}"


def check_chunks(given, answer):
    """The n tokens of a chunk share the wait for it equally; longest_gap is the longest wait.

    一块中的 n 个 token 平分等待这一块的时间；longest_gap 是最长的一次等待。
    """
    for name, call, result in _calls(given, answer):
        place, before, waits = 0, call["first_token"], []
        for i, (time, tokens) in enumerate(call["chunks"]):
            waits.append(time - before)
            gap, found = _text(Fraction(time - before, tokens)), result["itl"]
            for text in found[place : place + tokens]:
                _same(f"{name}, chunk {i}: gap", gap, text)
            place, before = place + tokens, time
        _same(f"{name}: longest_gap", max(waits, default=None), result["longest_gap"])


def check_every_moment_once(given, answer):
    """e2e of the task runs from the first arrival to the last event, and the phases sum to it;
    queue + prefill is the sum of the ttft; e2e of the calls + tool is e2e of the task.

    任务的 e2e 从第一次 arrival 到最后一个事件，各阶段之和等于它；queue + prefill 等于各次 ttft
    之和；各次调用的 e2e 之和加上 tool 等于任务的 e2e。
    """
    calls, task = _calls(given, answer), answer["task"]
    phases = task["phases"]
    e2e = _end(given["calls"][-1]) - given["calls"][0]["arrival"]
    _same("task: e2e", e2e, task["e2e"])
    _same("sum of the phases", e2e, sum(phases.values()))
    in_calls = sum(result["e2e"] for _, _, result in calls)
    _same("e2e of the calls + tool", e2e, in_calls + phases["tool"])
    queue = sum(call["scheduled"] - call["arrival"] for call in given["calls"])
    _same("task: queue", queue, phases["queue"])
    ttft = sum(result["ttft"] for _, _, result in calls)
    _same("queue + prefill, the sum of the ttft", ttft, phases["queue"] + phases["prefill"])


def check_shares(given, answer):
    """A share is phase / e2e; largest is the longest phase, the first among equals. Both are null
    when e2e is 0.

    share 等于阶段时间 / e2e；largest 是最长的阶段，并列时取靠前者。e2e 为 0 时两者都是 null。
    """
    _calls(given, answer)
    task = answer["task"]
    e2e, phases, shares, largest = (task[k] for k in ("e2e", "phases", "shares", "largest"))
    if e2e == 0:
        _same("e2e is 0: shares and largest", (None, None), (shares, largest))
        return
    assert shares is not None, f"e2e is {e2e}, and shares is null"
    for phase in PHASES:
        _same(f"share of {phase}", _text(Fraction(phases[phase], e2e)), shares[phase])
    longest = max(phases.values())
    due = next(phase for phase in PHASES if phases[phase] == longest)
    _same(f"largest of {phases}", due, largest)


def check_task_tpot(given, answer):
    """tokens of the task is the sum; tpot is decode / (tokens - number of calls), null when every
    call has one token.

    任务的 tokens 是各次之和；tpot 等于 decode / (tokens - 调用次数)，每次都只有一个 token
    时为 null。
    """
    calls, task = _calls(given, answer), answer["task"]
    tokens = sum(result["tokens"] for _, _, result in calls)
    _same("task: tokens", tokens, task["tokens"])
    gaps = tokens - len(calls)
    due = _text(Fraction(task["phases"]["decode"], gaps)) if gaps else None
    _same("task: tpot", due, task["tpot"])


def check_what_ifs(given, answer):
    """New e2e = e2e - (1 - factor) × phase, each from the recorded timeline; factor 1 changes
    nothing.

    新的 e2e = e2e - (1 - factor) × 阶段时间，每个假设都从记录的时间线出发；factor 为 1 时毫无变化。
    """
    task = answer["task"]
    for name, phase, factor, result in _what_ifs(given, answer):
        new = task["e2e"] - (1 - factor) * task["phases"][phase]
        _same(f"{name}: e2e", _text(new), result["e2e"])


def check_speedups(given, answer):
    """speedup × new e2e = old e2e, null when the new one is 0; at most 1/(1 - share), and just
    that for factor 0.

    speedup × 新 e2e = 旧 e2e，新 e2e 为 0 时为 null；不超过 1/(1 - share)，factor 为 0 时取等号。
    """
    task = answer["task"]
    for name, phase, factor, result in _what_ifs(given, answer):
        new, speedup = _fraction(result["e2e"], f"{name}: e2e"), result["speedup"]
        if new == 0:
            _same(f"{name}, nothing is left: speedup", None, speedup)
            continue
        assert speedup is not None, f"{name}: speedup is null, new e2e {result['e2e']}"
        speedup = _fraction(speedup, f"{name}: speedup")
        _same(f"{name}: speedup × new e2e", _text(Fraction(task["e2e"])), _text(speedup * new))
        rest = task["e2e"] - task["phases"][phase]
        if rest > 0:
            most = Fraction(task["e2e"], rest)
            assert speedup <= most, f"{name}: speedup {speedup}, more than 1/(1 - share), {most}"
            assert factor or speedup == most, f"{name}: speedup {speedup}, expected {most}"


def check_what_if_first_token(given, answer):
    """A what-if about queue or prefill stretches that interval of the first call in ttft; one
    about decode or tool leaves ttft.

    针对 queue 或 prefill 的假设，在 ttft 里只伸缩第一次调用的该段；
    针对 decode 或 tool 的不改变 ttft。
    """
    first = given["calls"][0]
    parts = {"queue": first["scheduled"] - first["arrival"]}
    parts["prefill"] = first["first_token"] - first["scheduled"]
    for name, phase, factor, result in _what_ifs(given, answer):
        new = sum(parts.values()) - (1 - factor) * parts.get(phase, 0)
        _same(f"{name}: ttft", _text(Fraction(new)), result["ttft"])


def _moved(given, change):
    """The same input with every time changed."""
    calls = [
        {name: change(call[name]) for name in ("arrival", "scheduled", "first_token")}
        | {"chunks": [[change(time), tokens] for time, tokens in call["chunks"]]}
        for call in given["calls"]
    ]
    return given | {"calls": calls}


def check_shifted_clock(given, answer, run):
    """Adding a constant to all times changes nothing.

    所有时间加上同一个常数，答案不变。
    """
    _calls(given, answer)
    for shift in (1000, -given["calls"][0]["arrival"]):
        found = run(_moved(given, lambda time, by=shift: time + by))
        for part in ("calls", "task", "what_ifs"):
            _same(f"{part}, with {shift} added to all times", answer[part], found[part])


def check_scaled_clock(given, answer, run):
    """With all times multiplied by 3, times are multiplied; shares, largest and speed-ups stay.

    所有时间乘以 3，各时间值也乘以 3；shares、largest 和 speedup 不变。
    """
    _calls(given, answer)
    other = _moved(given, lambda time: 3 * time)
    found = run(other)
    _calls(other, found)
    kept = ("tokens", "shares", "largest", "speedup")
    pairs = [*zip(answer["calls"], found["calls"]), (answer["task"], found["task"])]
    pairs += zip(answer["what_ifs"], found["what_ifs"])
    for one, scaled in pairs:
        for name, value in one.items():
            due = value if name in kept else _tripled(value, name)
            _same(f"{name}, with all times multiplied by 3", due, scaled[name])


def _tripled(value, name):
    if isinstance(value, list):
        return [_tripled(item, name) for item in value]
    if isinstance(value, dict):
        return {key: _tripled(item, name) for key, item in value.items()}
    if isinstance(value, str):
        return _text(3 * _fraction(value, name))
    return value if value is None else 3 * value


def check_split_chunks(given, answer, run):
    """A chunk of n tokens that comes in n equal steps instead changes longest_gap only.

    把一块 n 个 token 改成 n 个等距到达的单 token 块，只有 longest_gap 会变。
    """
    _calls(given, answer)
    calls = []
    for call in given["calls"]:
        before, pieces = call["first_token"], []
        for time, tokens in call["chunks"]:
            step, rest = divmod(time - before, tokens)
            steps = [[before + step * (i + 1), 1] for i in range(tokens)]
            pieces += [[time, tokens]] if rest else steps
            before = time
        calls.append(call | {"chunks": pieces})
    other = given | {"calls": calls}
    if calls != given["calls"]:
        found = run(other)
        for (name, _, one), (_, _, split) in zip(_calls(given, answer), _calls(other, found)):
            _same_but(("longest_gap",), f"{name}, chunks split", one, split)
        _same("task, chunks split", answer["task"], found["task"])
        _same("what_ifs, chunks split", answer["what_ifs"], found["what_ifs"])


def _same_but(names, when, one, other):
    for name, value in one.items():
        if name not in names:
            _same(f"{when}: {name}", value, other[name])


def check_cut_short(given, answer, run):
    """Cutting the chunks off the last call changes no ttft, and no earlier call.

    去掉最后一次调用的所有块，任何 ttft 都不变，之前的调用也不变。
    """
    _calls(given, answer)
    *before, last = given["calls"]
    if not last["chunks"]:
        return
    other = given | {"calls": [*before, last | {"chunks": []}]}
    found = run(other)
    _calls(other, found)
    _same("earlier calls", answer["calls"][:-1], found["calls"][:-1])
    pairs = [(answer["calls"][-1], found["calls"][-1]), (answer["task"], found["task"])]
    for one, cut in [*pairs, *zip(answer["what_ifs"], found["what_ifs"])]:
        _same("ttft, the last call cut short", one["ttft"], cut["ttft"])


def check_delayed_calls(given, answer, run):
    """Delaying all calls but the first by x adds x to tool and to e2e, and changes no call.

    除第一次外的调用都推迟 x，tool 与 e2e 各增加 x，每次调用本身不变。
    """
    _calls(given, answer)
    first, *rest = given["calls"]
    if not rest:
        return
    delay, task = 12, answer["task"]
    later = _moved({"calls": rest}, lambda time: time + delay)["calls"]
    found = run(given | {"calls": [first, *later]})
    _same("calls, the later ones delayed", answer["calls"], found["calls"])
    phases = task["phases"] | {"tool": task["phases"]["tool"] + delay}
    _same(f"phases, later calls delayed by {delay}", phases, found["task"]["phases"])
    _same(f"e2e, later calls delayed by {delay}", task["e2e"] + delay, found["task"]["e2e"])
    _same_but(("phases", "e2e", "shares", "largest"), "task, calls delayed", task, found["task"])


def check_order_of_what_ifs(given, answer, run):
    """The order of the what-ifs does not matter.

    各假设的先后次序无关紧要。
    """
    _calls(given, answer)
    asked = given.get("what_ifs", [])
    if len(asked) > 1:
        found = run(given | {"what_ifs": asked[::-1]})
        _same("what-ifs, asked in reverse", answer["what_ifs"], found["what_ifs"][::-1])
