"""`grader schema NAME`."""

from __future__ import annotations

import json

import click


@click.command("schema")
@click.argument("name", type=click.Choice(["report", "problem"]))
def command(name: str) -> None:
    """Print a published JSON Schema: of the JSON report, or of a lab's problem.toml."""
    if name == "report":
        from grader.report.to_json import report_schema

        schema = report_schema()
    else:
        from grader.bundles.load import problem_schema

        schema = problem_schema()
    click.echo(json.dumps(schema, indent=2, ensure_ascii=False))
