"""`grader doctor`."""

from __future__ import annotations

import json

import click


@click.command("doctor")
@click.option("--format", "format_", type=click.Choice(["terminal", "json"]), default="terminal")
def command(format_: str) -> int:
    """Tell how programs are confined on this machine, and what would make it better."""
    from grader.sandbox.diagnosis import diagnose

    found = diagnose()
    if format_ == "json":
        click.echo(json.dumps(found.as_dict(), indent=2))
        return 0
    click.echo(f"sandbox level  {found.level}" + (f"  ({found.why})" if found.why else ""))
    for name, layer in found.layers.items():
        click.echo(f"  {'yes' if layer.on else 'no ':<3}  {name:<14} {layer.why}")
    for name, version in found.versions.items():
        click.echo(f"{name:<13}  {version or 'not installed'}")
    for advice in found.advice:
        click.echo(f"to do: {advice}")
    return 0
