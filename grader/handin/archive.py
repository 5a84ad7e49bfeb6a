"""Takes the labs' files out of a zip or tar file that somebody handed in, and nothing else.

It is called in a separate process with limits of memory and time (grader/walls/apart.py), because an archive can be
made so that unpacking it never ends. Nothing is written to the disk, so a path that leads out of the archive, a link or
a device can do no harm.

A member is taken, in whatever folder it is, if its name is one of `sources`, apart from additions by browsers and
copies.
"""

import bz2
import gzip
import lzma
import os
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import IO, Any

from grader.model.errors import Refused

SIZE_CAP = 1 << 20  # limit for one file that is taken, in bytes
ARCHIVE_CAP = 256 << 20  # limit for an archive
UNPACKED_CAP = 512 << 20  # limit for what a tar file unpacks to
DIRECTORY_CAP = 4 << 20  # limit for a zip file's directory
ENTRIES_CAP = 20_000  # limit for members of an archive or entries of a folder
READ_CAP = 4 << 20  # limit for one read by tarfile, such as a header
SAME_NAME_CAP = 8  # limit for files of one lab's name; those in the uppermost folders are read first
IGNORED_CAP = 50
NAME_LENGTH = 255  # limit of a file's name on a disk; an archive can contain longer names

# Files that systems, editors and builds leave behind, and that no one hands in on purpose.
CLUTTER = {
    "__MACOSX",
    ".DS_Store",
    "Thumbs.db",
    "desktop.ini",
    ".git",
    ".svn",
    ".vscode",
    ".idea",
    "build",
    "__pycache__",
}

_PLAIN_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # with other methods, a few bytes may unpack to gigabytes
_SUFFIXES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
OTHER_SUFFIXES = (".rar", ".7z", ".gz", ".bz2", ".xz", ".zst", ".tar.zst", ".iso", ".dmg")

NO_LAB = "not the name of a lab's file"
SPARE = "not graded, because there is"  # a file with exactly the lab's name, or one in a higher folder


@dataclass(frozen=True)
class Found:
    """A file that may be a lab's."""

    path: str  # path in the hand-in
    source: str  # name of the lab's file
    exact: bool  # True when it has exactly this name
    content: bytes


@dataclass(frozen=True)
class Taken:
    """The files that were taken and those that were not."""

    found: tuple[Found, ...]
    ignored: tuple[tuple[str, str], ...]  # path and reason of each


def is_archive(name: str) -> bool:
    """Decides by the name only; the content is checked when it is opened."""
    return name.lower().endswith(_SUFFIXES)


def is_other_archive(name: str) -> bool:
    """True for archives of a kind that is not read."""
    return not is_archive(name) and name.lower().endswith(OTHER_SUFFIXES)


def is_clutter(parts: Iterable[str]) -> bool:
    """True for a path that no one hands in on purpose."""
    return any(part in CLUTTER or part.startswith("._") for part in parts)


def lab_source(name: str, sources: Iterable[str]) -> tuple[str, bool] | None:
    """The lab's file that a name means, and whether the name is exact: "Naive-Scan (1).cu" means naive_scan.cu. None
    when it means none."""
    sources = list(sources)
    if name in sources:
        return name, True
    if len(name) > NAME_LENGTH:
        return None
    plain = name.lower().removesuffix(".txt")
    if not plain.endswith(".cu"):
        return None
    stem, longer = plain.removesuffix(".cu").removeprefix("copy of ").strip(), ""
    while stem != longer:
        stem, longer = _less_one_addition(stem), stem
    source = re.sub(r"[\s-]+", "_", stem) + ".cu"
    return (source, False) if source in sources else None


def _less_one_addition(stem: str) -> str:
    """Removes the last addition from a name such as "naive_scan (1)", "naive_scan-1" or "naive_scan - copy (2)". A name
    without one is returned unchanged."""
    if stem.endswith(")"):
        before, _parenthesis, number = stem[:-1].rpartition("(")
        if number.isdecimal():
            return before.rstrip()
    if stem.endswith("copy"):
        before = stem.removesuffix("copy")
        if before.rstrip().endswith("-"):
            return before.rstrip()[:-1].rstrip()
        if before.endswith((" ", "_")):
            return before[:-1]
    before, dash, number = stem.rpartition("-")
    return before if dash and number.isdecimal() and len(number) <= 2 else stem


