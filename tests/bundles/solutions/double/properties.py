"""Checks of the lab `double` that know the whole answer."""


def check_reference(given, answer, expected):
    """The answer is the reference's.

    答案与参考解一致。
    """
    assert answer == expected, f"{answer['twice']}, not {expected['twice']}"
