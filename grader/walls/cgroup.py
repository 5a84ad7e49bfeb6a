"""Control groups (cgroup v2) for the processes of a hand-in. A group limits the memory and the number of all its
processes together, and killing the group leaves none of them.

Groups are available where the kernel's tree of groups is writable: to root on a host, or to a user in a delegated unit
of systemd (`systemd-run --user --scope -p Delegate=yes make grade ...`). The grader searches from its own group upwards
for one in which it may create groups, and prefers one that passes on the controllers `memory` and `pids`. Without these
controllers a group can only be killed as a whole, and the limits of each process are the only limits.

Graders in several containers may share one tree, in which process numbers of different containers mean different
processes. So a grader ends only groups that it created itself, and their names are random. A grader holds a lock on the
folder of each of its groups for as long as it lives, in whatever container it runs. When a grader is killed, the
processes that it started die with it, through the parent-death signal (bwrap --die-with-parent,
grader/walls/confine.py, and the suite's own). The next grader removes the empty groups that remain, whose locks are
free.
"""

import contextlib
import fcntl
import os
import re
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# Usage: enter_cgroup GROUP PROGRAM ARGUMENTS; starts the program in the group
ENTER = Path(__file__).with_name("enter_cgroup")
CONTROLLERS = frozenset({"memory", "pids"})

_PREFIX = "scan-labs-"
_EMPTY_SECONDS = 5.0  # time for killed processes to disappear
_TRIES = 8  # attempts to make a group; one fails only if another grader removes the group before it is locked


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits for all processes of a group together."""

    memory: int  # bytes; swapping is off
    processes: int


@dataclass(frozen=True, slots=True)
class Cgroups:
    """A group in which groups can be made."""

    parent: Path
    controllers: frozenset[str]  # those of CONTROLLERS that it passes on to its children

    @contextlib.contextmanager
    def group(self, limits: Limits, start: Path) -> Iterator[list[str]]:
        """Makes a group and yields the words to put in front of a command line, so that the command runs in it. The
        command must be started in the folder `start`. The list is empty when no group can be made. On exit, all
        processes of the group are killed and the group is removed."""
        made = make_group(self.parent)
        if made is None:  # the tree has changed; the limits of each process remain
            yield []
            return
        path, lock = made
        try:
            with contextlib.suppress(OSError):
                self._bound(path, limits)
            yield [os.path.relpath(ENTER, start), str(path)]
        finally:
            end(path)
            os.close(lock)

    def _bound(self, path: Path, limits: Limits) -> None:
        if "memory" in self.controllers:
            (path / "memory.max").write_text(str(limits.memory))
            for name, value in (("memory.swap.max", "0"), ("memory.oom.group", "1")):
                with contextlib.suppress(OSError):  # a kernel without swap does not have this file
                    (path / name).write_text(value)
        if "pids" in self.controllers:
            (path / "pids.max").write_text(str(limits.processes))


def make_group(parent: Path) -> tuple[Path, int] | None:
    """Makes a new group with a unique name. Returns it with its lock, or None when no group can be made."""
    for _try in range(_TRIES):
        path = parent / f"{_PREFIX}{secrets.token_hex(12)}"
        try:
            path.mkdir()
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:  # another grader has removed it
            continue
        except OSError:
            return None
        fcntl.flock(lock, fcntl.LOCK_EX)
        if path.exists():
            return path, lock
        os.close(lock)
    return None


def end(path: Path) -> None:
    """Kills all processes of a group and removes it. After five seconds, a process that has not died is left in its
    group."""
    deadline = time.monotonic() + _EMPTY_SECONDS
    with contextlib.suppress(OSError):
        (path / "cgroup.kill").write_text("1")
    while True:
        try:
            path.rmdir()
            return
        except FileNotFoundError:
            return
        except OSError:
            if time.monotonic() > deadline:
                return
            time.sleep(0.01)


def find_cgroups(proc: Path = Path("/proc/self")) -> Cgroups | str:
    """Returns where groups can be made, or the reason why they cannot. Removes the empty groups of graders that were
    killed."""
    own = own_group(proc)
    if own is None:
        return "no cgroup v2 is mounted here"
    mount, group = own
    found: Cgroups | None = None
    while group == mount or mount in group.parents:
        if group == own[1]:
            _hand_on(group)
        here = _try(group)
        if here is not None and (found is None or len(here.controllers) > len(found.controllers)):
            found = here
        if group == mount or (found is not None and found.controllers == CONTROLLERS):
            break
        group = group.parent
    if found is None:
        return f"no group at or above {own[1]} may be written; a delegated unit of systemd's is one that may"
    _remove_leftovers(found.parent)
    return found


def own_group(proc: Path) -> tuple[Path, Path] | None:
    """The mount point of the tree, and this process's own group in it."""
    try:
        mounts = (proc / "mountinfo").read_text(encoding="utf-8", errors="replace").splitlines()
        groups = (proc / "cgroup").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    trees = [line.split(" ")[4] for line in mounts if " - cgroup2 " in line and line.count(" ") > 4]
    inside = [line.removeprefix("0::") for line in groups if line.startswith("0::")]
    if not trees or not inside:
        return None
    mount = Path(re.sub(r"\\(\d{3})", lambda match: chr(int(match[1], 8)), trees[0]))
    path = mount / inside[0].lstrip("/")
    return mount, path if path.is_dir() else mount


def _hand_on(group: Path) -> None:
    """Passes the controllers on to children of this process's own group. Other groups belong to other programs, which
    decide this for themselves."""
    for name in CONTROLLERS:
        with contextlib.suppress(OSError):  # the controller is missing, or the group has processes in it
            (group / "cgroup.subtree_control").write_text(f"+{name}")


def _try(group: Path) -> Cgroups | None:
    """Makes a group here as a trial, to find out whether it can be ended and which controllers it gets."""
    made = make_group(group)
    if made is None:
        return None
    trial, lock = made
    has_kill = os.access(trial / "cgroup.kill", os.W_OK)
    files = {"memory": "memory.max", "pids": "pids.max"}
    handed_on = frozenset(name for name in CONTROLLERS if os.access(trial / files[name], os.W_OK))
    end(trial)
    os.close(lock)
    return Cgroups(group, handed_on) if has_kill and os.access(group / "cgroup.procs", os.W_OK) else None


def _remove_leftovers(parent: Path) -> None:
    """Removes empty groups of dead graders. It never kills: a group with processes belongs to someone, and the kernel
    does not remove it."""
    for path in parent.glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):  # its owner is alive, it is not empty, or it is gone already
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.rmdir()
            finally:
                os.close(lock)
