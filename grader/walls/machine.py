"""How much of this machine a grading may use: the processors that a container's limits leave, and as many jobs as fit
into memory."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from grader.walls.cgroup import own_group

JOB_BYTES = 1 << 30  # for a build, or for a suite with its runner; twice what the largest of the reference takes

_PROC = Path("/proc")
_UNKNOWN = 1 << 60  # bytes, when a limit cannot be read


def jobs_at_once(*, more: int = 0, least: int = 1, most: int = 1 << 16, proc: Path = _PROC) -> int:
    """The number of jobs to run at once: the processors plus `more`, between `least` and `most`, but no more than the
    memory allows, and at least one."""
    wanted = min(max(processors(proc) + more, least), most)
    return max(1, min(wanted, memory(proc) // JOB_BYTES))


def processors(proc: Path = _PROC) -> int:
    """The number of processors that this process may use, limited by cpu.max of its control groups; at least one."""
    count = float(len(os.sched_getaffinity(0)))
    for group in _groups(proc):
        with contextlib.suppress(OSError, ValueError):  # the controller is missing, or there is no limit: "max 100000"
            quota, period = (group / "cpu.max").read_text(encoding="ascii").split()
            count = min(count, int(quota) / int(period))
    return max(1, int(count))


def memory(proc: Path = _PROC) -> int:
    """The free memory in bytes: the least of the machine's and of each control group that limits this process."""
    free = _UNKNOWN
    with contextlib.suppress(OSError, ValueError):
        lines = (proc / "meminfo").read_text(encoding="ascii").splitlines()
        free = next((int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:")), free)
    for group in _groups(proc):
        with contextlib.suppress(OSError, ValueError):  # the controller is missing, or there is no limit: "max"
            most, used = (int((group / name).read_text(encoding="ascii")) for name in ("memory.max", "memory.current"))
            free = min(free, most - used + _reclaimable(group))
    return max(0, free)


def _reclaimable(group: Path) -> int:
    """Memory of a group that caches files. The kernel frees it when memory is needed."""
    for line in (group / "memory.stat").read_text(encoding="ascii").splitlines():
        name, _, value = line.partition(" ")
        if name == "inactive_file":
            return int(value)
    return 0


def _groups(proc: Path) -> Iterator[Path]:
    """This process's control group and all groups above it."""
    own = own_group(proc / "self")
    if own is not None:
        mount, group = own
        yield group
        yield from (above for above in group.parents if above == mount or mount in above.parents)
