"""Where to look for wrong verdicts (one strategy per group), and what must always hold."""

import json
from functools import cache

from hypothesis import strategies as st

FENCE = "`" * 3
PARTNERS = {"(": ")", "[": "]", "{": "}", '"': '"'}
REASONS = {
    "complete": (None,),
    "truncated": ("length", "cap"),
    "suspect": ("open", "no_finish"),
    "invalid": ("structure",),
}

GROUPS = {
    "check_prefixes": ("normal",),
    "check_closing": ("normal", "edge"),
    "check_before_open": ("edge",),
    "check_broken_stays_broken": ("edge",),
    "check_other_finish": ("normal", "edge"),
    "check_blanks_at_the_end": ("edge",),
    "check_joined": ("normal",),
    "check_each_on_its_own": ("minimal",),
}


# Strategies
#
# The simplest option of every choice stands first, and no choice depends on an earlier one:
# so every part of an input shrinks by itself.


@cache
def _below(bound):
    return st.integers(0, bound - 1)


@cache
def _one_of(options):
    return _below(len(options)).map(options.__getitem__)


@st.composite
def _several(draw, counts, *parts):
    """Lists of tuples. With the length drawn first, the shrinker can take out any item."""
    length = counts[draw(_below(len(counts)))]
    return [draw(item) for item in [st.tuples(*parts)] * length]


_CLOSED = (
    "x", "()", '"a"', "[]", "{}", '"("', '"\\""', '"]"', '"\\\\"', "'", "\\", "é", "😀", "\n",
    '"\'"', '"a\\nb"', '"```"', "#", "12", "", '"\\\\\\""',
)  # fmt: skip
_PAIRS = ("", "", "()", "[]", "{}")
_ODD = (")", "(", '"', "\\", "]", "[", "}", "{", "'", ",", " ", "\n")
_EDITS = _several(
    (0, 0, 0, 1, 1, 2), _one_of(("cut", "insert", "delete")), _below(50), _one_of(_ODD)
)


def _edited(text, edits):
    """The text with its end cut off, with a character more, or with one less."""
    for kind, place, character in edits:
        place %= len(text) + 1
        if kind == "cut":
            text = text[:place]
        elif kind == "insert":
            text = text[:place] + character + text[place:]
        else:
            text = text[:place] + text[place + 1 :]
    return text


@st.composite
def _code(draw, counts, edits=_EDITS):
    """Closed pieces side by side, in brackets now and then; then perhaps an edit."""
    text = ""
    for piece, in_front, pair in draw(
        _several(counts, _one_of(_CLOSED), st.booleans(), _one_of(_PAIRS))
    ):
        text = piece + text if in_front else text + piece
        text = pair[:1] + text + pair[1:]
    return "code", _edited(text, draw(edits))


_ATOMS = (
    0, "", "a", None, True, -1.5, "{", "]", '"', "\\", "é", "😀", "(", "```", 1e30, "a\nb", "'",
    "NaN", (),
)  # fmt: skip
_ROOTS = ([], {}, [], {}, 7, "a")
_WRAPS = ("list", "dict", "list", "dict", "more")
_BLANKS = ("", "", "", " ", "\n", "\r\n\t ")


@st.composite
def _json(draw, counts, edits=_EDITS):
    """The text of a value, seldom one that is no object or array; then perhaps an edit."""
    value = _ROOTS[draw(_below(len(_ROOTS)))]
    for wrap, key, atom in draw(_several(counts, _one_of(_WRAPS), _one_of(("a", "}", '"', "é")),
                                         _one_of(_ATOMS))):  # fmt: skip
        if wrap == "dict":
            value = {key: value, "b": atom}
        else:
            value = [value, atom] if wrap == "list" else [atom, value, value]
    plain, wide = draw(st.booleans()), draw(st.booleans())
    separators = (", ", ": ") if wide else (",", ":")
    text = json.dumps(value, ensure_ascii=not plain, separators=separators)
    return "json", draw(_one_of(_BLANKS)) + _edited(text, draw(edits)) + draw(_one_of(_BLANKS))


