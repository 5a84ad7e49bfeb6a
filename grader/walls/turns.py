"""Turns: most work of gradings runs at the same time, and work that is repeated after a time limit runs alone.

Turns are shared by all graders that use the same tree on the same machine, through locks on two files. A grader that
wants to be alone holds the first lock while the others finish, so that no new work begins.
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
    """Holds a turn. While it is held, no one else is alone; with `alone`, no one else has a turn. Stopped when `stop`
    was set before the turn came. Do not ask for a turn while holding one."""
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
