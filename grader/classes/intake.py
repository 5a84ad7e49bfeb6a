"""Runs grader/classes/reading.py in a separate process to read one hand-in. A hand-in must be expected to be hostile:
if it stops the reader, the hand-in is refused and the class continues."""

import base64
import hashlib
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from grader.classes.roster import HandIn, name_in_hand_in
from grader.model.errors import GraderFault, Refused
from grader.model.typed import check_types
from grader.model.types import IgnoredFile
from grader.walls.apart import JobLimits, run_apart

MODULE = "grader.classes.reading"
LIMITS = JobLimits(memory=1 << 30, cpu=20)


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of one hand-in."""

    files: dict[str, bytes]  # lab's file name -> the content to be graded
    ignored: tuple[IgnoredFile, ...]
    notes: tuple[str, ...]  # remarks: a file under another name, or two of the same name
    refused: dict[str, str]  # lab's file name -> the reason why an existing file was not taken

    @property
    def digest(self) -> str:
        """SHA-256 of the files that were taken; empty when there are none."""
        if not self.files:
            return ""
        whole = hashlib.sha256()
        for name, content in sorted(self.files.items()):
            whole.update(f"{name}\0{len(content)}\0".encode() + content)
        return whole.hexdigest()

    @property
    def trouble(self) -> str:
        """The reason why nothing of it can be graded; empty when something can."""
        if self.files:
            return ""
        reasons = [f"{name}: {reason}" for name, reason in sorted(self.refused.items())]
        reasons += [f"{entry.path}: {entry.reason}" for entry in self.ignored if entry.path != "..."]
        return "\n".join(["nothing in it can be graded", *(f"    {reason}" for reason in reasons[:5])])


def read_hand_in(
    hand_in: HandIn, sources: Iterable[str], all_sources: Iterable[str] = (), stop: threading.Event | None = None
) -> Contents:
    """Reads the labs' files of a hand-in. `sources` are those of the labs that are graded; `all_sources`, those of all
    labs, are needed to recognise a file of another lab. Raises GraderFault only when this machine fails, or Stopped."""
    if not hand_in.paths:
        return Contents({}, (IgnoredFile(hand_in.origin, "no file was handed in"),), (), {})
    wanted = sorted(sources)
    paths = [(str(path), name_in_hand_in(hand_in.form, path, wanted)) for path in hand_in.paths]
    arguments = [paths, wanted, sorted(all_sources)]
    try:
        table = run_apart(MODULE, "hand-in", arguments, LIMITS, stop or threading.Event())
    except Refused as refused:
        return Contents({}, (IgnoredFile(hand_in.origin, str(refused)),), (), {})
    try:
        return contents_of(table)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise GraderFault(f"{MODULE} wrote what is no hand-in's contents: {error!r}") from error


def contents_of(table: Any) -> Contents:
    """Parses the output of the other process. ValueError, KeyError, TypeError or AttributeError when it is
    malformed."""
    read = Contents(
        files={name: base64.b64decode(content, validate=True) for name, content in table["files"].items()},
        ignored=tuple(IgnoredFile(path, reason) for path, reason in table["ignored"]),
        notes=tuple(table["notes"]),
        refused=dict(table["refused"]),
    )
    check_types(read, Contents)
    return read
