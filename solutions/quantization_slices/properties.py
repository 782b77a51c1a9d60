"""Checks that compute a whole answer: for staff only."""


def check_reference(answer, expected):
    """The whole answer equals the reference's.

    整个答案与参考答案一致。
    """
    assert len(answer["slices"]) == len(expected["slices"]), f"{len(answer['slices'])} results"
    for i, (due, found) in enumerate(zip(expected["slices"], answer["slices"])):
        assert due == found, f"slice {i}: expected {due}, found {found}"
    for key, due in expected.items():
        assert answer[key] == due, f"{key}: expected {due}, found {answer[key]}"


def check_whole_items(given, answer):
    """Counted in whole items: a slice fails when it lost more right answers than allowed_drop times
    its items, and the worst slice is found by comparing cross products.

    以整题计：丢失的题数多于 allowed_drop × 题数的切片为 fail；交叉相乘比较，找出最差的切片。
    """
    whole, _, rest = given["allowed_drop"].removeprefix("-").partition(".")  # "-0" is legal
    least, allowed = given["minimum_items"], int(whole + rest.ljust(12, "0"))
    words, worst = [], None
    for part in given["slices"]:
        lost = part["base"] - part["quantized"]
        if part["items"] < least:
            words.append("insufficient")
            continue
        words.append("fail" if lost * 10**12 > allowed * part["items"] else "pass")
        if worst is None or lost * worst[1] > worst[0] * part["items"]:
            worst = lost, part["items"], part["name"]
    found = [result["status"] for result in answer["slices"]]
    assert found == words, f"status {found}, expected {words}"
    name = None if worst is None else worst[2]
    assert answer["worst_slice"] == name, f"worst_slice {answer['worst_slice']}, expected {name}"