def choose(places: Iterable[tuple[str, str, bool]]) -> tuple[list[tuple[str, str, bool]], list[tuple[str, str]]]:
    """Chooses which of the files (path, source, exact) to read. For each source these are the files with its exact
    name, if there are any, in the uppermost folder that has one, and at most SAME_NAME_CAP. Also returns the paths of
    the others, with the reason."""
    by_source: dict[str, list[tuple[str, str, bool]]] = {}
    for place in places:
        by_source.setdefault(place[1], []).append(place)
    chosen: list[tuple[str, str, bool]] = []
    spares: list[tuple[str, str]] = []
    for same in by_source.values():
        best = min(rank(path, exact) for path, _source, exact in same)
        meant = sorted(place for place in same if rank(place[0], place[2]) == best)
        chosen += meant[:SAME_NAME_CAP]
        spares += [(place[0], f"{SPARE} {meant[0][0]}") for place in sorted(same) if place not in meant]
    return chosen, spares


def rank(path: str, exact: bool) -> tuple[bool, int]:
    """A sort key: of two files for one lab, the one with the lower key is used."""
    return not exact, path.count("/")


def read_archive(path: str, sources: list[str]) -> Taken:
    """Reads the labs' files from an archive. Refused when it cannot be read."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise Refused(f"cannot be read: {error.strerror}") from error
    with open(handle, "rb") as stream:
        state = os.fstat(stream.fileno())
        if not stat.S_ISREG(state.st_mode):
            raise Refused("is not a regular file")
        if state.st_size == 0:
            raise Refused("is empty (0 bytes): the upload may have been cut off; hand it in again")
        if state.st_size > ARCHIVE_CAP:
            raise Refused(f"is larger than {ARCHIVE_CAP >> 20} MiB; hand in the .cu files only")
        magic = stream.read(8)
        stream.seek(0)
        try:
            return _read_zip(stream, sources) if magic.startswith(b"PK") else _read_tar(stream, magic, sources)
        except (zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, struct.error) as error:
            raise Refused(f"is damaged, or no archive at all ({_short(error)}); pack it again as .zip") from error
        except (OSError, ValueError, NotImplementedError, OverflowError, IndexError, KeyError) as error:
            raise Refused(f"cannot be unpacked ({_short(error)}); pack it again as .zip") from error
        except (MemoryError, RecursionError) as error:
            raise Refused("takes too much memory to unpack; hand in the .cu files only") from error


# ---- zip ----------------------------------------------------------------------------------------------------------


def _read_zip(stream: IO[bytes], sources: list[str]) -> Taken:
    if _zip_directory(stream) > DIRECTORY_CAP:
        raise Refused(f"lists too many files (its directory has more than {DIRECTORY_CAP >> 20} MiB)")
    with zipfile.ZipFile(stream) as archive:
        members = archive.infolist()
        if len(members) > ENTRIES_CAP:
            raise Refused(f"holds {len(members)} entries, more than {ENTRIES_CAP}; hand in the .cu files only")
        look = _Look(sources)
        infos: dict[str, zipfile.ZipInfo] = {}
        for info in members:
            if not info.is_dir() and look.wants(info.filename, _zip_trouble(info), info.filename in infos):
                infos[info.filename] = info
        if look.locked and not infos:
            raise Refused("is encrypted: pack it again without a password")
        return look.take(lambda path: _zip_content(archive, infos[path]))


def _zip_directory(stream: IO[bytes]) -> int:
    """Size of the directory, which zipfile will read as a whole; 0 when there is none."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(size - (1 << 16) - 22, 0))
    tail = stream.read()
    stream.seek(0)
    at = tail.rfind(b"PK\5\6")
    if at < 0 or len(tail) - at < 22:
        return 0
    length = int(struct.unpack_from("<L", tail, at + 12)[0])
    big = tail.rfind(b"PK\6\6")
    return max(length if length != 0xFFFFFFFF else 0, _big_directory(tail, big))


def _big_directory(tail: bytes, at: int) -> int:
    return int(struct.unpack_from("<Q", tail, at + 40)[0]) if 0 <= at <= len(tail) - 56 else 0


def _zip_trouble(info: zipfile.ZipInfo) -> str:
    """The reason why a member is not taken; empty when it may be taken."""
    mode = info.external_attr >> 16
    if stat.S_IFMT(mode) and not stat.S_ISREG(mode):
        return "a symbolic link" if stat.S_ISLNK(mode) else "not a regular file"
    if info.flag_bits & 1:
        return "encrypted"
    if info.compress_type not in _PLAIN_METHODS:
        return f"packed by method {info.compress_type}; pack it again as an ordinary .zip"
    return f"larger than {SIZE_CAP >> 10} KiB" if info.file_size > SIZE_CAP else ""


