"""Room on the disks that a grading writes to. A night's grading outlives an hour in which others have filled them: what
could not be written is done again once there is room.
"""

import contextlib
import os
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from grader.model.errors import GraderFault

ROOM_BYTES = 64 << 20  # of free space: with less, a compiler or a suite may have failed for want of it
PATIENCE_SECONDS = 3600.0
POLL_SECONDS = 1.0

_T = TypeVar("_T")
_in_vain = threading.Event()  # somebody has waited so long; until there is room, nobody waits again


def full_folder(build: Path) -> Path | None:
    """The folder whose disk is full: `build`, or that of temporary files. None when neither is."""
    for folder in (build, Path(tempfile.gettempdir())):
        with contextlib.suppress(OSError):
            room = os.statvfs(folder)
            if room.f_bavail * room.f_frsize < ROOM_BYTES or (room.f_files > 0 and room.f_favail == 0):
                return folder
    return None


def wait_for_room(build: Path, stop: threading.Event, say: Callable[[str], None]) -> None:
    """Returns when there is room, when stop is set, or when there was none for PATIENCE_SECONDS."""
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
    """What `write` returns; it is called again, when there is room, where the first call ends in a GraderFault."""
    try:
        return write()
    except GraderFault:
        wait_for_room(build, stop, say)
        return write()
