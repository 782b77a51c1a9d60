"""Inputs near the stated limits, as functions of a seed."""

import json
from random import Random

OPENERS, CLOSERS = "([{", {"(": ")", "[": "]", "{": "}"}
WORDS = ("run", "x", "f1", " = ", "; ", "\n", '"a(b"', '"\\""', "'", "é", "()", '{"k": []}')


def _text(outputs):
    return json.dumps({"outputs": outputs}) + "\n"


def _output(kind, text, finish="stop"):
    return {"kind": kind, "text": text, "finish": finish}


def _deep(random, depth):
    """Brackets of three kinds, one inside the other, all closed again."""
    opened = "".join(random.choices(OPENERS, k=depth))
    return opened + "".join(CLOSERS[mark] for mark in reversed(opened))


def deep_code(seed):
    """1,000,000 brackets one inside the other."""
    return _text([_output("code", _deep(Random(seed), 1_000_000))])


def left_open(seed):
    """200,000 brackets stay open, with closed ones between them, and at last a string."""
    random = Random(seed)
    parts = [mark + random.choice(WORDS) for mark in random.choices(OPENERS, k=200_000)]
    return _text([_output("code", "".join(parts) + '"', "tool_calls")])


def many_fences(seed):
    """A text of 2,000,000 characters in some 400,000 short lines, half of them fences."""
    random = Random(seed)
    lines = random.choices(("```", "```py", "x", "", "```", "f()", "``` ", " ```"), k=460_000)
    return _text([_output("fenced", "\n".join(lines)[:1_990_000] + "\n```py\n```\n```a")])


def long_json(seed):
    """An array of 2,000,000 characters: objects, strings full of escapes, numbers."""
    random = Random(seed)
    items = (
        '{"a":[1,2,{"b":"}"}]}',
        '"' + "\\\\" * 40 + '\\""',
        "-12.5e3",
        '"' + "[{(" * 30 + '"',
        "9" * 1000,
        "[" * 90 + "]" * 90,
        '"' + "x" * 300 + '"',
    )
    return _text([_output("json", "[" + ",".join(random.choices(items, k=8_500)) + "]")])


def many_outputs(seed):
    """100,000 short outputs of every kind."""
    random, outputs = Random(seed), []
    texts = (
        ("json", '{"a": [1, 2]}'), ("json", '{"a": [1, 2'), ("json", ""), ("json", "[1,]"),
        ("code", 'f("(")'), ("code", "g(]"), ("code", "h([1"), ("fenced", "```\nx\n```"),
        ("fenced", "```py\nx"), ("code", ""),
    )  # fmt: skip
    for kind, text in random.choices(texts, k=100_000):
        finish = random.choice(("stop", "stop", "tool_calls", "length", None))
        output = _output(kind, text, finish)
        if finish != "stop":
            output |= {"completion_tokens": random.randrange(6, 9), "max_tokens": 8}
        outputs.append(output)
    return _text(outputs)
