"""Checks that compute a whole answer: for staff only."""


def check_reference(answer, expected):
    """The whole answer equals the reference's.

    整个答案与参考答案一致。
    """
    found = answer["results"]
    assert len(found) == len(expected["results"]), f"{len(found)} results"
    for i, (one, other) in enumerate(zip(expected["results"], found)):
        assert one == other, f"query {i}: expected {one}, found {other}"
