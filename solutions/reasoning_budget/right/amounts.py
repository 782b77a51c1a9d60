"""Small classes: an Amount is what is known, and whether something is missing from it."""

import json
import sys
from dataclasses import dataclass
from math import gcd


class Refusal(Exception):
    def __init__(self, code, at=""):
        super().__init__(code)
        self.code, self.at = code, at


@dataclass(frozen=True, slots=True)
class Amount:
    known: int = 0
    is_partial: bool = False

    @classmethod
    def reported(cls, number):
        return cls(0, True) if number is None else cls(number)

    def __add__(self, other):
        return Amount(self.known + other.known, self.is_partial or other.is_partial)

    def __sub__(self, other):
        return Amount(self.known - other.known, self.is_partial or other.is_partial)

    def told(self):
        return None if self.is_partial else self.known


@dataclass(frozen=True, slots=True)
class Account:
    hidden: Amount = Amount()
    visible: Amount = Amount()
    billed: Amount = Amount()

    def __add__(self, other):
        hidden, visible = self.hidden + other.hidden, self.visible + other.visible
        return Account(hidden, visible, self.billed + other.billed)

    def told(self):
        amounts = {"hidden": self.hidden, "visible": self.visible, "billed": self.billed}
        return {name: amount.told() for name, amount in amounts.items()}

    def share(self):
        if self.hidden.is_partial or self.billed.is_partial or self.billed.known == 0:
            return None
        n, d = self.hidden.known, self.billed.known
        return f"{n // gcd(n, d)}/{d // gcd(n, d)}"


# ---- Reading


def read_object(value, names, optional, at):
    if not isinstance(value, dict):
        raise Refusal("malformed", at)
    for name in set(value) ^ names:
        if name not in optional:
            raise Refusal("malformed", f"{at}/{name}")
    return value


def read_list(value, at):
    if not isinstance(value, list):
        raise Refusal("malformed", at)
    return value


def read_integer(value, at):
    if isinstance(value, bool) or not isinstance(value, int):
        raise Refusal("malformed", at)
    return value


def read_boolean(value, at):
    if value is not True and value is not False:
        raise Refusal("malformed", at)
    return value


def read_word(value, words, at):
    if not isinstance(value, str) or value not in words:
        raise Refusal("malformed", at)
    return value


class Turn:
    __slots__ = ("output", "reasoning", "characters", "finish")
    FIELDS = frozenset(__slots__)
    FINISHES = frozenset(("stop", "length", "tool_calls"))

    def __init__(self, value, at):
        read_object(value, self.FIELDS, (), at)
        for name in ("output", "reasoning"):
            if value[name] is not None:
                read_integer(value[name], f"{at}/{name}")
        self.output, self.reasoning = value["output"], value["reasoning"]
        self.characters = read_integer(value["characters"], f"{at}/characters")
        self.finish = read_word(value["finish"], self.FINISHES, f"{at}/finish")

    @property
    def counts(self):
        return self.output or 0, self.reasoning or 0, self.characters

    def is_impossible(self):
        if self.output is None or self.reasoning is None:
            return False
        return self.reasoning > self.output

    def account(self, is_inclusive):
        output, hidden = Amount.reported(self.output), Amount.reported(self.reasoning)
        if is_inclusive:
            return Account(hidden, output - hidden, output)
        return Account(hidden, output, output + hidden)


class Task:
    FIELDS = frozenset(("convention", "needs_evidence", "evidence_read", "turns"))
    CONVENTIONS = frozenset(("inclusive", "separate"))

    def __init__(self, value, at):
        read_object(value, self.FIELDS, ("budget",), at)
        convention = read_word(value["convention"], self.CONVENTIONS, f"{at}/convention")
        self.is_inclusive = convention == "inclusive"
        needs = read_boolean(value["needs_evidence"], f"{at}/needs_evidence")
        self.lacks_evidence = needs > read_boolean(value["evidence_read"], f"{at}/evidence_read")
        self.budget = value.get("budget")
        if self.budget is not None:
            read_integer(self.budget, f"{at}/budget")
        turns = read_list(value["turns"], f"{at}/turns")
        self.turns = [Turn(turn, f"{at}/turns/{i}") for i, turn in enumerate(turns)]
        self.at = at

    def is_out_of_order(self):
        calls = [turn.finish == "tool_calls" for turn in self.turns]
        return calls != [True] * (len(calls) - 1) + [False]

    def has_negative(self):
        return (self.budget or 0) < 0 or any(min(turn.counts) < 0 for turn in self.turns)

    def is_impossible(self):
        return self.is_inclusive and any(turn.is_impossible() for turn in self.turns)

    def status(self):
        last = self.turns[-1]
        if self.lacks_evidence:
            return "needs_evidence"
        if last.finish == "length":
            return "cut_off"
        return "no_answer" if last.characters == 0 else "answered"

    def judge(self, hidden):
        if self.budget is None:
            return None
        if self.budget < hidden.known:
            return True
        return None if hidden.is_partial else False


FAULTS = (
    ("no_turns", lambda task: not task.turns),
    ("turns_out_of_order", Task.is_out_of_order),
    ("negative_count", Task.has_negative),
    ("reasoning_exceeds_output", Task.is_impossible),
)


def read(data):
    try:
        given = json.loads(str(data, "utf-8"))
    except ValueError:
        raise Refusal("malformed") from None
    read_object(given, {"tasks"}, (), "")
    listed = read_list(given["tasks"], "/tasks")
    tasks = [Task(value, f"/tasks/{i}") for i, value in enumerate(listed)]
    for code, is_faulty in FAULTS:
        for task in tasks:
            if is_faulty(task):
                raise Refusal(code, task.at)
    return tasks


def answer(tasks):
    results, everything, lost, unknown = [], Account(), Amount(), 0
    for task in tasks:
        accounts = [turn.account(task.is_inclusive) for turn in task.turns]
        whole = sum(accounts, start=Account())
        unknown += sum(account.hidden.is_partial for account in accounts)
        everything += whole
        if task.lacks_evidence:
            lost += whole.billed
        result = {"status": task.status(), "turns": [account.told() for account in accounts]}
        result |= whole.told()
        result["hidden_at_least"] = whole.hidden.known
        result["hidden_share"] = whole.share()
        result["over_budget"] = task.judge(whole.hidden)
        results.append(result)
    totals = everything.told()
    totals |= {"unknown_turns": unknown, "billed_without_evidence": lost.told()}
    return {"ok": True, "tasks": results, "totals": totals}


if __name__ == "__main__":
    try:
        print(json.dumps(answer(read(sys.stdin.buffer.read()))))
    except Refusal as refusal:
        print(json.dumps({"ok": False, "error": refusal.code, "at": refusal.at}))
