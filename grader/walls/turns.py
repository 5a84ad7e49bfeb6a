"""Turns: most work of gradings is done side by side, and what is tried again after a limit of time is done alone.

They are of one machine and one tree, and of all graders there, by locks on two files: who wants to be alone holds the
first while the others finish, so that none begins again.
"""

import contextlib
import fcntl
import platform
import threading
from collections.abc import Iterator
from pathlib import Path

from grader.model.errors import GraderFault, describe_os_error
from grader.walls.process import Stopped

FOLDER = Path(__file__).parents[2] / "build" / "turns"
_POLL_SECONDS = 0.05


@contextlib.contextmanager
def turn(stop: threading.Event, *, alone: bool = False) -> Iterator[None]:
    """While it is held nobody else is alone, and with `alone` nobody else has a turn. Stopped when stop was set before
    it came. Not to be asked for by whoever holds one."""
    how = fcntl.LOCK_EX if alone else fcntl.LOCK_SH
    with contextlib.ExitStack() as held:
        try:
            here = FOLDER / (platform.node() or "here")
            here.mkdir(parents=True, exist_ok=True)
            door, room = (held.enter_context(open(here / name, "a", encoding="ascii")) for name in ("door", "room"))
        except OSError as error:
            raise GraderFault(f"cannot write {FOLDER}: {describe_os_error(error)}") from error
        _take(door.fileno(), how, stop)
        _take(room.fileno(), how, stop)
        if not alone:
            fcntl.flock(door, fcntl.LOCK_UN)
        yield


def _take(handle: int, how: int, stop: threading.Event) -> None:
    while True:
        try:
            fcntl.flock(handle, how | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if stop.wait(_POLL_SECONDS):
                raise Stopped from None
