"""Look for faults of a lab's own code: strategies that leave the schema, checks that raise.

A check sees answers that the output schema admits, and those may be any nonsense ("1/0", an id out
of range, a list too short). Here every check gets right answers of the reference with a few places
changed; whatever it raises but AssertionError would cost a student's row its result.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from grader.bundles.properties import REFUSING_GROUP, Check
from grader.bundles.schemas import Judgement, strict, strict_for_answers
from grader.judging.author import AuthorFault
from grader.judging.drawing import Drawn, draw
from grader.judging.examine import Examiner
from grader.judging.grade import Walk, group_seed
from grader.judging.runs import Runs
from grader.model.bundle import TestGroup

INPUTS, NONSENSE = 60, 25
"""So many inputs of a group, and so many changed answers to each."""

_RATIONALS = ("1/0", "0/0", "0/1", "-1/1", "1/-1", "2/4", "1/1", "7" * 990 + "/1", "1/" + "3" * 990)
_STRINGS = ("", "x", "0", "-0", "1.0", "\ud800", "名", *_RATIONALS)
_INTEGERS = (0, 1, -1, 2, 7, 10**6, 2**63, -(10**18), 10**18, 10**999)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flaw:
    """A fault of the lab: the strategy or check, what it does, and the author's traceback."""

    group: str
    name: str
    detail: str
    trace: str = ""


def probe(walk: Walk) -> Iterator[Flaw]:
    """The first flaw of every strategy and of every check. `walk.submission` is the reference."""
    sound = {check.name for check in walk.properties.checks}
    for group in walk.bundle.groups:
        if group.name in walk.properties.strategies:
            for flaw in _in_group(walk, group, sound):
                sound.discard(flaw.name)
                yield flaw


def _in_group(walk: Walk, group: TestGroup, sound: set[str]) -> Iterator[Flaw]:
    inputs: list[Drawn] = []
    strategy = walk.properties.strategies[group.name]
    seed = group_seed(walk, group.name)
    try:
        draw(group.name, strategy, seed, group.examples, inputs.append)
    except AuthorFault as fault:
        yield Flaw(group=group.name, name=group.name, detail=fault.detail, trace=fault.trace)
        return
    if group.name == REFUSING_GROUP:
        yield from _codes_drawn(walk, group, inputs)
        return
    admits = strict(walk.bundle.input_schema)
    strange = [(i.stdin, wrong) for i in inputs if (wrong := admits(i.given))]
    if strange:
        stdin, (where, why) = min(strange, key=lambda pair: len(pair[0]))
        text = stdin.decode(errors="backslashreplace").strip()
        detail = f"draws an input that the input schema does not admit: {where}: {why}: {text}"
        yield Flaw(group=group.name, name=group.name, detail=detail[:1000])
    runs = Runs(walk.executor, walk.submission, group.limits)
    examiner = Examiner(runs, None, strict_for_answers(walk.bundle.output_schema))
    checks = [check for check in walk.properties.checks_of(group.name) if check.name in sound]
    yield from _in_checks(checks, group, examiner, inputs[:INPUTS], Random(seed))


def _codes_drawn(walk: Walk, group: TestGroup, inputs: list[Drawn]) -> Iterator[Flaw]:
    due = {an_input.due for an_input in inputs}
    for code in walk.bundle.refusals:
        if code not in due:
            detail = f"draws no input that is due to be refused with {code!r}"
            yield Flaw(group=group.name, name=group.name, detail=detail)
    for code in sorted(str(code) for code in due - set(walk.bundle.refusals)):
        detail = f"draws the code {code!r}, which is not among the refusals of problem.toml"
        yield Flaw(group=group.name, name=group.name, detail=detail)


def _in_checks(
    checks: list[Check], group: TestGroup, examiner: Examiner, inputs: list[Drawn], random: Random
) -> Iterator[Flaw]:
    for an_input in inputs:
        right = examiner.look(an_input).judged
        if not isinstance(right, dict):
            continue  # the reference does not answer: its own grading says so
        for answer in [right, *_nonsense(right, examiner.schema, random)]:
            for check in list(checks):
                flaw = _flaw(examiner, check, group.name, an_input, answer, right, random)
                if flaw:
                    checks.remove(check)
                    yield flaw


def _flaw(
    examiner: Examiner,
    check: Check,
    group: str,
    an_input: Drawn,
    answer: dict[str, Any],
    right: dict[str, Any],
    random: Random,
) -> Flaw | None:
    """How a check fails to judge an answer; another run gives a right answer or nonsense, too."""

    def run(other: Any) -> dict[str, Any]:
        json.dumps(other)
        return random.choice([right, *_nonsense(right, examiner.schema, random, 1)])

    available: dict[str, Callable[[], Any]] = {
        "given": lambda: copy.deepcopy(an_input.given),
        "answer": lambda: copy.deepcopy(answer),
        "run": lambda: run,
        "expected": lambda: copy.deepcopy(right),
    }
    try:
        examiner.checks.call(check, available)
    except AssertionError as error:
        if str(error).strip():
            return None
        detail = f"an assertion without a message, on the answer {_short(answer)}"
        return Flaw(group=group, name=check.name, detail=detail)
    except AuthorFault as fault:
        given = an_input.stdin.decode(errors="backslashreplace").strip()
        detail = f"{fault.detail} on the input {given} and the answer {_short(answer)}"
        return Flaw(group=group, name=check.name, detail=detail[:2000], trace=fault.trace)
    return None


def _short(answer: dict[str, Any]) -> str:
    text = json.dumps(answer)
    return text if len(text) <= 600 else text[:600] + " …"


def _nonsense(
    right: dict[str, Any], admits: Judgement, random: Random, count: int = NONSENSE
) -> list[dict[str, Any]]:
    """Answers near a right one, all of them admitted by the output schema."""
    found = []
    for _ in range(count):
        answer = copy.deepcopy(right)
        for _ in range(random.choice((1, 1, 2, 4))):
            _change(answer, random)
        if admits(answer) is None:
            found.append(answer)
    return found


def _change(answer: dict[str, Any], random: Random) -> None:
    """Change one place, which keeps the type or not."""
    places = list(_places(answer))
    if not places:
        return
    parent, key = random.choice(places)
    value = parent[key]
    if random.random() < 0.1:
        del parent[key]
    elif value is None or isinstance(value, bool) or random.random() < 0.2:
        other, name = random.choice(places)
        parent[key] = random.choice((None, True, False, copy.deepcopy(other[name])))
    elif isinstance(value, list):
        parent[key] = _changed_list(value, random)
    elif isinstance(value, int):
        parent[key] = random.choice((*_INTEGERS, value + 1, value - 1, 2 * value))
    elif isinstance(value, str):
        parent[key] = random.choice(_STRINGS)
    elif isinstance(value, dict) and value:
        name = random.choice(list(value))
        value[random.choice(("0", "1", "x", "", "999999"))] = copy.deepcopy(value[name])


def _changed_list(value: list[Any], random: Random) -> list[Any]:
    copies = [copy.deepcopy(item) for item in value]
    return random.choice(
        ([], value[:-1], value[1:], value[::-1], value + copies[:1], value + copies[-1:])
    )


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every (container, key) below a value, but for `ok`, which is always true here."""
    entries = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(entries):
        if key == "ok":
            continue
        yield value, key
        if isinstance(inner, dict | list):
            yield from _places(inner)
