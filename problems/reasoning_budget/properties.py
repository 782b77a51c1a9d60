"""Where to look for wrong counts (one strategy per group), and what must always hold."""

import json
from fractions import Fraction
from functools import cache

from hypothesis import strategies as st

GROUPS = {
    "check_turns_alone": ("edge",),
    "check_budget_only_judges": ("edge",),
    "check_reading_changes_the_status": ("minimal",),
    "check_characters": ("normal",),
    "check_forgotten_reasoning": ("normal",),
    "check_conventions": ("normal",),
    "check_reversed_tasks": ("normal",),
}

FIGURES = ("hidden", "visible", "billed")
STATUSES = ("needs_evidence", "cut_off", "no_answer", "answered")


# Strategies
#
# The simplest option of every choice stands first, and no choice depends on an earlier one: so
# every part of an input shrinks by itself.


@cache
def _below(bound):
    return st.integers(0, bound - 1)


@st.composite
def _several(draw, counts, *parts):
    """Lists of tuples. With the length drawn first, the shrinker can take out any item."""
    length = counts[draw(_below(len(counts)))]
    return [draw(item) for item in [st.tuples(*parts)] * length]


_LOST = ("", "", "", "", "", "reasoning", "output", "both")
_CHARACTERS = (1, 0, 20, 300, 0, 4000)
_LAST = ("stop", "stop", "length")
_EVIDENCE = ((False, False), (True, False), (True, True), (False, True))


def _raw_tasks(tasks, turns, amounts):
    """A turn is (reasoning, visible, lost, characters); a task has a budget of some kind."""
    turn = (_below(amounts), _below(amounts), _below(len(_LOST)), _below(len(_CHARACTERS)))
    return _several(
        tasks, _below(2), _below(4), _below(12), _below(len(_LAST)), _several(turns, *turn)
    )


def _task(raw, amount, budget):
    """The task; `amount` makes a count of a number, `budget` a budget of kind and turns."""
    convention, evidence, kind, last, raw_turns = raw
    turns = [_turn(convention, amount, *turn) for turn in raw_turns]
    turns[-1]["finish"] = _LAST[last]
    needs, read = _EVIDENCE[evidence]
    task = {
        "convention": ("inclusive", "separate")[convention],
        "needs_evidence": needs,
        "evidence_read": read,
    }
    limit = budget(kind, turns)
    return task | ({} if limit == "absent" else {"budget": limit}) | {"turns": turns}


def _turn(convention, amount, reasoning, visible, lost, characters):
    reasoning, visible, lost = amount(reasoning), amount(visible), _LOST[lost]
    output = visible if convention else visible + reasoning
    return {
        "output": None if lost in ("output", "both") else output,
        "reasoning": None if lost in ("reasoning", "both") else reasoning,
        "characters": _CHARACTERS[characters],
        "finish": "tool_calls",
    }


def _known(turns, name):
    return [turn[name] for turn in turns if turn[name] is not None]


def _any_budget(kind, turns):
    """Absent, null, or something between nothing and more than was used."""
    if kind < 3:
        return ("absent", None, 100)[kind]
    return sum(_known(turns, "reasoning")) * (kind - 3) // 5


def _near_budget(kind, turns):
    """What the hidden tokens are compared with, exactly, and one token to either side; sums that
    a wrong program compares with it instead."""
    hidden = _known(turns, "reasoning") or [0]
    at_least = sum(hidden)
    several = ("absent", None, 0, at_least, at_least, max(at_least - 1, 0), max(at_least - 1, 0))
    others = (at_least + 1, hidden[-1], max(hidden), sum(_known(turns, "output")), at_least)
    return (*several, *others)[kind]


def _ordinary(raw_tasks):
    def made(raws):
        return {"tasks": [_task(raw, lambda number: number, _any_budget) for raw in raws]}

    return raw_tasks.map(made)


normal = _ordinary(_raw_tasks((1, 1, 2, 2, 3), (1, 1, 2, 2, 3), 300))
minimal = _ordinary(_raw_tasks((0, 1, 1, 1, 1, 1), (1,), 3))

