"""Zip and tar files: those that students hand in, and harmful ones."""

import bz2
import gzip
import io
import lzma
import os
import stat
import struct
import tarfile
import zipfile
import zlib
from pathlib import Path

import pytest

from grader.classes.intake import Contents, read_hand_in
from grader.classes.roster import HandIn
from grader.handin import archive
from grader.handin.archive import lab_source, read_archive
from grader.model.errors import Refused
from grader.model.gradebook import Form, Student

SOURCES = ["one.cu", "two_scans.cu"]


def opened(*paths: Path) -> Contents:
    """The contents of a hand-in with these files, read as a batch reads them."""
    return read_hand_in(HandIn("ada", (Student("ada", "Ada", ""),), Form.FOLDER, "ada", paths), SOURCES)


def zipped(path: Path, members: dict[str, str], **options: int) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, text in members.items():
            made.writestr(name, text, **options)
    return path


def tarred(path: Path, members: list[tuple[tarfile.TarInfo, bytes]], mode: str = "w:gz") -> Path:
    with tarfile.open(path, mode) as made:  # type: ignore[call-overload]
        for info, content in members:
            info.size = len(content)
            made.addfile(info, io.BytesIO(content))
    return path


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, link
    return info


def reasons(contents: Contents) -> list[str]:
    return [entry.reason for entry in contents.ignored]


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("one.cu", "one.cu"),
        ("One.CU", "one.cu"),
        ("one (1).cu", "one.cu"),
        ("one-2.cu", "one.cu"),
        ("one - Copy (3).cu", "one.cu"),
        ("Copy of one.cu", "one.cu"),
        ("one.cu.txt", "one.cu"),
        ("Two-Scans.cu", "two_scans.cu"),
        ("two scans (1).cu", "two_scans.cu"),
        ("ones.cu", None),
        ("one.c", None),
        ("one.cu.bak", None),
        ("lab1.cu", None),
    ],
)
def test_which_file_a_name_means(name: str, source: str | None) -> None:
    found = lab_source(name, SOURCES)
    assert (found[0] if found else None) == source


def test_a_zip_file_with_folders_and_what_macos_adds(tmp_path: Path) -> None:
    clutter = {"__MACOSX/lab/._one.cu": "x", "lab/.DS_Store": "x", "lab/._one.cu": "x", "lab/build/one.cu": "old"}
    contents = opened(zipped(tmp_path / "a.zip", {"lab/one.cu": "mine", "lab/notes.txt": "", **clutter}))
    assert (contents.files, contents.ignored, contents.notes) == ({"one.cu": b"mine"}, (), ())


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_tar_files_of_all_kinds(tmp_path: Path, mode: str) -> None:
    path = tarred(tmp_path / "a.tar", [(member("lab", tarfile.DIRTYPE), b""), (member("lab/one.cu"), b"mine")], mode)
    assert opened(path).files == {"one.cu": b"mine"}


def test_the_uppermost_of_two_files_is_meant_and_the_exact_name_before_others(tmp_path: Path) -> None:
    contents = opened(zipped(tmp_path / "a.zip", {"old/x/one.cu": "old", "new/one.cu": "new", "one (1).cu": "other"}))
    assert contents.files == {"one.cu": b"new"}


def test_two_that_differ_are_nobody_s_choice(tmp_path: Path) -> None:
    contents = opened(zipped(tmp_path / "a.zip", {"a/one.cu": "1", "b/one.cu": "2", "a/two_scans.cu": "t"}))
    assert contents.files == {"two_scans.cu": b"t"}
    assert contents.refused["one.cu"].startswith("there are several, and they differ: a.zip/a/one.cu, a.zip/b/one.cu")


def test_two_that_are_the_same_are_one(tmp_path: Path) -> None:
    assert opened(zipped(tmp_path / "a.zip", {"a/one.cu": "1", "b/one.cu": "1"})).files == {"one.cu": b"1"}


def test_an_archive_among_files(tmp_path: Path) -> None:
    (tmp_path / "lab").mkdir()
    (tmp_path / "lab" / "one.cu").write_text("1")
    zipped(tmp_path / "lab" / "rest.zip", {"two_scans.cu": "2"})
    assert opened(tmp_path / "lab").files == {"one.cu": b"1", "two_scans.cu": b"2"}


