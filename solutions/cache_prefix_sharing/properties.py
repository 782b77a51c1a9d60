"""Checks that compute a whole answer, each in the plainest way: for staff only."""

KEY = {"adapter": None, "salt": None, "images": []}


def _prompts(given):
    """(key, tokens, at) of every request."""
    for request in given["requests"]:
        key = request.get("key", KEY)
        yield (
            (key["adapter"], key["salt"], tuple(key["images"])),
            request["tokens"],
            request.get("at", 0),
        )


def _shared(prompts, i, life=None):
    """The longest prefix of prompt i in common with an earlier one of its key, at most n - 1."""
    key, tokens, at = prompts[i]
    longest = 0
    for other, earlier, sent in prompts[:i]:
        if other == key and (life is None or at - sent <= life):
            common = 0
            while common < min(len(earlier), len(tokens) - 1) and earlier[common] == tokens[common]:
                common += 1
            longest = max(longest, common)
    return longest


def check_quadratic_oracle(given, answer):
    """Every hit (capacity unbounded) and every bill equals that of a comparison with all earlier
    requests.

    与所有更早的请求逐一比较，得到的命中（容量无限时）和计费都与答案一致。
    """
    prompts, results = list(_prompts(given)), answer["requests"]
    billing, size = given.get("billing"), given["block_size"]
    assert len(results) == len(prompts), f"{len(prompts)} requests, {len(results)} results"
    for i, result in enumerate(results):
        hit, billed = result["hit_tokens"], result["billed_cached_tokens"]
        if given.get("capacity_blocks") is None:
            expected = _shared(prompts, i) // size * size
            assert hit == expected, f"request {i}: hit_tokens {hit}, expected {expected}"
        expected = None
        if billing:
            minimum, step = billing["minimum"], billing["step"]
            shared = _shared(prompts, i, billing["time_to_live"])
            expected = 0
            if shared >= minimum:
                expected = minimum + (shared - minimum) // step * step
        assert billed == expected, f"request {i}: billed {billed}, expected {expected}"


def check_simulated_cache(given, answer):
    """A cache kept as a plain list of (last use, depth, block) gives the same hits and evictions.

    用一张 (最近使用, 深度, 块) 的普通列表模拟缓存，命中与淘汰都与答案一致。
    """
    size, capacity, cached = given["block_size"], given.get("capacity_blocks"), []
    prompts, results = list(_prompts(given)), answer["requests"]
    assert len(results) == len(prompts), f"{len(prompts)} requests, {len(results)} results"
    for i, (key, tokens, _) in enumerate(prompts):
        ends = range(size, len(tokens) + 1, size)
        own = [(key, tuple(tokens[:end])) for end in ends]
        known, hit = {block for _, _, block in cached}, 0
        while hit + size < len(tokens) and own[hit // size] in known:
            hit += size
        cached = [entry for entry in cached if entry[2] not in own]
        cached += [(i, -depth, block) for depth, block in enumerate(own)]
        cached.sort(key=lambda entry: entry[:2])
        excess = 0 if capacity is None else max(0, len(cached) - capacity)
        cached = cached[excess:]
        for name, expected in (("hit_tokens", hit), ("evicted_blocks", excess)):
            found = results[i][name]
            assert found == expected, f"request {i}: {name} {found}, expected {expected}"
    found = answer["totals"]["cached_blocks"]
    assert found == len(cached), f"totals: cached_blocks {found}, expected {len(cached)}"


def check_every_figure(answer, expected):
    """Every figure of the answer is right.

    答案中的每个数值都正确。
    """
    found, due = answer["requests"], expected["requests"]
    assert len(found) == len(due), f"{len(due)} requests, {len(found)} results"
    where = [f"request {i}" for i in range(len(due))] + ["totals"]
    for name, one, other in zip(where, [*due, expected["totals"]], [*found, answer["totals"]]):
        assert one == other, f"{name}: expected {one}, found {other}"
