"""Where to look for wrong paths (one strategy per group), and what must always hold."""

import json
from functools import cache

from hypothesis import strategies as st

GROUPS = {
    "check_growing": ("normal", "edge"),
    "check_edited_by_hand": ("normal", "edge"),
    "check_ideas_turned_round": ("normal", "edge"),
    "check_other_names": ("normal",),
    "check_multiplied": ("normal",),
    "check_list_turned_round": ("normal", "minimal"),
    "check_one_more_need": ("normal",),
}


# Strategies
#
# The simplest option of every choice stands first. Links, ticks and ideas are all drawn for the
# largest plan and then cut: so every part of an input shrinks by itself.


@cache
def _below(bound):
    return st.integers(0, bound - 1)


class _Pick:
    """Choices, each a draw of its own."""

    def __init__(self, draw):
        self.draw = draw

    def of(self, *options):
        return options[self.draw(_below(len(options)))]

    def several(self, number, options):
        """A list of choices, drawn at once."""
        picked = self.draw(st.tuples(*[_below(len(options))] * number))
        return [options[place] for place in picked]

    def shuffled(self, items, most):
        """In another order; at most `most` items."""
        keys = self.several(most, range(most))
        return [item for _, item in sorted(zip(keys, items), key=lambda pair: pair[0])]


_NAMES = ("c", "a", "d", "b", "f", "e", "0", "run_tests_again_until_all_passed", "_", "z9")
_MOST = len(_NAMES)

# How a task waits for another one: what stands in `needs`, and how often; and in `follows`.
_NONE, _NEED, _HABIT, _BOTH = (0, 0), (1, 0), (0, 1), (1, 1)
_TWICE = ((2, 0), (0, 2), (1, 2))


def _tasks(pick, ticks, links):
    """Tasks in another order than that in which they can be done. `links`: (first, second, how)."""
    names = pick.shuffled(_NAMES, _MOST)
    required = pick.several(_MOST, (False, False, False, True))
    tasks = []
    for number, length in enumerate(ticks):
        task = {"id": names[number], "ticks": length}
        for place, name in enumerate(("needs", "follows")):
            listed = [
                names[one]
                for one, other, how in links
                if other == number
                for _ in range(how[place])
            ]
            if listed:
                task[name] = listed
        if required[number]:
            task["required"] = True
        tasks.append(task)
    return pick.shuffled(tasks, _MOST)


def _given(pick, tasks, most_ideas, values):
    """What-ifs that are legal; without any the field is often absent."""
    ideas = []
    habits = [(first, task["id"]) for task in tasks for first in _habits(task)]
    for _ in range(most_ideas):
        kind, a, b, value = pick.several(4, range(24))
        task, length = tasks[a % len(tasks)], values[value % len(values)]
        if kind % 3 == 0 or (kind % 3 == 1 and task.get("required")):
            ideas.append(["set", task["id"], length])
        elif kind % 3 == 1:
            ideas.append(["remove", task["id"]])
        elif habits:
            ideas.append(["parallelise", *habits[b % len(habits)]])
    if not ideas and pick.of(True, False):
        return {"tasks": tasks}
    return {"tasks": tasks, "what_if": ideas}


def _habits(task):
    """What a task only follows, in the order of its list."""
    return [
        first
        for first in dict.fromkeys(task.get("follows", ()))
        if first not in task.get("needs", ())
    ]


def _pairs(number):
    return [(first, second) for second in range(number) for first in range(second)]


_LINKS = (_NONE, _NEED, _HABIT, _NONE, _NEED, _NONE, _HABIT, _NONE, _BOTH, _NONE, *_TWICE)


@st.composite
def _ordinary(draw):
    """Up to six tasks that wait for each other in any way."""
    pick = _Pick(draw)
    number = pick.of(1, 2, 3, 4, 5, 6, 5, 6)
    ticks = pick.several(6, (1, 2, 3, 4, 5, 8, 10, 2))[:number]
    how = pick.several(15, _LINKS)
    links = [(*pair, kind) for pair, kind in zip(_pairs(number), how)]
    return _given(pick, _tasks(pick, ticks, links), pick.of(0, 1, 2, 3), (1, 2, 3, 5, 7, 20))


