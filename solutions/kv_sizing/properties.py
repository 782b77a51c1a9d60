"""Staff check of kv_sizing: every figure, compared with the reference."""


def check_every_figure(answer, expected):
    """Every figure of the answer is right.

    答案中的每个数值都正确。"""
    for name, value in expected.items():
        assert answer[name] == value, f"{name}: {answer[name]}, expected {value}"
