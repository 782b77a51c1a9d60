"""Large inputs: functions of a seed that give the whole stdin. `grader answers` keeps digests."""

import json
from random import Random


def many_requests(seed: int) -> str:
    """60,000 requests, of which almost all fit: adding up from the start each time takes long."""
    random = Random(seed)
    requests = [random.randrange(1, 1000) for _ in range(60_000)]
    return json.dumps({"budget": sum(requests) - 1, "requests": requests}) + "\n"
