"""Regular expressions cut the text into tokens; JSON is a table of states of its own."""

import json
import re
import sys
from collections import Counter

PIECE = re.compile(r'"(?:[^"\\]|\\.)*+("?)|[()\[\]{}]', re.DOTALL)
FENCE = re.compile(r"^```(.*)$", re.MULTILINE)
JSON_TOKEN = re.compile(
    r"""[ \t\n\r]*+(?:
        (?P<mark>[\[\]{}:,])
      | (?P<string>"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*+")
      | (?P<atom>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null)
      | (?P<end>\Z)
    )""",
    re.VERBOSE,
)
PAIRS = {"(": ")", "[": "]", "{": "}"}
FINISHES = {"stop", "tool_calls", "length"}


def demand(condition, code="malformed"):
    if not condition:
        print(json.dumps({"ok": False, "error": code}))
        sys.exit(0)


def is_count(value):
    return value is None or (isinstance(value, int) and not isinstance(value, bool))


def read():
    try:
        given = json.loads(str(sys.stdin.buffer.read(), "utf-8"))
    except ValueError:
        demand(False)
    demand(isinstance(given, dict) and list(given) == ["outputs"])
    demand(isinstance(given["outputs"], list))
    rows = []
    for output in given["outputs"]:
        demand(isinstance(output, dict))
        row = {"completion_tokens": None, "max_tokens": None} | output
        demand(len(row) == 5 and {"kind", "text", "finish"} < set(row))
        demand(isinstance(row["kind"], str) and row["kind"] in {"json", "code", "fenced"})
        demand(isinstance(row["text"], str))
        finish = row["finish"]
        demand(finish is None or (isinstance(finish, str) and finish in FINISHES))
        demand(is_count(row["completion_tokens"]) and is_count(row["max_tokens"]))
        rows.append(row)
    demand(all((row["completion_tokens"] or 0) >= 0 for row in rows), "negative_tokens")
    limits = (row["max_tokens"] for row in rows)
    demand(all(limit is None or limit > 0 for limit in limits), "max_tokens_out_of_range")
    return rows


def brackets(text):
    """(what is open, whether the structure holds)."""
    marks, offsets, closers = [], [], []
    for match in PIECE.finditer(text):
        piece = match[0]
        if piece[0] == '"':
            if not match[1]:
                return [*zip(marks, offsets), ('"', match.start())], True
        elif piece in PAIRS:
            marks.append(piece)
            offsets.append(match.start())
            closers.append(PAIRS[piece])
        elif closers and closers[-1] == piece:
            for stack in (marks, offsets, closers):
                stack.pop()
        else:
            return None, False
    return list(zip(marks, offsets)), True


def fences(text):
    where = None
    for match in FENCE.finditer(text):
        if where is None:
            where = match.start()
        elif not match[1].strip(" \t\r"):
            where = None
    return ([] if where is None else [("```", where)]), True


def is_document(text):
    """Whether the text is an object or an array, by the grammar."""
    match = JSON_TOKEN.match(text)
    if not match or match["mark"] not in ("{", "["):
        return False
    state, inside, position = "value", [], 0
    while match := JSON_TOKEN.match(text, position):
        position = match.end()
        mark = match["mark"]
        if match["end"] is not None:
            return state == "end"
        if mark in ("]", "}") and inside and inside[-1] == mark:
            if state not in ("next", "first"):
                return False
            inside.pop()
            state = "next" if inside else "end"
        elif mark in ("[", "{") and (state == "value" or (state == "first" and inside[-1] == "]")):
            inside.append("]" if mark == "[" else "}")
            state = "first"
        elif mark == "," and state == "next":
            state = "value" if inside[-1] == "]" else "name"
        elif mark == ":" and state == "colon":
            state = "value"
        elif mark is not None:
            return False
        elif state == "name" or (state == "first" and inside[-1] == "}"):
            if match["string"] is None:
                return False
            state = "colon"
        elif state in ("value", "first"):
            state = "next"
        else:
            return False
    return False


def result(row):
    kind, text, finish = row["kind"], row["text"], row["finish"]
    left, sound = fences(text) if kind == "fenced" else brackets(text)
    used, limit = row["completion_tokens"], row["max_tokens"]
    nothing = kind == "json" and re.fullmatch(r"[ \t\n\r]*", text)
    if finish == "length":
        verdict = "truncated", "length"
    elif finish != "stop" and None not in (used, limit) and limit <= used:
        verdict = "truncated", "cap"
    elif not sound or (kind == "json" and not left and not nothing and not is_document(text)):
        verdict = "invalid", "structure"
    elif left or nothing:
        verdict = "suspect", "open"
    else:
        verdict = ("complete", None) if finish else ("suspect", "no_finish")
    return dict(zip(("status", "reason"), verdict), open=left)


def main():
    results = [result(row) for row in read()]
    seen = Counter(one["status"] for one in results)
    counts = {status: seen[status] for status in ("complete", "truncated", "suspect", "invalid")}
    json.dump({"ok": True, "results": results, "counts": counts}, sys.stdout)


main()
