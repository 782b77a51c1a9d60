import sys, json, heapq

class Refuse(Exception):
    pass

def is_int(v):
    return type(v) is int

def is_name(v):
    return type(v) is str and v != ""

ARGS = {"create": (is_name, is_int), "append": (is_name, is_int), "fork": (is_name, is_name), "free": (is_name,)}

def check(g):
    if type(g) is not dict:
        raise Refuse("malformed")
    need = {"block_size", "block_count", "max_length", "operations"}
    if not need <= set(g) or set(g) - need - {"detail"}:
        raise Refuse("malformed")
    for f in ("block_size", "block_count", "max_length"):
        if not is_int(g[f]):
            raise Refuse("malformed")
    if type(g.get("detail", True)) is not bool or type(g["operations"]) is not list:
        raise Refuse("malformed")
    for op in g["operations"]:
        if type(op) is not list or not op or type(op[0]) is not str or op[0] not in ARGS:
            raise Refuse("malformed")
        tests = ARGS[op[0]]
        if len(op) - 1 != len(tests):
            raise Refuse("malformed")
        for t, v in zip(tests, op[1:]):
            if not t(v):
                raise Refuse("malformed")
    if min(g["block_size"], g["block_count"], g["max_length"]) < 1:
        raise Refuse("bad_pool")

def solve(g):
    B, N, M = g["block_size"], g["block_count"], g["max_length"]
    free = list(range(N))
    ref = [0] * N
    tables, lengths = {}, {}
    results = []
    peak = live = copies = oob = 0
    for op in g["operations"]:
        kind, name = op[0], op[1]
        taken, copied, res = [], [], "ok"
        if kind in ("create", "append") and op[2] < 1:
            raise Refuse("bad_count")
        if kind != "create" and name not in tables:
            raise Refuse("unknown_sequence")
        if kind == "create" and name in tables or kind == "fork" and op[2] in tables:
            raise Refuse("sequence_exists")
        if kind == "free":
            for b in tables.pop(name):
                ref[b] -= 1
                if not ref[b]:
                    heapq.heappush(free, b)
            del lengths[name]
        elif kind == "fork":
            for b in tables[name]:
                ref[b] += 1
            tables[op[2]] = list(tables[name])
            lengths[op[2]] = lengths[name]
        else:
            n = op[2]
            L = lengths.get(name, 0)
            if L + n > M:
                raise Refuse("too_long")
            t = tables.get(name, [])
            cow = L % B != 0 and ref[t[-1]] > 1
            more = -(-(L + n) // B) - -(-L // B)
            if more + cow > len(free):
                res = "out_of_blocks"
                oob += 1
            else:
                taken = [heapq.heappop(free) for _ in range(more + cow)]
                for b in taken:
                    ref[b] = 1
                if cow:
                    copied = [[t[-1], taken[0]]]
                    ref[t[-1]] -= 1
                    t.pop()
                    copies += 1
                t += taken
                tables[name] = t
                lengths[name] = L + n
        peak = max(peak, N - len(free))
        live = max(live, len(tables))
        if g.get("detail", True):
            results.append({"result": res, "allocated": taken, "copied": copied, "free_blocks": len(free)})
    ans = {"ok": True}
    if g.get("detail", True):
        ans["results"] = results
    ans.update(tables=tables, lengths=lengths, reference_counts={str(b): r for b, r in enumerate(ref) if r},
               peak_blocks=peak, peak_reserved_tokens=(live * M + 2**63) % 2**64 - 2**63, copies=copies, out_of_blocks=oob)
    return ans

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
