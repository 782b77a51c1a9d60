"""JSON Schema as the labs mean it, and its fast twin that must agree with it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.bundles.schemas import strict, strict_for_answers
from grader.judging.decode import decode

SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["ok"],
    "additionalProperties": False,
    "properties": {
        "ok": {"const": True},
        "n": {"type": "integer", "minimum": 0, "maximum": 10**20},
        "x": {"type": "number"},
        "text": {"type": "string", "pattern": r"\d+/[1-9]\d*", "maxLength": 20},
        "list": {"type": "array", "maxItems": 3, "items": {"$ref": "#/$defs/small"}},
    },
    "$defs": {"small": {"type": "integer", "maximum": 9}},
}


@pytest.mark.parametrize("validator", [strict, strict_for_answers])
@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('{"ok": true, "n": 1.0}', "/n"),
        ('{"ok": true, "n": 1e0}', "/n"),
        ('{"ok": true, "n": true}', "/n"),
        ('{"ok": true, "n": -1}', "/n"),
        ('{"ok": 1}', "/ok"),
        ('{"ok": true, "x": false}', "/x"),
        ('{"ok": true, "text": "1/2\\n"}', "/text"),
        ('{"ok": true, "text": " 1/2"}', "/text"),
        ('{"ok": true, "text": "\\u0661/2"}', "/text"),
        ('{"ok": true, "text": "\\ud800"}', "/text"),
        ('{"ok": true, "list": [1, 2, 10]}', "/list/2"),
        ('{"ok": true, "list": [1, 2, 3, 4]}', "/list"),
        ('{"ok": true, "extra": 1}', ""),
        ("{}", ""),
    ],
)
def test_what_a_schema_must_not_let_through(validator: Any, text: str, where: str) -> None:
    fault = validator(SCHEMA)(decode(text.encode()))
    assert fault is not None
    assert fault[0] == where


@pytest.mark.parametrize("validator", [strict, strict_for_answers])
@pytest.mark.parametrize(
    "text",
    [
        '{"ok": true}',
        '{"ok": true, "n": 100000000000000000000, "text": "17/20", "list": []}',
        '{"ok": true, "x": 0.5}',
        '{"ok": true, "n": -0}',
    ],
)
def test_what_a_schema_must_accept(validator: Any, text: str) -> None:
    assert validator(SCHEMA)(decode(text.encode())) is None


VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-2, 12),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.sampled_from(["1/2", "1/2\n", "\u0661/2", "01/1", "", "a" * 21]),
        st.text(max_size=5),
    ),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=5,
)


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(["ok", "n", "x", "text", "list"], VALUES)))
def test_the_fast_validator_agrees_with_the_exact_one(value: dict[str, Any]) -> None:
    answer = decode(json.dumps(value).encode())
    assert strict_for_answers(SCHEMA)(answer) == strict(SCHEMA)(answer)


def test_a_fault_is_told_without_the_whole_value_in_it() -> None:
    fault = strict(SCHEMA)({"ok": True, "text": "1" * 100_000})
    assert fault is not None
    assert len(fault[1]) < 500
