"""The kit for GitHub Actions: a workflow that grades every push in the student's repository.

.github/workflows/grade.yml    a step for each lab
grading/                       see `parts.folder_in_repository`
"""

from __future__ import annotations

from collections.abc import Sequence

from grader.kits.kit import Kit, KitFile
from grader.kits.parts import expected, folder_in_repository, in_repository_note, slug, template
from grader.kits.pins import python_version
from grader.model.bundle import Bundle

_OTHER_MINUTES = 10
"""For the machine, the packages and the ends of budgets."""


def github_kit(bundles: Sequence[Bundle], *, budget: int, lang: str) -> Kit:
    """The kit of these labs; staff files are never in it.

    Args:
        budget: seconds for one lab.

    Raises:
        UsageError: see `folder_in_repository`.
    """
    steps = b"\n".join(
        template(
            "github/step.yml",
            PROBLEM=slug(bundle),
            FILE=bundle.file_name,
            BUDGET=budget,
            LANG=lang,
        )
        for bundle in bundles
    )
    workflow = template(
        "github/grade.yml",
        PYTHON=python_version(),
        FILES=expected(bundles),
        MINUTES=len(bundles) * budget // 60 + _OTHER_MINUTES,
        STEPS=steps.decode().rstrip("\n"),
    )
    files = {
        ".github/workflows/grade.yml": KitFile(content=workflow),
        **folder_in_repository(bundles),
    }
    return Kit(files=files, notes=(in_repository_note("GitHub", bundles),))
