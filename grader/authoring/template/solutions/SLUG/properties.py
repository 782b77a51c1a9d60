"""Staff checks: what knows the whole answer belongs here, for a public file would give it away."""


def check_reference(answer, expected):
    """Both figures are right.

    两个数值都正确。"""
    for name in ("admitted", "tokens"):
        assert answer[name] == expected[name], f"{name}: {answer[name]}, expected {expected[name]}"
