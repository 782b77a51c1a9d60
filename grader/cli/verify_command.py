"""`grader verify [PROBLEM…]`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.options import jobs_option, library, problems_option, staff_folder

if TYPE_CHECKING:
    from grader.authoring.verify import Verified


@click.command("verify")
@click.argument("problems_to_verify", nargs=-1, metavar="[PROBLEM]…")
@click.option("--rule", "rules", multiple=True, metavar="RULE", help="Only this rule (again).")
@click.option("--explain", metavar="RULE", help="Say what a rule is for, and what to do.")
@click.option("--list", "list_rules", is_flag=True, help="List the rules.")
@click.option("--format", "format_", type=click.Choice(["terminal", "json"]), default="terminal")
@jobs_option
@problems_option
def command(
    problems_to_verify: tuple[str, ...],
    rules: tuple[str, ...],
    explain: str | None,
    list_rules: bool,
    format_: str,
    jobs: int,
    problems: Path | None,
) -> int:
    """Prove that a lab catches mistakes and rejects nothing right.

    All labs, when none is named. Exit status 3 means that a rule found something.
    """
    from grader.authoring.verify import RULES, rule_named, verify
    from grader.cli.exit_status import ExitStatus
    from grader.cli.screen import counting

    if explain:
        named = rule_named(explain)
        click.echo(f"{named.name}\n\n{named.explanation}")
        return ExitStatus.ACCEPTED
    if list_rules:
        for rule in RULES:
            click.echo(f"{rule.name}\n    {rule.sentence}")
        return ExitStatus.ACCEPTED
    chosen = tuple(rule_named(name) for name in rules) or RULES
    labs = library(problems)
    results: dict[str, list[Verified]] = {}
    for name in problems_to_verify or labs.slugs():
        folder = labs.folder(name)
        with counting(f"runs of {folder.name}") as notice:
            results[folder.name] = verify(
                folder,
                staff_folder(labs, folder.name),
                jobs=jobs,
                rules=chosen,
                notice=notice,
            )
        if format_ == "terminal":
            show(folder.name, results[folder.name])
    if format_ == "json":
        click.echo(json.dumps(as_json(results), indent=2, ensure_ascii=False))
    clean = not any(v.findings for verified in results.values() for v in verified)
    return ExitStatus.ACCEPTED if clean else ExitStatus.BUNDLE


def as_json(results: dict[str, list[Verified]]) -> list[dict[str, Any]]:
    """Everything that was found, for programs."""
    return [
        {
            "problem": slug,
            "rules": [verified.rule.name for verified in results[slug]],
            "findings": [
                {
                    "rule": verified.rule.name,
                    "path": str(finding.path),
                    "key": finding.key,
                    "why": finding.why,
                }
                for verified in results[slug]
                for finding in verified.findings
            ],
        }
        for slug in results
    ]


def show(slug: str, verified: list[Verified]) -> None:
    """A line for each rule that found something, or one that says that all is well."""
    from grader.report.shown import visible

    count = 0
    for one in verified:
        for finding in one.findings:
            count += 1
            where = os.path.relpath(finding.path)
            key = f" {finding.key}:" if finding.key else ""
            click.echo(visible(f"✗ {one.rule.name}: {where}:{key} {finding.why}"))
    if count:
        rule = next(one.rule.name for one in verified if one.findings)
        findings = "1 finding" if count == 1 else f"{count} findings"
        click.echo(f"{slug}: {findings}; `grader verify --explain {rule}` says more")
    else:
        click.echo(f"✓ {slug}: {len(verified)} rules hold")
