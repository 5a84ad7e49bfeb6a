"""Opens one hand-in of a class: which labs' files are in it, wherever they lie, and why the others are not taken.

A hand-in is hostile until shown otherwise. Links are not followed, devices not opened, sizes and counts are bounded,
and archives are read by a process of its own (grader/handin/archive.py). What cannot be read is a message, never an
error.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.classes.roster import HandIn, name_in_hand_in
from grader.handin import archive
from grader.handin.archive import ENTRIES_CAP, NO_LAB, SAME_NAME_CAP, SPARE, Found, Refused
from grader.handin.submission import IGNORED_CAP, read_guarded
from grader.model.errors import GraderFault, describe_os_error, printable
from grader.model.types import IgnoredFile
from grader.walls.process import clean_environment

DEPTH_CAP = 32  # folders in folders
ARCHIVES_CAP = 16  # archives of one hand-in that are opened
ARCHIVE_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Contents:
    """What one hand-in holds."""

    files: dict[str, bytes]  # lab's file name to what will be graded
    ignored: tuple[IgnoredFile, ...]
    notes: tuple[str, ...]  # what to know about it: a file under another name, two of the same name
    refused: dict[str, str]  # lab's file name to why it was not taken, though it is there

    @property
    def digest(self) -> str:
        """SHA-256 of what was taken; empty where nothing was."""
        if not self.files:
            return ""
        whole = hashlib.sha256()
        for name, content in sorted(self.files.items()):
            whole.update(f"{name}\0{len(content)}\0".encode() + content)
        return whole.hexdigest()

    @property
    def trouble(self) -> str:
        """Why nothing of it can be graded; empty where something can."""
        if self.files:
            return ""
        reasons = [f"{name}: {reason}" for name, reason in sorted(self.refused.items())]
        reasons += [f"{entry.path}: {entry.reason}" for entry in self.ignored if entry.path != "..."]
        return "\n".join(["nothing in it can be graded", *(f"    {reason}" for reason in reasons[:5])])


def read_hand_in(hand_in: HandIn, sources: Iterable[str], all_sources: Iterable[str] = ()) -> Contents:
    """The labs' files of a hand-in. sources: of the labs that are graded; all_sources: of all labs, to tell a file of
    another lab from one that is none. GraderFault only when this machine fails."""
    reader = _Reader(sorted(sources), set(all_sources))
    for path in hand_in.paths:
        reader.read(path, name_in_hand_in(hand_in.form, path, reader.sources), len(hand_in.paths) == 1)
    if not hand_in.paths:
        reader.ignore(hand_in.origin, "no file was handed in")
    return reader.contents()


class _Reader:
    def __init__(self, sources: list[str], all_sources: set[str]) -> None:
        self.sources = sources
        self._others = all_sources.difference(sources)
        self._found: list[Found] = []
        self._ignored: list[IgnoredFile] = []
        self._left_out = 0
        self._archives = 0
        self._entries = 0

    def read(self, path: Path, label: str, alone: bool) -> None:
        """One thing that was handed in. alone: it is the whole hand-in, and its name is no folder of it."""
        if path.is_symlink():
            self.ignore(label, "a symbolic link")
        elif path.is_dir():
            places = [(relative, place) for place, relative in self._walk(path, "" if alone else f"{label}/")]
            if not places:
                self.ignore(label, "an empty folder")
            self._files(places)
        else:
            self._files([(label, path)])

    def ignore(self, path: str, reason: str) -> None:
        """Reports what is left alone, up to a bound."""
        if reason == NO_LAB and path.rpartition("/")[2] in self._others:
            reason = "the file of another lab"
        if len(self._ignored) < IGNORED_CAP:
            self._ignored.append(IgnoredFile(printable(path), printable(reason)))
        else:
            self._left_out += 1

    def contents(self) -> Contents:
        """What all that was read comes to."""
        files: dict[str, bytes] = {}
        notes: list[str] = []
        refused: dict[str, str] = {}
        for source in self.sources:
            same = [found for found in self._found if found.source == source]
            if not same:
                continue
            best = min(archive.rank(found.path, found.exact) for found in same)
            chosen = [found for found in same if archive.rank(found.path, found.exact) == best]
            paths = ", ".join(sorted(printable(found.path) for found in chosen))
            if len({found.content for found in chosen}) > 1:
                refused[source] = f"there are several, and they differ: {paths}; hand in one of them"
                continue
            files[source] = chosen[0].content
            if not chosen[0].exact:
                notes.append(f"{source} is taken from {printable(chosen[0].path)!r}")
        spares = (entry for entry in self._ignored if entry.reason.startswith(SPARE))
        # A second download, or a copy: perhaps it is the one that was meant.
        notes += [f"{e.path}: {e.reason}" for e in spares if e.path.rpartition("/")[2] not in self.sources]
        if self._left_out:
            self._ignored.append(IgnoredFile("...", f"and {self._left_out} more"))
        return Contents(files, tuple(self._ignored), tuple(notes), refused)

    def _files(self, places: list[tuple[str, Path]]) -> None:
        """Reads the labs' files among these, opens archives, and says of the rest what a person should hear."""
        by_label = dict(places)
        meant: list[tuple[str, str, bool]] = []
        for label, path in places:
            name = label.rpartition("/")[2]
            if (lab := archive.lab_source(name, self.sources)) is not None:
                meant.append((label, *lab))
            elif archive.is_archive(name):
                self._open(path, label)
            elif archive.is_other_archive(name):
                self.ignore(label, "an archive of a kind that is not read; pack it as .zip or .tar.gz")
            elif name.lower().endswith((".cu", ".cu.txt")) or len(places) <= SAME_NAME_CAP:
                self.ignore(label, NO_LAB)
        chosen, spares = archive.choose(meant)
        for label, reason in spares:
            self.ignore(label, reason)
        for label, source, exact in chosen:
            content = read_guarded(by_label[label])
            if isinstance(content, str):
                self.ignore(label, content)
            else:
                self._found.append(Found(label, source, exact, content))

    def _walk(self, folder: Path, above: str, depth: int = 0) -> Iterator[tuple[Path, str]]:
        """Files below a folder with their path in the hand-in, the uppermost first."""
        folders: list[tuple[Path, str]] = []
        try:
            with os.scandir(folder) as entries:
                listed = sorted(entries, key=lambda entry: os.fsencode(entry.name))
        except OSError as error:
            self.ignore(above or ".", f"cannot be read: {error.strerror}")
            return
        for entry in listed:
            self._entries += 1
            if self._entries > ENTRIES_CAP:
                if self._entries == ENTRIES_CAP + 1:
                    self.ignore(above + entry.name, f"and what comes after it: there are more than {ENTRIES_CAP} files")
                return
            if archive.is_clutter([entry.name]):
                continue
            if entry.is_dir(follow_symlinks=False):
                folders.append((Path(entry.path), f"{above}{entry.name}/"))
            else:
                yield Path(entry.path), above + entry.name
        for path, label in folders:
            if depth < DEPTH_CAP:
                yield from self._walk(path, label, depth + 1)
            else:
                self.ignore(label, f"lies deeper than {DEPTH_CAP} folders")

    def _open(self, path: Path, label: str) -> None:
        self._archives += 1
        if self._archives > ARCHIVES_CAP:
            self.ignore(label, f"there are more than {ARCHIVES_CAP} archives")
            return
        try:
            taken = _read_apart(path, self.sources)
        except Refused as refused:
            self.ignore(label, str(refused))
            return
        for found in taken.found:
            self._found.append(Found(f"{label}/{found.path}", found.source, found.exact, found.content))
        for inside, reason in taken.ignored:
            self.ignore(f"{label}/{inside}", reason)
        if not taken.found and not taken.ignored:
            self.ignore(label, "holds no .cu file")


def _read_apart(path: Path, sources: list[str]) -> archive.Taken:
    """What archive.py, as a process of its own, takes from an archive. Refused when it cannot."""
    argv = [sys.executable, "-I", "-S", archive.__file__, str(path), *sources]
    try:
        done = subprocess.run(
            argv, capture_output=True, timeout=ARCHIVE_SECONDS, check=False, env=clean_environment(), cwd="/"
        )
    except subprocess.TimeoutExpired:
        raise Refused(f"takes more than {ARCHIVE_SECONDS} s to unpack") from None
    except OSError as error:
        raise GraderFault(f"cannot start {sys.executable}: {describe_os_error(error)}") from error
    if done.returncode != 0:
        raise Refused("takes too much memory or time to unpack; hand in the .cu files only")
    return archive.from_line(done.stdout.decode())
