"""Wrong: takes four characters for a token, and the rest of the output for hidden."""

import json
import sys
from fractions import Fraction
from typing import NamedTuple

CONVENTIONS = ("inclusive", "separate")
FINISHES = ("stop", "length", "tool_calls")
FIGURES = ("hidden", "visible", "billed")


class Refusal(Exception):
    """The input must be refused with this code."""


class Turn(NamedTuple):
    output: int | None
    reasoning: int | None
    characters: int
    finish: str


class Task(NamedTuple):
    convention: str
    needs_evidence: bool
    evidence_read: bool
    budget: int | None
    turns: list


# ---- Reading: everything that is malformed


def parse(data):
    try:
        given = json.loads(data.decode("utf-8"))
    except ValueError:
        raise Refusal("malformed") from None
    check_fields(given, required={"tasks"})
    return [parse_task(task) for task in array(given["tasks"])]


TASK_FIELDS, TURN_FIELDS = set(Task._fields) - {"budget"}, set(Turn._fields)


def parse_task(task):
    check_fields(task, required=TASK_FIELDS, optional={"budget"})
    return Task(
        convention=one_of(CONVENTIONS, task["convention"]),
        needs_evidence=boolean(task["needs_evidence"]),
        evidence_read=boolean(task["evidence_read"]),
        budget=integer_or_null(task.get("budget")),
        turns=[parse_turn(turn) for turn in array(task["turns"])],
    )


def parse_turn(turn):
    check_fields(turn, required=TURN_FIELDS)
    return Turn(
        output=integer_or_null(turn["output"]),
        reasoning=integer_or_null(turn["reasoning"]),
        characters=integer(turn["characters"]),
        finish=one_of(FINISHES, turn["finish"]),
    )


def check_fields(value, *, required, optional=frozenset()):
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


def integer_or_null(value):
    return None if value is None else integer(value)


def boolean(value):
    if type(value) is not bool:
        raise Refusal("malformed")
    return value


def one_of(allowed, value):
    if value not in allowed:
        raise Refusal("malformed")
    return value


# ---- The refusals of the table, in its order, each over the whole input


def check(tasks):
    if not all(task.turns for task in tasks):
        raise Refusal("no_turns")
    if not all(are_in_order(task.turns) for task in tasks):
        raise Refusal("turns_out_of_order")
    if any(has_negative(task) for task in tasks):
        raise Refusal("negative_count")
    if any(reasons_beyond_output(task) for task in tasks):
        raise Refusal("reasoning_exceeds_output")


def are_in_order(turns):
    """Every turn but the last calls tools, and the last one does not."""
    *earlier, last = turns
    calls = all(turn.finish == "tool_calls" for turn in earlier)
    return calls and last.finish != "tool_calls"


def has_negative(task):
    if task.budget is not None and task.budget < 0:
        return True
    counts = [count for turn in task.turns for count in turn[:3] if count is not None]
    return any(count < 0 for count in counts)


def reasons_beyond_output(task):
    if task.convention == "separate":
        return False
    known = [turn for turn in task.turns if None not in turn[:2]]
    return any(turn.reasoning > turn.output for turn in known)


# ---- The answer


def solve(tasks):
    results = [account(task) for task in tasks]
    turns = [turn for result in results for turn in result["turns"]]
    without = [result for result in results if result["status"] == "needs_evidence"]
    totals = {
        **totals_of(results),
        "unknown_turns": sum(turn["hidden"] is None for turn in turns),
        "billed_without_evidence": total(result["billed"] for result in without),
    }
    return {"ok": True, "tasks": results, "totals": totals}


def account(task):
    turns = [count(task.convention, turn) for turn in task.turns]
    figures = totals_of(turns)
    hidden, billed = figures["hidden"], figures["billed"]
    at_least = sum(turn["hidden"] for turn in turns if turn["hidden"] is not None)
    return {
        "status": status(task),
        "turns": turns,
        **figures,
        "hidden_at_least": at_least,
        "hidden_share": share(hidden, billed),
        "over_budget": over_budget(task.budget, at_least, hidden),
    }


def count(convention, turn):
    output, reasoning = turn.output, turn.reasoning
    if reasoning is None and output is not None:
        reasoning = max(output - turn.characters // 4, 0)
    both = output is not None and reasoning is not None
    if convention == "inclusive":
        visible, billed = output - reasoning if both else None, output
    else:
        visible, billed = output, output + reasoning if both else None
    return {"hidden": reasoning, "visible": visible, "billed": billed}


def totals_of(parts):
    return {name: total(part[name] for part in parts) for name in FIGURES}


def total(terms):
    """The sum, unknown as soon as one term is."""
    terms = list(terms)
    return None if None in terms else sum(terms)


def share(hidden, billed):
    if hidden is None or not billed:
        return None
    value = Fraction(hidden, billed)
    return f"{value.numerator}/{value.denominator}"


def over_budget(budget, at_least, hidden):
    """What is known may be too much already; only a known total can be within the budget."""
    if budget is None:
        return None
    if at_least > budget:
        return True
    return None if hidden is None else False


def status(task):
    last = task.turns[-1]
    if task.needs_evidence and not task.evidence_read:
        return "needs_evidence"
    if last.finish == "length":
        return "cut_off"
    return "answered" if last.characters else "no_answer"


def main():
    try:
        tasks = parse(sys.stdin.buffer.read())
        check(tasks)
        answer = solve(tasks)
    except Refusal as refusal:
        answer = {"ok": False, "error": str(refusal)}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
