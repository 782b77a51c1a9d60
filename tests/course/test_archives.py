"""A zip is data: nothing in it is extracted, believed or followed, and reading it is bounded."""

from __future__ import annotations

import contextlib
import os
import stat
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grader.course import archive
from grader.course.discover import Found
from grader.course.tree import NOISE, Refused
from grader.errors import UsageError
from tests.course.classes import found, in_zip, whose

GOOD = "bob/top_p_sets.py"
FIRST_ENTRY = b"PK\x01\x02"
"""How each entry of a zip's directory begins, at its end; `PK\x03\x04` stands before its bytes."""


def zipped(at: Path, *entries: tuple[str | zipfile.ZipInfo, bytes]) -> Path:
    """An archive with these entries and one good one."""
    path = at / "class.zip"
    with zipfile.ZipFile(path, "w") as zip_file:
        for name, content in (*entries, (GOOD, b"good")):
            zip_file.writestr(name, content)
    return path


def entry(name: str, *, mode: int = 0, system: int = 3) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo("x")
    info.filename = name  # as it is: the constructor would mend it
    info.external_attr = mode << 16
    info.create_system = system
    return info


def refused(result: Found) -> dict[str, str]:
    return {one.path.removeprefix("class.zip!/"): one.why for one in result.refused}


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("/etc/cron.d/top_p_sets.py", "its path is absolute"),
        ("../top_p_sets.py", "its path leads upwards (`..`)"),
        ("alice/../bob/kv_sizing.py", "its path leads upwards (`..`)"),
        ("../", "its path leads upwards (`..`)"),
        ("C:/top_p_sets.py", "its path begins with a drive letter"),
        ("c:top_p_sets.py", "its path begins with a drive letter"),
        ("alice\\top_p_sets.py", "its name has a backslash"),
        ("\\\\host\\share\\top_p_sets.py", "its name has a backslash"),
        ("./", "it has no name"),
    ],
)
def test_an_entry_with_a_hostile_path_is_refused_by_name(
    tmp_path: Path, name: str, why: str
) -> None:
    result = found(zipped(tmp_path, (entry(name), b"x")))
    assert whose(result) == {("bob", "top_p_sets"): b"good"}
    assert refused(result) == {name: why}


def test_a_name_does_not_end_at_a_nul(tmp_path: Path) -> None:
    where = zipped(tmp_path, ("alice/top_p_sets.py.exe", b"x"))
    where.write_bytes(where.read_bytes().replace(b"sets.py.exe", b"sets.py\0exe"))
    assert refused(found(where)) == {"alice/top_p_sets.py\0exe": "its name has a NUL character"}


@pytest.mark.parametrize("system", [0, 3])
@pytest.mark.parametrize(
    ("kind", "why"),
    [
        (stat.S_IFLNK, "it is a symbolic link"),
        (stat.S_IFCHR, "it is no regular file"),
        (stat.S_IFBLK, "it is no regular file"),
        (stat.S_IFIFO, "it is no regular file"),
        (stat.S_IFSOCK, "it is no regular file"),
    ],
)
def test_what_is_no_file_is_refused_by_name(
    tmp_path: Path, kind: int, system: int, why: str
) -> None:
    link = entry("alice/top_p_sets.py", mode=kind | 0o777, system=system)
    result = found(zipped(tmp_path, (link, b"/etc/passwd")))
    assert list(whose(result)) == [("bob", "top_p_sets")]
    assert refused(result) == {"alice/top_p_sets.py": why}


@pytest.mark.parametrize("bit", [0x1, 0x41, 0x2001])
def test_an_encrypted_entry_is_refused_by_name(tmp_path: Path, bit: int) -> None:
    where = zipped(tmp_path, ("alice/top_p_sets.py", b"x"))
    content = bytearray(where.read_bytes())
    struct.pack_into("<H", content, content.index(FIRST_ENTRY) + 8, bit)
    where.write_bytes(content)
    assert refused(found(where)) == {"alice/top_p_sets.py": "it is encrypted"}


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_method_that_gives_without_measure_is_refused_by_name(
    tmp_path: Path, method: int
) -> None:
    info = entry("alice/top_p_sets.py")
    info.compress_type = method
    why = f"it is compressed with method {method}; only deflate is read"
    assert refused(found(zipped(tmp_path, (info, b"x" * 99)))) == {"alice/top_p_sets.py": why}


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_entries_of_one_name_are_all_refused(tmp_path: Path) -> None:
    names = ("alice/top_p_sets.py", "alice/top_p_sets.py", "./alice//top_p_sets.py")
    result = found(zipped(tmp_path, *((entry(name), b"x") for name in names)))
    assert list(whose(result)) == [("bob", "top_p_sets")]
    assert refused(result) == {names[0]: "the archive has 3 entries of this name"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("alice/top_p_sets.py", "alice/Top_P_Sets.py"),
        ("alice/top_p_sets.py", "Alice/top_p_sets.py"),
        ("zo\u00eb/top_p_sets.py", "zoe\u0308/top_p_sets.py"),
        ("stra\u00dfe/top_p_sets.py", "STRASSE/top_p_sets.py"),
        ("\u212a/top_p_sets.py", "k/top_p_sets.py"),
    ],
)
def test_names_that_some_disk_holds_to_be_one_are_refused(
    tmp_path: Path, one: str, other: str
) -> None:
    result = found(zipped(tmp_path, (one, b"1"), (other, b"2")))
    assert list(whose(result)) == [("bob", "top_p_sets")]
    assert set(refused(result)) == {one, other}
    assert refused(result)[one].startswith("only case or Unicode normalisation tells its name")


