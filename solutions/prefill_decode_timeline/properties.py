"""Checks that compute a whole answer: for staff only."""


def check_reference(answer, expected):
    """The whole answer equals the reference's.

    整个答案与参考答案一致。
    """
    for part in ("calls", "what_ifs"):
        found, due = answer[part], expected[part]
        assert len(found) == len(due), f"{part}: expected {len(due)} results, found {len(found)}"
        for i, (one, other) in enumerate(zip(due, found)):
            assert one == other, f"{part}, number {i}: expected {one}, found {other}"
    for name, value in expected["task"].items():
        found = answer["task"][name]
        assert found == value, f"task: {name} expected {value}, found {found}"
