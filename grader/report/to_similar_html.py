"""A Similarity becomes one HTML page: what it is not, identical programs, pairs side by side.

    what this page is and is not       in English and in Chinese
    groups                             the same but for names, literals, comments and layout
    pairs, ranked                      a line each
    each pair                          │ 1 ▌def nucleus(…   │ 1 ▌def kern(…
                                       the same colour and number for the same region

The page has no script and loads nothing. It is for staff: it has everybody's name and program.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from grader.model.course import Submitted
from grader.model.similarity import Group, Lines, Pair, Similarity, text_of
from grader.report.shown import cut, visible

_MOST_OF_A_NAME = 120
_MOST_OF_A_LINE = 300
_MOST_OF_A_PROGRAM = 60_000
"""Characters. The longest solution of the labs has 10,000."""

_COLOURS = "#ffe08a #b5e3b0 #b9d7ff #f7c1d9 #d9c7f5 #ffd0a8 #a8e6e1 #d9dfa0".split()

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em; color: #111; background: #fff; }
.about { border-left: 4px solid #c60; padding: .2em 1em; margin: 1em 0; background: #fff8ee; }
table { border-collapse: collapse; } th, td { padding: .2em 1em .2em 0; text-align: left; }
td.number { text-align: right; }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1em; }
.side { min-width: 0; }
pre { margin: 0; max-height: 85vh; overflow: auto; border: 1px solid #ccc; font-size: 12px; }
pre span { display: block; } pre i { color: #666; font-style: normal; user-select: none; }
:target { outline: 2px solid #c60; }
""" + "".join(f".r{number} {{ background: {colour}; }}\n" for number, colour in enumerate(_COLOURS))

_ABOUT = {
    "en": (
        "What this page is: passages that are the same in two programs once names, literals, "
        "comments and layout are taken away; the pairs that are most alike come first. It is a "
        "place to look, not a finding.",
        "What it is not: it does not say that anybody copied, and not who from whom. Short "
        "programs for the same exercise resemble one another: they have the same statement, the "
        "same starter and the same lecture behind them. Some pair always comes first, also where "
        "everybody worked alone.",
        "Look at the passages, then talk with both. No grade follows from this page.",
    ),
    "zh": (
        "本页是什么：去掉名称、字面量、注释和排版之后，两份程序中仍然相同的片段；"
        "最相似的排在最前。它只指出值得一看的地方，不是结论。",
        "本页不是什么：它不说明有人抄袭，也不说明谁抄了谁。同一道题的短程序本来就会相似："
        "题目相同，起始文件相同，听的课也相同。即使人人独立完成，也总有一对排在最前。",
        "请先看片段，再与双方谈。不得根据本页评分。",
    ),
}


def to_similar_html(similarity: Similarity) -> str:
    """The page, to be written as UTF-8. Whatever students wrote is shown escaped."""
    page = Element("html", lang="en")
    head = SubElement(page, "head")
    SubElement(head, "meta", charset="utf-8")
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    SubElement(head, "meta", {"http-equiv": "Content-Security-Policy", "content": policy})
    title = f"{visible(similarity.problem)}: places to look · 值得一看的地方"
    _add(head, "title", title)
    _add(head, "style", _STYLE)
    body = SubElement(page, "body")
    _add(body, "h1", title)
    for lang, paragraphs in _ABOUT.items():
        about = SubElement(body, "div", {"class": "about", "lang": lang})
        for paragraph in paragraphs:
            _add(about, "p", paragraph)
    _add_facts(body, similarity)
    _add_groups(body, similarity.groups)
    _add_ranking(body, similarity)
    for number, pair in enumerate(similarity.pairs, 1):
        _add_pair(body, number, pair)
    return "<!DOCTYPE html>\n" + ElementTree.tostring(page, encoding="unicode", method="html")


def _add(parent: Element, tag: str, text: str, **attributes: str) -> Element:
    """A new last child; its text is escaped when the page is written (that of `style` is not)."""
    element = SubElement(parent, tag, attributes)
    element.text = text
    return element


def _add_facts(body: Element, similarity: Similarity) -> None:
    compared, common = similarity.compared, similarity.common_above
    _add(
        body,
        "p",
        f"{compared:,} submissions were compared. Given code is left out, and so is what more than "
        f"{common:,} different programs have in common. · 共比较 {compared:,} 份提交；"
        f"已发放的代码，以及超过 {common:,} 份不同程序共有的片段，均不计入。",
    )
    if similarity.mostly_common:
        names = ", ".join(map(_who, similarity.mostly_common))
        _add(
            body,
            "p",
            "More than half of these programs is such common code, so that the pairs below say "
            "little about them. Either given code is missing from this comparison, or they have a "
            "source in common · 以下程序有一半以上属于这类共有代码，下面的成对比较难以反映它们；"
            f"可能漏列了已发放的代码，也可能它们有共同来源: {names}",
        )
    if similarity.cut:
        names = ", ".join(map(_who, similarity.cut))
        _add(body, "p", f"Very long, only the beginning compared · 过长，只比较了开头: {names}")


