"""Another style: all sums first, then a binary search for the budget."""

import json
import sys
from bisect import bisect_right
from itertools import accumulate


def refusal(given):
    if not isinstance(given, dict) or sorted(given) != ["budget", "requests"]:
        return "malformed"
    budget, requests = given["budget"], given["requests"]
    integers = [budget, *requests] if isinstance(requests, list) else [None]
    if any(isinstance(n, bool) or not isinstance(n, int) for n in integers):
        return "malformed"
    if budget < 0:
        return "negative_budget"
    if len(requests) == 0:
        return "no_requests"
    return "empty_request" if any(tokens <= 0 for tokens in requests) else None


try:
    given = json.loads(sys.stdin.buffer.read().decode())
except ValueError:
    given = None
code = refusal(given)
if code:
    print(json.dumps({"ok": False, "error": code}))
else:
    sums = [0, *accumulate(given["requests"])]
    admitted = bisect_right(sums, given["budget"]) - 1
    print(json.dumps({"ok": True, "admitted": admitted, "tokens": sums[admitted]}))
