"""Every lab that a class hands in for, read and checked before anything is graded."""

from __future__ import annotations

from collections.abc import Iterable

from grader.bundles.find import Library
from grader.bundles.load import load_bundle
from grader.course.key import LabOfClass, lab_of_class
from grader.errors import UsageError


def labs_of_class(library: Library, slugs: Iterable[str], *, public: bool) -> dict[str, LabOfClass]:
    """The labs by slug.

    Args:
        public: leave the staff's part aside.

    Raises:
        UsageError: there is no such lab, or nothing of the staff's where it is wanted.
        BundleError: one is broken.
    """
    labs = {}
    for slug in sorted(set(slugs)):
        folder = library.folder(slug)
        staff = None if public else library.staff_folder(slug)
        bundle = load_bundle(folder, staff)
        if not public and staff is None and any(group.staff_points for group in bundle.groups):
            raise UsageError(
                f"there is no solutions/{slug} that you may read, so that the rows of the staff "
                "would take no part: "
                "say with --problems where the labs lie, or grade for practice with --public"
            )
        labs[slug] = lab_of_class(folder, staff)
    return labs
