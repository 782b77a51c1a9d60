"""A ClassSummary becomes one HTML page that stands alone: no script, and nothing is fetched."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from grader.report.class_summary import ClassSummary
from grader.report.class_tables import TITLE, Part, Table, parts
from grader.report.shown import visible

_HEAD = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{TITLE}</title>
<style>
:root {{ color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }}
body {{ max-width: 70rem; margin: 0 auto; padding: 1rem; background: Canvas; color: CanvasText; }}
.table {{ overflow-x: auto; }}
table {{ border-collapse: collapse; margin: 0.5rem 0; }}
caption {{ text-align: left; font-weight: bold; padding: 0.25rem 0; }}
th, td {{ padding: 0.2rem 0.8rem 0.2rem 0; text-align: left; vertical-align: top; }}
th, td {{ border-bottom: 1px solid GrayText; overflow-wrap: anywhere; }}
.number {{ text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }}
</style>
</head>
<body>
<main>
<h1>{TITLE}</h1>
"""
_END = "</main>\n</body>\n</html>\n"


def to_class_html(summary: ClassSummary) -> str:
    """The page; the browser's own light or dark colours, and everything in it escaped."""
    sections = "".join(_section(part) for part in parts(summary))
    return f"{_HEAD}{sections}{_END}"


def _section(part: Part) -> str:
    name = f" <code>{_shown(part.name)}</code>" if part.name else ""
    head = f"<h2>{_shown(part.title)}{name}</h2>\n<p>{_shown(part.text)}</p>\n"
    return f"<section>\n{head}{''.join(map(_table, part.tables))}</section>\n"


def _table(table: Table) -> str:
    caption = f"<caption>{_shown(table.title)}</caption>\n" if table.title else ""
    note = f"<p>{_shown(table.note)}</p>\n" if table.note else ""
    rows = "".join(f"<tr>{row}</tr>\n" for row in _rows(table))
    return f'<div class="table">\n<table>\n{caption}{rows}</table>\n</div>\n{note}'


def _rows(table: Table) -> Iterator[str]:
    classes = [' class="number"' if column.number else "" for column in table.columns]
    yield "".join(
        f'<th scope="col"{kind}>{_shown(column.head)}</th>'
        for column, kind in zip(table.columns, classes, strict=True)
    )
    for row in table.rows:
        yield "".join(
            f"<td{kind}>{_shown(cell)}</td>" for cell, kind in zip(row, classes, strict=True)
        )


def _shown(text: str) -> str:
    return escape(visible(text))