def _add_groups(body: Element, groups: Iterable[Group]) -> None:
    _add(body, "h2", "The same but for names, literals, comments, layout · 除名称等之外完全相同")
    listed = SubElement(body, "ul")
    for group in groups:
        members = ", ".join(map(_who, group.members))
        _add(listed, "li", f"{members} ({group.tokens:,} tokens)")
    if len(listed) == 0:
        _add(listed, "li", "none · 无")


def _add_ranking(body: Element, similarity: Similarity) -> None:
    _add(body, "h2", "Pairs · 成对比较")
    _add(
        body,
        "p",
        "Share: how much of the shorter program's own code is in both. Of identical programs, the "
        "first stands for all. · 占比：较短的程序自己写的部分中，两份共有的比例。"
        "完全相同的程序以第一份为代表。",
    )
    if not similarity.pairs:
        _add(body, "p", "none · 无")
        return
    alike = {_key(group.members[0]): len(group.members) - 1 for group in similarity.groups}
    table = SubElement(body, "table")
    heads = SubElement(table, "tr")
    for head in ("", "Share · 占比", "Tokens · 词法单元", "", ""):
        _add(heads, "th", head)
    for number, pair in enumerate(similarity.pairs, 1):
        row = SubElement(table, "tr")
        _add(SubElement(row, "td"), "a", str(number), href=f"#p{number}")
        for figure in (_percent(pair), f"{pair.matching_tokens:,}"):
            _add(row, "td", figure, **{"class": "number"})
        for side in (pair.first, pair.second):
            others = alike.get(_key(side), 0)
            _add(row, "td", _who(side) + (f" (+{others:,})" if others else ""))


def _add_pair(body: Element, number: int, pair: Pair) -> None:
    heading = f"{number}. {_who(pair.first)} · {_who(pair.second)}"
    _add(body, "h2", f"{heading} ({_percent(pair)})", id=f"p{number}")
    sides = SubElement(body, "div", {"class": "sides"})
    for own, other in (("a", "b"), ("b", "a")):
        submitted = pair.first if own == "a" else pair.second
        regions = [region.first if own == "a" else region.second for region in pair.regions]
        side = SubElement(sides, "div", {"class": "side"})
        _add(side, "h3", visible(cut(submitted.path, _MOST_OF_A_NAME)))
        pre = SubElement(side, "pre")
        _add_program(pre, submitted, regions, f"p{number}{own}", f"p{number}{other}")


def _add_program(
    pre: Element, submitted: Submitted, regions: list[Lines], own: str, other: str
) -> None:
    """A line each, in the colour of its region; where a region begins, a link to the other side."""
    lines = text_of(submitted.source).split("\n")
    colours: dict[int, dict[str, str]] = {}
    links: defaultdict[int, list[int]] = defaultdict(list)
    for place, region in enumerate(regions):
        links[region.first].append(place)
        for covered in range(region.first, region.last + 1):
            colours.setdefault(covered, {"class": f"r{place % len(_COLOURS)}"})
    left = _MOST_OF_A_PROGRAM
    for number, line in enumerate(lines, 1):
        if left < 0:
            _add(pre, "span", f"… {len(lines) - number + 1:,} more lines · 其余各行从略 …\n")
            break
        shown = visible(cut(line, _MOST_OF_A_LINE).expandtabs(4))
        left -= len(shown) + 1
        element = SubElement(pre, "span", colours.get(number, {}))
        left_of_number = 0
        for place in links[number]:
            name = {"id": f"{own}-{place + 1}", "href": f"#{other}-{place + 1}"}
            link = _add(element, "a", f"[{place + 1}]", **name)
            left_of_number += len(link.text or "")
        width = max(1, 10 - left_of_number)
        _add(element, "i", f"{number:>{width}} ").tail = shown + "\n"


def _key(submitted: Submitted) -> tuple[str, str]:
    return submitted.student, submitted.path


def _who(submitted: Submitted) -> str:
    name = f" ({submitted.name})" if submitted.name else ""
    return visible(cut(submitted.student + name, _MOST_OF_A_NAME))


def _percent(pair: Pair) -> str:
    """Rounded down: a hundred are all of it."""
    return f"{int(100 * pair.score)} %"
