"""A zip is data: nothing in it is extracted, believed or followed, and reading it is bounded."""

from __future__ import annotations

import stat
import struct
import zipfile
from pathlib import Path

import pytest

from grader.course import archive
from grader.course.discover import Found, discover
from grader.course.tree import EMPTY, Refused
from grader.errors import UsageError
from tests.course.classes import LABS, found, in_zip, packed, whose

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


def test_names_of_the_chinese_windows_are_read_when_somebody_says_so(tmp_path: Path) -> None:
    where = zipped(tmp_path, ("xxxx/top_p_sets.py", b"x"))
    where.write_bytes(where.read_bytes().replace(b"xxxx", "张三".encode("gbk")))
    assert ("张三", "top_p_sets") in whose(discover(where, LABS, zip_names="gbk"))
    assert ("张三", "top_p_sets") not in whose(found(where)), "an encoding is not guessed"


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


def test_an_archive_of_too_many_entries_is_a_usage_error(tmp_path: Path) -> None:
    where = tmp_path / "class.zip"
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


def test_an_empty_folder_is_told(tmp_path: Path) -> None:
    folders = ("zoe/top_p_sets/", "zoe/", "yan/", "bob/", "__MACOSX/")
    result = found(zipped(tmp_path, *((name, b"") for name in folders), ("yan.txt", b"")))
    told = {one.path.removeprefix("class.zip!/"): one.why for one in result.unknown}
    assert told.pop("yan.txt")
    assert told == {"yan/": EMPTY, "zoe/top_p_sets/": EMPTY}