def test_names_of_macos_are_utf8_though_no_flag_says_so(tmp_path: Path) -> None:
    where = zipped(tmp_path, ("xxxxxx/top_p_sets.py", b"x"))
    where.write_bytes(where.read_bytes().replace(b"xxxxxx", "张三".encode()))
    assert ("张三", "top_p_sets") in whose(found(where))


def test_a_zip_in_a_zip_stays_closed(tmp_path: Path) -> None:
    inner = in_zip(tmp_path, {"alice/top_p_sets.py": "x"}).read_bytes()
    result = found(zipped(tmp_path, ("alice/top_p_sets.zip", inner)))
    assert list(whose(result)) == [("bob", "top_p_sets")]
    assert [one.path for one in result.unknown] == ["class.zip!/alice/top_p_sets.zip"]


# What it costs


def test_a_bomb_is_refused_by_name_by_what_comes_out_of_it(tmp_path: Path) -> None:
    where = in_zip(tmp_path, {"alice/top_p_sets.py": bytes(8 << 20), GOOD: b"good"})
    result = found(where)
    assert whose(result) == {("bob", "top_p_sets"): b"good"}
    assert refused(result) == {
        "alice/top_p_sets.py": "it is compressed to less than 1/200, as no program is"
    }


def test_much_of_one_letter_is_no_bomb_as_long_as_it_is_little(tmp_path: Path) -> None:
    padded = b"print()\n" + b"#" * 900_000
    assert whose(found(in_zip(tmp_path, {GOOD: padded}))) == {("bob", "top_p_sets"): padded}


@pytest.mark.parametrize(("at", "claimed"), [(24, 10), (20, 1 << 30)])
def test_sizes_in_the_headers_are_not_believed(tmp_path: Path, at: int, claimed: int) -> None:
    where = in_zip(tmp_path, {"alice/top_p_sets.py": bytes(8 << 20), GOOD: b"good"})
    content = bytearray(where.read_bytes())
    struct.pack_into("<I", content, content.index(FIRST_ENTRY) + at, claimed)
    where.write_bytes(content)
    result = found(where)
    assert list(whose(result)) == [("bob", "top_p_sets")]
    [aside] = result.refused + result.unknown
    assert aside.path == "class.zip!/alice/top_p_sets.py"
    assert aside.why.startswith(("it is damaged", "it is compressed to less than"))


def test_an_archive_gives_no_more_than_all_may_have_together(tmp_path: Path) -> None:
    where = in_zip(tmp_path, {f"s{n}/top_p_sets.py": bytes(1 << 20) for n in range(5)})
    with archive.opened(where, most_bytes=3 << 20) as source:
        first, second, third, *others = source.tree.values()
        assert [len(file.read(2 << 20)) for file in (first, second, third)] == [1 << 20] * 3
        for file in others:
            with pytest.raises(Refused, match="the archive's files have more than 3 MiB"):
                file.read(2 << 20)


def test_an_archive_of_too_many_entries_is_a_usage_error(where: Path) -> None:
    most = archive.MAX_ENTRIES
    where.write_bytes(packed([(f"{n}", b"", 0, 0) for n in range(most)]))
    assert len(found(where).unknown) == most
    where.write_bytes(packed([(f"{n}", b"", 0, 0) for n in range(most + 1)]))
    with pytest.raises(UsageError, match=r"class\.zip has 50,001 entries, more than 50,000"):
        found(where)


def test_an_archive_with_a_huge_directory_is_a_usage_error(tmp_path: Path) -> None:
    where = in_zip(tmp_path, {f"{n:04}{'x' * 65_000}": b"" for n in range(260)})
    with pytest.raises(UsageError, match="its directory is too large; unpack it"):
        found(where)


def test_a_damaged_entry_costs_itself_alone(tmp_path: Path) -> None:
    where = zipped(tmp_path, ("alice/top_p_sets.py", b"print('hello')"))
    where.write_bytes(where.read_bytes().replace(b"hello", b"HELLO"))
    result = found(where)
    assert list(whose(result)) == [("bob", "top_p_sets")]
    [aside] = result.unknown
    assert aside.path == "class.zip!/alice/top_p_sets.py"
    assert aside.why.startswith("it is damaged: Bad CRC-32")


# Whatever it is


Entry = tuple[str, bytes, int, int]
"""A name, content, the mode of a Unix file, and flags."""

_PIECES = st.sampled_from(
    [
        *(
            "..",
            ".",
            "",
            "alice",
            "Alice",
            "top_p_sets.py",
            "top-p-sets.py",
            "kv_sizing",
            "main.py",
        ),
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


def packed(entries: list[Entry]) -> bytes:
    """A zip with names, modes and flags as no tool would write them."""
    bodies, directory = bytearray(), bytearray()
    for name, content, mode, flags in entries:
        raw = name.encode()
        sizes = struct.pack("<III", zlib.crc32(content), len(content), len(content))
        same = struct.pack("<HHHHH", 20, flags | 0x800, 0, 0, 0) + sizes
        directory += b"PK\x01\x02" + struct.pack("<H", 3 << 8 | 20) + same
        directory += struct.pack("<HHHHHII", len(raw), 0, 0, 0, 0, mode << 16, len(bodies)) + raw
        bodies += b"PK\x03\x04" + same + struct.pack("<HH", len(raw), 0) + raw + content
    ends = struct.pack("<HHHHIIH", 0, 0, *[len(entries)] * 2, len(directory), len(bodies), 0)
    return bytes(bodies + directory + b"PK\x05\x06" + ends)


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
        zipped(tmp_path)


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
