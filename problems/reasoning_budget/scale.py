"""Inputs near the stated limits, as functions of a seed."""

import json
from random import Random

TASKS, TURNS_OF_ONE = 50_000, 50_000
LARGEST = 10**18


def _turn(random, is_last, is_inclusive, unknown):
    """A turn as text: there are many of them and nothing to escape."""
    reasoning = random.getrandbits(60) % LARGEST
    output = random.getrandbits(60) % LARGEST
    if is_inclusive:
        output, reasoning = max(output, reasoning), min(output, reasoning)
    if random.random() < unknown:
        output, reasoning = random.choice(((output, "null"), ("null", reasoning)))
    finish = random.choice(("stop", "length")) if is_last else "tool_calls"
    characters = random.getrandbits(12) * random.getrandbits(1)
    return (
        f'{{"output": {output}, "reasoning": {reasoning}, "characters": {characters},'
        f' "finish": "{finish}"}}'
    )


def _task(random, turns, unknown):
    convention = random.choice(("inclusive", "separate"))
    is_inclusive = convention == "inclusive"
    written = [_turn(random, i == turns - 1, is_inclusive, unknown) for i in range(turns)]
    needs, read = (json.dumps(random.random() < 0.5) for _ in range(2))
    budget = random.choice(("null", random.getrandbits(63)))
    return (
        f'{{"convention": "{convention}", "needs_evidence": {needs}, "evidence_read": {read},'
        f' "budget": {budget}, "turns": [{", ".join(written)}]}}'
    )


def _text(tasks):
    return f'{{"tasks": [{", ".join(tasks)}]}}\n'


def many_tasks(seed):
    """Many tasks of one to three turns, some of them unknown."""
    random = Random(seed)
    sizes = [2] * TASKS
    for i in range(0, TASKS, 4):
        sizes[i], sizes[i + 1] = random.choice(((1, 3), (3, 1)))
    return _text([_task(random, turns, 0.1) for turns in sizes])


def one_long_task(seed):
    """All turns belong to one task; all are known, and their sum is far beyond 2^63."""
    return _text([_task(Random(seed), TURNS_OF_ONE, 0)])
