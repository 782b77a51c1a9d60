"""The check that knows the whole answer: for staff only."""


def check_reference(answer, expected):
    """The whole answer equals the reference's.

    整个答案与参考答案一致。
    """
    found, due = answer["results"], expected["results"]
    assert len(found) == len(due), f"{len(due)} outputs, {len(found)} results"
    for i, (one, other) in enumerate(zip(due, found)):
        assert one == other, f"result {i}: expected {one}, found {other}"
    due, found = expected["counts"], answer["counts"]
    assert found == due, f"counts: expected {due}, found {found}"