def test_another_name_is_told(tmp_path: Path) -> None:
    contents = opened(zipped(tmp_path / "a.zip", {"One (2).cu": "mine"}))
    assert contents.files == {"one.cu": b"mine"}
    assert contents.notes == ("one.cu is taken from 'a.zip/One (2).cu'",)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("../one.cu", "its path leads out of the archive"),
        ("/etc/one.cu", "its path leads out of the archive"),
        ("a/../../one.cu", "its path leads out of the archive"),
    ],
)
def test_a_path_that_leads_out(tmp_path: Path, name: str, said: str) -> None:
    for path in (zipped(tmp_path / "a.zip", {name: "x"}), tarred(tmp_path / "a.tar", [(member(name), b"x")])):
        contents = opened(path)
        assert (contents.files, reasons(contents)) == ({}, [said])
    assert not (tmp_path.parent / "one.cu").exists()


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (tarfile.SYMTYPE, "a link"),
        (tarfile.LNKTYPE, "a link"),
        (tarfile.CHRTYPE, "not a regular file"),
        (tarfile.BLKTYPE, "not a regular file"),
        (tarfile.FIFOTYPE, "not a regular file"),
        (tarfile.GNUTYPE_SPARSE, "not a regular file"),
    ],
)
def test_what_is_no_file_in_a_tar_file(tmp_path: Path, kind: bytes, said: str) -> None:
    contents = opened(tarred(tmp_path / "a.tar", [(member("one.cu", kind, "/etc/passwd"), b"")]))
    assert contents.files == {}
    assert said in reasons(contents)[0] or kind == tarfile.GNUTYPE_SPARSE


def test_a_link_in_a_zip_file(tmp_path: Path) -> None:
    info = zipfile.ZipInfo("one.cu")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as made:
        made.writestr(info, "/etc/passwd")
    assert reasons(opened(tmp_path / "a.zip")) == ["a symbolic link"]


def encrypted(path: Path) -> Path:
    """Sets the bit for encryption in both headers of the only member."""
    data = bytearray(zipped(path, {"one.cu": "secret"}).read_bytes())
    for mark, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.find(mark) + at] |= 1
    path.write_bytes(data)
    return path


def test_an_encrypted_zip_file(tmp_path: Path) -> None:
    assert reasons(opened(encrypted(tmp_path / "a.zip"))) == ["is encrypted: pack it again without a password"]


def damaged(path: Path) -> Path:
    data = bytearray(zipped(path, {"one.cu": "".join(map(str, range(999)))}).read_bytes())
    data[60:90] = bytes(30)
    path.write_bytes(data)
    return path


def cut_off(path: Path) -> Path:
    path.write_bytes(gzip.compress(os.urandom(3000))[:1500])
    return path


def text(path: Path) -> Path:
    path.write_text("I could not finish it, sorry.")
    return path


@pytest.mark.parametrize("make", [damaged, cut_off, text])
def test_what_is_no_whole_archive(tmp_path: Path, make: "object") -> None:
    assert callable(make)
    said = reasons(opened(make(tmp_path / "a.zip")))[0]
    assert said.startswith("is damaged, or no archive at all (")
    assert said.endswith("pack it again as .zip")


def test_an_empty_file_and_an_empty_archive(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"")
    assert reasons(opened(tmp_path / "a.zip"))[0].startswith("is empty (0 bytes)")
    assert reasons(opened(zipped(tmp_path / "b.zip", {}))) == ["contains no .cu file"]
    assert reasons(opened(tarred(tmp_path / "c.tar", []))) == ["holds nothing at all"]


def test_a_member_that_lies_about_its_size(tmp_path: Path) -> None:
    """Its header says 1 byte, and it unpacks to 64 MiB."""
    path = zipped(tmp_path / "a.zip", {"one.cu": "0" * (64 << 20)})
    data = bytearray(path.read_bytes())
    struct.pack_into("<L", data, data.find(b"PK\1\2") + 24, 1)
    path.write_bytes(data)
    contents = opened(path)
    assert contents.files == {}
    assert "damaged" in reasons(contents)[0] or "larger than 1024 KiB" in reasons(contents)[0]


def test_a_large_member(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"one.cu": "0" * (archive.SIZE_CAP + 1)})
    assert reasons(opened(path)) == ["larger than 1024 KiB"]


def test_a_tar_file_that_unpacks_for_ever(tmp_path: Path) -> None:
    """A file of 500 KB, in which a member with 600 MB of zeros precedes the lab's file."""
    head = member("zeros")
    head.size = 600 << 20
    with gzip.open(tmp_path / "a.tar.gz", "wb", compresslevel=1) as made:
        made.write(head.tobuf())
        for _block in range(600):
            made.write(bytes(1 << 20))
        made.write(member("one.cu").tobuf())
    assert reasons(opened(tmp_path / "a.tar.gz")) == ["unpacks to more than 512 MiB; hand in the .cu files only"]


