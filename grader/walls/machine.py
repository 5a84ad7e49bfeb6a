"""How much of this machine a grading may use: the processors that it may run on, as far as a container's limits leave
them, and as many jobs as there is memory for.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from grader.walls.cgroup import own_group

JOB_BYTES = 1 << 30  # for a build, or for a suite with its runner; twice what the largest of the reference takes

_PROC = Path("/proc")
_UNKNOWN = 1 << 60  # bytes


def jobs_at_once(*, more: int = 0, least: int = 1, most: int = 1 << 16, proc: Path = _PROC) -> int:
    """As many as there are processors and `more`, at least `least` and at most `most`, but no more than there is memory
    for; at least one."""
    wanted = min(max(processors(proc) + more, least), most)
    return max(1, min(wanted, memory(proc) // JOB_BYTES))


def processors(proc: Path = _PROC) -> int:
    """Those that this process may run on, and what cpu.max of its control groups leaves of them; at least one."""
    count = float(len(os.sched_getaffinity(0)))
    for group in _groups(proc):
        with contextlib.suppress(OSError, ValueError):  # no such controller, or no limit: "max 100000"
            quota, period = (group / "cpu.max").read_text(encoding="ascii").split()
            count = min(count, int(quota) / int(period))
    return max(1, int(count))


def memory(proc: Path = _PROC) -> int:
    """Bytes that are free, on the machine and in each control group that bounds this process."""
    free = _UNKNOWN
    with contextlib.suppress(OSError, ValueError):
        lines = (proc / "meminfo").read_text(encoding="ascii").splitlines()
        free = next((int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:")), free)
    for group in _groups(proc):
        with contextlib.suppress(OSError, ValueError):  # no such controller, or no limit: "max"
            most, used = (int((group / name).read_text(encoding="ascii")) for name in ("memory.max", "memory.current"))
            free = min(free, most - used + _reclaimable(group))
    return max(0, free)


def _reclaimable(group: Path) -> int:
    """What of a group's memory holds files' contents, which the kernel drops where memory is wanted."""
    for line in (group / "memory.stat").read_text(encoding="ascii").splitlines():
        name, _, value = line.partition(" ")
        if name == "inactive_file":
            return int(value)
    return 0


def _groups(proc: Path) -> Iterator[Path]:
    """This process's control group, and those above it."""
    own = own_group(proc / "self")
    if own is not None:
        mount, group = own
        yield group
        yield from (above for above in group.parents if above == mount or mount in above.parents)
