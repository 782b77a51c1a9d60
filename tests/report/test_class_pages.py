"""The summary of a class as Markdown and as HTML: read back by parsers of both."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from markdown_it import MarkdownIt

from grader.model.verdict import Verdict
from grader.report.class_summary import ClassSummary, summarize
from grader.report.class_tables import bars
from grader.report.shown import visible
from grader.report.to_class_html import to_class_html
from grader.report.to_class_markdown import to_class_markdown
from tests.report.entries import OVERRIDE, entry, given_up, incomplete, waiting
from tests.report.hostile import forbidden_in, hostile_text
from tests.report.reports import report, row

_TAGS = {
    *("html", "head", "meta", "title", "style", "body", "main", "section", "div", "p"),
    *("h1", "h2", "h3", "table", "caption", "thead", "tbody", "tr", "th", "td", "code"),
}


class _Page(HTMLParser):
    """The tags, attributes and texts of a page, in order."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.texts: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append(data.strip())


def _pages(summary: ClassSummary) -> dict[str, _Page]:
    rendered = MarkdownIt("commonmark").enable("table").render(to_class_markdown(summary))
    return {"html": _Page(to_class_html(summary)), "markdown": _Page(rendered)}


def _summary() -> ClassSummary:
    return summarize(
        [entry("ada"), entry("zoe", override=OVERRIDE), waiting("eve"), incomplete("cy")]
    )


@pytest.mark.parametrize("kind", ["html", "markdown"])
def test_who_has_no_final_score_comes_first_and_every_part_is_there(kind: str) -> None:
    texts = _pages(_summary())[kind].texts
    titles = [
        *("Class summary", "Without a final score", "2 of 4 submissions have none.", "eve"),
        *("not graded yet", "edge/b: check_sum raised", "Lab", "top_p_sets", "Points"),
        *("Rows that fail most", "edge/b", "Slowest programs", "Points given by hand"),
        *("55.5", "the network was down"),
    ]
    places = [next(i for i, text in enumerate(texts) if title in text) for title in titles[:1]]
    for title in titles[1:]:
        places.append(next(i for i in range(places[-1], len(texts)) if title in texts[i]))
    assert places == sorted(places)


@pytest.mark.parametrize("kind", ["html", "markdown"])
def test_the_points_of_a_group_are_told_with_how_they_are_spread(kind: str) -> None:
    texts = _pages(_summary())[kind].texts
    at = texts.index("edge")
    assert texts[at : at + 9] == ["edge", "5", "2", "2.5", "2.5", "2.5", "2.5", "2.5", "·····█····"]


def test_the_page_stands_alone_and_runs_nothing() -> None:
    html = to_class_html(_summary())
    page = _Page(html)
    assert page.tags <= _TAGS
    assert not page.attributes & {"src", "href", "style", "onclick", "action"}
    assert "default-src 'none'" in html
    assert "color-scheme: light dark" in html
    assert not any(word in html for word in ("http:", "https:", "url(", "@import"))


def test_a_class_in_which_all_is_graded_has_no_table_of_others() -> None:
    texts = _pages(summarize([entry()]))["html"].texts
    assert "0 of 1 submissions have none." in texts
    assert "why" not in texts


def test_an_empty_class_is_a_page_as_well() -> None:
    for page in _pages(summarize([])).values():
        assert "0 of 0 submissions have none." in page.texts


@pytest.mark.parametrize(
    ("counts", "shown"),
    [((0, 0), "··"), ((1, 2, 4, 8), "▁▂▄█"), ((1, 1000), "▁█"), ((), ""), ((3,), "█")],
)
def test_bars_show_the_most_as_full_and_few_as_something(
    counts: tuple[int, ...], shown: str
) -> None:
    assert bars(counts) == shown


@settings(deadline=None)
@given(hostile_text)
def test_hostile_text_is_text_on_both_pages(text: str) -> None:
    text = f"{text}<script>x</script>|`a`](https://x.example)"
    graded = report(row(f"edge/{text}", Verdict.CRASHED), problem=text)
    override = type(OVERRIDE)(points=1.0, author=text, reason=text, at=text)
    entries = [entry(text, graded, override=override), given_up(text, error=text, problem=text)]
    summary = summarize(entries)
    for made in (to_class_html(summary), to_class_markdown(summary)):
        assert not forbidden_in(made)
    for page in _pages(summary).values():
        assert page.tags <= _TAGS
        assert "href" not in page.attributes
        squeezed = "".join("".join(page.texts).split())
        assert "".join(visible(text[-200:]).split()) in squeezed
