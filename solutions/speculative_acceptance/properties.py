"""Checks that compute a whole answer: for staff only."""


def check_reference(answer, expected):
    """The whole answer equals the reference's.

    整个答案与参考答案一致。
    """
    found = answer["steps"]
    assert len(found) == len(expected["steps"]), f"{len(found)} steps"
    for i, (one, other) in enumerate(zip(expected["steps"], found)):
        assert one == other, f"step {i}: expected {one}, found {other}"
    for key in ("totals", "forecast"):
        assert answer[key] == expected[key], f"{key}: expected {expected[key]}, found {answer[key]}"
