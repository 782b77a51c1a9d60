"""Bytes that a student's program printed become one JSON object, or a reason why not.

Strict and bounded: UTF-8 only, exactly one object, no NaN or Infinity, no duplicate keys, no
integer of more than 1,000 digits, no nesting that the parser cannot take. Never `eval`.
"""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from grader.bundles.schemas import Real

MAX_DIGITS = 1000
TOO_DEEP = "the output is nested too deeply"


class Malformed(Exception):
    """The output is not one JSON object; the message says why, for the student."""


def decode(stdout: bytes) -> dict[str, Any]:
    """Read one JSON object.

    Raises:
        Malformed: it is anything else.
    """
    if not stdout.strip():
        raise Malformed("nothing was printed; print one JSON object")
    try:
        text = stdout.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed(f"the output is not UTF-8: byte {error.start}") from None
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            why = "more than one JSON value was printed: print the answer once and nothing else"
            raise Malformed(f"{why} (line {error.lineno}, column {error.colno})") from None
        where = f"line {error.lineno}, column {error.colno}"
        if not text.lstrip().startswith("{") and "{" in text:
            why = "something stands before the object; only the answer may go to stdout"
            raise Malformed(f"the output is not JSON: {why} (use stderr for the rest)") from None
        raise Malformed(f"the output is not JSON: {error.msg}, {where}") from None
    except RecursionError:
        raise Malformed(TOO_DEEP) from None
    if not isinstance(value, dict):
        raise Malformed("the output is JSON, but not an object: print {…}")
    return value


def _integer(digits: str) -> int:
    if len(digits.lstrip("-")) > MAX_DIGITS:
        raise Malformed(f"an integer has more than {MAX_DIGITS} digits")
    return int(digits)


def _decimal(text: str) -> float:
    value = Real(text)
    if math.isinf(value):
        raise Malformed(f"the number {text[:20]} is too large")
    return value


def _constant(name: str) -> NoReturn:
    raise Malformed(f"{name} is not JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise Malformed(f"the key {json.dumps(twice)} stands twice in one object")
    return result


_DECODER = json.JSONDecoder(
    parse_int=_integer, parse_float=_decimal, parse_constant=_constant, object_pairs_hook=_object
)
