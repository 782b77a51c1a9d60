"""Labs as kits get them, and kits of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from grader.bundles.load import load_bundle
from grader.kits.github import github_kit
from grader.kits.gitlab import gitlab_kit
from grader.kits.gradescope import gradescope_kit
from grader.kits.kit import Kit
from grader.model.bundle import Bundle
from tests.conftest import LABS


def lab(slug: str = "double", *, staff: bool = True, root: Path = LABS) -> Bundle:
    return load_bundle(root / "problems" / slug, root / "solutions" / slug if staff else None)


def for_gradescope(bundle: Bundle, *, with_staff: bool = True, **more: Any) -> Kit:
    return gradescope_kit(bundle, budget=540, lang="en", with_staff=with_staff, **more)


PUBLIC: dict[str, Callable[[Bundle], Kit]] = {
    "gradescope": lambda bundle: for_gradescope(bundle, with_staff=False),
    "github": lambda bundle: github_kit([bundle], budget=540, lang="en"),
    "gitlab": lambda bundle: gitlab_kit([bundle], budget=540, lang="en"),
}
"""The kits that anybody may have."""
