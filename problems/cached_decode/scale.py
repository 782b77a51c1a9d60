"""Inputs near the stated limits, as functions of a seed."""

import json
from random import Random


def _text(embed, positions, window, operations):
    given = {"embed": embed, "positions": positions, "window": window, "operations": operations}
    return json.dumps(given) + "\n"


def _rows(random, number, width, most):
    return [[random.randrange(-most, most + 1) for _ in range(width)] for _ in range(number)]


def long_decode(seed):
    """From one token on, 1,000 are decoded, each from 1,000 rows of width 4."""
    random = Random(seed)
    embed, positions = _rows(random, 1000, 4, 3), _rows(random, 97, 4, 6)
    return _text(embed, positions, None, [["start", "story", [0]], ["decode", "story", 1000]])


def many_forks(seed):
    """A prompt of 1,000 tokens is forked 1,000 times; each child drops two and gets another."""
    random = Random(seed)
    tokens = [random.randrange(10) for _ in range(1000)]
    operations = [["start", "trunk", tokens]]
    for i in range(1000):
        operations.append(["fork", "trunk", f"branch {i}"])
        operations.append(["rollback", f"branch {i}", 2])
        operations.append(["append", f"branch {i}", [i % 10]])
    embed, positions = _rows(random, 10, 2, 8), _rows(random, 7, 2, 4)
    return _text(embed, positions, 500, operations)


def many_drafts(seed):
    """Four tokens are drafted, one and then two rolled back, and one decoded: 250 times."""
    random = Random(seed)
    operations = [["start", "text", [random.randrange(20) for _ in range(500)]]]
    for _ in range(250):
        draft = [random.randrange(20) for _ in range(4)]
        operations.append(["append", "text", draft])
        operations.append(["rollback", "text", 1])
        operations.append(["rollback", "text", 2])
        operations.append(["decode", "text", 1])
    embed, positions = _rows(random, 20, 3, 6), _rows(random, 5, 3, 3)
    return _text(embed, positions, 700, operations)
