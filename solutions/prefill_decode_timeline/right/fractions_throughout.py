"""The definitions, word for word, in exact rationals; Fraction does all the arithmetic."""

import json
import re
import sys
from fractions import Fraction

DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,12})?")
PHASES = ["queue", "prefill", "decode", "tool"]


def refuse(code):
    print(json.dumps({"ok": False, "error": code}))
    sys.exit(0)


def demand(condition, code="malformed"):
    if not condition:
        refuse(code)


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_chunk(value):
    return isinstance(value, list) and len(value) == 2 and all(map(is_integer, value))


def is_call(value):
    return (
        isinstance(value, dict)
        and set(value) == {"arrival", "scheduled", "first_token", "chunks"}
        and all(is_integer(value[name]) for name in ("arrival", "scheduled", "first_token"))
        and isinstance(value["chunks"], list)
        and all(map(is_chunk, value["chunks"]))
    )


def is_what_if(value):
    return (
        isinstance(value, dict)
        and set(value) == {"phase", "factor"}
        and value["phase"] in PHASES
        and isinstance(value["factor"], str)
        and DECIMAL.fullmatch(value["factor"]) is not None
    )


def read():
    try:
        given = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    except ValueError:
        refuse("malformed")
    demand(isinstance(given, dict))
    given = {"what_ifs": []} | given
    demand(set(given) == {"calls", "what_ifs"})
    demand(isinstance(given["calls"], list) and all(map(is_call, given["calls"])))
    demand(isinstance(given["what_ifs"], list) and all(map(is_what_if, given["what_ifs"])))
    return given["calls"], given["what_ifs"]


def refuse_impossible(calls, what_ifs):
    demand(calls, "no_calls")
    for call in calls:
        for _, tokens in call["chunks"]:
            demand(1 <= tokens <= 1000, "tokens_out_of_range")
    latest = calls[0]["arrival"]
    for call in calls:
        times = [call["arrival"], call["scheduled"], call["first_token"]]
        for time in times + [time for time, _ in call["chunks"]]:
            demand(latest <= time, "time_goes_back")
            latest = time
    for what_if in what_ifs:
        demand(Fraction(what_if["factor"]) >= 0, "factor_out_of_range")


def text(value):
    return None if value is None else f"{value.numerator}/{value.denominator}"


def quotient(part, whole):
    return None if whole == 0 else Fraction(part) / whole


def end_of(call):
    return call["chunks"][-1][0] if call["chunks"] else call["first_token"]


def measure(call):
    gaps, longest, before = [], None, call["first_token"]
    for time, tokens in call["chunks"]:
        gaps.extend([text(Fraction(time - before, tokens))] * tokens)
        longest = time - before if longest is None else max(longest, time - before)
        before = time
    return {
        "tokens": len(gaps) + 1,
        "ttft": call["first_token"] - call["arrival"],
        "itl": gaps,
        "tpot": text(quotient(end_of(call) - call["first_token"], len(gaps))),
        "longest_gap": longest,
        "e2e": end_of(call) - call["arrival"],
    }


def split_into_phases(calls):
    phases = dict.fromkeys(PHASES, 0)
    before = calls[0]["arrival"]
    for call in calls:
        phases["tool"] += call["arrival"] - before
        phases["queue"] += call["scheduled"] - call["arrival"]
        phases["prefill"] += call["first_token"] - call["scheduled"]
        before = end_of(call)
        phases["decode"] += before - call["first_token"]
    return phases


def suppose(what_if, first, phases, e2e):
    phase, factor = what_if["phase"], Fraction(what_if["factor"])
    queue = Fraction(first["scheduled"] - first["arrival"])
    prefill = Fraction(first["first_token"] - first["scheduled"])
    if phase == "queue":
        queue *= factor
    if phase == "prefill":
        prefill *= factor
    new = e2e - (1 - factor) * phases[phase]
    speedup = text(quotient(e2e, new))
    return {"ttft": text(queue + prefill), "e2e": text(new), "speedup": speedup}


def main():
    calls, what_ifs = read()
    refuse_impossible(calls, what_ifs)
    results = [measure(call) for call in calls]
    phases = split_into_phases(calls)
    e2e = end_of(calls[-1]) - calls[0]["arrival"]
    tokens = sum(result["tokens"] for result in results)
    longest = max(phases.values())
    task = {
        "tokens": tokens,
        "ttft": results[0]["ttft"],
        "tpot": text(quotient(phases["decode"], tokens - len(calls))),
        "e2e": e2e,
        "phases": phases,
        "shares": {name: text(Fraction(phases[name], e2e)) for name in PHASES} if e2e else None,
        "largest": [name for name in PHASES if phases[name] == longest][0] if e2e else None,
    }
    supposed = [suppose(what_if, calls[0], phases, e2e) for what_if in what_ifs]
    print(json.dumps({"ok": True, "calls": results, "task": task, "what_ifs": supposed}))


main()
