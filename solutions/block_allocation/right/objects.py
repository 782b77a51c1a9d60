"""block_allocation with an object for each block and each sequence."""

from __future__ import annotations

import heapq
import json
import sys
from dataclasses import dataclass, field


class Refused(Exception):
    pass


@dataclass(slots=True)
class Block:
    number: int
    owners: int = 1


@dataclass(slots=True)
class Sequence:
    length: int = 0
    blocks: list[Block] = field(default_factory=list)


class OutOfBlocks(Exception):
    pass


class Allocator:
    def __init__(self, block_size: int, block_count: int, max_length: int) -> None:
        self.block_size, self.block_count, self.max_length = block_size, block_count, max_length
        self.free = list(range(block_count))
        self.sequences: dict[str, Sequence] = {}

    @property
    def used(self) -> int:
        return self.block_count - len(self.free)

    def take(self) -> Block:
        return Block(heapq.heappop(self.free))

    def give_back(self, block: Block) -> None:
        block.owners -= 1
        if not block.owners:
            heapq.heappush(self.free, block.number)

    def live(self, name: str) -> Sequence:
        if name not in self.sequences:
            raise Refused("unknown_sequence")
        return self.sequences[name]

    def unused(self, name: str) -> None:
        if name in self.sequences:
            raise Refused("sequence_exists")

    def create(self, name: str, count: int) -> tuple[list[int], list[list[int]]]:
        if count < 1:
            raise Refused("bad_count")
        self.unused(name)
        sequence = Sequence()
        done = self.extend(sequence, count)
        self.sequences[name] = sequence
        return done

    def append(self, name: str, count: int) -> tuple[list[int], list[list[int]]]:
        if count < 1:
            raise Refused("bad_count")
        return self.extend(self.live(name), count)

    def extend(self, sequence: Sequence, count: int) -> tuple[list[int], list[list[int]]]:
        length = sequence.length + count
        if length > self.max_length:
            raise Refused("too_long")
        room = -sequence.length % self.block_size
        fresh = (max(0, count - room) + self.block_size - 1) // self.block_size
        to_copy = bool(room) and sequence.blocks[-1].owners > 1
        if fresh + to_copy > len(self.free):
            raise OutOfBlocks
        taken = [self.take() for _ in range(fresh + to_copy)]
        copied = []
        if to_copy:
            old = sequence.blocks.pop()
            copied.append([old.number, taken[0].number])
            self.give_back(old)
        sequence.blocks.extend(taken)
        sequence.length = length
        return [block.number for block in taken], copied

    def fork(self, source: str, new: str) -> tuple[list[int], list[list[int]]]:
        parent = self.live(source)
        self.unused(new)
        for block in parent.blocks:
            block.owners += 1
        self.sequences[new] = Sequence(parent.length, list(parent.blocks))
        return [], []

    def release(self, name: str) -> tuple[list[int], list[list[int]]]:
        for block in self.live(name).blocks:
            self.give_back(block)
        del self.sequences[name]
        return [], []


@dataclass(slots=True)
class Report:
    results: list[dict[str, object]] = field(default_factory=list)
    copies: int = 0
    failures: int = 0
    peak_blocks: int = 0
    peak_live: int = 0

    def note(self, allocator: Allocator, done: tuple[list[int], list[list[int]]] | None) -> None:
        allocated, copied = done or ([], [])
        self.copies += len(copied)
        self.failures += done is None
        self.peak_blocks = max(self.peak_blocks, allocator.used)
        self.peak_live = max(self.peak_live, len(allocator.sequences))
        self.results.append(
            {
                "result": "ok" if done else "out_of_blocks",
                "allocated": allocated,
                "copied": copied,
                "free_blocks": len(allocator.free),
            }
        )


def is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_name(value: object) -> bool:
    return isinstance(value, str) and value != ""


SHAPES = {
    "create": (is_name, is_integer),
    "append": (is_name, is_integer),
    "fork": (is_name, is_name),
    "free": (is_name,),
}


def well_formed(operation: object) -> bool:
    if not isinstance(operation, list) or not operation or not isinstance(operation[0], str):
        return False
    shape = SHAPES.get(operation[0])
    if shape is None or len(operation) != len(shape) + 1:
        return False
    return all(fits(argument) for fits, argument in zip(shape, operation[1:]))


def read(text: bytes) -> dict:
    try:
        given = json.loads(text.decode())
    except ValueError:
        raise Refused("malformed") from None
    numbers = ("block_size", "block_count", "max_length")
    if not isinstance(given, dict) or set(given) - {"detail"} != {*numbers, "operations"}:
        raise Refused("malformed")
    if not isinstance(given.setdefault("detail", True), bool):
        raise Refused("malformed")
    operations = given["operations"]
    if not isinstance(operations, list) or not all(map(well_formed, operations)):
        raise Refused("malformed")
    if not all(is_integer(given[name]) for name in numbers):
        raise Refused("malformed")
    if any(given[name] < 1 for name in numbers):
        raise Refused("bad_pool")
    return given


def answer(given: dict) -> dict:
    allocator = Allocator(given["block_size"], given["block_count"], given["max_length"])
    methods = {"free": allocator.release}
    methods |= {name: getattr(allocator, name) for name in ("create", "append", "fork")}
    report = Report()
    for kind, *arguments in given["operations"]:
        try:
            done = methods[kind](*arguments)
        except OutOfBlocks:
            done = None
        report.note(allocator, done)
    sequences = allocator.sequences.items()
    blocks = [block for _, sequence in sequences for block in sequence.blocks]
    printed = {
        "ok": True,
        "results": report.results,
        "tables": {name: [block.number for block in one.blocks] for name, one in sequences},
        "lengths": {name: one.length for name, one in sequences},
        "reference_counts": {str(block.number): block.owners for block in blocks},
        "peak_blocks": report.peak_blocks,
        "peak_reserved_tokens": report.peak_live * given["max_length"],
        "copies": report.copies,
        "out_of_blocks": report.failures,
    }
    if not given["detail"]:
        del printed["results"]
    return printed


if __name__ == "__main__":
    try:
        print(json.dumps(answer(read(sys.stdin.buffer.read()))))
    except Refused as refused:
        print(json.dumps({"ok": False, "error": str(refused)}))
