"""`grader schema NAME`."""

from __future__ import annotations

import json

import click


@click.command("schema")
@click.argument("name", type=click.Choice(["report", "problem", "course"]))
def command(name: str) -> None:
    """Print a published JSON Schema: of the JSON report, of problem.toml or of course.toml."""
    if name == "report":
        from grader.report.to_json import report_schema

        schema = report_schema()
    else:
        from grader.bundles.toml_files import published

        schema = published(name)
    click.echo(json.dumps(schema, indent=2, ensure_ascii=False))
