"""Compact: a table of types for reading, a table of faults, a table of the two conventions."""

import json
import sys
from fractions import Fraction

COUNT, FLAG = "count", "flag"
TURN = {
    "output": (COUNT,),
    "reasoning": (COUNT,),
    "characters": COUNT,
    "finish": {"stop", "length", "tool_calls"},
}
TASK = {
    "convention": {"inclusive", "separate"},
    "needs_evidence": FLAG,
    "evidence_read": FLAG,
    "budget": (COUNT,),
    "turns": [TURN],
}
FIGURES = ("hidden", "visible", "billed")
FACTORS = {
    "inclusive": ((0, 1), (1, -1), (1, 0)),
    "separate": ((0, 1), (1, 0), (1, 1)),
}
"""Per convention, how often output and reasoning stand in hidden, in visible and in billed."""


class Refused(Exception):
    pass


def read(value, kind):
    """The value, if it is of that kind; a tuple is a kind that may be null, a set are words."""
    if kind == COUNT and type(value) is int:
        return value
    if kind == FLAG and type(value) is bool:
        return value
    if type(kind) is set and type(value) is str and value in kind:
        return value
    if type(kind) is tuple:
        return None if value is None else read(value, *kind)
    if type(kind) is list and type(value) is list:
        return [read(item, *kind) for item in value]
    if type(kind) is dict and type(value) is dict:
        if kind is TASK:
            value = {"budget": None} | value
        if value.keys() == kind.keys():
            return {name: read(value[name], kind[name]) for name in kind}
    raise Refused("malformed")


def read_input(data):
    try:
        given = json.loads(data.decode())
    except ValueError:
        raise Refused("malformed") from None
    return read(given, {"tasks": [TASK]})["tasks"]


def find_fault(tasks):
    """The first code of the table that applies: one pass, keeping the smallest rank."""
    codes = ("no_turns", "turns_out_of_order", "negative_count", "reasoning_exceeds_output")
    rank = len(codes)
    for task in tasks:
        turns = task["turns"]
        if not turns:
            rank = 0
        finishes = [turn["finish"] for turn in turns]
        if finishes.count("tool_calls") != len(turns) - 1 or finishes[-1:] == ["tool_calls"]:
            rank = min(rank, 1)
        numbers = [task["budget"]]
        for turn in turns:
            output, reasoning = turn["output"], turn["reasoning"]
            numbers += [output, reasoning, turn["characters"]]
            if task["convention"] == "inclusive" and None not in (output, reasoning):
                rank = min(rank, 3) if reasoning > output else rank
        if any(number and number < 0 for number in numbers):
            rank = min(rank, 2)
    if rank < len(codes):
        raise Refused(codes[rank])


def weigh(factors, numbers):
    """The sum of factor times number; null as soon as a number that it uses is null."""
    used = [(factor, number) for factor, number in zip(factors, numbers) if factor]
    if any(number is None for _, number in used):
        return None
    return sum(factor * number for factor, number in used)


def plus(one, other):
    return None if one is None or other is None else one + other


def status(task):
    last = task["turns"][-1]
    if task["needs_evidence"] and not task["evidence_read"]:
        return "needs_evidence"
    if last["finish"] == "length":
        return "cut_off"
    return "answered" if last["characters"] > 0 else "no_answer"


def account(task):
    counts, sums, at_least = [], dict.fromkeys(FIGURES, 0), 0
    for turn in task["turns"]:
        numbers = turn["output"], turn["reasoning"]
        told = [weigh(factors, numbers) for factors in FACTORS[task["convention"]]]
        count = dict(zip(FIGURES, told))
        counts.append(count)
        at_least += count["hidden"] or 0
        sums = {name: plus(sums[name], count[name]) for name in FIGURES}
    hidden, _, billed = sums.values()
    share = Fraction(hidden, billed) if billed and hidden is not None else None
    budget = task["budget"]
    exceeds = None
    if budget is not None and (hidden is not None or at_least > budget):
        exceeds = at_least > budget
    return {
        "status": status(task),
        "turns": counts,
        **sums,
        "hidden_at_least": at_least,
        "hidden_share": None if share is None else f"{share.numerator}/{share.denominator}",
        "over_budget": exceeds,
    }


def answer(tasks):
    find_fault(tasks)
    results, totals = [], dict.fromkeys(FIGURES, 0)
    totals |= {"unknown_turns": 0, "billed_without_evidence": 0}
    for result in map(account, tasks):
        results.append(result)
        for name in FIGURES:
            totals[name] = plus(totals[name], result[name])
        totals["unknown_turns"] += [count["hidden"] for count in result["turns"]].count(None)
        if result["status"] == "needs_evidence":
            name = "billed_without_evidence"
            totals[name] = plus(totals[name], result["billed"])
    return {"ok": True, "tasks": results, "totals": totals}


try:
    print(json.dumps(answer(read_input(sys.stdin.buffer.read()))))
except Refused as refused:
    print(json.dumps({"ok": False, "error": str(refused)}))