@st.composite
def _smallest(draw):
    """One or two tasks, at most one idea."""
    pick = _Pick(draw)
    number = pick.of(1, 1, 2)
    ticks = pick.several(2, (1, 2, 3))[:number]
    links = [(0, 1, pick.of(*_LINKS))][: number - 1]
    return _given(pick, _tasks(pick, ticks, links), pick.of(0, 1), (1, 2, 4))


@st.composite
def _layers(draw):
    """Up to three tasks side by side, most of them as long as their neighbours: many ties."""
    pick = _Pick(draw)
    widths = pick.several(4, (1, 2, 3))[: pick.of(2, 3, 4)]
    ends, ticks = [], []
    for width, base in zip(widths, pick.several(4, (2, 1, 3, 5))):
        shorter = pick.several(3, (0, 0, 0, 1))[:width]
        ticks += [max(1, base - less) for less in shorter]
        ends.append(len(ticks))
    ticks = ticks[:_MOST]
    links, starts = [], [0, *ends]
    for level in range(1, len(widths)):
        how = iter(pick.several(9, (_NEED, _HABIT, _NEED, _NONE, _BOTH)))
        for second in range(starts[level], min(ends[level], _MOST)):
            links += [
                (first, second, next(how)) for first in range(starts[level - 1], ends[level - 1])
            ]
    links = [link for link in links if link[0] < _MOST]
    return _given(pick, _tasks(pick, ticks, links), pick.of(1, 2, 3), (1, 2, 3, 4, 6))


@st.composite
def _detours(draw):
    """A chain, and tasks beside it, as long as a part of it or a tick off.

    With a factor the ticks have more digits than a float can hold, the one tick included.
    """
    pick = _Pick(draw)
    length, factor = pick.of(2, 3, 4), pick.of(1, 1, 2**53 + 1, 10**15, 10**900)
    ticks = [factor * value for value in pick.several(4, (1, 2, 3, 5))[:length]]
    how = pick.several(4, (_NEED, _HABIT, _HABIT, _BOTH))
    links = [(i, i + 1, how[i]) for i in range(length - 1)]
    spans = pick.several(3, range(100))[: pick.of(1, 2, 3)]
    values = {1, factor}
    for span, miss in zip(spans, pick.several(3, (0, 1, -1))):
        begin = span % length
        end = begin + 1 + span // 10 % (length - begin)
        beside, part = len(ticks), sum(ticks[begin:end])
        ticks.append(max(1, part + miss))
        values |= {ticks[-1], max(1, part - ticks[begin] + miss), ticks[begin] + 1}
        if begin:
            links.append((begin - 1, beside, pick.of(_NEED, _HABIT)))
        if end < length:
            links.append((beside, end, pick.of(_NEED, _HABIT)))
    if length > 2 and pick.of(False, True):
        links.append((0, length - 1, pick.of(_HABIT, _NEED)))  # the chain goes on without it
    return _given(pick, _tasks(pick, ticks, links), pick.of(1, 2, 3), sorted(values))


# Refusals: a legal input and edits of it

_LEGAL = {
    "tasks": [
        {"id": "a", "ticks": 2, "required": True},
        {"id": "b", "ticks": 3, "needs": ["a"]},
        {"id": "c", "ticks": 1, "needs": ["a"], "follows": ["b"]},
        {"id": "d", "ticks": 4, "needs": ["c"], "follows": ["a", "b"], "required": False},
    ],
    "what_if": [["set", "a", 3], ["remove", "b"], ["parallelise", "b", "c"]],
}
_LEGAL_TEXT = json.dumps(_LEGAL)
_TASK_PLACES = tuple(("tasks", i) for i in range(4))
_IDEA_PLACES = tuple(("what_if", i) for i in range(3))
_INTEGERS = (*((*task, "ticks") for task in _TASK_PLACES), ("what_if", 0, 2))
_LISTED = (("tasks", 1, "needs", 0), ("tasks", 2, "follows", 0), ("tasks", 3, "follows", 1))
_TARGETS = (
    ("what_if", 0, 1), ("what_if", 1, 1), ("what_if", 2, 1), ("what_if", 2, 2),
)  # fmt: skip
_IDS = (*((*task, "id") for task in _TASK_PLACES), *_LISTED, *_TARGETS)
_BOOLEANS = (("tasks", 0, "required"), ("tasks", 3, "required"))
_LISTS = (
    ("tasks",), ("what_if",), ("tasks", 0, "follows"), ("tasks", 0, "needs"),
    ("tasks", 1, "needs"), ("tasks", 2, "follows"), *_IDEA_PLACES,
)  # fmt: skip
_GONE = object()

