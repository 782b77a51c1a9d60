"""A folder on disk: links, pipes, strange names, closed doors."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from grader.course.tree import EMPTY
from tests.course.classes import PLAIN, found, in_folder, told, whose
from tests.hostile.unprivileged import become_ordinary


def test_a_link_is_followed_only_within_its_folder(tmp_path: Path) -> None:
    where = in_folder(tmp_path, {"alice/solution.txt": "a", "carol/kv_sizing.py": "c"})
    (tmp_path / "secret.py").write_text("secret")
    targets = {
        "alice/top_p_sets.py": "solution.txt",
        "bob/top_p_sets.py": "../../secret.py",
        "bob/kv_sizing.py": "../carol/kv_sizing.py",
        "bob/block_allocation.py": str(tmp_path / "secret.py"),
        "bob/top_p_sets": ".",
        "carol/top_p_sets.py": "nowhere",
        "carol/block_allocation.py": "block_allocation.py",
        "dave": "carol",
        "erin": "..",
    }
    for link, target in targets.items():
        (where / link).parent.mkdir(exist_ok=True)
        (where / link).symlink_to(target)
    result = found(where)
    assert whose(result) == {("alice", "top_p_sets"): b"a", ("carol", "kv_sizing"): b"c"}
    assert told(result.refused) == {
        **dict.fromkeys(
            ("bob/top_p_sets.py", "bob/kv_sizing.py", "bob/block_allocation.py"),
            "it is a link that leads out of its folder",
        ),
        "erin": "it is a link that leads out of its folder",
        **dict.fromkeys(
            ("carol/top_p_sets.py", "carol/block_allocation.py"), "it is a link that leads nowhere"
        ),
        **dict.fromkeys(
            ("bob/top_p_sets", "dave"), "it is a link to a folder, or a folder where a file is due"
        ),
    }


def test_a_class_that_lies_behind_a_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(in_folder(tmp_path, PLAIN))
    assert len(found(tmp_path / "link").submitted) == len(PLAIN)


def test_a_pipe_is_not_opened(tmp_path: Path) -> None:
    where = in_folder(tmp_path, PLAIN)
    os.mkfifo(where / "alice/top_p_sets.py")
    assert told(found(where).refused) == {
        "alice/top_p_sets.py": "it is a device, a pipe or a socket"
    }


def test_a_name_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    where = in_folder(tmp_path, PLAIN)
    (where / os.fsdecode(b"\xff")).mkdir()
    (where / os.fsdecode(b"alice/\xfe.py")).touch()
    result = found(where)
    assert len(result.submitted) == len(PLAIN)
    assert told(result.refused) == dict.fromkeys(
        ("\udcff", "alice/\udcfe.py"), "its name is not UTF-8; rename it"
    )


def test_what_may_not_be_read_is_listed_with_the_reason() -> None:
    program = (
        "import sys; from pathlib import Path; from grader.course.discover import discover\n"
        "found = discover(Path(sys.argv[1]), ['top_p_sets', 'kv_sizing'])\n"
        "print(len(found.submitted))\n"
        "for one in found.unknown: print(one.path, one.why)\n"
    )
    with tempfile.TemporaryDirectory() as open_to_all:
        Path(open_to_all).chmod(0o755)
        where = in_folder(Path(open_to_all), PLAIN | {"carol/top_p_sets.py": ""})
        (where / "bob/top_p_sets.py").chmod(0)
        (where / "carol").chmod(0)
        ended = subprocess.run(
            [sys.executable, "-c", program, where],
            capture_output=True,
            text=True,
            preexec_fn=become_ordinary,
            check=True,
        )
    assert ended.stdout.splitlines() == [
        "2",
        "bob/top_p_sets.py it cannot be read: Permission denied",
        "carol/ it cannot be read: Permission denied",
    ]


def test_an_empty_folder_is_told(tmp_path: Path) -> None:
    where = in_folder(tmp_path, PLAIN)
    for path in ("zoe/top_p_sets", "yan"):
        (where / path).mkdir(parents=True)
    result = found(where)
    assert len(result.submitted) == len(PLAIN)
    assert told(result.unknown) == dict.fromkeys(("yan/", "zoe/top_p_sets/"), EMPTY)
