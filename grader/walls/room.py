"""Checks the free space on the disks that a grading writes to. A grading over night survives an hour in which others
have filled a disk: what could not be written is done again when there is space."""

import contextlib
import os
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from grader.model.errors import GraderFault

ROOM_BYTES = 64 << 20  # free space; with less, a compiler or a suite may have failed for lack of it
PATIENCE_SECONDS = 3600.0
POLL_SECONDS = 1.0

_T = TypeVar("_T")
# Set when a thread has waited so long in vain; then no thread waits until there is space again
_in_vain = threading.Event()


def full_folder(build: Path) -> Path | None:
    """The folder whose disk is full: `build` or the folder of temporary files. None when neither is."""
    for folder in (build, Path(tempfile.gettempdir())):
        with contextlib.suppress(OSError):
            room = os.statvfs(folder)
            if room.f_bavail * room.f_frsize < ROOM_BYTES or (room.f_files > 0 and room.f_favail == 0):
                return folder
    return None


def wait_for_room(build: Path, stop: threading.Event, say: Callable[[str], None]) -> None:
    """Returns when there is space, when `stop` is set, or after waiting for PATIENCE_SECONDS in vain."""
    until = time.monotonic() + PATIENCE_SECONDS
    said = False
    while (folder := full_folder(build)) is not None:
        if _in_vain.is_set() or time.monotonic() > until:
            _in_vain.set()
            return
        if not said:
            say(f"waiting: the disk of {folder} is full")
            said = True
        if stop.wait(POLL_SECONDS):
            return
    _in_vain.clear()


def with_room(write: Callable[[], _T], build: Path, stop: threading.Event, say: Callable[[str], None]) -> _T:
    """Returns the result of `write`. If the first call ends in a GraderFault, it is called again when there is
    space."""
    try:
        return write()
    except GraderFault:
        wait_for_room(build, stop, say)
        return write()
