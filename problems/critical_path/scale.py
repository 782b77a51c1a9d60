"""Inputs near the stated limits, as functions of a seed."""

import json
from random import Random

LARGEST = 10**15


def _names(random, number):
    """Names whose order says nothing."""
    return [f"t{code:05x}" for code in random.sample(range(16**5), number)]


def _text(random, tasks, ideas):
    """The last tasks stand first, and a hundred neighbours in any order."""
    listed = []
    for end in range(len(tasks), 0, -100):
        part = tasks[max(0, end - 100) : end]
        random.shuffle(part)
        listed += part
    return json.dumps({"tasks": listed, "what_if": ideas}) + "\n"


def diamonds(seed):
    """60 diamonds in a row, in each of which both sides take as long: 2^60 longest paths."""
    random = Random(seed)
    names = _names(random, 181)
    tasks = [{"id": names[0], "ticks": random.randrange(1, LARGEST)}]
    for i in range(0, 180, 3):
        top, left, right, bottom = names[i : i + 4]
        ticks, last = random.randrange(1, LARGEST), random.randrange(1, LARGEST)
        tasks.append({"id": left, "ticks": ticks, "needs": [top]})
        tasks.append({"id": right, "ticks": ticks, "needs": [top]})
        tasks.append({"id": bottom, "ticks": last, "needs": [left], "follows": [right]})
    ideas = [["set", names[1], LARGEST], ["remove", names[90]], ["parallelise", names[2], names[3]]]
    return _text(random, tasks, ideas)


def hub(seed):
    """One task waits for 30,000, and 19,999 wait for it."""
    random = Random(seed)
    names = _names(random, 50_000)
    middle, before, behind = names[0], names[1:30_001], names[30_001:]
    tasks = [{"id": name, "ticks": random.randrange(1, LARGEST)} for name in before]
    tasks.append({"id": middle, "ticks": random.randrange(1, LARGEST), "needs": before})
    for name in behind:
        tasks.append({"id": name, "ticks": random.randrange(1, LARGEST), "follows": [middle]})
    ideas = [
        ["remove", middle],
        ["set", before[7], LARGEST],
        ["parallelise", middle, behind[3]],
    ]
    return _text(random, tasks, ideas)


def long_chain(seed):
    """30,000 tasks, nearly each of which waits for the one before and for four earlier ones."""
    random = Random(seed)
    names = _names(random, 30_000)
    tasks, follows = [], []
    for i, name in enumerate(names):
        lists = {"needs": [], "follows": []}
        for j in range(5 if i else 0):
            back = 1 if j == 0 and random.random() < 0.999 else random.randrange(2, 200)
            earlier = names[max(0, i - back)]
            kind = random.choice(("needs", "needs", "follows"))
            if kind == "follows":
                follows.append((earlier, name))
            lists[kind].append(earlier)
        lists = {kind: ids for kind, ids in lists.items() if ids}
        tasks.append({"id": name, "ticks": random.randrange(1, LARGEST), **lists})
    needed = {(earlier, task["id"]) for task in tasks for earlier in task.get("needs", ())}
    habits = [pair for pair in follows if pair not in needed]
    ideas = []
    for i in range(10):
        kind = ("set", "parallelise", "remove", "parallelise")[i % 4]
        if kind == "parallelise":
            ideas.append([kind, *random.choice(habits)])
        elif kind == "remove":
            ideas.append([kind, random.choice(names)])
        else:
            ideas.append([kind, random.choice(names), random.randrange(1, LARGEST)])
    return _text(random, tasks, ideas)
