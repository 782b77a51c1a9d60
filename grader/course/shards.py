"""Which part of a class a machine grades, when several share it and know nothing of one another."""

from __future__ import annotations

import hashlib

from grader.model.course import Submitted


def in_shard(one: Submitted, part: int, parts: int) -> bool:
    """Whether a submission belongs to part `part` (from 1) of `parts`.

    It depends on student and lab only: a late submission moves nobody to another machine.
    """
    text = f"{one.student}\0{one.problem}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(text).digest()[:8], "big") % parts == part - 1
