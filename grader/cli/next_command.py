"""`grader next`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from grader.cli.options import lang_option, library, problems_option

if TYPE_CHECKING:
    from grader.model.report import GradeReport


@click.command("next")
@problems_option
@lang_option
def command(problems: Path | None, lang: str) -> None:
    """Name the next lab of the course that is not finished, by the reports in this folder.

    A lab is finished when the last grading here accepted every row of it.
    """
    from grader.bundles.course import chapters
    from grader.bundles.load import read_problem
    from grader.worker.record import reports

    labs = library(problems)
    order = [slug for chapter in chapters(labs) for slug in chapter.slugs]
    graded = reports(Path.cwd())
    unfinished = [s for s in order if s not in graded or not graded[s].is_finished]
    words = _WORDS[lang]
    if not unfinished:
        click.echo(words["all"].format(count=len(order)))
        return
    slug = unfinished[0]
    problem = read_problem(labs.folder(slug))
    place, count = order.index(slug) + 1, len(order)
    title = problem["title"][lang]
    click.echo(words["next"].format(slug=slug, title=title, place=place, count=count))
    click.echo(f"  {problem['summary'][lang]}")
    report = graded.get(slug)
    for line in _begun(report, words) if report else _fresh(slug, problem["file_name"]):
        click.echo(f"  {line}")


def _fresh(slug: str, file_name: str) -> list[str]:
    start = [] if Path(file_name).exists() else [f"grader start {slug}"]
    return [f"grader show {slug}", *start, f"grader grade {slug} {file_name}"]


def _begun(report: GradeReport, words: dict[str, Any]) -> list[str]:
    failing = next((row.id for row in report.rows if row.verdict.is_failure), None)
    out_of = report.public_out_of if report.practice else report.out_of
    earned = words["so_far"].format(points=report.points, out_of=out_of)
    first = [words["failing"].format(row=failing)] if failing else []
    return [earned, *first, f"grader grade {report.problem} {report.submission.name}"]


_WORDS = {
    "en": {
        "all": "All {count} labs are finished.",
        "next": "{slug}: {title} (lab {place} of {count})",
        "so_far": "so far {points:g} of {out_of:g} points",
        "failing": "first failing row: {row}",
    },
    "zh": {
        "all": "{count} 个实验全部完成。",
        "next": "{slug}：{title}（第 {place} 个，共 {count} 个）",
        "so_far": "目前得分 {points:g} / {out_of:g}",
        "failing": "第一个未通过的项目：{row}",
    },
}
