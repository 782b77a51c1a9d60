"""Wrong: a list of the right field names passes for an object, and the program crashes."""

import json
import re
import sys
from itertools import pairwise
from math import gcd
from typing import NamedTuple

UNIT = 10**12
DECIMAL = re.compile(r"-?(0|[1-9][0-9]{0,11})(\.[0-9]{1,12})?")
PHASES = ("queue", "prefill", "decode", "tool")
MOST_TOKENS = 1000


class Refusal(Exception):
    """The input must be refused with this code."""


class Call(NamedTuple):
    arrival: int
    scheduled: int
    first_token: int
    chunks: list

    def moments(self):
        return [*self[:3], *(time for time, _ in self.chunks)]

    def end(self):
        return self.moments()[-1]


class WhatIf(NamedTuple):
    phase: str
    factor: int


# ---- Reading: everything that is malformed


def parse(data):
    """(calls, what_ifs), with factors in units of 10**-12."""
    try:
        given = json.loads(data.decode("utf-8"))
    except ValueError:
        raise Refusal("malformed") from None
    check_fields(given, required={"calls"}, optional={"what_ifs"})
    calls = [parse_call(call) for call in array(given["calls"])]
    what_ifs = [parse_what_if(what_if) for what_if in array(given.get("what_ifs", []))]
    return calls, what_ifs


def parse_call(call):
    check_fields(call, required=set(Call._fields))
    return Call(
        arrival=integer(call["arrival"]),
        scheduled=integer(call["scheduled"]),
        first_token=integer(call["first_token"]),
        chunks=[parse_chunk(chunk) for chunk in array(call["chunks"])],
    )


def parse_chunk(chunk):
    if len(array(chunk)) != 2:
        raise Refusal("malformed")
    time, tokens = chunk
    return integer(time), integer(tokens)


def parse_what_if(what_if):
    check_fields(what_if, required=set(WhatIf._fields))
    phase = what_if["phase"]
    if phase not in PHASES:
        raise Refusal("malformed")
    return WhatIf(phase, units(what_if["factor"]))


def check_fields(value, *, required, optional=frozenset()):
    try:
        names = set(value)
    except TypeError:
        raise Refusal("malformed") from None
    if not required <= names <= required | optional:
        raise Refusal("malformed")


def array(value):
    if type(value) is not list:
        raise Refusal("malformed")
    return value


def integer(value):
    if type(value) is not int:  # isinstance would let True through
        raise Refusal("malformed")
    return value


def units(decimal):
    if type(decimal) is not str or not DECIMAL.fullmatch(decimal):
        raise Refusal("malformed")
    whole, _, places = decimal.partition(".")
    return int(whole + places.ljust(12, "0"))


# ---- The refusals of the table, in its order, each over the whole input


def check(calls, what_ifs):
    if not calls:
        raise Refusal("no_calls")
    if any(not 1 <= tokens <= MOST_TOKENS for call in calls for _, tokens in call.chunks):
        raise Refusal("tokens_out_of_range")
    times = [time for call in calls for time in call.moments()]
    if any(later < earlier for earlier, later in pairwise(times)):
        raise Refusal("time_goes_back")
    if any(what_if.factor < 0 for what_if in what_ifs):
        raise Refusal("factor_out_of_range")


# ---- The answer


def solve(calls, what_ifs):
    results = [measure(call) for call in calls]
    phases = {
        "queue": sum(call.scheduled - call.arrival for call in calls),
        "prefill": sum(call.first_token - call.scheduled for call in calls),
        "decode": sum(call.end() - call.first_token for call in calls),
        "tool": sum(later.arrival - call.end() for call, later in pairwise(calls)),
    }
    return {
        "ok": True,
        "calls": results,
        "task": total(results, phases),
        "what_ifs": [suppose(what_if, calls[0], phases) for what_if in what_ifs],
    }


def measure(call):
    """What the client of one call sees."""
    itl, waits, before = [], [], call.first_token
    for time, tokens in call.chunks:
        waits.append(time - before)
        itl += [ratio(time - before, tokens)] * tokens
        before = time
    return {
        "tokens": 1 + len(itl),
        "ttft": call.first_token - call.arrival,
        "itl": itl,
        "tpot": ratio(sum(waits), len(itl)) if itl else None,
        "longest_gap": max(waits, default=None),
        "e2e": call.end() - call.arrival,
    }


def total(results, phases):
    e2e = sum(phases.values())
    gaps = sum(len(result["itl"]) for result in results)
    return {
        "tokens": len(results) + gaps,
        "ttft": results[0]["ttft"],
        "tpot": ratio(phases["decode"], gaps) if gaps else None,
        "e2e": e2e,
        "phases": phases,
        "shares": {phase: ratio(phases[phase], e2e) for phase in PHASES} if e2e else None,
        "largest": max(PHASES, key=phases.get) if e2e else None,  # the first among equals
    }


def suppose(what_if, first, phases):
    """Every interval of the phase times the factor, all else as recorded."""
    phase, factor = what_if
    e2e = sum(phases.values())
    before_first_token = {
        "queue": first.scheduled - first.arrival,
        "prefill": first.first_token - first.scheduled,
    }
    added = factor - UNIT  # to every unit of the phase; negative where the factor is below 1
    ttft = UNIT * sum(before_first_token.values()) + added * before_first_token.get(phase, 0)
    new = UNIT * e2e + added * phases[phase]
    return {
        "ttft": ratio(ttft, UNIT),
        "e2e": ratio(new, UNIT),
        "speedup": ratio(UNIT * e2e, new) if new else None,
    }


def ratio(n, d):
    divisor = gcd(n, d)
    return f"{n // divisor}/{d // divisor}"


def main():
    try:
        calls, what_ifs = parse(sys.stdin.buffer.read())
        check(calls, what_ifs)
        answer = solve(calls, what_ifs)
    except Refusal as refusal:
        answer = {"ok": False, "error": str(refusal)}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
