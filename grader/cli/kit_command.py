"""`grader kit PLATFORM PROBLEM…`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.options import lang_option, library, problems_option, staff_folder

if TYPE_CHECKING:
    from grader.kits.kit import Kit
    from grader.model.bundle import Bundle

PLATFORMS = ("gradescope", "github", "gitlab")


@click.command("kit")
@click.argument("platform", type=click.Choice(PLATFORMS))
@click.argument("names", nargs=-1, required=True, metavar="PROBLEM...")
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="PATH",
    help="A new or empty folder, or a zip when it ends in .zip.",
)
@click.option("--public", is_flag=True, help="Gradescope: leave solutions/ aside.")
@click.option(
    "--accept-weak",
    is_flag=True,
    help="Gradescope, with --public: grade also where programs cannot be confined.",
)
@click.option(
    "--budget",
    type=click.IntRange(min=60),
    default=540,
    show_default=True,
    metavar="SECONDS",
    help="When the grading of one lab ends.",
)
@click.option(
    "--secret-seed",
    type=click.IntRange(min=0),
    help="Gradescope: draw with this seed, which no student is told: a large random one.",
)
@problems_option
@lang_option
def command(
    platform: str,
    names: tuple[str, ...],
    output: Path,
    public: bool,
    accept_weak: bool,
    budget: int,
    secret_seed: int | None,
    problems: Path | None,
    lang: str,
) -> None:
    """Write a ready autograder: set-up, run script, pinned versions, the labs.

    For Gradescope it has one lab with its staff files, which students cannot read there. GitHub and
    GitLab run it in the student's repository: staff files are never in it.
    """
    from grader.errors import UsageError
    from grader.kits.kit import write

    if accept_weak and platform != "gradescope":
        raise UsageError("--accept-weak is for gradescope; practice accepts every sandbox")
    if secret_seed is not None and platform != "gradescope":
        raise UsageError("--secret-seed is for gradescope; elsewhere students could read it")
    with_staff = platform == "gradescope" and not public
    loaded = [_bundle(name, problems, with_staff=with_staff) for name in names]
    bundles = list({bundle.slug: bundle for bundle in loaded}.values())
    if platform == "gradescope":
        from grader.kits.gradescope import gradescope_kit

        kit = gradescope_kit(
            _only(bundles),
            budget=budget,
            lang=lang,
            with_staff=with_staff,
            accept_weak=accept_weak,
            secret_seed=secret_seed,
        )
    else:
        kit = _for_repositories(platform, bundles, budget, lang)
    write(kit.files, output)
    size = sum(len(file.content) for file in kit.files.values())
    click.echo(f"written: {output} ({len(kit.files)} files, {size / 2**20:.1f} MiB unpacked)")
    for note in kit.notes:
        click.echo(note)


def _bundle(name: str, problems: Path | None, *, with_staff: bool) -> Bundle:
    from grader.bundles.load import load_bundle
    from grader.errors import UsageError

    labs = library(problems)
    folder = labs.folder(name)
    try:
        staff = staff_folder(labs, folder.name) if with_staff else None
    except UsageError as error:
        raise UsageError(f"{error}; --public makes a kit without it") from None
    return load_bundle(folder, staff)


def _for_repositories(platform: str, bundles: list[Bundle], budget: int, lang: str) -> Kit:
    if platform == "github":
        from grader.kits.github import github_kit

        return github_kit(bundles, budget=budget, lang=lang)
    from grader.kits.gitlab import gitlab_kit

    return gitlab_kit(bundles, budget=budget, lang=lang)


def _only(bundles: list[Bundle]) -> Bundle:
    from grader.errors import UsageError

    if len(bundles) != 1:
        raise UsageError(
            f"an autograder of Gradescope grades one lab, not {len(bundles)}: make a kit of each"
        )
    return bundles[0]
