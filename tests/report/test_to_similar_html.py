"""The page says what it is not, shows both sides alike, and obeys nothing that students wrote."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given, settings

from grader.model.course import Submitted
from grader.model.similarity import Group, Lines, Pair, Region, Similarity
from grader.report.to_similar_html import to_similar_html
from tests.report.hostile import forbidden_in, hostile_text

TAGS = set(
    "html head meta title style body h1 h2 h3 div p ul li table tr th td a pre span i".split()
)
ATTRIBUTES = {"lang", "charset", "http-equiv", "content", "class", "id", "href"}


class Page(HTMLParser):
    """What a browser would find: tags with attributes, and texts with the last tag before them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = [("", {})]
        self.texts: list[tuple[str, str]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.texts.append((self.tags[-1][0], data))

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    @property
    def text(self) -> str:
        return "".join(text for tag, text in self.texts if tag != "style")

    def values(self, attribute: str) -> list[str]:
        return [attributes[attribute] for _, attributes in self.tags if attribute in attributes]


def handed_in(student: str, source: str = "a = 1\nb = 2\n", **more: str) -> Submitted:
    raw = source.encode("utf-8", "surrogatepass")
    usual = {"problem": "top_p_sets", "path": f"{student}.py"}
    return Submitted(student=student, source=raw, **usual | more)


def region(first: tuple[int, int], second: tuple[int, int]) -> Region:
    (a, b), (c, d) = first, second
    return Region(first=Lines(first=a, last=b), second=Lines(first=c, last=d), tokens=30)


def pair(first: Submitted, second: Submitted, *regions: Region, score: float = 0.5) -> Pair:
    tokens = sum(each.tokens for each in regions)
    return Pair(
        first=first, second=second, score=score, matching_tokens=tokens, regions=tuple(regions)
    )


def similarity(*pairs: Pair, **more: object) -> Similarity:
    usual = {"problem": "top_p_sets", "compared": 40, "common_above": 10, "groups": ()}
    return Similarity(**usual | {"pairs": pairs} | more)  # type: ignore[arg-type]


@settings(deadline=None)
@given(hostile_text, hostile_text)
def test_hostile_text_is_shown_and_never_interpreted(text: str, source: str) -> None:
    one = handed_in(text, source, name=text, path=text)
    other = handed_in("</pre><script>alert(1)</script>", text)
    found = pair(one, other, region((1, 1), (1, 1)))
    groups = (Group(members=(one, other), tokens=3),)
    every = (one, other)
    html = to_similar_html(
        similarity(found, problem=text, groups=groups, cut=every, mostly_common=every)
    )
    page = Page(html)
    html.encode()
    assert not forbidden_in(html)
    assert {tag for tag, _ in page.tags} <= TAGS | {""}
    assert {name for _, attributes in page.tags for name in attributes} <= ATTRIBUTES
    assert "<script>alert(1)</script>" in page.text
    assert [tag for tag, _ in page.tags].count("style") == 1


def test_it_loads_nothing_and_runs_nothing() -> None:
    page = Page(to_similar_html(similarity(pair(handed_in("a"), handed_in("b")))))
    assert all(target.startswith("#") for target in page.values("href"))
    assert "default-src 'none'; style-src 'unsafe-inline'" in page.values("content")
    (style,) = (text for tag, text in page.texts if tag == "style")
    assert "url(" not in style and "@import" not in style


def test_it_begins_with_what_it_is_not_in_both_languages() -> None:
    text = Page(to_similar_html(similarity(pair(handed_in("alice"), handed_in("bob"))))).text
    for says in (
        "it does not say that anybody copied",
        "No grade follows",
        "不是结论",
        "不得根据本页评分",
    ):
        assert text.index(says) < text.index("alice")


def test_a_region_has_the_same_colour_and_number_on_both_sides() -> None:
    one, other = (handed_in(name, "\n".join("abcdefgh")) for name in ("one", "other"))
    found = pair(one, other, region((1, 2), (5, 6)), region((4, 4), (1, 1)))
    page = Page(to_similar_html(similarity(found)))
    lines = [attributes.get("class", "") for tag, attributes in page.tags if tag == "span"]
    assert lines[:8] == ["r0", "r0", "", "r1", "", "", "", ""]
    assert lines[8:] == ["r1", "", "", "", "r0", "r0", "", ""]
    links = {each["id"]: each["href"] for tag, each in page.tags if tag == "a" and "id" in each}
    assert links == {"p1a-1": "#p1b-1", "p1a-2": "#p1b-2", "p1b-1": "#p1a-1", "p1b-2": "#p1a-2"}


def test_regions_that_meet_on_a_line_are_both_named() -> None:
    one = handed_in("one", "a; b\nc\n")
    found = pair(one, one, region((1, 1), (1, 1)), region((1, 2), (1, 2)))
    page = Page(to_similar_html(similarity(found)))
    assert [text for tag, text in page.texts if text.startswith("[")] == ["[1]", "[2]"] * 2


def test_every_link_has_its_target() -> None:
    pairs = [pair(handed_in("a"), handed_in(name), region((1, 2), (1, 2))) for name in "bcd"]
    page = Page(to_similar_html(similarity(*pairs)))
    assert {target.removeprefix("#") for target in page.values("href")} <= set(page.values("id"))
    assert len(page.values("id")) == len(set(page.values("id")))


def test_programs_stand_line_by_line_as_they_were_written() -> None:
    source = "def f(a):\r\n\tif a < 2 && '<b>':\r    return \"é\"\n\n# \x1b[2J end"
    text = Page(to_similar_html(similarity(pair(handed_in("a", source), handed_in("b"))))).text
    assert (
        "         1 def f(a):\n         2     if a < 2 && '<b>':\n         3     return \"é\"\n"
        "         4 \n         5 # \\x1b[2J end\n"
    ) in text


def test_a_group_names_all_and_one_stands_for_them_among_the_pairs() -> None:
    one, two, three, other = map(handed_in, ("one", "two", "three", "other"))
    groups = (Group(members=(one, two, three), tokens=120),)
    text = Page(to_similar_html(similarity(pair(one, other), groups=groups))).text
    assert "one, two, three (120 tokens)" in text
    assert "one (+2)" in text


@pytest.mark.parametrize(("score", "shown"), [(1.0, "100 %"), (0.999, "99 %"), (0.0, "0 %")])
def test_a_share_is_never_rounded_up(score: float, shown: str) -> None:
    found = similarity(pair(handed_in("a"), handed_in("b"), score=score))
    assert shown in [text for tag, text in Page(to_similar_html(found)).texts if tag == "td"]


def test_what_was_left_out_is_said() -> None:
    found = similarity(cut=(handed_in("long"),), mostly_common=(handed_in("ring"),))
    text = Page(to_similar_html(found)).text
    assert "40 submissions" in text
    assert "more than 10 different programs" in text
    assert "只比较了开头: long" in text
    assert "也可能它们有共同来源: ring" in text
    assert "none · 无" in text


@pytest.mark.parametrize("source", ["x" * (1 << 20), "x\n" * (1 << 19), "\0" * (1 << 20)])
def test_a_long_program_makes_no_long_page(source: str) -> None:
    found = pair(handed_in("a", source), handed_in("b", source), region((1, 1), (1, 1)))
    assert len(to_similar_html(similarity(found))) < 3_000_000


def test_nothing_found_is_a_page_too() -> None:
    page = Page(to_similar_html(similarity(problem="", compared=0)))
    assert page.text.count("none · 无") == 2