_SMALL = (0, 1, 2, 5, 8)
_UNITS = (1, 1, 1, 2**53 + 1, 10**18, 2**63 - 1, 7 * 10**29 + 1)


@st.composite
def _borders(draw):
    """Counts of 0, equal ones, huge ones; budgets on the border."""
    raws = draw(_raw_tasks((1, 1, 2, 3), (1, 1, 2, 2, 3), len(_SMALL)))
    unit = _UNITS[draw(_below(len(_UNITS)))]
    return {"tasks": [_task(raw, lambda i: unit * _SMALL[i], _near_budget) for raw in raws]}


edge = _borders()


# What must be refused: edits of a small legal input

_LEGAL = {
    "tasks": [
        {
            "convention": "inclusive",
            "needs_evidence": False,
            "evidence_read": False,
            "budget": 60,
            "turns": [
                {"output": 50, "reasoning": 40, "characters": 0, "finish": "tool_calls"},
                {"output": 30, "reasoning": 20, "characters": 80, "finish": "stop"},
            ],
        },
        {
            "convention": "separate",
            "needs_evidence": True,
            "evidence_read": False,
            "budget": None,
            "turns": [
                {"output": 7, "reasoning": 90, "characters": 12, "finish": "tool_calls"},
                {"output": 5, "reasoning": None, "characters": 0, "finish": "length"},
            ],
        },
        {
            "convention": "inclusive",
            "needs_evidence": True,
            "evidence_read": True,
            "budget": 0,
            "turns": [
                {"output": 9, "reasoning": 9, "characters": 0, "finish": "tool_calls"},
                {"output": 4, "reasoning": 0, "characters": 16, "finish": "stop"},
            ],
        },
    ]
}
_LEGAL_TEXT = json.dumps(_LEGAL)
_TASKS = tuple(("tasks", i) for i in range(3))
_TURNS = tuple((*task, "turns", j) for task in _TASKS for j in range(2))
_BUDGETS = tuple((*task, "budget") for task in _TASKS)
_TOKENS = tuple((*turn, name) for turn in _TURNS for name in ("output", "reasoning"))
_LENGTHS = tuple((*turn, "characters") for turn in _TURNS)
_FINISHES = tuple((*turn, "finish") for turn in _TURNS)
_CONVENTIONS = tuple((*task, "convention") for task in _TASKS)
_BOOLEANS = tuple((*task, name) for task in _TASKS for name in ("needs_evidence", "evidence_read"))
_LISTS = (("tasks",), *((*task, "turns") for task in _TASKS))
_NEEDED = (*_LISTS, *_CONVENTIONS, *_BOOLEANS, *_TOKENS, *_LENGTHS, *_FINISHES)
_INCLUSIVE = tuple(turn for turn in _TURNS if turn[1] != 1)
_GONE = object()

_NO_INTEGERS = (1.0, 1e3, 0.5, True, False, "1", "", [1], {}, [])
_NO_BOOLEANS = (None, 0, 1, "true", "false", "", [], {}, 1.0, [True])
_NO_CONVENTIONS = (None, "", "Inclusive", "inclusive\n", " separate", "both", 1, True, [], {},
                   ["inclusive"], {"inclusive": 1})  # fmt: skip
_NO_FINISHES = (None, "", "STOP", "stop\n", "length ", "tool_call", "tool-calls", "error", 0, False,
                [], {}, ["stop"])  # fmt: skip