_LINES = (
    FENCE, "x", "", FENCE + "py", "f(", FENCE + " ", " " + FENCE, FENCE + "`", "``", '"',
    FENCE + "\r", FENCE + " \t", "a" + FENCE, FENCE + "x" + FENCE, "é😀",
)  # fmt: skip
_ODD_LINES = _LINES + (
    FENCE + "\f", FENCE + "\xa0", "x\u2028" + FENCE, "x\r" + FENCE, "~~~", FENCE + "\x0b",
    "x\x85" + FENCE, FENCE + FENCE, FENCE + "\r\r", "\ufffd" + FENCE, FENCE + "\u3000",
)  # fmt: skip


@st.composite
def _fenced(draw, counts, lines):
    return "fenced", "\n".join(line for (line,) in draw(_several(counts, _one_of(lines))))


_FINISHES = ("stop", "stop", "stop", "tool_calls", None, "length")
_TOKENS = ((), (), (None, None), (7, 8), (8, 8), (9, 8), (None, 8), (8, None))


@st.composite
def _outputs(draw, counts, texts, tokens=_TOKENS, finishes=_FINISHES):
    """Fields with a default are often absent."""
    outputs = []
    parts = texts, _one_of(finishes), _one_of(tokens)
    for (kind, text), finish, numbers in draw(_several(counts, *parts)):
        output = {"kind": kind, "text": text, "finish": finish}
        names = ("completion_tokens", "max_tokens")
        outputs.append(output | dict(zip(names, numbers)))
    return {"outputs": outputs}


_SOME = (0, 1, 2, 3, 3, 4)
_ORDINARY = st.one_of(
    _json(_SOME), _code(_SOME), _json(_SOME, st.just([])), _fenced(_SOME, _LINES), _code(_SOME)
)

# JSON that is nearly right, or right though it looks wrong
_NEARLY = (
    "[1]", "[]", "{}", "", " ", "\t\r\n", "1", '"a"', "null", "true", "[1,]", "[,1]", '{"a":1,}',
    "[01]", "[-0]", "[-]", "[+1]", "[.5]", "[1.]", "[1e]", "[1E+2]", "[1e999]", "[NaN]", "NaN",
    '{"a":Infinity}', "[-Infinity]", "{'a':1}", "{a:1}", '{"a"}', "{1:2}", '["\t"]', '["\\x"]',
    '["\\u12"]', '["\\u00e9\\/"]', '["\x7f"]', "[1]x", "[1] [2]", "{}{}", "[1]\f", "\xa0[1]",
    "\u3000", "\f", "[٣]", "(1)", "[(1)]", "[1]//", "/**/[1]", "[tru]", "[True]", '{"a":1,"a":2}',
    "[1 2]", '{"a" 1}', '["a" "b"]', "[1}", "]", "[]]", '{"a":[1}]', '["]', '["\\"]', '[("]',
    "x", "'", "\\", ":", "[\u20281]", '["\u2028"]', "[1]\xa0", "[[[[]]]]", '{"a":{}}', "[1]\x00",
)  # fmt: skip
_HARD = (
    "", '"', '"\\', '"\\"', '"\\\\', '"\\\\"', '\\"', "\\(", "'('", "([)]", "(]", ")", "())(", "}{",
    '("', '(")', '(")"', '"""', '""""', "(((", "([{", '([{"', "([{}])", '"(\n', '"\\\n"', "((\\",
    '"a"("b"', "😀(", "é[", "\ud7ff{", "(\n[\n", "//(", "#)", '"\'"', "'\"'", "f(`)", "<(>", "（(",
    '\\\\"', '("\\\\")', "[(])", "{[}", '"{"}', "(" * 40, "(" * 20 + ")" * 20, "`(`",
)  # fmt: skip
_EDGE_TOKENS = (
    (8, 8), (7, 8), (9, 8), (), (0, 1), (1, 1), (None, 1), (0, None), (2**53, 2**53 + 1),
    (2**53 + 1, 2**53), (10**30, 10**30), (10**30 - 1, 10**30), (10, 9), (9, 10),
)  # fmt: skip
_EDGE_FINISHES = ("stop", "stop", "tool_calls", None, "stop", "length")
_BORDERS = st.one_of(
    st.tuples(st.just("json"), _one_of(_NEARLY)),
    st.tuples(st.just("code"), _one_of(_HARD)),
    _fenced((1, 2, 2, 3, 3, 4), _ODD_LINES),
    _code((1, 2, 3)),
    _json((0, 1, 2)),
)
_TINY = (
    "",
    "x",
    "(",
    ")",
    "[]",
    '"',
    '""',
    "\\",
    "{",
    " ",
    "{}",
    "()",
    "1",
    '"\\',
    "(]",
    "]",
    "\n",
)
_SHORT = st.tuples(_one_of(("code", "json", "fenced")), _one_of(_TINY + (FENCE, "``", FENCE + "`")))

