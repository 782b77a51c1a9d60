"""A submission to Classroom 50 as its runner describes it, for the tests of several folders."""

from __future__ import annotations

from grader.report.to_classroom50 import Classroom

ENVIRON = {
    "CLASSROOM": "cs-principles",
    "ASSIGNMENT": "top-p",
    "OWNER": "ada",
    "ASSIGNMENT_TYPE": "individual",
    "SUBMISSION_TAG": "submit/2026-11-29T11-00-00Z-a1b2c3d",
    "COMMIT_URL": "https://github.com/org/repo/commit/a1b2c3d",
    "RELEASE_URL": "https://github.com/org/repo/releases/tag/submit%2Fa",
    "REVIEW_URL": "https://github.com/org/repo/compare/0...a1b2c3d",
}
WHERE = Classroom.from_environment(ENVIRON)
