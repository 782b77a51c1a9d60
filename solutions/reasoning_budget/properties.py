"""Checks that compute a whole answer: for staff only."""


def check_reference(answer, expected):
    """The whole answer equals the reference's.

    整个答案与参考答案一致。
    """
    found = answer["tasks"]
    assert len(found) == len(expected["tasks"]), f"{len(found)} tasks"
    for i, (one, other) in enumerate(zip(expected["tasks"], found)):
        assert one == other, f"task {i}: expected {one}, found {other}"
    due, found = expected["totals"], answer["totals"]
    assert found == due, f"totals: expected {due}, found {found}"