normal = _outputs((0, 1, 1, 2, 2, 3), _ORDINARY)
minimal = _outputs((0, 1, 1, 1, 1, 1), _SHORT, ((), (), (0, 1), (1, 1), (None, None)))
edge = _outputs((1, 1, 1, 2, 3), _BORDERS, _EDGE_TOKENS, _EDGE_FINISHES)


# What must be refused: edits of a small legal input

_LEGAL_TEXT = json.dumps(
    {
        "outputs": [
            {"kind": "json", "text": "{}", "finish": "stop", "completion_tokens": 1,
             "max_tokens": 2},
            {"kind": "code", "text": "f(", "finish": None, "completion_tokens": None,
             "max_tokens": 2},
            {"kind": "fenced", "text": "", "finish": "length", "completion_tokens": 0,
             "max_tokens": None},
        ]
    }
)  # fmt: skip
_PLACES = tuple(("outputs", i) for i in (0, 1, 2))
_GONE = object()
_NO_INTEGERS = (1.0, 1e3, 0.5, True, False, "1", "", [1], {}, [])
_NO_STRINGS = (None, 1, True, [], {}, ["x"])
_NO_KINDS = (*_NO_STRINGS, "", "JSON", "text", "json ", "fence", ["json"])
_NO_FINISHES = (
    "",
    "STOP",
    "stop ",
    "content_filter",
    "tool_call",
    "null",
    0,
    False,
    [],
    {},
    ["stop"],
)
_TEXTS = (
    "", "\n", "null", "1", "[]", '"outputs"', '[{"outputs": []}]', "{}", '{"outputs": []',
    '{"outputs": []} {}', "{'outputs': []}", '{"outputs": [],}', '{"outputs": []}x',
    '{"outputs": NaN}', '{"outputs": null}', '{"outputs": {}}', '{"outputs": ""}',
    '{"Outputs": []}',
    '{"outputs": [[]]}', '{"outputs": [null]}', '{"outputs": [["kind", "text", "finish"]]}',
    '{"outputs": [], "seed": 1}', b'{"outputs": [], "\xff": 1}', b'{"outputs": []}\x80',
)  # fmt: skip


def _edit(given, path, value):
    *parents, last = path
    for key in parents:
        given = given[key]
    if value is _GONE:
        del given[last]
    else:
        given[last] = value


def _malformed(pick, given):
    kind = pick(("integer", "text", "kind", "finish", "string", "missing", "unknown", "object"))
    place = pick(_PLACES)
    if kind == "text":
        return pick(_TEXTS)
    if kind == "integer":
        name = pick(("completion_tokens", "max_tokens"))
        _edit(given, (*place, name), pick(_NO_INTEGERS))
    elif kind == "kind":
        _edit(given, (*place, "kind"), pick(_NO_KINDS))
    elif kind == "finish":
        _edit(given, (*place, "finish"), pick(_NO_FINISHES))
    elif kind == "string":
        _edit(given, (*place, "text"), pick(_NO_STRINGS))
    elif kind == "missing":
        _edit(given, (*place, pick(("kind", "text", "finish"))), _GONE)
    elif kind == "unknown":
        _edit(given, (*pick(((), *_PLACES)), pick(("tokens", "kind "))), pick((1, None)))
    else:
        _edit(given, place, pick(([], "", 1, True, None, {}, ["kind", "text", "finish"])))
    return given


def _negative_tokens(pick, given):
    _edit(given, (*pick(_PLACES), "completion_tokens"), pick((-1, -2, -(10**30))))
    return given


def _max_tokens_out_of_range(pick, given):
    _edit(given, (*pick(_PLACES), "max_tokens"), pick((0, -1, -(10**30))))
    return given


_FAULTS = {
    "malformed": _malformed,
    "negative_tokens": _negative_tokens,
    "max_tokens_out_of_range": _max_tokens_out_of_range,
}
_CODES = tuple(_FAULTS)


