"""The kit for GitLab CI: a pipeline that grades every push in the student's repository.

.gitlab-ci.yml    a job for each lab, with a JUnit report
grading/          see `parts.folder_in_repository`
"""

from __future__ import annotations

from collections.abc import Sequence

from grader.kits.kit import Kit, KitFile
from grader.kits.parts import expected, folder_in_repository, in_repository_note, slug, template
from grader.kits.pins import python_version
from grader.model.bundle import Bundle

_OTHER_MINUTES = 10
"""For the image, the packages and the end of the budget."""


def gitlab_kit(bundles: Sequence[Bundle], *, budget: int, lang: str) -> Kit:
    """The kit of these labs; staff files are never in it.

    Args:
        budget: seconds for one lab.

    Raises:
        UsageError: see `folder_in_repository`.
    """
    jobs = b"\n".join(
        template("gitlab/job.yml", PROBLEM=slug(bundle), FILE=bundle.file_name)
        for bundle in bundles
    )
    pipeline = template(
        "gitlab/gitlab-ci.yml",
        PYTHON=python_version(),
        FILES=expected(bundles),
        MINUTES=budget // 60 + _OTHER_MINUTES,
        BUDGET=budget,
        LANG=lang,
        JOBS=jobs.decode().rstrip("\n"),
    )
    files = {".gitlab-ci.yml": KitFile(content=pipeline), **folder_in_repository(bundles)}
    return Kit(files=files, notes=(in_repository_note("GitLab", bundles),))
