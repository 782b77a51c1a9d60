import json
import sys


def twice(text):
    try:
        given = json.loads(text)
    except ValueError:
        return {"ok": False, "error": "malformed"}
    if not isinstance(given, dict) or set(given) != {"n"} or type(given["n"]) is not int:
        return {"ok": False, "error": "malformed"}
    if given["n"] < 0:
        return {"ok": False, "error": "negative"}
    return {"ok": True, "twice": 2 * given["n"]}


print(json.dumps(twice(sys.stdin.buffer.read())))
