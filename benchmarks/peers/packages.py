"""The same small problem as each peer wants it: a folder with inputs, answers and programs.

The problem: read {"n": …}, print {"ok": true, "n": …}. Everything is generated; nothing is stored.
"""

from __future__ import annotations

import json
import shutil
import textwrap
from pathlib import Path

BODY = 'given = json.load(sys.stdin)\nprint(json.dumps({"ok": True, "n": given["n"]}))\n'
PROGRAMS = {
    "trivial": "import json, sys\n" + BODY,
    "numpy": "import json, sys\nimport numpy\n" + BODY,
    "torch": "import json, sys\nimport torch\n" + BODY,
}


def cases(count: int) -> list[tuple[str, str, str]]:
    """(name, input, answer)."""
    return [
        (f"{n:03}", json.dumps({"n": n}) + "\n", json.dumps({"ok": True, "n": n}) + "\n")
        for n in range(count)
    ]


def _fresh(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(text) if text.startswith("\n") else text)


def _data(folder: Path, count: int) -> None:
    for name, given, answer in cases(count):
        _write(folder / "data" / "secret" / f"{name}.in", given)
        _write(folder / "data" / "secret" / f"{name}.ans", answer)
    name, given, answer = cases(1)[0]
    _write(folder / "data" / "sample" / f"{name}.in", given)
    _write(folder / "data" / "sample" / f"{name}.ans", answer)


def kattis_legacy(folder: Path, program: str, count: int) -> Path:
    """A package for problemtools' `verifyproblem` (legacy format)."""
    problem = _fresh(folder / "echo")
    _write(problem / "problem.yaml", "name: Echo\nlicense: cc0\nrights_owner: nobody\n")
    _write(problem / "problem_statement" / "problem.en.tex", "\\problemname{Echo}\nPrint it.\n")
    _data(problem, count)
    # Its own choice for Python is PyPy, which has no numpy.
    python = (
        "python3:\n  compile: 'python3 -m py_compile {files}'\n  run: 'python3 \"{mainfile}\"'\n"
    )
    _write(folder / "languages.yaml", python)
    _write(problem / "submissions" / "accepted" / "program.py", program)
    validator = "import sys\nsys.stdin.read()\nsys.exit(42)\n"
    _write(problem / "input_format_validators" / "validate.py", validator)
    return problem


def kattis_2025(folder: Path, program: str, count: int) -> Path:
    """A package for BAPCtools' `bt run` (2025-09)."""
    problem = _fresh(folder / "echo")
    _write(
        problem / "problem.yaml",
        "problem_format_version: 2025-09\nname:\n  en: Echo\ntype: pass-fail\n"
        "uuid: 7c2ad2a8-6d0a-4e0f-8f0c-0a5d5f5f0001\nlimits:\n  time_limit: 30\n",
    )
    _data(problem, count)
    _write(problem / "submissions" / "accepted" / "program.py", program)
    return problem


def check50_checks(folder: Path, program: str, count: int) -> Path:
    """A folder with a program, and the checks of `check50 --dev`: one for each input."""
    checks = _fresh(folder)
    _write(checks / "submission" / "program.py", program)
    _write(checks / "checks" / ".cs50.yaml", "check50:\n  checks: __init__.py\n")
    lines = ["import check50\n"]
    for name, given, answer in cases(count):
        lines.append(
            f"\n@check50.check()\ndef case_{name}():\n    '''case {name}'''\n"
            f"    check50.run('python3 program.py').stdin({given.strip()!r}, prompt=False)"
            f".stdin(check50.EOF, prompt=False).stdout({answer!r}, regex=False).exit(0)\n"
        )
    _write(checks / "checks" / "__init__.py", "".join(lines))
    return checks


def pytest_file(folder: Path, program: str, count: int) -> Path:
    """A test that starts the program for each input."""
    tests = _fresh(folder)
    _write(tests / "program.py", program)
    _write(
        tests / "test_program.py",
        "import subprocess, sys\nimport pytest\n"
        f"CASES = {cases(count)!r}\n\n"
        "@pytest.mark.parametrize(('name', 'given', 'answer'), CASES)\n"
        "def test_case(name, given, answer):\n"
        "    told = subprocess.run([sys.executable, 'program.py'], input=given, text=True,\n"
        "                          capture_output=True, timeout=30, check=True)\n"
        "    assert told.stdout == answer\n",
    )
    return tests


def bundle(folder: Path, program: str, count: int) -> Path:
    """Our own: the cases are the group `minimal` of a lab."""
    root = Path(__file__).resolve().parents[2]
    labs = _fresh(folder)
    for part in ("problems", "solutions"):
        shutil.copytree(root / "tests" / "bundles" / part / "double", labs / part / "double")
    lab = labs / "problems" / "double"
    for schema in ("input.schema.json", "output.schema.json"):
        _write(lab / schema, '{"type": "object"}')
    shutil.rmtree(lab / "cases" / "minimal")
    for name, given, answer in cases(count):
        _write(lab / "cases" / "minimal" / f"{name}-echo.in.json", given)
        _write(lab / "cases" / "minimal" / f"{name}-echo.out.json", answer)
    _write(labs / "program.py", program)
    return labs
