"""A first try at top_p_sets. It reads well, and p = 0.95 shows what is wrong with it."""

import json
import sys


def nucleus(weights, p, min_keep):
    order = sorted(range(len(weights)), key=lambda token: (-weights[token], token))
    total, mass, kept = sum(weights), 0.0, []
    for token in order:
        if weights[token] == 0:
            break
        kept.append(token)
        mass += weights[token] / total
        if mass > p and len(kept) >= min_keep:
            break
    return kept


def fraction(part, whole):
    a, b = round(part * 10**12), round(whole * 10**12)
    x, y = a, b
    while y:
        x, y = y, x % y
    return f"{a // x}/{b // x}"


given = json.load(sys.stdin)
weights = [float(weight) for weight in given["weights"]]
results = []
for query in given["queries"]:
    kept = nucleus(weights, float(query["p"]), query.get("min_keep", 1))
    mass = sum(weights[token] for token in kept)
    result = {"size": len(kept), "last": kept[-1], "mass": fraction(mass, sum(weights))}
    if given.get("detail", True):
        result["kept"] = kept
        result["renormalized"] = [fraction(weights[token], mass) for token in kept]
    results.append(result)
print(json.dumps({"ok": True, "results": results}))