_NO_INTEGERS = (1.0, 1e3, 0.5, True, False, "1", "", [1], {}, None)
_NO_IDS = ("", "a\n", " a", "A", "a-b", "é", "٣", "x" * 33, 1, None, True, ["a"], {})
_NO_BOOLEANS = (None, 0, 1, "true", "", [], {})
_NO_IDEAS = (
    [], ["set"], ["set", "a"], ["set", "a", 1, 1], ["remove"], ["remove", "a", 1],
    ["parallelise", "b"], ["parallelise", "b", "c", "d"], ["Set", "a", 1], ["add", "a", 1],
    ["set\n", "a", 1], [["set"], "a", 1], [None, "a"], [True], ["parallelize", "b", "c"],
    ["set", 1, "a"], "remove", {"remove": "a"}, None, 1,
)  # fmt: skip
_TEXTS = (
    "", "\n", "null", "1", "[]", '"tasks"', '["tasks"]', "{}", '[{"tasks": []}]',
    '{"tasks": [{"id": "a", "ticks": 1}]', '{"tasks": [{"id": "a", "ticks": 1}]} {}',
    "{'tasks': [{'id': 'a', 'ticks': 1}]}", '{"tasks": [{"id": "a", "ticks": 1e0}]}',
    '{"tasks": [{"id": "a", "ticks": 01}]}', '{"tasks": [{"id": "a", "ticks": NaN}]}',
    '{"tasks": [{"id": "a", "ticks": 1}],}', '{"tasks": [["id", "ticks"]]}',
    b'{"tasks": [{"id": "\xff", "ticks": 1}]}', b'{"tasks": [{"id": "a", "ticks": 1}]}\x80',
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
    kind = pick(
        ("integer", "id", "idea", "list", "boolean", "object", "missing", "unknown", "text")
    )
    if kind == "text":
        return pick(_TEXTS)
    if kind == "integer":
        _edit(given, pick(_INTEGERS), pick(_NO_INTEGERS))
    elif kind == "id":
        _edit(given, pick(_IDS), pick(_NO_IDS))
    elif kind == "idea":
        given["what_if"].insert(pick(range(4)), pick(_NO_IDEAS))
    elif kind == "list":
        _edit(given, pick(_LISTS), pick((None, {}, "", "a", 1, True, {"a": 1})))
    elif kind == "boolean":
        _edit(given, pick(_BOOLEANS), pick(_NO_BOOLEANS))
    elif kind == "object":
        _edit(given, pick(_TASK_PLACES), pick(([], "", 1, True, {}, None, ["id", "ticks"])))
    elif kind == "missing":
        name = pick(("id", "ticks", "tasks"))
        _edit(given, ("tasks",) if name == "tasks" else (*pick(_TASK_PLACES), name), _GONE)
    else:
        _edit(given, (*pick(((), *_TASK_PLACES)), pick(("seed", "ticks "))), pick((1, None)))
    return given


def _no_tasks(pick, given):
    given["tasks"] = []
    return given if pick((False, True)) else {"tasks": []}


def _duplicate_task(pick, given):
    if pick((False, True)):
        given["tasks"][pick((1, 2))]["id"] = pick(("a", "d"))
    else:
        given["tasks"].append({"id": pick("abcd"), "ticks": pick((1, 5))})
    return given


def _cycle(pick, given):
    waits, earlier = pick((("a", "a"), ("a", "b"), ("a", "d"), ("b", "c"), ("c", "d"), ("d", "d")))
    task = given["tasks"]["abcd".index(waits)]
    task.setdefault(pick(("needs", "follows")), []).append(earlier)
    return given


def _not_independent(pick, given):
    pair = pick(("ab", "ac", "cd", "cb", "da", "dd", "db", "ad"))
    if pair == "ad":
        given["tasks"][3]["needs"].append("a")
    given["what_if"].append(["parallelise", *pair])
    return given


def _required(pick, given):
    if pick((False, True)):
        given["tasks"][1]["required"] = True
    else:
        given["what_if"].append(["remove", "a"])
    return given


def _at(paths, *values):
    def fault(pick, given):
        _edit(given, pick(paths), pick(values))
        return given

    return fault


_FAULTS = {
    "malformed": _malformed,
    "no_tasks": _no_tasks,
    "duplicate_task": _duplicate_task,
    "unknown_task": _at((*_LISTED, *_TARGETS), "e", "aa", "0", "_"),
    "bad_ticks": _at(_INTEGERS, 0, -1, -(10**30)),
    "cycle": _cycle,
    "not_independent": _not_independent,
    "required": _required,
}
_CODES = tuple(_FAULTS)


@st.composite
def _refused(draw):
    """A fault, often with faults from further down the table as well."""
    # Early inputs come in runs that differ in one choice only. What fault there is depends on
    # all choices, which are drawn first: so every code comes up soon.
    dice = draw(st.tuples(*[_below(1000)] * 26))
    code, numbers = sum(dice) % len(_CODES), iter(dice)

    def pick(options):
        return options[next(numbers) % len(options)]

    given = json.loads(_LEGAL_TEXT)
    for later in range(len(_CODES) - 1, max(code, 1), -1):  # not no_tasks, it takes places away
        if pick((False, False, False, True)):
            given = _FAULTS[_CODES[later]](pick, given)
    return _FAULTS[_CODES[code]](pick, given), _CODES[code]


normal, minimal, failure = _ordinary(), _smallest(), _refused()
edge = st.one_of(_layers(), _detours(), _detours())


# What the checks read


def _same(what, expected, found):
    assert found == expected, f"{what}: expected {expected}, found {found}"


def _waits(task):
    return {*task.get("needs", ()), *task.get("follows", ())}


def _plausible(given, answer):
    """Whatever a check is about: an answer of nothing passes none."""
    _same("number of tasks", len(given["tasks"]), len(answer["tasks"]))
    makespan, longest = answer["makespan"], max(task["ticks"] for task in given["tasks"])
    assert makespan >= longest, f"makespan {makespan}: a task takes {longest}"
    assert answer["critical_path"], "critical_path is empty"


def _rows(given, answer):
    """Per task (id, ticks, start, slack, what it waits for), once there is one for each."""
    _plausible(given, answer)
    tasks, found = given["tasks"], answer["tasks"]
    return [
        (task["id"], task["ticks"], row["start"], row["slack"], _waits(task))
        for task, row in zip(tasks, found)
    ]


def _ends(given, answer):
    return {name: start + ticks for name, ticks, start, _, _ in _rows(given, answer)}


def _results(given, answer):
    """Per what-if (name, idea, makespan, saved), once there is one for each."""
    _plausible(given, answer)
    ideas, found = given.get("what_if", []), answer["what_if"]
    _same("number of what-ifs", len(ideas), len(found))
    for i, (idea, row) in enumerate(zip(ideas, found)):
        yield f"what-if {i} {json.dumps(idea)}", idea, row["makespan"], row["saved"]


def _with(given, **changes):
    """Another input, without the field of a value of None."""
    return {name: value for name, value in (given | changes).items() if value is not None}


# Checks


def check_bounds(given, answer):
    """The largest ticks <= makespan <= total_ticks, which is the sum of all; saved is the old
    makespan minus the new one.

    最大的 ticks <= makespan <= total_ticks，后者是所有 ticks 之和；saved 是旧 makespan 减去新
    makespan。
    """
    ticks, makespan = [task["ticks"] for task in given["tasks"]], answer["makespan"]
    _same("total_ticks", sum(ticks), answer["total_ticks"])
    within = max(ticks) <= makespan <= sum(ticks)
    assert within, f"makespan {makespan}: not between {max(ticks)} and {sum(ticks)}"
    for name, _, other, saved in _results(given, answer):
        _same(f"{name}: saved, with makespans {makespan} and {other}", makespan - other, saved)


def check_starts(given, answer):
    """A task starts at the latest finish of what it waits for, at 0 when it waits for nothing; the
    makespan is the latest finish.

    任务在它所等待的任务全部结束的那一刻开始，什么都不等待时从 0 开始；makespan 是最晚的结束时刻。
    """
    ends = _ends(given, answer)
    for name, _, start, _, waits in _rows(given, answer):
        _same(f"start of {name}", max((ends[other] for other in waits), default=0), start)
    _same("makespan", max(ends.values()), answer["makespan"])


def check_path(given, answer):
    """The critical path starts at 0 and ends at the makespan; each task of it waits for the one
    before, starts when that one finishes, and has slack 0.

    关键路径从 0 开始，到 makespan 结束；其中每个任务都等待前一个任务，在它结束的那一刻开始，
    且 slack 为 0。
    """
    rows = {row[0]: row for row in _rows(given, answer)}
    moment, before = 0, None
    for name in answer["critical_path"]:
        assert name in rows, f"critical_path: there is no task {name}"
        _, ticks, start, slack, waits = rows[name]
        _same(f"critical_path: start of {name}", moment, start)
        linked = before is None or before in waits
        assert linked, f"critical_path: {name} does not wait for {before}"
        _same(f"critical_path: slack of {name}", 0, slack)
        moment, before = start + ticks, name
    _same("end of critical_path", answer["makespan"], moment)


def check_slack(given, answer):
    """Slack is at least 0; with it a task still finishes by the makespan, and delays nothing that
    waits for it by more than its own slack.

    slack 至少为 0；任务用完 slack 仍不晚于 makespan 结束，等待它的任务被推迟的时间也不超过各自
    的 slack。
    """
    rows, ends = _rows(given, answer), _ends(given, answer)
    for name, _, _, slack, _ in rows:
        room = answer["makespan"] - ends[name]
        assert 0 <= slack <= room, f"slack of {name}: {slack}, not between 0 and {room}"
    slacks = {name: slack for name, _, _, slack, _ in rows}
    for name, _, start, slack, waits in rows:
        for other in waits:
            latest = start + slack - ends[other]
            fits = slacks[other] <= latest
            assert fits, f"slack of {other}: {slacks[other]}, but {name} can wait for {latest} only"


def check_savings(given, answer):
    """No what-if saves more than the ticks it takes away, and none saves on a task that has slack;
    `remove` and `parallelise` save at least 0.

    任何设想节省的都不超过它减掉的 ticks，缩短或去掉有 slack 的任务什么也省不下；`remove` 与
    `parallelise` 至少节省 0。
    """
    rows = {row[0]: row for row in _rows(given, answer)}
    for name, (kind, *parts), _, saved in _results(given, answer):
        _, ticks, start, slack, _ = rows[parts[-1] if kind == "parallelise" else parts[0]]
        if kind == "parallelise":
            least, most = 0, start
        else:
            away = ticks - parts[1] if kind == "set" else ticks
            least, most = min(away, 0), max(away, 0)
        if slack > 0:
            most = 0
        inside = least <= saved <= most
        assert inside, f"{name}: saved {saved}, not between {least} and {most} (slack {slack})"


def check_growing(given, answer, run):
    """With as many ticks more as it has slack a task changes nothing; 3 more of them cost 3.

    任务增加的 ticks 恰等于它的 slack 时，什么也不变；再多 3，就恰好多花 3。
    """
    ideas, costs = [], []
    for name, ticks, _, slack, _ in _rows(given, answer):
        inside = 0 <= slack <= answer["total_ticks"]
        assert inside, f"slack of {name}: {slack}, of {answer['total_ticks']} ticks in all"
        ideas += [["set", name, ticks + slack], ["set", name, ticks + slack + 3]]
        costs += [0, -3]
    other = _with(given, what_if=ideas)
    for (name, _, _, saved), cost in zip(_results(other, run(other)), costs):
        _same(f"{name}: saved", cost, saved)


def _by_hand(tasks, kind, *parts):
    """The tasks of a plan in which an idea was carried out."""
    target = parts[1] if kind == "parallelise" else parts[0]
    old = next(task for task in tasks if task["id"] == target)
    if kind == "set":
        return [task | {"ticks": parts[1]} if task is old else task for task in tasks]
    if kind == "parallelise":
        left = [name for name in old["follows"] if name != parts[0]]
        return [task | {"follows": left} if task is old else task for task in tasks]
    edited = []
    for task in tasks:
        if task is not old:
            lists = {}
            for name in ("needs", "follows"):
                listed = task.get(name, [])
                if target in listed:
                    lists[name] = [item for item in listed if item != target] + sorted(_waits(old))
            edited.append(task | lists)
    return edited


def check_edited_by_hand(given, answer, run):
    """A what-if's makespan is that of the plan edited by hand; for `remove`, those that waited for
    the task wait for what it waited for, and with no task left it is 0.

    设想给出的 makespan，等于照它手工改好的计划的 makespan；`remove` 就是拿掉任务，原先等它的
    改为等它所等的；一个任务都不剩时为 0。
    """
    for name, idea, makespan, _ in _results(given, answer):
        tasks = _by_hand(given["tasks"], *idea)
        expected = run({"tasks": tasks})["makespan"] if tasks else 0
        _same(f"{name}: makespan, against the plan edited by hand", expected, makespan)


def check_ideas_turned_round(given, answer, run):
    """What-ifs in another order have their results in that order; without them nothing else
    changes.

    把 what_if 倒序，结果也只是倒序；去掉 what_if，其余一概不变。
    """
    _plausible(given, answer)
    ideas = given.get("what_if", [])
    for when, some in (("turned round", ideas[::-1]), ("taken away", None)):
        other = _with(given, what_if=some)
        found = run(other)
        results = answer["what_if"][::-1] if some else []
        _same(f"what_if, {when}", results, found["what_if"])
        for key in ("makespan", "total_ticks", "critical_path", "tasks"):
            _same(f"{key}, with what_if {when}", answer[key], found[key])


def check_other_names(given, answer, run):
    """Other names change the critical path's names, and nothing else.

    任务改名，关键路径里的名字随之改变，其余不变。
    """
    _plausible(given, answer)
    names = sorted(task["id"] for task in given["tasks"])
    new = {name: f"n{len(names) - place:02d}" for place, name in enumerate(names)}
    tasks = []
    for task in given["tasks"]:
        lists = {
            key: [new[name] for name in task[key]] for key in ("needs", "follows") if key in task
        }
        tasks.append(task | lists | {"id": new[task["id"]]})
    ideas = [
        [new.get(part, part) if i else part for i, part in enumerate(idea)]
        for idea in given.get("what_if", [])
    ]
    found = run({"tasks": tasks, "what_if": ideas})
    strangers = [name for name in answer["critical_path"] if name not in new]
    assert not strangers, f"critical_path: there is no task {strangers[0]}"
    path = [new[name] for name in answer["critical_path"]]
    _same("with other names", answer | {"critical_path": path}, found)


def check_multiplied(given, answer, run):
    """All ticks times 7 make every number of the answer 7 times as large.

    所有 ticks 乘以 7，答案里的每个数也都乘以 7。
    """
    _plausible(given, answer)
    tasks = [task | {"ticks": 7 * task["ticks"]} for task in given["tasks"]]
    ideas = [
        [7 * part if type(part) is int else part for part in idea]
        for idea in given.get("what_if", [])
    ]
    _same("with all ticks times 7", _times_7(answer), run({"tasks": tasks, "what_if": ideas}))


def _times_7(value):
    if type(value) is dict:
        return {key: _times_7(item) for key, item in value.items()}
    if type(value) is list:
        return [_times_7(item) for item in value]
    return 7 * value if type(value) is int else value


def check_list_turned_round(given, answer, run):
    """With the list of tasks turned round, every start, slack and makespan stays with its task.

    把任务列表倒过来写，每个任务的 start、slack 以及各个 makespan 都不变。
    """
    _plausible(given, answer)
    found = run(given | {"tasks": given["tasks"][::-1]})
    for key in ("makespan", "total_ticks", "what_if"):
        _same(f"{key}, with the tasks turned round", answer[key], found[key])
    _same("tasks, turned round", answer["tasks"][::-1], found["tasks"])


def check_one_more_need(given, answer, run):
    """One more id in `needs`, where no circle arises, never lowers the makespan.

    在 `needs` 里再加一个 id，只要不形成环，makespan 就不会变小。
    """
    _plausible(given, answer)
    tasks, tried = given["tasks"], 0
    waits = {task["id"]: _waits(task) for task in tasks}
    for i, task in enumerate(tasks):
        for first in waits:
            if first not in waits[task["id"]] and task["id"] not in _all_before(waits, first):
                new = task | {"needs": [*task.get("needs", []), first]}
                found = run({"tasks": [*tasks[:i], new, *tasks[i + 1 :]]})["makespan"]
                when = f"makespan, when {task['id']} needs {first} as well"
                assert found >= answer["makespan"], f"{when}: {answer['makespan']}, then {found}"
                tried += 1
                break
        if tried == 3:
            break


def _all_before(waits, name):
    """The task and all that it waits for, over any number of steps."""
    seen, left = {name}, [name]
    while left:
        new = waits[left.pop()] - seen
        seen |= new
        left += new
    return seen