def _zip_content(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    with archive.open(info) as member:
        return member.read(SIZE_CAP + 1)


# ---- tar ----------------------------------------------------------------------------------------------------------


def _read_tar(stream: IO[bytes], magic: bytes, sources: list[str]) -> Taken:
    opened: Any = stream
    if magic.startswith(b"\x1f\x8b"):
        opened = gzip.GzipFile(fileobj=stream)
    elif magic.startswith(b"BZh"):
        opened = bz2.BZ2File(stream)
    elif magic.startswith(b"\xfd7zXZ"):
        opened = lzma.LZMAFile(stream)  # noqa: SIM115 (the stream is closed by whoever opened it)
    look = _Look(sources)
    contents: dict[str, bytes] = {}
    with tarfile.open(fileobj=_Bounded(opened), mode="r:") as archive:  # type: ignore[call-overload]
        count = 0
        while (member := archive.next()) is not None:
            archive.members.clear()  # otherwise it would keep all of them
            count += 1
            if count > ENTRIES_CAP:
                raise Refused(f"holds more than {ENTRIES_CAP} entries; hand in the .cu files only")
            if member.isdir() or not look.wants(member.name, _tar_trouble(member), member.name in contents):
                continue
            if len(contents) < SAME_NAME_CAP * len(sources):
                held = archive.extractfile(member)
                contents[member.name] = held.read(SIZE_CAP + 1) if held is not None else b""
        if count == 0:
            raise Refused("holds nothing at all")
    return look.take(lambda path: contents[path], contents)


def _tar_trouble(member: tarfile.TarInfo) -> str:
    if member.issym() or member.islnk():
        return "a link"
    if not member.isreg() or member.issparse():
        return "not a regular file"
    return f"larger than {SIZE_CAP >> 10} KiB" if member.size > SIZE_CAP else ""


class _Bounded:
    """A stream for tarfile that reads nothing past UNPACKED_CAP and at most READ_CAP bytes at once."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def read(self, size: int) -> bytes:
        if not 0 <= size <= READ_CAP:
            raise Refused("has a header of a size that no file needs")
        self._check(self._stream.tell() + size)
        data: bytes = self._stream.read(size)
        return data

    def seek(self, position: int) -> int:
        self._check(position)
        return int(self._stream.seek(position))

    def tell(self) -> int:
        return int(self._stream.tell())

    def _check(self, position: int) -> None:
        if position > UNPACKED_CAP:
            raise Refused(f"unpacks to more than {UNPACKED_CAP >> 20} MiB; hand in the .cu files only")


# ---- zip and tar --------------------------------------------------------------------------------------------------


class _Look:
    """Goes through the names in an archive and decides which to read."""

    def __init__(self, sources: list[str]) -> None:
        self._sources = sources
        self._places: list[tuple[str, str, bool]] = []
        self._ignored: list[tuple[str, str]] = []
        self.locked = False

    def wants(self, name: str, trouble: str, seen: bool) -> bool:
        """True when the member is a lab's file that may be taken. `trouble` is the reason against it that its header
        gives, if any."""
        parts = PurePosixPath(name).parts
        if not parts or is_clutter(parts):
            return False
        meant = lab_source(parts[-1], self._sources)
        if name.startswith("/") or ".." in parts or "\\" in name or "\0" in name:
            trouble = "its path leads out of the archive"
        elif meant is not None and seen:
            trouble = "the archive holds two files of this path"
        self.locked |= trouble == "encrypted"
        if meant is None or trouble:
            if meant is not None or trouble.startswith("its path") or parts[-1].endswith(".cu"):
                self.ignore(name, trouble or NO_LAB)
            return False
        self._places.append((name, *meant))
        return True

    def ignore(self, name: str, reason: str) -> None:
        if len(self._ignored) < IGNORED_CAP:
            self._ignored.append((name, reason))

    def take(self, content: Any, there: Iterable[str] | None = None) -> Taken:
        """Reads the chosen members."""
        found: list[Found] = []
        at_hand = self._places if there is None else [place for place in self._places if place[0] in there]
        chosen, spares = choose(at_hand)
        for path, reason in spares:
            self.ignore(path, reason)
        for path, source, exact in chosen:
            data = content(path)
            if len(data) > SIZE_CAP:
                self.ignore(path, f"larger than {SIZE_CAP >> 10} KiB")
            else:
                found.append(Found(path, source, exact, data))
        return Taken(tuple(found), tuple(self._ignored))


def _short(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:120]