@st.composite
def _failure(draw):
    """A fault, often with faults from further down the table as well."""
    # Early inputs come in runs that differ in one choice only. What fault there is depends on
    # all choices, which are drawn first: so every code comes up soon.
    dice = draw(st.tuples(*[_below(1000)] * 20))
    code, numbers = sum(dice) % len(_CODES), iter(dice)

    def pick(options):
        return options[next(numbers) % len(options)]

    given = json.loads(_LEGAL_TEXT)
    for later in range(len(_CODES) - 1, code, -1):
        if pick((False, False, True)):
            given = _FAULTS[_CODES[later]](pick, given)
    return _FAULTS[_CODES[code]](pick, given), _CODES[code]


failure = _failure()


# What the checks read


def _results(given, answer):
    """Per output (name, output, result), once results and counts are known to fit together."""
    outputs, results = given["outputs"], answer["results"]
    assert len(results) == len(outputs), f"{len(outputs)} outputs, {len(results)} results"
    for status, count in answer["counts"].items():
        _same(f"counts: {status}", sum(one["status"] == status for one in results), count)
    rows = []
    for i, (output, result) in enumerate(zip(outputs, results)):
        reasons = REASONS[result["status"]]
        what = f"result {i} is {result['status']} with reason {result['reason']}"
        assert result["reason"] in reasons, f"{what}, which does not belong together"
        rows.append((f"result {i}", output, result))
    return rows


def _same(what, expected, found):
    assert found == expected, f"{what}: expected {expected!r}, found {found!r}"


def _is_blank(text):
    return not text.strip(" \t\n\r")


def _judged(run, outputs):
    """The program's results for other outputs."""
    given = {"outputs": outputs}
    return [result for _, _, result in _results(given, run(given))]


def _as(kind, text, finish="stop"):
    return {"kind": kind, "text": text, "finish": finish}


def _verdict(result):
    return result["status"], result["reason"]


# Checks


def check_counts(given, answer):
    """One result for each output, a reason that fits its status, and counts of all four statuses.

    每个输出一个结果，reason 与 status 相配，counts 正确统计四种状态。
    """
    _results(given, answer)


def check_finish_decides(given, answer):
    """truncated with reason length exactly when finish is length; else with cap exactly when finish
    is not stop and completion_tokens >= max_tokens, both known. Without a finish nothing is
    complete.

    当且仅当 finish 为 length 时，结果为 truncated/length；此外，当且仅当 finish 不是 stop 且
    两个 token 数都已知、completion_tokens >= max_tokens 时，结果为 truncated/cap。finish 为 null
    时不会是 complete。
    """
    for name, output, result in _results(given, answer):
        finish = output["finish"]
        used, most = output.get("completion_tokens"), output.get("max_tokens")
        reached = finish != "stop" and used is not None and most is not None and used >= most
        due = "length" if finish == "length" else "cap" if reached else None
        found = result["reason"] if result["status"] == "truncated" else None
        _same(
            f"{name}, finish {finish}, {used} of {most} tokens: reason to be truncated", due, found
        )
        if finish is None:
            _same(f"{name}, finish null: complete", False, result["status"] == "complete")
        if finish is not None:
            _same(f"{name}, finish {finish}: no_finish", False, result["reason"] == "no_finish")


def check_open_is_in_the_text(given, answer):
    """Whatever is listed as open stands at its offset in the text, a fence at the start of a line;
    offsets rise, and a string comes last. Fenced text is never broken.

    open 中列出的每一项都出现在文本的相应位置，围栏位于行首；位置递增，字符串只能在最后。
    fenced 文本不会出现结构错误。
    """
    for name, output, result in _results(given, answer):
        text, listed = output["text"], result["open"]
        if output["kind"] == "fenced":
            assert listed is not None, f"{name}: open is null, but fences cannot be broken"
            assert len(listed) <= 1, f"{name}: {len(listed)} fences are open, at most 1 can be"
        before = -1
        for mark, offset in listed or []:
            found = text[offset : offset + len(mark)]
            _same(f"{name}: the text at offset {offset}", mark, found)
            assert offset > before, f"{name}: offset {offset} stands behind offset {before}"
            is_fence = output["kind"] == "fenced"
            _same(f"{name}: {mark} at {offset} is a fence", is_fence, mark == FENCE)
            at_start = not is_fence or offset == 0 or text[offset - 1] == "\n"
            assert at_start, f"{name}: the fence at {offset} does not begin a line"
            is_last = mark != '"' or [mark, offset] == listed[-1]
            assert is_last, f"{name}: something is open inside the string at {offset}"
            before = offset


