import sys, json, re
from collections import OrderedDict
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

def str_or_null(v):
    return v is None or type(v) is str

def int_or_null(v):
    return v is None or type(v) is int

def check(g):
    fields(g, ["block_size", "requests"], ["capacity_blocks", "billing"])
    need(is_int(g["block_size"]) and int_or_null(g.get("capacity_blocks")) and type(g["requests"]) is list)
    for r in g["requests"]:
        fields(r, ["tokens"], ["key", "at"])
        need(type(r["tokens"]) is list and all(map(is_int, r["tokens"])))
        need(is_int(r.get("at", 0)))
        if "key" in r:
            k = r["key"]
            fields(k, ["adapter", "salt", "images"])
            need(str_or_null(k["adapter"]) and str_or_null(k["salt"]))
            need(type(k["images"]) is list and all(type(i) is str for i in k["images"]))
    b = g.get("billing")
    if b:
        fields(b, ["version", "minimum", "step", "time_to_live", "price_uncached", "price_cached", "price_output"], ["overheads"])
        need(type(b["version"]) is str and is_int(b["minimum"]) and is_int(b["step"]) and int_or_null(b["time_to_live"]))
        for p in ("price_uncached", "price_cached", "price_output"):
            need(is_dec(b[p]))
        need(type(b.get("overheads", [])) is list)
        for o in b.get("overheads", []):
            fields(o, ["kind", "input_tokens", "output_tokens"])
            need(type(o["kind"]) is str and o["kind"] in ("compression", "reread", "rework"))
            need(is_int(o["input_tokens"]) and is_int(o["output_tokens"]))
    need(g["block_size"] >= 1, "bad_block_size")
    need(g.get("capacity_blocks") is None or g["capacity_blocks"] >= 0, "bad_block_size")
    R = g["requests"]
    need(all(r["tokens"] for r in R), "empty_prompt")
    need(all(min(r["tokens"]) >= 0 for r in R), "negative_token")
    ats = [r.get("at", 0) for r in R]
    need(all(x <= y for x, y in zip(ats, ats[1:])), "time_goes_back")
    if b:
        need(b["minimum"] >= 0 and b["step"] >= 1 and b["version"] != "", "bad_billing")
        need(b["time_to_live"] is None or b["time_to_live"] >= 0, "bad_billing")
        need(all(F(b[p]) >= 0 for p in ("price_uncached", "price_cached", "price_output")), "bad_billing")
        need(all(o["input_tokens"] >= 0 and o["output_tokens"] >= 0 for o in b.get("overheads", [])), "bad_billing")

def fmt(x):
    x = F(x)
    return "%d/%d" % (x.numerator, x.denominator)

def key_of(r):
    k = r.get("key")
    return (None, None, ()) if k is None else (k["adapter"], k["salt"], tuple(k["images"]))

def engine(g):
    B, cap = g["block_size"], g.get("capacity_blocks")
    ids = {}
    lru = OrderedDict()
    out = []
    for r in g["requests"]:
        t = r["tokens"]
        n = len(t)
        node = ids.setdefault(("key", key_of(r)), len(ids))
        path = []
        for i in range(n // B):
            node = ids.setdefault((node, tuple(t[i * B:i * B + B])), len(ids))
            path.append(node)
        hit = 0
        while hit < (n - 1) // B and path[hit] in lru:
            hit += 1
        for p in reversed(path):
            lru[p] = None
            lru.move_to_end(p)
        ev = 0
        while cap is not None and len(lru) > cap:
            lru.popitem(last=False)
            ev += 1
        out.append((hit * B, n - hit * B, ev))
    return out, len(lru)

def billing(g):
    b = g.get("billing")
    if not b:
        return [(None, None)] * len(g["requests"]), None
    mn, st, ttl = b["minimum"], b["step"], b["time_to_live"]
    pu, pc, po = F(b["price_uncached"]), F(b["price_cached"]), F(b["price_output"])
    roots, nxt, last = {}, {}, []
    def new():
        last.append(None)
        return len(last) - 1
    out = []
    total = F(0)
    for r in g["requests"]:
        t, at = r["tokens"], r.get("at", 0)
        k = key_of(r)
        if k not in roots:
            roots[k] = new()
        node = roots[k]
        m = 0
        ok = True
        for x in t:
            nn = nxt.get((node, x))
            if nn is None:
                ok = False
                nn = nxt[node, x] = new()
            elif ok and (ttl is None or at - last[nn] <= ttl):
                m += 1
            else:
                ok = False
            last[nn] = at
            node = nn
        m = min(m, len(t) - 1)
        c = 0 if m < mn else mn + (m - mn) // st * st
        cost = (len(t) - c) * pu + c * pc
        total += cost
        out.append((c, fmt(cost)))
    for o in b.get("overheads", []):
        total += o["input_tokens"] * pu + o["output_tokens"] * po
    return out, fmt(total)

def solve(g):
    e, cached = engine(g)
    bl, total = billing(g)
    P = sum(len(r["tokens"]) for r in g["requests"])
    H = sum(x[0] for x in e)
    return {"ok": True,
            "requests": [{"hit_tokens": h, "computed_tokens": c, "evicted_blocks": v, "billed_cached_tokens": bc, "cost": co}
                         for (h, c, v), (bc, co) in zip(e, bl)],
            "totals": {"prompt_tokens": P, "hit_tokens": H, "hit_rate": fmt(F(H, P)) if P else None,
                       "cached_blocks": cached, "cost": total}}

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
