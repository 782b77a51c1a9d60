"""What kits are made of: the files of labs, templates with their placeholders filled in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from grader.bundles.files import content_of, files_of
from grader.errors import UsageError
from grader.kits.kit import Files, KitFile, below
from grader.kits.pins import own_package, python_version, requirements
from grader.model.bundle import Bundle

BUDGET_SECONDS = 540
"""Of one grading: a minute less than the ten that Gradescope gives."""

FOLDER = "grading"
"""Where a kit lies in a repository that has a student's programs beside it."""

_PLACEHOLDER = re.compile(r"@([A-Z_]+)@")


def template(path: str, **values: str | int) -> bytes:
    """A file below `templates/`, in which `@NAME@` becomes the value of that name."""
    text = resources.files("grader.kits").joinpath("templates", *path.split("/")).read_text("utf-8")
    return _PLACEHOLDER.sub(lambda found: str(values[found[1]]), text).encode()


def public_files(bundle: Bundle) -> Files:
    """What may be published of a lab, below `problems/`."""
    return _files(bundle.path, f"problems/{slug(bundle)}")


def staff_files(bundle: Bundle) -> Files:
    """What never leaves staff machines, below `solutions/`."""
    assert bundle.staff is not None
    return _files(bundle.staff, f"solutions/{slug(bundle)}")


def _files(folder: Path, name: str) -> Files:
    return {
        f"{name}/{path.relative_to(folder).as_posix()}": KitFile(content=content_of(path))
        for path in files_of(folder)
    }


def slug(bundle: Bundle) -> str:
    """The name of a lab, which may stand in a script as it is.

    Raises:
        UsageError: it may not.
    """
    if not re.fullmatch("[a-z][a-z0-9_]*", bundle.slug):
        raise UsageError(f"{bundle.path}: a lab in a kit is named with a-z, 0-9 and _ only")
    return bundle.slug


def folder_in_repository(bundles: Sequence[Bundle]) -> Files:
    """`grading/`: the grader, its requirements and the public files of these labs.

    Raises:
        UsageError: a name will not do, two labs want the same file, or a package is missing.
    """
    files = {
        "README.md": KitFile(content=_read_me(bundles)),
        "requirements.txt": requirements(_packages(bundles)),
    }
    by_file: dict[str, str] = {}
    for bundle in bundles:
        other = by_file.setdefault(bundle.file_name, bundle.slug)
        if other != bundle.slug:
            raise UsageError(
                f"{other} and {bundle.slug} both want a file {bundle.file_name}, which one "
                "repository cannot hold twice: make a kit of each"
            )
        files |= public_files(bundle)
    return dict(below(FOLDER, {**files, **own_package()}))


def _read_me(bundles: Sequence[Bundle]) -> bytes:
    commands = [
        f"PYTHONPATH={FOLDER} PYTHONSAFEPATH=1 .venv/bin/python -m grader grade {bundle.slug} "
        f"{bundle.file_name} --problems {FOLDER}/problems"
        for bundle in bundles
    ]
    return template("repository/README.md", PYTHON=python_version(), COMMANDS="\n".join(commands))


def _packages(bundles: Sequence[Bundle]) -> list[str]:
    return [package for bundle in bundles for package in bundle.needs_packages]


def expected(bundles: Sequence[Bundle]) -> str:
    """The names of the files that students hand in, as words of a script."""
    return " ".join(bundle.file_name for bundle in bundles)


def in_repository_note(platform: str, bundles: Sequence[Bundle]) -> str:
    """Why there are no staff files in such a kit."""
    slugs = ", ".join(bundle.slug for bundle in bundles)
    return (
        f"Nothing of solutions/ is in it: {platform} runs it in the student's repository, where "
        f"everything can be read and changed. It is practice for {slugs}; for official points "
        "collect the programs and use `grader class run`."
    )
