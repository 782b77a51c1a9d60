"""Checks that compute a whole answer: for staff only."""


def check_reference(answer, expected):
    """The whole answer equals the reference's.

    整个答案与参考答案一致。
    """
    for key in ("tasks", "what_if"):
        found, due = answer[key], expected[key]
        assert len(found) == len(due), f"{key}: {len(due)} expected, {len(found)} found"
        for i, (one, other) in enumerate(zip(due, found)):
            assert one == other, f"{key} {i}: expected {one}, found {other}"
    for key in ("makespan", "total_ticks", "critical_path"):
        assert answer[key] == expected[key], f"{key}: expected {expected[key]}, found {answer[key]}"


def _paths(waits):
    """Every chain of tasks that begins with one that waits for nothing and cannot go on."""
    behind = {name: [other for other in waits if name in waits[other]] for name in waits}
    left = [(name,) for name in waits if not waits[name]]
    while left:
        path = left.pop()
        yield from () if behind[path[-1]] else [path]
        left += [(*path, other) for other in behind[path[-1]]]


def _longest(ticks, waits):
    return max(sum(ticks[name] for name in path) for path in _paths(waits))


def _plan(given):
    ticks = {task["id"]: task["ticks"] for task in given["tasks"]}
    waits = {t["id"]: {*t.get("needs", ()), *t.get("follows", ())} for t in given["tasks"]}
    return ticks, waits


def check_every_path(given, answer):
    """Makespan, slack and path are those found by listing every path: the longest, what is missing
    from it in the longest through a task, and the first of the longest.

    makespan、slack 与关键路径等于列出所有路径所得：最长的一条，经过某任务的最长路径比它短多少，
    以及最长者中排在最前的一条。
    """
    ticks, waits = _plan(given)
    place = {name: i for i, name in enumerate(ticks)}
    paths = {path: sum(ticks[name] for name in path) for path in _paths(waits)}
    longest = max(paths.values())
    assert answer["makespan"] == longest, f"makespan: {answer['makespan']}, not {longest}"
    critical = [[place[name] for name in path] for path in paths if paths[path] == longest]
    first = [given["tasks"][i]["id"] for i in min(critical)]
    assert answer["critical_path"] == first, f"critical_path: expected {first}"
    for name, row in zip(ticks, answer["tasks"]):
        slack = longest - max(length for path, length in paths.items() if name in path)
        assert row["slack"] == slack, f"slack of {name}: {row['slack']}, not {slack}"


def check_ideas_by_every_path(given, answer):
    """Every what-if's makespan is the longest of all paths of the plan that was changed so.

    每个设想的 makespan，等于这样改动之后的计划中所有路径里最长的一条。
    """
    ideas, found = given.get("what_if", []), answer["what_if"]
    assert len(found) == len(ideas), f"what_if: {len(ideas)} expected, {len(found)} found"
    for i, ((kind, *parts), row) in enumerate(zip(ideas, found)):
        ticks, waits = _plan(given)
        if kind == "parallelise":
            waits[parts[1]].discard(parts[0])
        else:
            ticks[parts[0]] = parts[1] if kind == "set" else 0
        longest = _longest(ticks, waits)
        assert row["makespan"] == longest, f"what_if {i}: {row['makespan']}, not {longest}"