_TEXTS = (
    "", "\n", "null", "1", "[]", '"tasks"', '["tasks"]', '[{"tasks": []}]', "{}",
    '{"tasks": []', '{"tasks": []} {}', '{"tasks": []},', '{"tasks": [],}', "{'tasks': []}",
    '{"tasks": NaN}', '{"tasks": 01}', '{"tasks": []}\f', '\u00a0{"tasks": []}',
    b'{"tasks": [], "\xff": 1}', b'{"tasks": []}\x80', '{"tasks": []}'.encode("utf-16-le"),
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
    kinds = ("integer", "choice", "boolean", "list", "object", "missing", "unknown", "text")
    kind = pick(kinds)
    if kind == "text":
        return pick(_TEXTS)
    if kind == "integer":
        _edit(given, pick((*_TOKENS, *_LENGTHS, *_BUDGETS)), pick(_NO_INTEGERS))
    elif kind == "boolean":
        _edit(given, pick(_BOOLEANS), pick(_NO_BOOLEANS))
    elif kind == "choice":
        paths, values = pick(((_CONVENTIONS, _NO_CONVENTIONS), (_FINISHES, _NO_FINISHES)))
        _edit(given, pick(paths), pick(values))
    elif kind == "list":
        _edit(given, pick(_LISTS), pick((None, {}, "", "12", 0, 1, True, [None], [{}], [[]])))
    elif kind == "object":
        _edit(given, pick((*_TASKS, *_TURNS)), pick(([], "", 1, True, None, {})))
    elif kind == "missing":
        _edit(given, pick(_NEEDED), _GONE)
    else:
        _edit(given, (*pick(((), *_TASKS, *_TURNS)), pick(("seed", "turns "))), pick((1, None)))
    return given


def _no_turns(pick, given):
    _edit(given, (*pick(_TASKS), "turns"), [])
    return given


def _turns_out_of_order(pick, given):
    path = pick(_FINISHES)
    _edit(given, path, "tool_calls" if path[3] else pick(("stop", "length")))
    return given


def _negative_count(pick, given):
    _edit(given, pick((*_TOKENS, *_LENGTHS, *_BUDGETS)), pick((-1, -(10**30))))
    return given


def _reasoning_exceeds_output(pick, given):
    turn, output = pick(_INCLUSIVE), pick((0, 1, 10**30))
    _edit(given, (*turn, "output"), output)
    _edit(given, (*turn, "reasoning"), output + pick((1, 1, 10**30)))
    return given


_FAULTS = {
    "malformed": _malformed,
    "no_turns": _no_turns,
    "turns_out_of_order": _turns_out_of_order,
    "negative_count": _negative_count,
    "reasoning_exceeds_output": _reasoning_exceeds_output,
}
_CODES = tuple(_FAULTS)


@st.composite
def _failure(draw):
    """A fault, often with faults from further down the table as well."""
    # Early inputs come in runs that differ in one choice only. What fault there is depends on
    # all choices, which are drawn first: so every code comes up soon.
    dice = draw(st.tuples(*[_below(1000)] * 20))
    code, numbers = sum(dice) % len(_CODES), iter(dice)

    def pick(options):
        return options[next(numbers) % len(options)]

    given, last = json.loads(_LEGAL_TEXT), len(_CODES) - 1
    for later in range(last, max(code, 1), -1):  # not no_turns, it takes places away
        if pick((False, False, True)):
            given = _FAULTS[_CODES[later]](pick, given)
    return _FAULTS[_CODES[code]](pick, given), _CODES[code]


failure = _failure()


# What the checks read


def _tasks(given, answer):
    """Per task (name, task, result), once the results are known to belong to `given`."""
    tasks, results = given["tasks"], answer["tasks"]
    assert len(results) == len(tasks), f"{len(tasks)} tasks, {len(results)} results"
    for i, (task, result) in enumerate(zip(tasks, results)):
        turns, counts = task["turns"], result["turns"]
        assert len(counts) == len(turns), f"task {i}: {len(turns)} turns, {len(counts)} results"
        for j, (turn, count) in enumerate(zip(turns, counts)):
            _same(f"task {i}, turn {j}: hidden", turn["reasoning"], count["hidden"])
    return [(f"task {i}", *pair) for i, pair in enumerate(zip(tasks, results))]


def _turns(given, answer):
    """Per turn (name, convention, turn, counts)."""
    for name, task, result in _tasks(given, answer):
        for j, (turn, count) in enumerate(zip(task["turns"], result["turns"])):
            yield f"{name}, turn {j}", task["convention"], turn, count


def _same(what, expected, found):
    assert found == expected, f"{what}: expected {_shown(expected)}, found {_shown(found)}"


def _shown(value):
    return "null" if value is None else json.dumps(value) if isinstance(value, bool) else value


def _sum(terms):
    terms = list(terms)
    return None if None in terms else sum(terms)


def _same_results(given, answer, found, when, but=()):
    """All figures of the tasks, except those named."""
    for (name, _, one), (_, _, other) in zip(_tasks(given, answer), _tasks(given, found)):
        for key, value in one.items():
            if key not in but:
                _same(f"{name}, {when}: {key}", value, other[key])


def _same_totals(answer, found, when, but=()):
    for key, value in answer["totals"].items():
        if key not in but:
            _same(f"totals, {when}: {key}", value, found["totals"][key])


# Checks


def check_turns(given, answer):
    """For each turn, hidden is the reported reasoning; billed is the reported output under
    inclusive, visible is under separate.

    每一轮的 hidden 就是报告的 reasoning；inclusive 时 billed 就是报告的 output，separate 时
    visible 就是它。
    """
    for name, convention, turn, count in _turns(given, answer):
        figure = "billed" if convention == "inclusive" else "visible"
        _same(f"{name}, {convention}: {figure}", turn["output"], count[figure])


def check_unknown(given, answer):
    """A figure of a turn is null exactly when a number that it uses was not reported.

    一轮的某个数为 null，当且仅当它用到的数没有报告。
    """
    for name, convention, turn, count in _turns(given, answer):
        both = (turn["output"], turn["reasoning"])
        figure = "visible" if convention == "inclusive" else "billed"
        is_due, is_null = None in both, count[figure] is None
        why = "a number it uses is null" if is_due else "all that it uses is known"
        assert is_due == is_null, f"{name}, {convention}: {figure} is {count[figure]}, but {why}"


def check_accounts(given, answer):
    """hidden + visible = billed wherever all three are known: in turns, tasks and totals.

    凡三者都已知之处，hidden + visible = billed：每轮、每个任务、总计都是如此。
    """
    places = [(name, count) for name, _, _, count in _turns(given, answer)]
    places += [(name, result) for name, _, result in _tasks(given, answer)]
    for name, counts in (*places, ("totals", answer["totals"])):
        hidden, visible, billed = (counts[figure] for figure in FIGURES)
        if None not in (hidden, visible, billed):
            _same(f"{name}: {hidden} hidden + {visible} visible, billed", hidden + visible, billed)


def check_sums(given, answer):
    """hidden, visible and billed of a task are the sums over all its turns, those of totals over
    all tasks: null as soon as one term is null, 0 over none.

    任务的 hidden、visible、billed 是所有各轮之和，totals 的是所有任务之和：有一项为 null 即为
    null，没有项时为 0。
    """
    results = [result for _, _, result in _tasks(given, answer)]
    for figure in FIGURES:
        for i, result in enumerate(results):
            due = _sum(count[figure] for count in result["turns"])
            _same(f"task {i}: {figure}, the sum over its turns", due, result[figure])
        due = _sum(result[figure] for result in results)
        _same(f"totals: {figure}, the sum over the tasks", due, answer["totals"][figure])


def check_what_is_known(given, answer):
    """hidden_at_least is the sum of the hidden tokens that are known; unknown_turns counts the
    turns whose hidden is null.

    hidden_at_least 是已知隐藏 token 之和；unknown_turns 是 hidden 为 null 的轮数。
    """
    unknown = 0
    for name, _, result in _tasks(given, answer):
        known = [count["hidden"] for count in result["turns"] if count["hidden"] is not None]
        unknown += len(result["turns"]) - len(known)
        _same(f"{name}: hidden_at_least", sum(known), result["hidden_at_least"])
    _same("totals: unknown_turns", unknown, answer["totals"]["unknown_turns"])


def check_share(given, answer):
    """hidden_share is hidden / billed in lowest terms, from 0 to 1; null when either is null or
    billed is 0.

    hidden_share 是 hidden / billed 的最简分数，介于 0 与 1；两者之一为 null 或 billed 为 0 时是
    null。
    """
    for name, _, result in _tasks(given, answer):
        hidden, billed, share = result["hidden"], result["billed"], result["hidden_share"]
        what = f"{name}: hidden_share of {_shown(hidden)} / {_shown(billed)}"
        if hidden is None or billed is None or billed == 0:
            _same(what, None, share)
            continue
        assert share is not None, f"{what} is null"
        value = Fraction(hidden, billed)
        assert value <= 1, f"{name}: {hidden} hidden of only {billed} billed"
        _same(what, f"{value.numerator}/{value.denominator}", share)


def check_over_budget(given, answer):
    """over_budget: true when what is known exceeds the budget, false when hidden is known and does
    not; null otherwise, and without a budget.

    over_budget：已知的部分超出预算时为 true；hidden 已知且未超出时为 false；其余情况以及没有
    预算时为 null。
    """
    for name, task, result in _tasks(given, answer):
        budget, at_least = task.get("budget"), result["hidden_at_least"]
        due = None if budget is None or result["hidden"] is None else False
        due = True if budget is not None and at_least > budget else due
        what = f"{name}: budget {_shown(budget)}, at least {at_least} hidden; over_budget"
        _same(what, due, result["over_budget"])


def check_status(given, answer):
    """needs_evidence exactly when evidence is needed and was not read; else cut_off exactly when
    the last turn ended by length; else no_answer exactly when its characters is 0.

    需要依据却没有读，才是 needs_evidence；否则最后一轮因 length 结束，才是 cut_off；否则它的
    characters 为 0，才是 no_answer。
    """
    for name, task, result in _tasks(given, answer):
        last = task["turns"][-1]
        lacks = task["needs_evidence"] and not task["evidence_read"]
        applies = (lacks, last["finish"] == "length", last["characters"] == 0, True)
        _same(f"{name}: status", STATUSES[applies.index(True)], result["status"])


def check_billed_without_evidence(given, answer):
    """billed_without_evidence is the sum of billed over the tasks that lack their evidence, null as
    soon as one of these is null.

    billed_without_evidence 是缺依据的各任务 billed 之和，其中有一个为 null 即为 null。
    """
    lacking = [
        result["billed"]
        for _, task, result in _tasks(given, answer)
        if task["needs_evidence"] and not task["evidence_read"]
    ]
    found = answer["totals"]["billed_without_evidence"]
    _same("totals: billed_without_evidence", _sum(lacking), found)


def _changed(given, change):
    """The input with every task replaced by what `change` makes of it."""
    return {"tasks": [change(i, task) for i, task in enumerate(given["tasks"])]}


def check_characters(given, answer, run):
    """Other characters change nothing, as long as those of the last turn stay 0 or not 0.

    改变 characters 不影响任何结果，只要最后一轮的 0 仍为 0、非 0 仍非 0。
    """

    def change(_, task):
        *earlier, last = task["turns"]
        others = [turn | {"characters": 7 if turn["characters"] == 0 else 0} for turn in earlier]
        longer = last | {"characters": last["characters"] * 1000}
        return task | {"turns": [*others, longer]}

    found = run(_changed(given, change))
    _same_results(given, answer, found, "with other characters")
    _same_totals(answer, found, "with other characters")


def check_budget_only_judges(given, answer, run):
    """Another budget changes over_budget only; with a larger one, false stays false and null null.

    改变预算只会改变 over_budget；预算变大时，false 仍为 false，null 仍为 null。
    """

    def change(_, task):
        budget = task.get("budget")
        return task | {"budget": 0 if budget is None else budget + 1}

    other = _changed(given, change)
    found = run(other)
    _same_results(given, answer, found, "with another budget", but=("over_budget",))
    _same_totals(answer, found, "with another budget")
    pairs = zip(_tasks(given, answer), _tasks(other, found))
    for (name, task, one), (_, _, after) in pairs:
        before = one["over_budget"]
        if task.get("budget") is not None and before is not True:
            _same(f"{name}, with a larger budget: over_budget", before, after["over_budget"])


def check_forgotten_reasoning(given, answer, run):
    """With the reasoning of a turn unreported, a figure stays as it was or becomes null, except
    hidden_at_least and unknown_turns; no status changes, inclusive leaves billed alone and
    separate visible.

    若某轮的 reasoning 不再报告，各数不变或变为 null，hidden_at_least 与 unknown_turns 除外；
    status 不变，inclusive 时 billed 不变，separate 时 visible 不变。
    """

    def change(i, task):
        first, *rest = task["turns"]
        return task | {"turns": [first | {"reasoning": None}, *rest]} if i == 0 else task

    other = _changed(given, change)
    found = run(other)
    for (name, task, one), (_, _, after) in zip(_tasks(given, answer), _tasks(other, found)):
        kept = "billed" if task["convention"] == "inclusive" else "visible"
        for key in ("status", kept):
            _same(f"{name}, a reasoning unreported: {key}", one[key], after[key])
        for key in (*FIGURES, "hidden_share"):
            if after[key] is not None:
                _same(f"{name}, a reasoning unreported: {key}", one[key], after[key])
    for key in (*FIGURES, "billed_without_evidence"):
        if found["totals"][key] is not None:
            before = answer["totals"][key]
            _same(f"totals, a reasoning unreported: {key}", before, found["totals"][key])


def check_conventions(given, answer, run):
    """An inclusive task with all counts known equals the separate one with output - reasoning for
    output.

    各数都已知的 inclusive 任务，与把 output 换成 output - reasoning 的 separate 任务结果相同。
    """

    def change(_, task):
        known = all(None not in (turn["output"], turn["reasoning"]) for turn in task["turns"])
        if not known or task["convention"] == "separate":
            return task
        turns = [turn | {"output": turn["output"] - turn["reasoning"]} for turn in task["turns"]]
        return task | {"convention": "separate", "turns": turns}

    other = _changed(given, change)
    if other != given:
        found = run(other)
        _same_results(given, answer, found, "written as separate")
        _same_totals(answer, found, "written as separate")


def check_turns_alone(given, answer, run):
    """hidden, visible and billed of a task are the totals of its turns taken as tasks of one turn
    each.

    任务的 hidden、visible、billed，等于把它的每一轮单独当作一个任务时的总计。
    """
    if not given["tasks"]:
        return
    name, task, result = _tasks(given, answer)[0]
    turns = [turn | {"finish": "stop"} for turn in task["turns"]]
    other = {"tasks": [task | {"turns": [turn]} for turn in turns]}
    found = run(other)
    _tasks(other, found)
    for figure in FIGURES:
        due = found["totals"][figure]
        _same(f"{name}: {figure}, with its turns taken as tasks", due, result[figure])


def check_reversed_tasks(given, answer, run):
    """Tasks in the reverse order get their answers in the reverse order, and the same totals.

    任务倒序，答案也倒序，总计不变。
    """
    found = run({"tasks": given["tasks"][::-1]})
    turned = found | {"tasks": found["tasks"][::-1]}
    _same_results(given, answer, turned, "with the tasks reversed")
    _same_totals(answer, found, "with the tasks reversed")


def check_reading_changes_the_status(given, answer, run):
    """With all evidence read, no status is needs_evidence and billed_without_evidence is 0; nothing
    else changes.

    若依据都已读，则没有 needs_evidence，billed_without_evidence 为 0，其余不变。
    """
    other = _changed(given, lambda _, task: task | {"evidence_read": True})
    found = run(other)
    _same_results(given, answer, found, "with all evidence read", but=("status",))
    for name, _, result in _tasks(other, found):
        assert result["status"] != "needs_evidence", f"{name}: needs_evidence, with all of it read"
    without = "billed_without_evidence"
    _same_totals(answer, found, "with all evidence read", but=(without,))
    _same(f"totals, with all evidence read: {without}", 0, found["totals"][without])