def check_status_fits_open(given, answer):
    """complete: nothing is open. suspect for open: something is, or a json text is blank. invalid:
    open is null, or a json text that is not blank has nothing open. Broken is never complete.

    complete：没有未闭合的内容。suspect/open：有未闭合的内容，或 json 文本全是空白。
    invalid：open 为 null，或者 json 文本非空白且没有未闭合的内容。结构错误绝不会是 complete。
    """
    for name, output, result in _results(given, answer):
        status, reason = _verdict(result)
        listed, is_json = result["open"], output["kind"] == "json"
        blank = is_json and _is_blank(output["text"])
        may_be = {
            "truncated": True,
            "invalid": listed is None or (is_json and not listed and not blank),
            "complete": listed == [] and not blank,
            "suspect": listed == [] if reason == "no_finish" else bool(listed) or blank,
        }
        what = f"{name} is {status} ({reason}) with open {listed}, kind {output['kind']}"
        assert may_be[status], f"{what}, which does not fit together"


def _read(text):
    """The value of a JSON text; None when it is none."""
    constants = []
    try:
        value = json.loads(text, parse_constant=constants.append)
    except ValueError:
        return None
    return None if constants else value


def check_json_parser(given, answer):
    """With finish stop, a json text is complete exactly when a strict parser reads it as an object
    or array.

    finish 为 stop 时，当且仅当严格的解析器能把 json 文本读成对象或数组，结果才是 complete。
    """
    for name, output, result in _results(given, answer):
        if output["kind"] == "json" and output["finish"] == "stop":
            due = isinstance(_read(output["text"]), (dict, list))
            _same(f"{name}: complete", due, result["status"] == "complete")


def check_prefixes(given, answer, run):
    """Each proper prefix of the text of a JSON object or array, cut of blanks around it, is suspect
    with finish stop; the whole is complete.

    去掉首尾空白后，JSON 对象或数组的每个真前缀（finish 为 stop）都是 suspect，全文是 complete。
    """
    _results(given, answer)
    for output in given["outputs"]:
        text = output["text"].strip(" \t\n\r")
        if output["kind"] != "json" or not isinstance(_read(text), (dict, list)):
            continue
        prefixes = [text[:end] for end in range(len(text) + 1)]
        found = _judged(run, [_as("json", prefix) for prefix in prefixes])
        for prefix, result in zip(prefixes[:-1], found):
            _same(f"prefix {prefix!r}", ("suspect", "open"), _verdict(result))
        _same(f"the whole {text!r}", ("complete", None), _verdict(found[-1]))


def check_closing(given, answer, run):
    """Unless a code text ends in a backslash, appending the partners of what is open, innermost
    first, makes it complete (finish stop).

    code 文本若不以反斜杠结尾，在其后由内到外补上未闭合各项的另一半，就是 complete
    （finish 为 stop）。
    """
    outputs = []
    for _, output, result in _results(given, answer):
        text, listed = output["text"], result["open"]
        if output["kind"] == "code" and listed is not None and not text.endswith("\\"):
            closers = [PARTNERS[mark] for mark, _ in reversed(listed) if mark in PARTNERS]
            outputs.append(_as("code", text + "".join(closers)))
    for output, result in zip(outputs, _judged(run, outputs)):
        _same(f"closed text {output['text']!r}", ("complete", None), _verdict(result))


def check_before_open(given, answer, run):
    """The text in front of something that is open leaves just that open which is listed before it.

    截取到某个未闭合项之前的文本，此时未闭合的恰好是 open 中排在它前面的各项。
    """
    outputs, due = [], []
    for _, output, result in _results(given, answer):
        for i, (_, offset) in enumerate(result["open"] or []):
            outputs.append(_as(output["kind"], output["text"][:offset]))
            due.append(result["open"][:i])
    for output, before, result in zip(outputs, due, _judged(run, outputs)):
        _same(f"{output['kind']} {output['text']!r}: open", before, result["open"])


