"""Runs a command and measures it with all its children: time, processor time and memory. It can stop the command on the
way."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.walls.cgroup import make_group

POLL_SECONDS = 0.5
GONE_SECONDS = 15.0  # time for the kernel to end the processes of a killed grader


@dataclass(frozen=True, slots=True)
class Measured:
    """The measurements of one command."""

    status: int  # as in subprocess: negative for a signal
    output: str
    seconds: float
    cpu_seconds: float | None  # for it and all its children; None without a control group that counts them
    own_mb: float  # the most memory of the command itself
    whole_mb: float  # the most memory of it and all its children, with shared pages counted once
    left: int  # number of processes that still existed GONE_SECONDS after its end


@dataclass(frozen=True, slots=True)
class Stop:
    """When and how to stop a command."""

    after: int  # number of lines that begin with `[`, which report finished hand-ins
    how: signal.Signals


def run(argv: Sequence[str], cwd: Path, log: Path, stop: Stop | None = None, patience: float = 14400.0) -> Measured:
    """Runs argv to its end, or until it is stopped. TimeoutError after `patience` seconds."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with _control_group() as group, log.open("wb") as stream:
        command = [*_entering(group), *argv]
        began = time.monotonic()
        child = subprocess.Popen(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=stream, stderr=stream)
        own = whole = 0.0
        stopped = False
        while child.poll() is None:
            time.sleep(POLL_SECONDS)
            own = max(own, _peak_mb(child.pid))
            whole = max(whole, sum(_shared_fairly_mb(pid) for pid in _below(group, child.pid)))
            if stop is not None and not stopped and _hand_ins(log) >= stop.after:
                child.send_signal(stop.how)
                stopped = True
            if time.monotonic() - began > patience:
                child.kill()
                raise TimeoutError(f"{argv[0]} did not end within {patience:g} s; see {log}")
        seconds = time.monotonic() - began
        left = _wait_until_gone(group)
        return Measured(
            child.returncode, log.read_text(errors="replace"), seconds, _cpu_seconds(group), own, whole, left
        )


def _hand_ins(log: Path) -> int:
    return sum(line.startswith("[") for line in log.read_text(errors="replace").splitlines())


# ---- control groups: only they count the time of processes whose parents have ended ---------------------------------


@contextlib.contextmanager
def _control_group() -> Iterator[Path | None]:
    """Holds the group's lock: when the command has ended, the group is empty, and graders remove empty groups without a
    lock."""
    made = next(filter(None, (_make_group(Path(place)) for place in _unified_mounts())), None)
    if made is None:
        yield None
        return
    group, lock = made
    try:
        yield group
    finally:
        with contextlib.suppress(OSError):  # a process is left in the group, which `left` reports
            group.rmdir()
        os.close(lock)


def _unified_mounts() -> Iterator[str]:
    for line in Path("/proc/mounts").read_text().splitlines():
        _device, place, kind, *_rest = line.split()
        if kind == "cgroup2":
            yield place


def _make_group(place: Path) -> tuple[Path, int] | None:
    made = make_group(place)
    if made is not None and not os.access(made[0] / "cgroup.procs", os.W_OK):
        made[0].rmdir()
        os.close(made[1])
        return None
    return made


def _entering(group: Path | None) -> list[str]:
    """The beginning of a command that runs in the group: a shell enters the group and then becomes the command."""
    return [] if group is None else ["sh", "-c", 'echo $$ >"$0" && exec "$@"', str(group / "cgroup.procs")]


def _cpu_seconds(group: Path | None) -> float | None:
    if group is None:
        return None
    table = dict(line.split() for line in (group / "cpu.stat").read_text().splitlines())
    return int(table["usage_usec"]) / 1e6


def _wait_until_gone(group: Path | None) -> int:
    deadline = time.monotonic() + GONE_SECONDS
    while group is not None and _members(group) and time.monotonic() < deadline:
        time.sleep(0.1)
    return 0 if group is None else len(_members(group))


def _members(group: Path) -> list[int]:
    return [int(pid) for pid in (group / "cgroup.procs").read_text().split()]


def _below(group: Path | None, pid: int) -> list[int]:
    """The process and all its children. Without a group, only those whose parents are alive."""
    if group is not None:
        return _members(group)
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                children.setdefault(parent, []).append(int(entry.name))
    found, new = [pid], [pid]
    while new:
        new = [child for parent in new for child in children.get(parent, ())]
        found += new
    return found


# ---- memory -----------------------------------------------------------------------------------------------------


def _peak_mb(pid: int) -> float:
    return _kilobytes(Path(f"/proc/{pid}/status"), "VmHWM:") / 1024


def _shared_fairly_mb(pid: int) -> float:
    return _kilobytes(Path(f"/proc/{pid}/smaps_rollup"), "Pss:") / 1024


def _kilobytes(path: Path, key: str) -> int:
    return _field(path, lambda line: int(line.split()[1]) if line.startswith(key) else None)


def _field(path: Path, of: Callable[[str], int | None]) -> int:
    try:
        lines = path.read_text().splitlines()
    except OSError:  # it has just ended, or belongs to someone else
        return 0
    return next((value for value in map(of, lines) if value is not None), 0)
