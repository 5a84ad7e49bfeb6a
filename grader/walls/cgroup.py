"""Control groups (cgroup v2) around what a hand-in runs in: a bound for the memory and the processes of all of it
together, and an end that none of it survives.

They are to be had where the kernel's tree of groups may be written: as root on a host, or as a user in a unit of
systemd that is delegated (`systemd-run --user --scope -p Delegate=yes make grade ...`). The grader looks from its own
group upwards for one in which it may make others, best one that hands the controllers `memory` and `pids` on. Without
those a group is an end only, and the limits of each process stand alone.

Graders of several containers may share one tree, and the process numbers of one mean nothing in another. So a grader
ends the groups that it has made itself and no others, and their names are random. While it lives, it holds a lock on
the folder of each, which ends with it wherever it runs. What a killed grader had started has died with it, by the
parent-death signal (bwrap --die-with-parent, grader/walls/confine.py, the suite's own); the next grader removes the
empty groups that are left, whose locks are free.
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

ENTER = Path(__file__).with_name("enter_cgroup")  # enter_cgroup GROUP PROGRAM ARGUMENTS: starts it in the group
CONTROLLERS = frozenset({"memory", "pids"})

_PREFIX = "scan-labs-"
_EMPTY_SECONDS = 5.0  # for what was killed to be gone
_TRIES = 8  # to make a group; each fails only where another grader removed it before it was locked


@dataclass(frozen=True, slots=True)
class Limits:
    """Of all processes of a group together."""

    memory: int  # bytes; swap is none
    processes: int


@dataclass(frozen=True, slots=True)
class Cgroups:
    """A group in which groups can be made."""

    parent: Path
    controllers: frozenset[str]  # those of CONTROLLERS that it hands on

    @contextlib.contextmanager
    def group(self, limits: Limits, start: Path) -> Iterator[list[str]]:
        """The words that stand before a command line which is to run in a group of its own, and is started in the
        folder `start`: none when the group cannot be made. At the end all that is in it is killed, and the group
        removed."""
        made = make_group(self.parent)
        if made is None:  # the tree changed: limits of processes stand
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
                with contextlib.suppress(OSError):  # a kernel without swap has no such file
                    (path / name).write_text(value)
        if "pids" in self.controllers:
            (path / "pids.max").write_text(str(limits.processes))


def make_group(parent: Path) -> tuple[Path, int] | None:
    """A new group, which nobody else has, and its lock; None where none can be made."""
    for _try in range(_TRIES):
        path = parent / f"{_PREFIX}{secrets.token_hex(12)}"
        try:
            path.mkdir()
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:  # removed since
            continue
        except OSError:
            return None
        fcntl.flock(lock, fcntl.LOCK_EX)
        if path.exists():
            return path, lock
        os.close(lock)
    return None


def end(path: Path) -> None:
    """Kills what is in a group, and removes it. What does not die in five seconds stays, with its group."""
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
    """Where groups can be made, or why they cannot. Removes the empty groups of graders that were killed."""
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
    """The mount of the tree, and this process's group in it."""
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
    """Only of this process's own group: what others hand on is theirs to say."""
    for name in CONTROLLERS:
        with contextlib.suppress(OSError):  # not there, or there are processes in it
            (group / "cgroup.subtree_control").write_text(f"+{name}")


def _try(group: Path) -> Cgroups | None:
    """Makes a group there, to see whether it can be made, ended, and what is handed on to it."""
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
    """Never kills: a group with processes in it is somebody's, and the kernel removes none of those."""
    for path in parent.glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):  # its owner lives, it is not empty, or it is gone
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.rmdir()
            finally:
                os.close(lock)
