"""Large inputs of kv_sizing: functions of a seed that give the whole stdin."""

import json
from random import Random

WINDOWS = (None, 4096, 128, 1024, 10**6 + 1, 10**9 + 7, 3 * 10**12 + 1, 10**14 + 3)


def stdin_of(model, layers, cache, sequences, memory, plan_length):
    """The input as text, on one device."""
    given = {
        "model": model,
        "layers": [{"count": count, "window": window} for count, window in layers],
        "cache": dict(zip(("bits", "scale_bytes", "block_size"), cache)),
        "tensor_parallel": 1,
        "sequences": [{"length": length, "count": count} for length, count in sequences],
        "memory": dict(zip(("total", "weights", "reserved", "per_sequence"), memory)),
        "plan_length": plan_length,
    }
    return json.dumps(given) + "\n"


def many_sequences(seed: int) -> str:
    """100,000 sequences of any length up to 10^15, 1,000 layer groups with eight windows."""
    random = Random(seed)
    layers = [(random.randrange(1, 100), WINDOWS[random.randrange(8)]) for _ in range(1000)]
    sequences = [
        (random.randrange(10 ** random.randrange(1, 16)), random.randrange(1, 10**9))
        for _ in range(100_000)
    ]
    model = {"attention": "gqa", "hidden_size": 5120, "query_heads": 40, "kv_heads": 8}
    memory = (10**32 + random.randrange(10**32), 10**12, 10**11, 10**7)
    return stdin_of(model | {"head_dim": 128}, layers, (8, 4, 48), sequences, memory, 10**15)


def many_slots(seed: int) -> str:
    """A few endless sequences in a memory that holds some 10^15 short ones."""
    random = Random(seed)
    layers = [(random.randrange(1, 9), window) for window in WINDOWS]
    sequences = [(10**15 - random.randrange(10**6), 10**9 - number) for number in range(50)]
    model = {"attention": "mla", "latent_dim": 512, "rope_dim": 64}
    memory = (10**24 + random.randrange(10**24), 10**12, 10**11, 10**7)
    return stdin_of(model, layers, (16, 0, 64), sequences, memory, 100_001)
