"""JSON Schema as the labs mean it: `1.0` and `true` are no integers, patterns match whole strings.

Standard JSON Schema takes `1.0` for an integer and searches for a pattern anywhere, and Python's
`$` and `\\d` let `"1\\n"` and Arabic digits through. An answer is hostile until it has passed here.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import jsonschema
import jsonschema_rs
from jsonschema.protocols import Validator

from grader.errors import BundleError


class Judgement(Protocol):
    """Says what is wrong with a value, as (JSON pointer, reason), or nothing."""

    def __call__(self, value: Any) -> tuple[str, str] | None: ...


def _is_integer(_: object, value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(_: object, value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _whole_pattern(
    validator: Any, pattern: str, value: object, schema: Any
) -> Iterator[jsonschema.ValidationError]:
    if isinstance(value, str) and not re.fullmatch(pattern, value, re.ASCII):
        yield jsonschema.ValidationError(f"{shorten(value)} does not match {pattern}")


_STANDARD = jsonschema.Draft202012Validator
_Strict: Any = jsonschema.validators.extend(  # type: ignore[no-untyped-call]
    _STANDARD,
    validators={"pattern": _whole_pattern},
    type_checker=_STANDARD.TYPE_CHECKER.redefine_many(
        {"integer": _is_integer, "number": _is_number}
    ),
)


def strict(schema: dict[str, Any]) -> Judgement:
    """A function that finds the first fault of a value under a schema."""
    validator: Validator = _Strict(schema)

    def first_fault(value: Any) -> tuple[str, str] | None:
        error = next(validator.iter_errors(value), None)
        if error is None:
            return None
        error = jsonschema.exceptions.best_match([error]) or error
        return pointer(error.absolute_path), reason(error)

    return first_fault


class Real(float):
    """A JSON number with a point or an exponent, as `judging.decode` reads it.

    The fast validator below does not know this type and gives up on it, which is what it should
    do: it would take `1.0` for an integer.
    """


def strict_for_answers(schema: dict[str, Any]) -> Judgement:
    """As `strict`, a thousand times faster for the answers that are right.

    A compiled validator (jsonschema-rs) looks first; whatever it does not accept is left to the
    exact one, which also finds the words. Its integers and patterns are those of this module:
    `1.0` is a `Real` and unknown to it, and every pattern is anchored beforehand.
    """
    fast = jsonschema_rs.Draft202012Validator(_anchored(schema))
    exact = strict(schema)

    def first_fault(value: Any) -> tuple[str, str] | None:
        try:
            if fast.is_valid(value):
                return None
        except ValueError:
            pass  # a Real, or a lone surrogate, which is no UTF-8
        return exact(value)

    return first_fault


def _anchored(schema: Any) -> Any:
    """The schema with patterns that match whole strings under search, too."""
    if isinstance(schema, dict):
        anchored = {key: _anchored(value) for key, value in schema.items()}
        if isinstance(schema.get("pattern"), str):
            anchored["pattern"] = f"^(?:{schema['pattern']})$"
        return anchored
    return [_anchored(item) for item in schema] if isinstance(schema, list) else schema


def pointer(path: Any) -> str:
    """A JSON pointer (RFC 6901); the empty string is the whole document."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def shorten(value: object, most: int = 80) -> str:
    """A value as JSON, cut in the middle where it is long."""
    if isinstance(value, str) and len(value) > 4 * most:
        value = value[:most] + value[-most:]
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 256:
        return f"an integer of {value.bit_length()} bits"
    if isinstance(value, list) and len(value) > most:
        return f"a list of {len(value)} items"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= most else f"{text[: most // 2]} … {text[-most // 2 :]}"


def reason(error: jsonschema.ValidationError) -> str:
    """What is wrong, without the whole value in it, with a guess at what was meant."""
    value, keyword, wanted = error.instance, error.validator, error.validator_value
    if keyword == "additionalProperties" and isinstance(value, dict):
        known = list(error.schema.get("properties", {}))  # type: ignore[union-attr]
        extra = next(key for key in value if key not in known)
        guess = difflib.get_close_matches(extra, known, 1)
        return f"unknown key {shorten(extra)}" + (f": did you mean {guess[0]!r}?" if guess else "")
    if keyword == "type":
        return f"{shorten(value)} is not of type {wanted}"
    if keyword == "required":
        missing = next(key for key in wanted if key not in value)  # type: ignore[union-attr, operator]
        return f"the key {missing!r} is missing"
    if keyword in ("maxItems", "minItems") and isinstance(value, list):
        return f"a list of {len(value)} items; {keyword} is {wanted}"
    if keyword in ("const", "enum", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"):
        return f"{shorten(value)}; {keyword} is {json.dumps(wanted)}"
    return error.message if len(error.message) <= 200 else error.message[:200] + " …"


def read_schema(path: Path) -> dict[str, Any]:
    """A schema file, itself checked.

    Raises:
        BundleError: missing, not JSON, not a JSON Schema, or with a `$ref` out of the file.
    """
    try:
        schema = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BundleError(path, "", f"cannot be read as JSON: {error}") from error
    if not isinstance(schema, dict):
        raise BundleError(path, "", "a schema is a JSON object")
    try:
        _STANDARD.check_schema(schema)
    except jsonschema.SchemaError as error:
        where = pointer(error.absolute_path)
        raise BundleError(path, where, f"not a JSON Schema: {error.message}") from error
    for reference in _references(schema):
        if not _leads_somewhere(schema, reference):
            raise BundleError(path, "$ref", f"{reference} is nothing in this file")
    return schema


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        found = schema.get("$ref")
        if isinstance(found, str):
            yield found
        schema = list(schema.values())
    if isinstance(schema, list):
        for inner in schema:
            yield from _references(inner)


def _leads_somewhere(schema: Any, reference: str) -> bool:
    """Whether `#`, or a JSON Pointer behind it, is a part of the schema."""
    start, *names = reference.split("/")
    for name in (name.replace("~1", "/").replace("~0", "~") for name in names):
        if isinstance(schema, list) and name.isdecimal() and int(name) < len(schema):
            schema = schema[int(name)]
        elif isinstance(schema, dict) and name in schema:
            schema = schema[name]
        else:
            return False
    return start == "#"
