"""No zip, whatever it is made of, crashes discovery or gets anything written; nothing is lost."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grader.course.tree import NOISE
from grader.errors import UsageError
from tests.course.classes import Entry, found, in_zip, packed

_PIECES = st.sampled_from(
    [
        *("..", ".", "", "alice", "Alice", "kv_sizing"),
        *("top_p_sets.py", "top-p-sets.py", "main.py"),
        *("C:", "\\", "a\\b", "\0", "\x1b[2J", "\u202e", "\r\n", "CON", "x.py:stream", "~", "*"),
        *("__MACOSX", ".git", "assignment_1_export", "submission_1", "submission_metadata.yml"),
        *("Ada_1_assignsubmission_file_", "Ada_1_assignsubmission_file_top_p_sets.py"),
        *("list.csv", "zo\u00eb", "zoe\u0308", "a.zip", "x" * 300),
    ]
) | st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
_NAMES = st.lists(_PIECES, min_size=1, max_size=4).map("/".join) | st.lists(
    st.sampled_from(["alice", "top_p_sets", "top_p_sets.py", "kv_sizing.py"]), max_size=4
).map("/".join)
_CONTENTS = st.sampled_from(
    [
        b"print()\n",
        b"submission_1:\n  :submitters:\n  - :sid: a\n",
        b"student,problem,path\nx,top_p_sets,../../etc/passwd\nx,kv_sizing,alice/kv_sizing.py\n",
        b"[" * 3000,
        b"\xff\0",
    ]
)
_ZIPS = st.lists(
    st.tuples(
        _NAMES,
        _CONTENTS,
        st.sampled_from([0, 0, 0, stat.S_IFREG | 0o644, stat.S_IFLNK | 0o777, stat.S_IFCHR]),
        st.sampled_from([0, 0, 0, 1, 0x20, 0x2000]),
    ),
    max_size=8,
)


class Watch:
    """Notes whatever this process changes on disk, starts or connects to while it is `on`."""

    CHANGES = frozenset(
        f"os.{name}" for name in "chmod link mkdir remove rename rmdir symlink truncate".split()
    )
    STARTS = ("subprocess.", "socket.", "os.exec", "os.fork", "os.posix_spawn", "os.system")

    def __init__(self) -> None:
        b"".decode("utf-8-sig"), b"".decode("cp437")  # an import may write byte code
        self.on = False
        self.seen: list[str] = []
        sys.addaudithook(self._note)

    def _note(self, event: str, arguments: tuple[object, ...]) -> None:
        if not self.on:
            return
        writes = event == "open" and int(str(arguments[2])) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        if writes or event in self.CHANGES or event.startswith(self.STARTS):
            self.seen.append(f"{event} {arguments}")

    @contextmanager
    def nothing_is_written(self) -> Iterator[None]:
        self.seen.clear()
        self.on = True
        try:
            yield
        finally:
            self.on = False
        assert self.seen == []


@pytest.fixture(scope="session")
def watch() -> Watch:
    return Watch()


@pytest.fixture(scope="module")
def where(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile") / "class.zip"


def test_the_watch_sees_what_is_written(watch: Watch, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="class"), watch.nothing_is_written():
        in_zip(tmp_path, {})


@settings(deadline=None)
@example([("../../x/top_p_sets.py", b"", 0, 0)], ())
@given(_ZIPS, st.sampled_from([(), ("top_p_sets",), ("kv_sizing", "top_p_sets")]))
def test_every_entry_is_accounted_for_and_nothing_is_written(
    watch: Watch, where: Path, entries: list[Entry], only: tuple[str, ...]
) -> None:
    where.write_bytes(packed(entries))
    with watch.nothing_is_written():
        result = found(where, *only)
    told = {one.path for one in (*result.unknown, *result.refused, *result.left_aside)}
    told |= {one.path for one in result.submitted}
    told |= {path for one in result.ambiguous for path in one.paths}
    for name, *_ in entries:
        path = "/".join(part for part in name.split("/") if part not in ("", "."))
        says_whose = path.endswith((".csv", "submission_metadata.yml"))
        if not (says_whose or name.endswith("/") or NOISE & {*path.split("/")}):
            assert {f"class.zip!/{path}", f"class.zip!/{name}"} & told
    for one in result.submitted:
        assert one.source in {content for _, content, *_ in entries}
        assert ".." not in one.path.split("/")


@settings(deadline=None)
@given(_ZIPS, st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 255)), max_size=6))
def test_damage_is_a_usage_error_or_costs_single_entries(
    watch: Watch, where: Path, entries: list[Entry], changes: list[tuple[int, int]]
) -> None:
    content = bytearray(packed(entries))
    for place, byte in changes:
        content[place % len(content)] = byte
    where.write_bytes(content)
    with watch.nothing_is_written(), contextlib.suppress(UsageError):
        found(where, "top_p_sets")


@settings(deadline=None)
@given(st.binary(max_size=400))
def test_what_is_no_zip_is_a_usage_error(where: Path, content: bytes) -> None:
    where.write_bytes(content)
    with pytest.raises(UsageError, match=r"class\.zip cannot be read as a zip"):
        found(where)
