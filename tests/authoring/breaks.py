"""How the template lab is broken in one place, and the rule that has to say so."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

from tests.authoring.conftest import Folders

STATEMENTS = ("statement.en.md", "statement.zh.md")
ANSWER = '{"ok": true, "admitted": 2, "tokens": 7}'
ANSWERS = '        result = {"ok": True, "admitted": admitted, "tokens": total}\n'
EXAMPLE = '{"budget": 10, "requests": [4, 3, 5, 6]}'


@dataclass(frozen=True, slots=True, kw_only=True)
class Break:
    """`again` are the kinds of evidence that the change can touch; `also` are rules that cannot
    help finding it, too."""

    rule: str
    what: str
    says: str
    do: Callable[[Folders], object]
    again: tuple[str, ...] = ()
    also: frozenset[str] = frozenset()


def in_both(old: str, new: str) -> Callable[[Folders], None]:
    def do(lab: Folders) -> None:
        for name in STATEMENTS:
            lab.edit(name, old, new)

    return do


def edit(name: str, old: str, new: str) -> Callable[[Folders], None]:
    return lambda lab: lab.edit(name, old, new)


def add(name: str, text: str) -> Callable[[Folders], None]:
    return lambda lab: lab.add(name, text)


def write(name: str, text: str) -> Callable[[Folders], None]:
    return lambda lab: lab.write(name, text)


def all_of(*breaks: Callable[[Folders], object]) -> Callable[[Folders], None]:
    def do(lab: Folders) -> None:
        for one in breaks:
            one(lab)

    return do


def remove(name: str) -> Callable[[Folders], None]:
    return lambda lab: lab.path(name).unlink()


def paced(**figures: object) -> Callable[[Folders], None]:
    """Change figures in every line of pace.json about large inputs."""

    def do(lab: Folders) -> None:
        record = json.loads(lab.path("staff:pace.json").read_text())
        for run in record["runs"]:
            if run["case"].startswith("scale/"):
                slow = run["program"].startswith("wrong/")
                run.update(figures if slow is bool(figures.get("over")) else {})
        lab.write("staff:pace.json", json.dumps(record))

    return do


def interrupted_pace(lab: Folders) -> None:
    """Of the reference one run was kept."""
    record = json.loads(lab.path("staff:pace.json").read_text())
    record["runs"] = [
        run
        for run in record["runs"]
        if run["program"] != "reference.py" or run["case"] == "edge/01-exactly-full"
    ]
    lab.write("staff:pace.json", json.dumps(record))


def case(name: str, stdin: str, answer: str) -> Callable[[Folders], None]:
    """Change a case, as if its pace had been measured, too."""

    def do(lab: Folders) -> None:
        path = lab.path(f"cases/{name}.in.json")
        old, new = (
            hashlib.sha256(text).hexdigest() for text in (path.read_bytes(), stdin.encode())
        )
        record = lab.path("staff:pace.json").read_text().replace(old, new)
        lab.write("staff:pace.json", record)
        lab.write(f"cases/{name}.in.json", stdin)
        lab.write(f"cases/{name}.out.json", answer)

    return do


def wrong(stem: str, source: str, caught_by: str, *, more: str = "") -> Callable[[Folders], None]:
    """One more wrong solution: the reference, which spoils its answer by `source`."""
    entry = f'\n[wrong.{stem}]\nwhy = "A mistake of a test."\n'
    entry += f'caught_by = ["{caught_by}"]\npasses = []\n'

    def do(lab: Folders) -> None:
        text = lab.path("staff:reference.py").read_text()
        lab.write(f"staff:wrong/{stem}.py", text.replace(ANSWERS, f"{ANSWERS}        {source}\n"))
        lab.add("staff:expect.toml", entry + more)

    return do


def right(source: str) -> Callable[[Folders], None]:
    """Another right solution that does something else, too."""
    last = "if code:\n"
    return edit("staff:right/prefix_sums.py", last, f"{source}\n{last}")


def hash_with_seed_0() -> int:
    """Of "budget", in another Python, for here it is another one each time."""
    words = [sys.executable, "-c", "print(hash('budget'))"]
    return int(subprocess.check_output(words, env={"PYTHONHASHSEED": "0"}))


def check(body: str) -> Callable[[Folders], None]:
    return edit(
        "properties.py",
        "    total = sum(admitted_requests(given, answer))\n    assert total <=",
        f"    {body}\n    total = sum(admitted_requests(given, answer))\n    assert total <=",
    )


def schema(note: str) -> Callable[[Folders], None]:
    """A key of the answer that may be there."""
    return edit("output.schema.json", '"ok": {"const": true},', f'"ok": {{"const": true}}, {note},')


def moved_to_staff(lab: Folders) -> None:
    lab.path("staff:cases/minimal").mkdir()
    for ending in ("in", "out"):
        name = f"cases/minimal/01-one-token.{ending}.json"
        shutil.move(lab.path(name), lab.path(f"staff:{name}"))


def without_minimal(lab: Folders) -> None:
    toml = lab.path("problem.toml").read_text()
    start = toml.index('[[group]]\nname = "minimal"')
    end = toml.index("[[group]]", start + 1)
    toml = toml[:start] + toml[end:].replace("points = 20", "points = 35")
    lab.write("problem.toml", toml)
    shutil.rmtree(lab.path("cases/minimal"))
    text = lab.path("staff:expect.toml").read_text()
    lab.write("staff:expect.toml", text.replace(', "minimal"', "").replace('"minimal", ', ""))
    pace = json.loads(lab.path("pace.json").read_text())
    del pace["reference_cpu_seconds"]["minimal"]
    lab.write("pace.json", json.dumps(pace))


def lines_of_the_reference(lab: Folders) -> None:
    lines = lab.path("staff:reference.py").read_text().splitlines()
    start = lines.index("def check(given):")
    lab.write("notes.md", "\n".join(["# Notes", *lines[start : start + 12]]))


IN_TEXT = (
    Break(
        rule="statement_in_every_language",
        what="no Chinese",
        says="statement.zh.md: : is missing or empty",
        do=remove("statement.zh.md"),
    ),
    Break(
        rule="statement_in_every_language",
        what="an empty text",
        says="statement.en.md: : is missing or empty",
        do=write("statement.en.md", " \n"),
    ),
    Break(
        rule="statements_agree",
        what="another sample",
        says="statement.zh.md: JSON sample 1: is not that of the English statement",
        do=edit("statement.zh.md", EXAMPLE, EXAMPLE.replace(", ", ",")),
    ),
    Break(
        rule="statements_agree",
        what="a sample more",
        says="has 3 JSON samples, the English statement has 2",
        do=add("statement.zh.md", '\n```json\n{"budget": 1}\n```\n'),
    ),
    Break(
        rule="statements_agree",
        what="a heading less",
        says="headings: differ in level or number: 8 headings in English, 7 in Chinese",
        do=edit("statement.zh.md", "## 答案\n", "答案\n"),
    ),
    Break(
        rule="example_is_a_case",
        what="an example that is no case",
        says="worked example 1: is not a public case",
        do=in_both(EXAMPLE, EXAMPLE.replace("10", "11")),
    ),
    Break(
        rule="example_is_a_case",
        what="an example with another answer",
        says="worked example 1: the answer shown is not that of normal/01-worked-example",
        do=in_both(ANSWER, ANSWER.replace("7", "8")),
    ),
    Break(
        rule="example_is_a_case",
        what="no example",
        says="has no worked example",
        do=in_both(f"```json\n{ANSWER}\n```", ""),
    ),
    Break(
        rule="statement_tells_the_limits",
        what="another limit",
        says="statement.zh.md: group scale: does not say in a table line that the limits are 1 s",
        do=edit("statement.zh.md", "| `scale` | 1 |", "| `scale` | 2 |"),
    ),
    Break(
        rule="example_is_a_case",
        what="an example with a number of another kind",
        says="worked example 1: the answer shown is not that of normal/01-worked-example",
        do=in_both(ANSWER, ANSWER.replace("7", "7.0")),
    ),
    Break(
        rule="statement_tells_the_limits",
        what="seconds and MiB changed places",
        says="statement.zh.md: group scale: does not say in a table line that the limits are 1 s",
        do=edit("statement.zh.md", "| `scale` | 1 | 256 |", "| `scale` | 256 | 1 |"),
    ),
    Break(
        rule="statement_tells_the_limits",
        what="a group without its line",
        says="statement.en.md: group edge: does not say",
        do=edit("statement.en.md", "| `edge` |", "| edges |"),
    ),
    Break(
        rule="statement_tells_the_refusals",
        what="another order",
        says="its tables name the codes malformed, no_requests, negative_budget, empty_request",
        do=all_of(
            edit("statement.en.md", "| `negative_budget` | `budget` is below 0 |\n", ""),
            edit(
                "statement.en.md",
                "| `empty_request` |",
                "| `negative_budget` | `budget` is below 0 |\n| `empty_request` |",
            ),
        ),
    ),
    Break(
        rule="statement_tells_the_refusals",
        what="a code is missing",
        says="statement.zh.md: refusals: its tables name the codes malformed, negative_budget, no",
        do=edit("statement.zh.md", "| `empty_request` |", "| |"),
    ),
    Break(
        rule="nothing_secret_is_public",
        what="a file of the staff's",
        says="notes.md: : is the staff's file wrong/boundary_excluded.py",
        do=lambda lab: shutil.copy(
            lab.path("staff:wrong/boundary_excluded.py"), lab.path("notes.md")
        ),
    ),
    Break(
        rule="nothing_secret_is_public",
        what="lines of the reference",
        says="notes.md: : has 8 lines of reference.py: ",
        do=lines_of_the_reference,
    ),
    Break(
        rule="limits_were_measured",
        what="no record",
        says="pace.json: : is missing: run `grader pace admit --write`",
        do=remove("staff:pace.json"),
    ),
    Break(
        rule="limits_were_measured",
        what="another reference",
        says="pace.json: reference.py: was not measured as it is now",
        do=add("staff:reference.py", "# changed\n"),
    ),
    Break(
        rule="limits_were_measured",
        what="another input",
        says="pace.json: scale/01-many-requests: no solution was measured on it as it is now",
        do=lambda lab: lab.write(
            "staff:pace.json",
            lab.path("staff:pace.json").read_text().replace("scale/01-many", "scale/02-many"),
        ),
    ),
    Break(
        rule="limits_were_measured",
        what="a measurement that was interrupted",
        says="pace.json: reference.py: was not measured on normal/01-worked-example, nor on",
        do=interrupted_pace,
    ),
    Break(
        rule="limits_leave_room",
        what="a wall limit below that of CPU time",
        says="group scale: 0.5 wall seconds are less than 1 of CPU",
        do=edit("problem.toml", "{ memory_mib = 256 }", "{ memory_mib = 256, wall_seconds = 0.5 }"),
    ),
    Break(
        rule="limits_leave_room",
        what="a limit that is too small",
        says="group scale: 1 CPU seconds; the slowest right solution needs 0.4",
        do=paced(cpu_seconds=0.4),
    ),
    Break(
        rule="limits_leave_room",
        what="a limit that is too large",
        says="group scale: 1 CPU seconds; wrong/too_slow_adding_up_again.py needs only 2 or more",
        do=paced(cpu_seconds=2.0, over=True),
    ),
    Break(
        rule="every_mistake_is_predicted",
        what="no entry",
        says="expect.toml: wrong.shortest_last: is missing",
        do=write("staff:wrong/shortest_last.py", "print('{}')\n"),
    ),
    Break(
        rule="every_mistake_is_predicted",
        what="no file",
        says="wrong.longest_first: there is no wrong/longest_first.py",
        do=add(
            "staff:expect.toml",
            '\n[wrong.longest_first]\nwhy = "No such file."\ncaught_by = ["edge"]\npasses = []\n',
        ),
    ),
    Break(
        rule="every_mistake_is_predicted",
        what="a group that there is not",
        says="wrong.first_always_admitted: no group 'failures'",
        do=all_of(
            edit(
                "staff:expect.toml",
                '"edge/check_within_budget", "minimal"]\npasses = ["failure"]',
                '"edge/check_within_budget", "minimal"]\npasses = ["failures"]',
            )
        ),
    ),
    Break(
        rule="mistakes_are_caught_where_predicted",
        what="caught elsewhere",
        says="does not fail failure/01-not-json; it fails ",
        do=edit("staff:expect.toml", '["edge/01-exactly-full", ', '["failure/01-not-json", '),
    ),
    Break(
        rule="mistakes_are_caught_where_predicted",
        what="does not pass",
        says="first_always_admitted.py: : shall pass edge, and fails edge/",
        do=edit(
            "staff:expect.toml",
            '"edge/check_within_budget", "minimal"]\npasses = ["failure"]',
            '"edge/check_within_budget", "minimal"]\npasses = ["failure", "edge"]',
        ),
    ),
    Break(
        rule="mistakes_survive_the_example",
        what="a reason out of date",
        says="wrong.boundary_excluded: passes the worked example: fails_the_example is out of date",
        do=edit(
            "staff:expect.toml",
            "[wrong.boundary_excluded]\n",
            '[wrong.boundary_excluded]\nfails_the_example = "It does not."\n',
        ),
    ),
    Break(
        rule="mistakes_fail_in_public",
        what="a reason out of date",
        says="only_staff_rows is out of date",
        do=edit(
            "staff:expect.toml",
            "[wrong.boundary_excluded]\n",
            '[wrong.boundary_excluded]\nonly_staff_rows = "It is not so."\n',
        ),
    ),
)
"""What needs no program to be run again."""

IN_PROGRAMS = (
    Break(
        rule="right_is_accepted",
        what="a right solution is rejected",
        says="right/prefix_sums.py: normal/answers: malformed output: at /admitted: -1",
        do=edit("staff:right/prefix_sums.py", 'given["budget"]) - 1', 'given["budget"] - 1) - 1'),
        again=("right",),
        also=frozenset({"limits_were_measured"}),
    ),
    Break(
        rule="right_is_accepted",
        what="a right solution depends on the order of a set",
        says="(seed 1, hash seed 1)",
        do=lambda lab: right(f"if hash('budget') != {hash_with_seed_0()}:\n    code = 'malformed'")(
            lab
        ),
        again=("right",),
        also=frozenset({"limits_were_measured"}),
    ),
    Break(
        rule="right_is_accepted",
        what="a right solution guesses",
        says="right/prefix_sums.py",  # chance decides which row notices first
        do=right("import random\n\nif random.random() < 0.5:\n    code = 'malformed'"),
        again=("right",),
        also=frozenset({"limits_were_measured"}),
    ),
    Break(
        rule="another_right_solution",
        what="no other right solution",
        says="right: : has no solution",
        do=remove("staff:right/prefix_sums.py"),
        again=("right",),
    ),
    Break(
        rule="mistakes_are_caught_where_predicted",
        what="not caught",
        says="wrong/harmless.py: : is not caught at all",
        do=wrong("harmless", "pass", "edge"),
        again=("wrong",),
    ),
    Break(
        rule="mistakes_survive_the_example",
        what="fails the example",
        says="wrong.plain: fails the worked example (normal/01-worked-example), and",
        do=wrong("plain", "result['tokens'] = 12", "normal"),
        again=("wrong",),
    ),
    Break(
        rule="mistakes_fail_in_public",
        what="only the staff's case shows it",
        says="expect.toml: wrong.hidden: fails no public row",
        do=wrong("hidden", "result['tokens'] -= given['requests'] == [1, 2, 3, 1, 1]", "edge"),
        again=("wrong",),
    ),
    Break(
        rule="every_check_catches_something",
        what="a check that cannot fail",
        says="properties.py: check_nothing: no wrong solution trips it",
        do=add(
            "properties.py",
            '\n\ndef check_nothing(answer):\n    """True.\n\n    真。"""\n'
            '    assert answer["tokens"] >= 0, "tokens is below 0"\n',
        ),
        again=("right", "wrong", "probe"),
    ),
    Break(
        rule="every_row_has_a_result",
        what="a check that raises",
        says="check_within_budget raised KeyError (wrong/strange.py)",
        do=all_of(
            check('{}["x"] if answer["tokens"] == 424242 else None'),
            wrong("strange", "result['tokens'] = 424242 if total % 7 else total", "edge"),
        ),
        again=("wrong", "probe"),
    ),
    Break(
        rule="computing_nothing_earns_little",
        what="a starter that is nearly done",
        says="a program that does nothing (the untouched starter) earns ",
        do=lambda lab: shutil.copy(
            lab.path("staff:wrong/first_always_admitted.py"), lab.path("starter.py")
        ),
        again=("degenerate",),
        also=frozenset({"nothing_secret_is_public"}),
    ),
    Break(
        rule="required_groups",
        what="a group without a public case",
        says="cases/minimal: : has no public case",
        do=moved_to_staff,
        again=("right",),
    ),
    Break(
        rule="required_groups",
        what="a group is missing",
        says="problem.toml: group: no group 'minimal'",
        do=without_minimal,
        again=("right",),
    ),
    Break(
        rule="cases_fit_the_schemas",
        what="an input against its schema",
        says="02-first-does-not-fit.in.json: /requests/0: input.schema.json: ",
        do=case(
            "edge/02-first-does-not-fit",
            '{"budget": 3, "requests": [2000000000]}\n',
            '{"ok": true, "admitted": 0, "tokens": 0}',
        ),
        again=("right",),
    ),
    Break(
        rule="cases_fit_the_schemas",
        what="an answer against its schema",
        says="01-exactly-full.out.json: : output.schema.json: unknown key",
        do=edit("cases/edge/01-exactly-full.out.json", '{"ok": true', '{"ok": true, "note": 1'),
        again=("right",),
        also=frozenset({"right_is_accepted"}),
    ),
    Break(
        rule="answers_are_bounded",
        what="an array",
        says="/properties/note: an array without maxItems",
        do=schema('"note": {"type": "array", "items": {"type": "null"}}'),
        again=("probe",),
    ),
    Break(
        rule="answers_are_bounded",
        what="what is in an array",
        says="/properties/note: an array without items: anything at all may be in it",
        do=schema('"note": {"type": "array", "maxItems": 3}'),
    ),
    Break(
        rule="answers_are_bounded",
        what="what is in an object",
        says="/properties/note: an object without additionalProperties: anything at all",
        do=schema('"note": {"type": "object", "maxProperties": 3}'),
    ),
    Break(
        rule="answers_are_bounded",
        what="true",
        says="/properties/note: true: anything at all is admitted",
        do=schema('"note": true'),
    ),
    Break(
        rule="answers_are_bounded",
        what="a string",
        says="/properties/note: a string without maxLength",
        do=schema('"note": {"type": ["string", "null"], "pattern": "a+"}'),
    ),
    Break(
        rule="answers_are_bounded",
        what="an object",
        says="/properties/note/anyOf/1: an object without additionalProperties: false",
        do=schema('"note": {"anyOf": [{"type": "null"}, {"type": "object"}]}'),
    ),
    Break(
        rule="answers_are_bounded",
        what="anything",
        says="/properties/note: no type: anything at all is admitted",
        do=schema('"note": {}'),
    ),
    Break(
        rule="assertions_speak",
        what="an assertion without a message",
        says="an assertion without a message",
        do=check('assert answer["ok"]'),
        again=("probe",),
    ),
    Break(
        rule="checks_only_assert",
        what="a strategy that leaves the schema",
        says="properties.py: minimal: draws an input that the input schema does not admit: /budget",
        do=edit("properties.py", '"budget": st.integers(0, 2)', '"budget": st.integers(-1, 2)'),
        again=("probe", "right"),
        also=frozenset({"right_is_accepted"}),
    ),
    Break(
        rule="checks_only_assert",
        what="a code that is never drawn",
        says="failure: draws no input that is due to be refused with 'no_requests'",
        do=edit("properties.py", "CODES = list(FAULTS)", "CODES = [*FAULTS][:2] + [*FAULTS][3:]"),
        again=("probe", "right"),
        also=frozenset({"right_is_accepted"}),
    ),
    Break(
        rule="checks_only_assert",
        what="a code that there is not",
        says="failure: draws the code 'empty', which is not among the refusals of problem.toml",
        do=edit(
            "properties.py", "failure = refused()", 'failure = refused() | st.just(([], "empty"))'
        ),
        again=("probe", "right"),
    ),
    Break(
        rule="checks_only_assert",
        what="a check that raises on nonsense",
        says="check_within_budget: check_within_budget raised IndexError on the input",
        do=check('given["requests"][answer["admitted"] - 1]'),
        again=("probe",),
    ),
)
"""What needs programs to be run."""
