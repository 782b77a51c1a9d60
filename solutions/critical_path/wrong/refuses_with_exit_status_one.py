"""Wrong: a refusal ends with exit status 1."""

import json
import re
import sys
from typing import NamedTuple

IDENTIFIER = re.compile("[a-z0-9_]{1,32}")


class Refusal(Exception):
    """The input must be refused with this code."""


class Task(NamedTuple):
    id: str
    ticks: int
    needs: list
    follows: list
    required: bool


class Idea(NamedTuple):
    kind: str
    ids: list
    ticks: int | None


class Plan(NamedTuple):
    """Who waits for whom, and an order in which everything comes after what it waits for."""

    waits: list
    followers: list
    order: list
    place: dict


# ---- Reading: everything that is malformed


def parse(data):
    try:
        given = json.loads(data.decode("utf-8"))
    except ValueError:
        raise Refusal("malformed") from None
    check_fields(given, required={"tasks"}, optional={"what_if"})
    tasks = [parse_task(task) for task in array(given["tasks"])]
    return tasks, [parse_idea(idea) for idea in array(given.get("what_if", []))]


def parse_task(task):
    check_fields(task, required={"id", "ticks"}, optional={"needs", "follows", "required"})
    return Task(
        id=identifier(task["id"]),
        ticks=integer(task["ticks"]),
        needs=[identifier(item) for item in array(task.get("needs", []))],
        follows=[identifier(item) for item in array(task.get("follows", []))],
        required=boolean(task.get("required", False)),
    )


def parse_idea(idea):
    match array(idea):
        case ["set", target, ticks]:
            return Idea("set", [identifier(target)], integer(ticks))
        case ["remove", target]:
            return Idea("remove", [identifier(target)], 0)
        case ["parallelise", first, second]:
            return Idea("parallelise", [identifier(first), identifier(second)], None)
    raise Refusal("malformed")


def check_fields(value, *, required, optional):
    if type(value) is not dict or not required <= value.keys() <= required | optional:
        raise Refusal("malformed")


def array(value):
    if type(value) is not list:
        raise Refusal("malformed")
    return value


def integer(value):
    if type(value) is not int:  # isinstance would let True through
        raise Refusal("malformed")
    return value


def boolean(value):
    if type(value) is not bool:
        raise Refusal("malformed")
    return value


def identifier(value):
    if type(value) is not str or not IDENTIFIER.fullmatch(value):
        raise Refusal("malformed")
    return value


# ---- The refusals of the table, in its order, each over the whole input


def check(tasks, ideas):
    """The plan, when it can be carried out and every idea makes sense."""
    known = {task.id for task in tasks}
    if not tasks:
        raise Refusal("no_tasks")
    if len(known) < len(tasks):
        raise Refusal("duplicate_task")
    named = [task.needs + task.follows for task in tasks] + [idea.ids for idea in ideas]
    if any(item not in known for items in named for item in items):
        raise Refusal("unknown_task")
    new = [idea.ticks for idea in ideas if idea.kind == "set"]
    if any(ticks < 1 for ticks in [task.ticks for task in tasks] + new):
        raise Refusal("bad_ticks")
    plan = arrange(tasks)
    if len(plan.order) < len(tasks):
        raise Refusal("cycle")
    task_of = {task.id: task for task in tasks}
    for idea in ideas:
        if idea.kind == "parallelise" and not is_given_up(task_of, *idea.ids):
            raise Refusal("not_independent")
    if any(idea.kind == "remove" and task_of[idea.ids[0]].required for idea in ideas):
        raise Refusal("required")
    return plan


def is_given_up(task_of, first, second):
    """Whether `second` comes after `first` by habit only."""
    task = task_of[second]
    return first in task.follows and first not in task.needs


def arrange(tasks):
    """The order lacks those that wait in a circle, and those that wait for them."""
    number_of = {task.id: number for number, task in enumerate(tasks)}
    waits = [list({number_of[item] for item in task.needs + task.follows}) for task in tasks]
    followers = [[] for _ in tasks]
    for number, earlier in enumerate(waits):
        for other in earlier:
            followers[other].append(number)
    missing = [len(earlier) for earlier in waits]
    order = [number for number, count in enumerate(missing) if not count]
    for number in order:  # it grows while it is read
        for other in followers[number]:
            missing[other] -= 1
            if not missing[other]:
                order.append(other)
    place = {number: i for i, number in enumerate(order)}
    return Plan(waits, followers, order, place)


# ---- The answer


def solve(tasks, plan, ideas):
    ticks = [task.ticks for task in tasks]
    finish = [None] * len(ticks)
    run(plan.order, plan.waits, ticks, finish)
    start = [end - length for end, length in zip(finish, ticks)]
    makespan = max(finish)
    after = tails(plan, ticks)
    slack = [makespan - end - tail for end, tail in zip(finish, after)]
    number_of = {task.id: number for number, task in enumerate(tasks)}
    results = []
    for idea in ideas:
        other = makespan_with(idea, number_of, plan, ticks, finish)
        results.append({"makespan": other, "saved": makespan - other})
    path = first_path(plan, makespan, start, finish, slack)
    return {
        "ok": True,
        "makespan": makespan,
        "total_ticks": sum(ticks),
        "critical_path": [tasks[number].id for number in path],
        "tasks": [{"start": begin, "slack": room} for begin, room in zip(start, slack)],
        "what_if": results,
    }


def run(order, waits, ticks, finish):
    """Write down when these tasks finish; what they wait for stands earlier, or is known."""
    for number in order:
        start = max([finish[other] for other in waits[number]], default=0)
        finish[number] = start + ticks[number]


def tails(plan, ticks):
    """For every task the ticks of the longest chain behind it."""
    tail = [None] * len(ticks)
    for number in reversed(plan.order):
        behind = [ticks[other] + tail[other] for other in plan.followers[number]]
        tail[number] = max(behind, default=0)
    return tail


def first_path(plan, makespan, start, finish, slack):
    """Always the task that stands earliest: what has no slack goes on to the end."""
    path, moment, candidates = [], 0, range(len(start))
    while moment < makespan:
        number = min(n for n in candidates if start[n] == moment and slack[n] == 0)
        path.append(number)
        moment, candidates = finish[number], plan.followers[number]
    return path


def makespan_with(idea, number_of, plan, ticks, finish):
    """The plan stays as it is; its order is still right, and what comes before the task as well."""
    *_, target = [number_of[item] for item in idea.ids]
    waits, ticks, finish = list(plan.waits), list(ticks), list(finish)
    if idea.kind == "parallelise":
        first = number_of[idea.ids[0]]
        waits[target] = [other for other in waits[target] if other != first]
    else:
        ticks[target] = idea.ticks  # 0 for a task that is removed
    run(plan.order[plan.place[target] :], waits, ticks, finish)
    return max(finish)


def main():
    try:
        tasks, ideas = parse(sys.stdin.buffer.read())
        answer = solve(tasks, check(tasks, ideas), ideas)
    except Refusal as refusal:
        answer = {"ok": False, "error": str(refusal)}
    print(json.dumps(answer))
    sys.exit(0 if answer["ok"] else 1)


if __name__ == "__main__":
    main()
