"""A class to discover, made in each way in which it may be given."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.course.classes import WAYS, Build


@pytest.fixture(params=WAYS)
def build(request: pytest.FixtureRequest, tmp_path: Path) -> Build:
    """Makes a class as a folder, or as a zip of it."""
    way = WAYS[request.param]
    return lambda files: way(tmp_path, files)
