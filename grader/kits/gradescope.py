"""The kit for Gradescope: what is uploaded as the autograder of one assignment.

    setup.sh             once, as root, when the image is built
    run_autograder       for each submission; it starts `grader.kits.on_gradescope`
    kit.json             what that has to know
    no_result.json       the results where there are none
    requirements.txt  grader/  problems/<slug>/
    solutions/<slug>/    staff files: students cannot read them there

https://gradescope-autograders.readthedocs.io/en/latest/specs/
"""

from __future__ import annotations

from grader.errors import UsageError
from grader.kits.kit import Kit, KitFile
from grader.kits.on_gradescope import Order
from grader.kits.parts import public_files, slug, staff_files, template
from grader.kits.pins import own_package, python_version, requirements
from grader.model.bundle import Bundle

_BESIDE_MIB = 512
"""What the grader itself needs, with a program that is started ahead."""

_GIVEN_MB = 768
"""What Gradescope gives without being asked."""

_GIVEN_SECONDS = 600


def gradescope_kit(
    bundle: Bundle,
    *,
    budget: int,
    lang: str,
    with_staff: bool,
    accept_weak: bool = False,
    secret_seed: int | None = None,
) -> Kit:
    """The kit of one lab.

    Args:
        budget: seconds for one grading.
        with_staff: whether the lab's staff files are in it; `bundle.staff` is given then.
        accept_weak: grade also where the container cannot confine programs.
        secret_seed: the seed to draw with, which students are not told; None for the public one.

    Raises:
        UsageError: a name will not do, a package is missing, or staff files or a secret seed
            would lie open.
    """
    if with_staff and accept_weak:
        raise UsageError(
            "where programs are not confined they can read the staff files: --accept-weak goes "
            "with --public only"
        )
    if secret_seed is not None and accept_weak:
        raise UsageError("where programs are not confined they can read a --secret-seed")
    order = Order(
        problem=slug(bundle),
        file_name=bundle.file_name,
        budget=budget,
        lang=lang,
        with_staff=with_staff,
        accept_weak=accept_weak,
        secret_seed=secret_seed,
    )
    points = _points(bundle, with_staff=with_staff)
    memory = _memory_mb(bundle)
    read_me = template(
        "gradescope/README.md",
        PROBLEM=order.problem,
        POINTS=points,
        BUDGET=budget,
        MEMORY=memory,
    )
    files = {
        "setup.sh": _program("setup.sh"),
        "run_autograder": _program("run_autograder"),
        "README.md": KitFile(content=read_me),
        "kit.json": KitFile(content=order.to_json()),
        "no_result.json": KitFile(content=template("gradescope/no_result.json")),
        "requirements.txt": requirements(bundle.needs_packages),
        **own_package(),
        **public_files(bundle),
        **(staff_files(bundle) if with_staff else {}),
    }
    notes = (
        *_who_may_have_it(order),
        f"The assignment has {points} autograder points.",
        *_settings(memory, budget),
    )
    return Kit(files=files, notes=notes)


def _program(name: str) -> KitFile:
    content = template(f"gradescope/{name}", PYTHON=python_version())
    return KitFile(content=content, executable=True)


def _points(bundle: Bundle, *, with_staff: bool) -> str:
    """What all rows that take part are worth."""
    staff = 0.0 if with_staff else sum(group.staff_points for group in bundle.groups)
    return f"{100 - staff:.10g}"


def _memory_mb(bundle: Bundle) -> int:
    largest = max(group.limits.memory_bytes for group in bundle.groups)
    return (largest >> 20) + _BESIDE_MIB


def _who_may_have_it(order: Order) -> list[str]:
    secrets = [f"solutions/{order.problem}"] if order.with_staff else []
    secrets += ["the secret seed"] if order.secret_seed is not None else []
    notes = (
        []
        if order.with_staff
        else ["Nothing of solutions/ is in it: only the public rows are graded."]
    )
    if secrets:
        be = "is" if len(secrets) == 1 else "are"
        notes.append(
            f"{' and '.join(secrets)} {be} in it: give it to Gradescope and to nobody else."
        )
    return notes


def _settings(memory: int, budget: int) -> list[str]:
    """What has to be chosen in Gradescope's Autograder Settings, where the defaults do not do."""
    notes = []
    if memory > _GIVEN_MB:
        notes.append(f"Choose a container with at least {memory} MB of memory (default: 768 MB).")
    if budget + 60 > _GIVEN_SECONDS:
        minutes = -(-(budget + 60) // 60)
        notes.append(f"Choose a timeout of at least {minutes} minutes (default: 10).")
    return notes
