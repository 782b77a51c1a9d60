"""Every lab that a class hands in for, read and checked before anything is graded."""

from __future__ import annotations

from collections.abc import Iterable

from grader.bundles.find import Library
from grader.bundles.load import load_bundle
from grader.course.key import LabOfClass, lab_of_class


def labs_of_class(library: Library, slugs: Iterable[str], *, public: bool) -> dict[str, LabOfClass]:
    """The labs by slug.

    Args:
        public: leave the staff's part aside.

    Raises:
        UsageError: there is no such lab.
        BundleError: one is broken.
    """
    labs = {}
    for slug in sorted(set(slugs)):
        folder = library.folder(slug)
        staff = None if public else library.staff_folder(slug)
        load_bundle(folder, staff)
        labs[slug] = lab_of_class(folder, staff)
    return labs