def check_broken_stays_broken(given, answer, run):
    """What is broken stays so, whatever is appended; and a closer behind a text in which nothing is
    open breaks it.

    已经出错的结构，后面再接什么都仍然出错；没有未闭合内容的文本后面再加一个右括号，结构就出错。
    """
    outputs = []
    for _, output, result in _results(given, answer):
        if output["kind"] != "fenced" and result["open"] is None:
            outputs += [_as(output["kind"], output["text"] + more) for more in ("(", '"', "])}")]
        elif output["kind"] != "fenced" and result["open"] == []:
            outputs += [_as(output["kind"], output["text"] + more) for more in ")]}"]
    for output, result in zip(outputs, _judged(run, outputs)):
        what = f"{output['kind']} {output['text']!r}"
        _same(f"{what}: open", None, result["open"])
        _same(what, ("invalid", "structure"), _verdict(result))


def check_other_finish(given, answer, run):
    """length always gives truncated. Without token counts tool_calls gives what stop gives, and
    null the same or, in place of complete, suspect. What is open does not depend on the finish.

    finish 为 length 时总是 truncated。没有 token 数时，tool_calls 与 stop 结果相同；null 也相同，
    只是 complete 变为 suspect。open 与 finish 无关。
    """
    _results(given, answer)
    finishes = ("stop", "tool_calls", None, "length")
    texts = [(output["kind"], output["text"]) for output in given["outputs"]]
    found = _judged(run, [_as(*text, finish) for text in texts for finish in finishes])
    for i, result in enumerate(found):
        name = f"{texts[i // 4]} with finish {finishes[i % 4]}"
        due = _verdict(found[i // 4 * 4])
        if finishes[i % 4] == "length":
            due = "truncated", "length"
        elif finishes[i % 4] is None and due[0] == "complete":
            due = "suspect", "no_finish"
        _same(name, due, _verdict(result))
        _same(f"{name}: open", answer["results"][i // 4]["open"], result["open"])


def check_blanks_at_the_end(given, answer, run):
    """Blanks at the end change nothing.

    在末尾添加空白字符，结果不变。
    """
    rows = _results(given, answer)
    for more in (" ", "\n", "\t\r\n "):
        outputs = [output | {"text": output["text"] + more} for _, output, _ in rows]
        for (name, _, due), found in zip(rows, _judged(run, outputs)):
            _same(f"{name}, with {more!r} at the end", due, found)


def check_joined(given, answer, run):
    """Two complete code texts in a row are complete, so is one in a pair of brackets; two complete
    fenced texts with a line feed between them as well (finish stop).

    两段 complete 的 code 相接仍是 complete，外面套一对括号也是；两段 complete 的 fenced 以换行
    相连也是（finish 为 stop）。
    """
    texts = [
        (output["kind"], output["text"])
        for _, output, result in _results(given, answer)
        if result["status"] == "complete" and output["kind"] != "json"
    ]
    outputs = []
    for kind, text in texts:
        if kind == "code":
            outputs += [_as(kind, pair[0] + text + pair[1]) for pair in ("()", "[]", "{}")]
        between = "" if kind == "code" else "\n"
        outputs += [_as(kind, text + between + other) for k, other in texts if k == kind]
    for output, result in zip(outputs, _judged(run, outputs)):
        what = f"{output['kind']} {output['text']!r}"
        _same(what, ("complete", None), _verdict(result))


def check_each_on_its_own(given, answer, run):
    """Each result depends on its own output only: twice, in the other order and between others, it
    is the same.

    每个结果只取决于自己的输出：重复、倒序或夹在其他输出之间，结果都相同。
    """
    rows = _results(given, answer)
    others = [_as("code", '("'), _as("fenced", FENCE), _as("code", ")"), _as("json", "{}", None)]
    outputs = [output for _, output, _ in rows]
    found = _judged(run, [*others, *reversed(outputs), *others, *outputs])
    due = [result for _, _, result in rows]
    again = [*reversed(found[4 : 4 + len(due)])], found[8 + len(due) :]
    for results in again:
        for (name, _, one), other in zip(rows, results):
            _same(f"{name} among other outputs", one, other)
