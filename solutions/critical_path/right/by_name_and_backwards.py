"""By name, in dictionaries: the earliest and the latest times of the textbook.

The order comes from a search that goes back from every task, with a stack of its own. The slack is
the difference of latest and earliest start. The path is found by counting what is left to the end.
"""

import json
import sys

ALLOWED = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_")
PARTS = {"set": ("id", "ticks"), "remove": ("id",), "parallelise": ("id", "id")}


class Refused(Exception):
    pass


def need(holds, code="malformed"):
    if not holds:
        raise Refused(code)


def is_id(value):
    return isinstance(value, str) and 1 <= len(value) <= 32 and ALLOWED.issuperset(value)


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_list_of_ids(value):
    return isinstance(value, list) and all(map(is_id, value))


def is_idea(value):
    if not isinstance(value, list) or not value or not isinstance(value[0], str):
        return False
    kinds = PARTS.get(value[0])
    if kinds is None or len(kinds) != len(value) - 1:
        return False
    return all((is_id if k == "id" else is_integer)(part) for k, part in zip(kinds, value[1:]))


def read(data):
    try:
        given = json.loads(data.decode())
    except ValueError:
        raise Refused("malformed") from None
    need(isinstance(given, dict) and "tasks" in given and set(given) <= {"tasks", "what_if"})
    tasks, ideas = given["tasks"], given.get("what_if", [])
    need(isinstance(tasks, list) and isinstance(ideas, list))
    for task in tasks:
        need(isinstance(task, dict) and "id" in task and "ticks" in task)
        need(set(task) <= {"id", "ticks", "needs", "follows", "required"})
        need(is_id(task["id"]) and is_integer(task["ticks"]))
        need(is_list_of_ids(task.get("needs", [])) and is_list_of_ids(task.get("follows", [])))
        need(isinstance(task.get("required", False), bool))
    need(all(map(is_idea, ideas)))
    return tasks, ideas


def search_back(before):
    """All names, each after what stands in `before`; refuses a circle."""
    order, state = [], {}
    for root in before:
        stack = [] if root in state else [(root, iter(before[root]))]
        state.setdefault(root, "open")
        while stack:
            name, rest = stack[-1]
            for other in rest:
                known = state.get(other)
                need(known != "open", "cycle")
                if known is None:
                    state[other] = "open"
                    stack.append((other, iter(before[other])))
                    break
            else:
                stack.pop()
                state[name] = "done"
                order.append(name)
    return order


def earliest_ends(order, before, ticks):
    ends = {}
    for name in order:
        begin = 0
        for other in before[name]:
            if ends[other] > begin:
                begin = ends[other]
        ends[name] = begin + ticks[name]
    return ends


def latest_ends(order, before, ticks, makespan):
    ends = dict.fromkeys(order, makespan)
    for name in reversed(order):
        begin = ends[name] - ticks[name]
        for other in before[name]:
            if ends[other] > begin:
                ends[other] = begin
    return ends


def path_of(before, early, late, ticks, makespan):
    critical = [name for name in before if early[name] == late[name]]
    next_of = {}  # by the name before: the first critical task that starts where it ends
    first = None
    for name in critical:
        begin = early[name] - ticks[name]
        if begin == 0:
            first = first or name
        for other in before[name]:
            if early[other] == begin:
                next_of.setdefault(other, name)
    path = [first]
    while early[path[-1]] < makespan:
        path.append(next_of[path[-1]])
    return path


def answer(tasks, ideas):
    need(tasks, "no_tasks")
    by_name = {task["id"]: task for task in tasks}
    need(len(by_name) == len(tasks), "duplicate_task")
    needs = {name: set(task.get("needs", ())) for name, task in by_name.items()}
    before = {name: needs[name].union(task.get("follows", ())) for name, task in by_name.items()}
    need(all(names <= by_name.keys() for names in before.values()), "unknown_task")
    for idea in ideas:
        need(all(part in by_name for part in idea[1:] if isinstance(part, str)), "unknown_task")
    need(all(task["ticks"] > 0 for task in tasks), "bad_ticks")
    need(all(idea[2] > 0 for idea in ideas if idea[0] == "set"), "bad_ticks")
    order = search_back(before)
    for kind, *parts in ideas:
        if kind == "parallelise":
            first, second = parts
            need(first in before[second] and first not in needs[second], "not_independent")
    for kind, *parts in ideas:
        need(kind != "remove" or not by_name[parts[0]].get("required", False), "required")

    ticks = {name: task["ticks"] for name, task in by_name.items()}
    early = earliest_ends(order, before, ticks)
    makespan = max(early.values())
    late = latest_ends(order, before, ticks, makespan)
    results = []
    for kind, *parts in ideas:
        if kind == "parallelise":
            first, second = parts
            other = before | {second: before[second] - {first}}
            found = max(earliest_ends(order, other, ticks).values())
        else:
            other = ticks | {parts[0]: parts[1] if kind == "set" else 0}
            found = max(earliest_ends(order, before, other).values())
        results.append({"makespan": found, "saved": makespan - found})
    return {
        "ok": True,
        "makespan": makespan,
        "total_ticks": sum(ticks.values()),
        "critical_path": path_of(before, early, late, ticks, makespan),
        "tasks": [{"start": early[n] - ticks[n], "slack": late[n] - early[n]} for n in by_name],
        "what_if": results,
    }


try:
    print(json.dumps(answer(*read(sys.stdin.buffer.read()))))
except Refused as refused:
    print(json.dumps({"ok": False, "error": str(refused)}))
