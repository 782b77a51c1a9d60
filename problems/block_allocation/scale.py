"""Inputs near the stated limits, as functions of a seed."""

import json
from random import Random

OPERATIONS, BLOCKS, BLOCK_SIZE, MAX_LENGTH = 200_000, 200_000, 16, 100_000
"""The stated limits; inputs that show something else than sheer size are smaller."""


class Pool:
    """Enough of the bookkeeping to make legal operations; any free block will do here."""

    def __init__(self, operations=OPERATIONS, blocks=BLOCKS):
        self.most, self.blocks = operations, blocks
        self.free, self.owners = list(range(blocks)), [0] * blocks
        self.tables, self.lengths, self.names, self.operations = {}, {}, [], []

    @property
    def is_done(self):
        return len(self.operations) >= self.most

    def write(self, name, count):
        """Create a sequence that is not live, append to one that is."""
        is_new = name not in self.tables
        table, length = self.tables.get(name, []), self.lengths.get(name, 0)
        self.operations.append(("create" if is_new else "append", name, count))
        copies = length % BLOCK_SIZE > 0 and self.owners[table[-1]] > 1
        needed = -(-(length + count) // BLOCK_SIZE) - len(table) + copies
        if needed > len(self.free):
            return
        if copies:
            self.owners[table.pop()] -= 1
        for _ in range(needed):
            block = self.free.pop()
            self.owners[block] = 1
            table.append(block)
        self.tables[name], self.lengths[name] = table, length + count
        if is_new:
            self.names.append(name)

    def fork(self, name, new):
        self.operations.append(("fork", name, new))
        for block in self.tables[name]:
            self.owners[block] += 1
        self.tables[new], self.lengths[new] = self.tables[name].copy(), self.lengths[name]
        self.names.append(new)

    def release(self, place):
        """Free the sequence at a place of the list; the last one moves there."""
        name, self.names[place] = self.names[place], self.names[-1]
        self.names.pop()
        self.operations.append(("free", name))
        del self.lengths[name]
        for block in self.tables.pop(name):
            self.owners[block] -= 1
            if not self.owners[block]:
                self.free.append(block)

    def text(self):
        given = {"block_size": BLOCK_SIZE, "block_count": self.blocks, "max_length": MAX_LENGTH}
        operations = self.operations[: self.most]
        return json.dumps(given | {"operations": operations, "detail": False}) + "\n"


def _filled(random, tokens, pool):
    """The pool with sequences of up to so many tokens until it is full."""
    while len(pool.free) > 100:
        pool.write(f"s{len(pool.operations)}", random.randrange(1, tokens))
    return pool


def nearly_full(seed):
    """Thousands of small sequences fill the pool; then they grow, fork, end, and run out."""
    return _grown(Random(seed), Pool())


def nearly_full_quarter(seed):
    """The same with a quarter of the operations and of the blocks."""
    return _grown(Random(seed), Pool(OPERATIONS // 4, BLOCKS // 4))


def _grown(random, pool):
    _filled(random, 200, pool)
    while not pool.is_done:
        choice, place = random.random(), random.randrange(len(pool.names))
        if choice < 0.35:
            pool.write(pool.names[place], random.randrange(1, 40))
        elif choice < 0.50:
            pool.write(f"s{len(pool.operations)}", random.randrange(1, 200))
        elif choice < 0.70:
            pool.fork(pool.names[place], f"s{len(pool.operations)}")
        else:
            pool.release(place)
    return pool.text()


def long_forks(seed):
    """Four thousand sequences of about 45 blocks; their forks live for a while and are written."""
    random = Random(seed)
    pool = _filled(random, 1_450, Pool(OPERATIONS // 4))
    while not pool.is_done:
        choice, place = random.random(), random.randrange(len(pool.names))
        if choice < 0.50:
            pool.write(pool.names[place], random.randrange(1, 20))
        elif choice < 0.55:
            pool.write(f"s{len(pool.operations)}", random.randrange(1, 1_450))
        elif choice < 0.77:
            pool.fork(pool.names[place], f"s{len(pool.operations)}")
        else:
            pool.release(place)
    return pool.text()


def tides(seed):
    """The pool is filled, nine tenths of it are freed in no order, and so again and again."""
    random = Random(seed)
    pool = Pool(OPERATIONS // 4, BLOCKS // 2)
    while not pool.is_done:
        if len(pool.free) > 100:
            pool.write(f"s{len(pool.operations)}", random.randrange(1, 300))
        else:
            for _ in range(len(pool.names) * 9 // 10):
                pool.release(random.randrange(len(pool.names)))
    return pool.text()
