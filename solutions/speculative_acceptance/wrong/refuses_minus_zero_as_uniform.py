import sys, json, re
from fractions import Fraction as F

class Refuse(Exception):
    pass

DEC = re.compile(r"-?(0|[1-9][0-9]{0,11})(\.[0-9]{1,12})?")

def need(cond, code="malformed"):
    if not cond:
        raise Refuse(code)

def is_int(v):
    return type(v) is int

def is_dec(v):
    return type(v) is str and DEC.fullmatch(v) is not None

def fields(o, req, opt=()):
    need(type(o) is dict and set(req) <= set(o) and set(o) <= set(req) | set(opt))

def check(g):
    fields(g, ["vocab_size", "steps"], ["eos", "forecast"])
    need(is_int(g["vocab_size"]) and type(g["steps"]) is list)
    for s in g["steps"]:
        fields(s, ["draft_tokens", "draft_weights", "target_weights", "uniforms", "next_uniform"])
        need(type(s["draft_tokens"]) is list and all(map(is_int, s["draft_tokens"])))
        for w in ("draft_weights", "target_weights"):
            need(type(s[w]) is list)
            for row in s[w]:
                need(type(row) is list and all(map(is_int, row)))
        need(type(s["uniforms"]) is list and all(map(is_dec, s["uniforms"])))
        need(is_dec(s["next_uniform"]))
    eos = g.get("eos")
    need(eos is None or is_int(eos))
    f = g.get("forecast")
    if f is not None:
        fields(f, ["acceptance", "draft_length", "draft_cost"])
        need(is_dec(f["acceptance"]) and is_int(f["draft_length"]))
        need(f["draft_cost"] is None or is_dec(f["draft_cost"]))
    V = g["vocab_size"]
    S = g["steps"]
    rows = [r for s in S for r in s["draft_weights"] + s["target_weights"]]
    need(V >= 1, "shape_mismatch")
    need(all(len(r) == V for r in rows), "shape_mismatch")
    for s in S:
        k = len(s["draft_tokens"])
        need(len(s["draft_weights"]) == k == len(s["uniforms"]) and len(s["target_weights"]) == k + 1, "shape_mismatch")
    need(all(min(r) >= 0 for r in rows), "negative_weight")
    need(all(any(r) for r in rows), "empty_distribution")
    need(all(0 <= x < V for s in S for x in s["draft_tokens"]) and (eos is None or 0 <= eos < V), "token_out_of_range")
    need(all(r[x] for s in S for x, r in zip(s["draft_tokens"], s["draft_weights"])), "impossible_draft")
    need(all(0 <= F(u) < 1 for s in S for u in s["uniforms"] + [s["next_uniform"]]), "uniform_out_of_range")
    need(all(not u.startswith("-") for s in S for u in s["uniforms"]), "uniform_out_of_range")
    if f is not None:
        need(0 <= F(f["acceptance"]) <= 1 and f["draft_length"] >= 1, "bad_forecast")
        need(f["draft_cost"] is None or F(f["draft_cost"]) >= 0, "bad_forecast")

def fmt(x):
    x = F(x)
    return "%d/%d" % (x.numerator, x.denominator)

def draw(ws, u):
    total = sum(ws)
    acc = 0
    for y, w in enumerate(ws):
        acc += w
        if acc * u.denominator > u.numerator * total:
            return y

def verify(s, eos):
    emitted, probs = [], []
    nu = F(s["next_uniform"])
    for x, d, t, u in zip(s["draft_tokens"], s["draft_weights"], s["target_weights"], s["uniforms"]):
        D, T = sum(d), sum(t)
        pd, pt = F(d[x], D), F(t[x], T)
        probs.append(fmt(min(F(1), pt / pd)))
        if F(u) * pd < pt:
            emitted.append(x)
            if x == eos:
                return {"accepted": len(emitted), "emitted": emitted, "ending": "eos", "acceptance_probabilities": probs, "residual": None}
        else:
            res = [max(b * D - a * T, 0) for a, b in zip(d, t)]
            tot = sum(res)
            return {"accepted": len(emitted), "emitted": emitted + [draw(res, nu)], "ending": "residual",
                    "acceptance_probabilities": probs, "residual": [fmt(F(r, tot)) if r else "0/1" for r in res]}
    return {"accepted": len(emitted), "emitted": emitted + [draw(s["target_weights"][-1], nu)], "ending": "bonus",
            "acceptance_probabilities": probs, "residual": None}

def predict(f):
    if f is None:
        return None
    a, k = F(f["acceptance"]), f["draft_length"]
    e = F(0)
    for _ in range(k + 1):
        e = e * a + 1
    c = f["draft_cost"]
    return {"emitted": fmt(e), "accepted": fmt(e - 1), "speedup": None if c is None else fmt(e / (k * F(c) + 1)),
            "reason": "cost_not_measured" if c is None else None}

def solve(g):
    res = [verify(s, g.get("eos")) for s in g["steps"]]
    em = sum(len(r["emitted"]) for r in res)
    return {"ok": True, "steps": res,
            "totals": {"drafted": sum(len(s["draft_tokens"]) for s in g["steps"]),
                       "accepted": sum(r["accepted"] for r in res), "emitted": em,
                       "mean_emitted": fmt(F(em, len(res))) if res else None},
            "forecast": predict(g.get("forecast"))}

def run(text):
    try:
        g = json.loads(text)
        check(g)
        return solve(g)
    except Refuse as e:
        return {"ok": False, "error": str(e)}
    except ValueError:
        return {"ok": False, "error": "malformed"}

def read():
    return sys.stdin.read()

def show(a):
    print(json.dumps(a))

try:
    TEXT = read()
except ValueError:
    TEXT = ""
show(run(TEXT))
