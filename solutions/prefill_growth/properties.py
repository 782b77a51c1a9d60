"""Checks that compute a whole answer: for staff only."""


def check_reference(answer, expected):
    """The whole answer equals the reference's.

    整个答案与参考答案一致。
    """
    found = answer["prompts"]
    assert len(found) == len(expected["prompts"]), f"{len(found)} results"
    for i, (one, other) in enumerate(zip(expected["prompts"], found)):
        assert one == other, f"prompt {i}: expected {one}, found {other}"
    for key in ("total_pairs", "total_kv_bytes"):
        assert answer[key] == expected[key], f"{key}: {answer[key]}, expected {expected[key]}"


def check_rows_of_pairs(given, answer):
    """Per layer, the new positions up to the window see one more each, those behind it the window.

    每一层中，窗口以内的新位置依次多看一个，窗口之后的新位置都恰好看整个窗口。
    """
    results = answer["prompts"]
    assert len(results) == len(given["prompts"]), f"{len(results)} results"
    for i, (prompt, result) in enumerate(zip(given["prompts"], results)):
        start, end, pairs = prompt.get("cached", 0), prompt["length"], 0
        for group in given["layers"]:
            bend = end if group["window"] is None else max(start, min(end, group["window"]))
            growing = (bend - start) * (start + 1 + bend) // 2
            level = (end - bend) * (group["window"] or 0)
            pairs += group["count"] * (growing + level)
        due = given["query_heads"] * pairs
        assert result["pairs"] == due, f"prompt {i}: {result['pairs']} pairs, expected {due}"
