"""A ClassSummary becomes Markdown, for a wiki, a chat or a step's summary."""

from __future__ import annotations

from collections.abc import Iterator

from grader.report.class_summary import ClassSummary
from grader.report.class_tables import TITLE, Table, parts
from grader.report.markdown import code, table


def to_class_markdown(summary: ClassSummary) -> str:
    """The summary with names and reasons shown as code: they are no Markdown."""
    return "\n\n".join(_blocks(summary)) + "\n"


def _blocks(summary: ClassSummary) -> Iterator[str]:
    yield f"# {TITLE}"
    for part in parts(summary):
        yield f"## {part.title} {code(part.name)}".rstrip()
        yield part.text
        for one in part.tables:
            if one.title:
                yield f"### {one.title}"
            yield _table(one)
            if one.note:
                yield one.note


def _table(one: Table) -> str:
    rows = [
        [
            code(cell) if column.literal else cell
            for cell, column in zip(row, one.columns, strict=True)
        ]
        for row in one.rows
    ]
    numbers = frozenset(place for place, column in enumerate(one.columns) if column.number)
    return table([column.head for column in one.columns], rows, numbers)
