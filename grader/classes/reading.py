"""Reads one hand-in: finds the labs' files in it, in any folder, and says why other files are not taken.

The grader runs this in a separate process (grader/classes/intake.py), and this process opens each archive in another
one, so that a harmful archive does not affect the other files. Links are not followed, devices are not opened, and
sizes and counts are limited. Something that cannot be read leads to a message.
"""

import base64
import os
import resource
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from grader.handin import archive
from grader.handin.archive import ENTRIES_CAP, NO_LAB, SAME_NAME_CAP, SPARE, Found
from grader.handin.submission import IGNORED_CAP, in_utf8, read_guarded
from grader.model.errors import Refused, printable
from grader.walls.apart import JobLimits, main_apart, run_apart

MODULE = "grader.classes.reading"
DEPTH_CAP = 32  # limit for nested folders
ARCHIVES_CAP = 16  # limit for archives of one hand-in that are opened
SHOWN_LENGTH = 300  # characters of a reported path
ARCHIVE_LIMITS = JobLimits(memory=320 << 20, cpu=10)

Table = dict[str, Any]


class _Reader:
    def __init__(self, sources: list[str], all_sources: set[str]) -> None:
        self.sources = sources
        self._others = all_sources.difference(sources)
        self._found: list[Found] = []
        self._ignored: list[tuple[str, str]] = []  # (path, reason)
        self._left_out = 0
        self._archives = 0
        self._entries = 0

    def read(self, path: Path, label: str, alone: bool) -> None:
        """Reads one thing that was handed in. `alone`: it is the whole hand-in, so its name is not part of the paths in
        it."""
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
        """Reports a path that is left out, up to a limit."""
        if reason == NO_LAB and path.rpartition("/")[2] in self._others:
            reason = "the file of another lab"
        if len(self._ignored) < IGNORED_CAP:
            self._ignored.append((_shown(path), _shown(reason)))
        else:
            self._left_out += 1

    def contents(self) -> Table:
        """Everything that was read, as the fields of Contents (grader/classes/intake.py), for JSON."""
        files: dict[str, bytes] = {}
        notes: list[str] = []
        refused: dict[str, str] = {}
        for source in self.sources:
            same = [found for found in self._found if found.source == source]
            if not same:
                continue
            best = min(archive.rank(found.path, found.exact) for found in same)
            chosen = [found for found in same if archive.rank(found.path, found.exact) == best]
            paths = ", ".join(sorted(_shown(found.path) for found in chosen))
            if len({found.content for found in chosen}) > 1:
                refused[source] = f"there are several, and they differ: {paths}; hand in one of them"
                continue
            files[source] = in_utf8(chosen[0].content)
            if files[source] != chosen[0].content:
                notes.append(f"{source} was saved as UTF-16, and is graded in UTF-8")
            if not chosen[0].exact:
                notes.append(f"{source} is taken from {_shown(chosen[0].path)!r}")
        # A second download or a copy may be the file that the student meant.
        spares = ((path, reason) for path, reason in self._ignored if reason.startswith(SPARE))
        notes += [f"{path}: {reason}" for path, reason in spares if path.rpartition("/")[2] not in self.sources]
        if self._left_out:
            self._ignored.append(("...", f"and {self._left_out} more"))
        return {
            "files": {name: base64.b64encode(content).decode() for name, content in files.items()},
            "ignored": self._ignored,
            "notes": notes,
            "refused": refused,
        }

    def _files(self, places: list[tuple[str, Path]]) -> None:
        """Reads the labs' files among these, opens archives, and reports the others if that is useful to a person."""
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
        """The files below a folder with their paths in the hand-in, the uppermost first."""
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
                self.ignore(label, f"is more than {DEPTH_CAP} folders deep")

    def _open(self, path: Path, label: str) -> None:
        self._archives += 1
        if self._archives > ARCHIVES_CAP:
            self.ignore(label, f"there are more than {ARCHIVES_CAP} archives")
            return
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        if used.ru_utime + used.ru_stime > ARCHIVE_LIMITS.cpu:
            self.ignore(label, "the archives before it took too long to unpack; hand in the .cu files only")
            return
        try:
            taken = run_apart(MODULE, "archive", [str(path), self.sources], ARCHIVE_LIMITS, threading.Event())
        except Refused as refused:
            self.ignore(label, str(refused))
            return
        for inside, source, exact, content in taken["found"]:
            self._found.append(Found(f"{label}/{inside}", source, exact, base64.b64decode(content)))
        for inside, reason in taken["ignored"]:
            self.ignore(f"{label}/{inside}", reason)
        if not taken["found"] and not taken["ignored"]:
            self.ignore(label, "contains no .cu file")


def _shown(text: str) -> str:
    return printable(text if len(text) <= SHOWN_LENGTH else f"{text[:SHOWN_LENGTH]}...")


def _hand_in_job(paths: list[tuple[str, str]], sources: list[str], all_sources: list[str]) -> Table:
    reader = _Reader(sources, set(all_sources))
    for path, label in paths:
        reader.read(Path(path), label, len(paths) == 1)
    return reader.contents()


def _archive_job(path: str, sources: list[str]) -> Table:
    taken = archive.read_archive(path, sources)
    found = [(f.path, f.source, f.exact, base64.b64encode(f.content).decode()) for f in taken.found]
    return {"found": found, "ignored": [(path[: SHOWN_LENGTH + 1], reason) for path, reason in taken.ignored]}


if __name__ == "__main__":
    sys.exit(main_apart({"hand-in": _hand_in_job, "archive": _archive_job}, sys.argv))