def test_a_head_of_a_gigabyte(tmp_path: Path) -> None:
    head = member("PaxHeader", tarfile.XHDTYPE)
    head.size = 1 << 30
    (tmp_path / "a.tar").write_bytes(bz2.compress(head.tobuf() + bytes(1 << 20)))
    assert reasons(opened(tmp_path / "a.tar")) == ["has a header of a size that no file needs"]


def test_a_chain_of_heads(tmp_path: Path) -> None:
    """tarfile reads such a chain by recursion."""
    head = member("x", tarfile.GNUTYPE_LONGNAME)
    head.size = 4
    with gzip.open(tmp_path / "a.tar", "wb", compresslevel=1) as made:
        made.write((head.tobuf() + b"one\0" + bytes(508)) * 5000)
    assert "memory" in reasons(opened(tmp_path / "a.tar"))[0] or "damaged" in reasons(opened(tmp_path / "a.tar"))[0]


def test_a_method_that_unpacks_few_bytes_to_gigabytes(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_BZIP2) as made:
        made.writestr("one.cu", "0" * 1000)
    assert reasons(opened(tmp_path / "a.zip")) == ["packed by method 12; pack it again as an ordinary .zip"]


def test_an_archive_of_many_files(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {f"{i}": "" for i in range(archive.ENTRIES_CAP + 1)})
    assert reasons(opened(path)) == ["holds 20001 entries, more than 20000; hand in the .cu files only"]


def test_a_directory_of_a_size_that_is_never_read(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"one.cu": "x"})
    data = bytearray(path.read_bytes())
    struct.pack_into("<L", data, data.rfind(b"PK\5\6") + 12, 1 << 30)
    path.write_bytes(data)
    assert reasons(opened(path)) == ["lists too many files (its directory has more than 4 MiB)"]


def test_an_archive_that_takes_too_much_leaves_the_other_files(tmp_path: Path) -> None:
    """The header of an xz block asks for a dictionary of 2 GiB."""
    packed = bytearray(lzma.compress(bytes(1024), preset=0))
    size = (packed[12] + 1) * 4
    packed[16] = 38
    struct.pack_into("<L", packed, 12 + size - 4, zlib.crc32(packed[12 : 12 + size - 4]))
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "a.tar.xz").write_bytes(packed)
    (tmp_path / "ada" / "one.cu").write_text("mine")
    contents = opened(tmp_path / "ada")
    assert contents.files == {"one.cu": b"mine"}
    assert reasons(contents) == ["takes too much memory to unpack; hand in the .cu files only"]


def test_additions_without_end_are_taken_off_in_linear_time() -> None:
    """A regular expression with several ways to match each addition would try 2^60 combinations."""
    assert lab_source("one" + "-copy" * 49 + ".cu", SOURCES) == ("one.cu", False)
    assert lab_source("one" + "-copy" * 48 + "x.cu", SOURCES) is None
    assert lab_source("one" + "-copy" * 200_000 + ".cu", SOURCES) is None


def test_links_and_pipes_in_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "ada"
    folder.mkdir()
    (folder / "one.cu").symlink_to("/etc/passwd")
    os.mkfifo(folder / "two_scans.cu")
    (folder / "loop").symlink_to(folder)
    contents = opened(folder)
    assert contents.files == {}
    assert {entry.path: entry.reason for entry in contents.ignored} == {
        "loop": "not the name of a lab's file",
        "one.cu": "a symbolic link",
        "two_scans.cu": "not a regular file",
    }


def test_an_archive_that_is_a_link(tmp_path: Path) -> None:
    zipped(tmp_path / "real.zip", {"one.cu": "x"})
    (tmp_path / "a.zip").symlink_to(tmp_path / "real.zip")
    assert reasons(opened(tmp_path / "a.zip")) == ["a symbolic link"]
    with pytest.raises(Refused, match="cannot be read"):
        read_archive(str(tmp_path / "a.zip"), SOURCES)


def test_folders_without_end(tmp_path: Path) -> None:
    deep = tmp_path / "ada" / "/".join(["d"] * 40)
    deep.mkdir(parents=True)
    (deep / "one.cu").write_text("x")
    contents = opened(tmp_path / "ada")
    assert contents.files == {}
    assert reasons(contents)[0] == "is more than 32 folders deep"


def test_a_name_that_is_no_text(tmp_path: Path) -> None:
    folder = tmp_path / "ada"
    folder.mkdir()
    with open(os.fsencode(folder) + b"/\xff\x1b[2J.cu", "w") as stream:
        stream.write("x")
    assert opened(folder).ignored[0].path == "\ufffd\ufffd[2J.cu"
