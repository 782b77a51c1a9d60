"""What other systems accept, transcribed from what they publish."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema


def read_as(name: str, text: str) -> dict[str, Any]:
    """JSON text as the system `name` reads it; a `ValidationError` says what it refuses."""
    path = Path(__file__).parent / f"{name}.schema.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    value = json.loads(text)
    assert isinstance(value, dict)
    jsonschema.Draft202012Validator(schema).validate(value)
    return value
