"""Wrong: offsets count bytes of UTF-8."""

import json
import sys

BLANKS = " \t\n\r"
PARTNERS = {")": "(", "]": "[", "}": "{"}
FENCE = "```"
KINDS = ("json", "code", "fenced")
FINISHES = ("stop", "tool_calls", "length", None)
REQUIRED = {"kind", "text", "finish"}
TOKENS = {"completion_tokens", "max_tokens"}


class Refusal(Exception):
    """The input must be refused with this code."""


# ---- Reading: everything that is malformed


def parse(data):
    try:
        given = json.loads(data.decode("utf-8"))
    except ValueError:
        raise Refusal("malformed") from None
    check_fields(given, required={"outputs"})
    if type(given["outputs"]) is not list:
        raise Refusal("malformed")
    for output in given["outputs"]:
        check_output(output)
    return given["outputs"]


def check_fields(value, *, required, optional=frozenset()):
    if type(value) is not dict or not required <= value.keys() <= required | optional:
        raise Refusal("malformed")


def check_output(output):
    check_fields(output, required=REQUIRED, optional=TOKENS)
    if output["kind"] not in KINDS or output["finish"] not in FINISHES:
        raise Refusal("malformed")
    if type(output["text"]) is not str:
        raise Refusal("malformed")
    for name in TOKENS:
        # isinstance would let true through.
        if output.get(name) is not None and type(output[name]) is not int:
            raise Refusal("malformed")


# ---- The refusals of the table, in its order, each over the whole input


def check(outputs):
    if any(tokens < 0 for tokens in known(outputs, "completion_tokens")):
        raise Refusal("negative_tokens")
    if any(tokens < 1 for tokens in known(outputs, "max_tokens")):
        raise Refusal("max_tokens_out_of_range")


def known(outputs, name):
    return [output[name] for output in outputs if output.get(name) is not None]


# ---- The answer


def solve(outputs):
    results = [judge(output) for output in outputs]
    counts = {"complete": 0, "truncated": 0, "suspect": 0, "invalid": 0}
    for result in results:
        counts[result["status"]] += 1
    return {"ok": True, "results": results, "counts": counts}


def judge(output):
    kind, text = output["kind"], output["text"]
    left_open = open_fence(text) if kind == "fenced" else open_brackets(text)
    status, reason = decide(output, left_open)
    return {"status": status, "reason": reason, "open": left_open}


def open_brackets(text):
    """What is open at the end of `json` or `code`, outermost first; None when it is broken."""
    stack, in_string, escaped = [], False, False
    for offset, character in enumerate(text):
        if escaped:
            escaped = False
        elif in_string:
            if character == "\\":
                escaped = True
            elif character == '"':
                in_string = False
                stack.pop()
        elif character in '"([{':
            in_string = character == '"'
            stack.append((character, len(text[:offset].encode())))
        elif character in PARTNERS:
            if not stack or stack.pop()[0] != PARTNERS[character]:
                return None
    return stack


def open_fence(text):
    """The fence that is open at the end, in a list; no fence stands inside another."""
    fences, offset = [], 0
    for line in text.split("\n"):
        if not fences and line.startswith(FENCE):
            fences = [(FENCE, offset)]
        elif line.rstrip(BLANKS) == FENCE:
            fences = []
        offset += len(line) + 1
    return fences


def decide(output, left_open):
    """(status, reason): the first line of the table that applies."""
    finish, text = output["finish"], output["text"]
    if finish == "length":
        return "truncated", "length"
    if finish != "stop" and reached_the_limit(output):
        return "truncated", "cap"
    if left_open is None:
        return "invalid", "structure"
    if left_open:
        return "suspect", "open"
    if output["kind"] == "json" and not is_json(text):
        return ("invalid", "structure") if text.strip(BLANKS) else ("suspect", "open")
    if finish is None:
        return "suspect", "no_finish"
    return "complete", None


def reached_the_limit(output):
    used, most = output.get("completion_tokens"), output.get("max_tokens")
    return used is not None and most is not None and used >= most


def is_json(text):
    """Whether the text is a JSON object or array, as RFC 8259 has it."""
    try:
        value = json.loads(text, parse_constant=refuse_constant)
    except ValueError:
        return False
    return type(value) in (dict, list)


def refuse_constant(name):
    raise ValueError(f"{name} is not JSON, but Python reads it")


def main():
    try:
        outputs = parse(sys.stdin.buffer.read())
        check(outputs)
        answer = solve(outputs)
    except Refusal as refusal:
        answer = {"ok": False, "error": str(refusal)}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
