"""Runs the grader's own code on handed-in data in a separate process, with limits of memory, CPU time and output. So no
content and no file name of a hand-in can stop the grader, even if it makes this code fail.

The parent calls run_apart() with a module, the name of one of its jobs, and arguments that JSON can hold. The module is
run by `python -m` and passes its jobs to main_apart(). If a job raises an exception or exceeds a limit, the hand-in is
refused: `Refused` has a message for its author. Only a failure of the machine is a GraderFault.

The CPU limits are far above what the largest accepted hand-in needs. They grow with the time that a fixed piece of work
takes here, so a slow machine refuses nothing that a fast one accepts.
"""

import contextlib
import ctypes
import errno
import json
import math
import resource
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.model.errors import GraderFault, Refused, describe_os_error
from grader.walls.process import Completed, clean_environment, run_process
from grader.walls.tokens import tokens
from grader.walls.turns import turn

TREE = Path(__file__).parents[2]
OUTPUT_BYTES = 256 << 20  # limit for the result of a job
WALL_SECONDS = 300
PACE_FACTOR = 20  # a job may use this many times the pace in CPU time, if that is more than its own limit

_PR_SET_PDEATHSIG = 1
_MACHINE_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.EROFS})
_PACE_SOURCE = "static int f_1(const int *a, unsigned n) { return n > 0x1fu ? a[n - 1] + 'x' : 2; } /* text */\n" * 6000


@dataclass(frozen=True, slots=True)
class JobLimits:
    """The limits of one job."""

    memory: int  # address space in bytes
    cpu: int  # CPU time in seconds, the least limit


_here: list[str] = []  # name of the job that this process does; empty in a process that does none


def run_apart(module: str, job: str, arguments: list[Any], limits: JobLimits, stop: threading.Event) -> Any:
    """Returns the result of the job. Raises Refused, whose message is a sentence without its subject, GraderFault, or
    Stopped."""
    cpu, done = limits.cpu, None
    for alone in (False, True):
        # A job that is started by a job belongs to the same turn
        with contextlib.nullcontext() if _here else turn(stop, alone=alone):
            if alone and not _here:
                allowed = math.ceil(_pace(stop) * PACE_FACTOR)
                if done and done.status == -signal.SIGXCPU and allowed <= cpu:
                    break  # a second process would meet the same limit
                cpu = max(cpu, allowed)
            done, result = _run(module, job, arguments, JobLimits(limits.memory, cpu), stop)
        if result is not None:
            return _value(result)
    assert done is not None
    if done.timed_out or done.status == -signal.SIGKILL:
        raise GraderFault(f"{module} did not end, or was killed, while it did the job {job}\n{done.output[-500:]}")
    if done.status == -signal.SIGXCPU:
        raise Refused(f"takes more than {cpu} s of CPU time to look through: make it simpler")
    if done.status < 0:
        raise Refused(f"cannot be looked through (signal {-done.status}): make it simpler")
    raise GraderFault(f"{module} failed with exit status {done.status}\n{done.output[-500:]}")


def _run(
    module: str, job: str, arguments: list[Any], limits: JobLimits, stop: threading.Event
) -> tuple[Completed, Mapping[str, Any] | None]:
    """Runs the process. Returns how it ended and what it wrote, or None for the second if that is not complete."""
    try:
        with tempfile.TemporaryDirectory(prefix="scan-labs-apart.", ignore_cleanup_errors=True) as folder:
            asked, told = Path(folder, "asked"), Path(folder, "told")
            asked.write_text(json.dumps([job, limits.memory, limits.cpu, arguments]), encoding="ascii")
            argv = [sys.executable, "-s", "-m", module, str(asked), str(told)]
            within = clean_environment() | {"TMPDIR": folder}  # so that a job of this job leaves nothing behind either
            done = run_process(argv, cwd=TREE, timeout=WALL_SECONDS, stop=stop, environment=within)
            result = json.loads(told.read_text(encoding="ascii")) if done.status == 0 else None
    except OSError as error:
        raise GraderFault(f"cannot run {module}: {describe_os_error(error)}") from error
    return done, result


def _value(result: Mapping[str, Any]) -> Any:
    if "refused" in result:
        raise Refused(result["refused"])
    if "failed" in result:
        raise Refused(f"cannot be looked through ({result['failed']}): make it simpler")
    if "fault" in result:
        raise GraderFault(result["fault"])
    return result["value"]


def _pace(stop: threading.Event) -> float:
    """CPU seconds that this machine takes for a fixed piece of work. The work takes longer than inspecting any lab of
    the reference."""
    done, result = _run(__name__, "pace", [], JobLimits(1 << 30, 3600), stop)
    if result is None:
        raise GraderFault(f"the grader's own work failed with exit status {done.status}\n{done.output[-500:]}")
    return float(_value(result))


def _measure() -> float:
    for _token in tokens(_PACE_SOURCE):
        pass
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main_apart(jobs: Mapping[str, Callable[..., Any]], argv: list[str]) -> int:
    """The child's side: does the job and writes its result."""
    asked, told = Path(argv[1]), Path(argv[2])
    job, memory, cpu, arguments = json.loads(asked.read_text(encoding="ascii"))
    _here.append(job)
    # When the process that started this one is killed, this one is in no group that is killed with it.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 5))
    resource.setrlimit(resource.RLIMIT_FSIZE, (OUTPUT_BYTES, OUTPUT_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        result = {"value": jobs[job](*arguments)}
        text = json.dumps(result)
    except Refused as refused:
        text = json.dumps({"refused": str(refused)})
    except GraderFault as fault:
        text = json.dumps({"fault": str(fault)})
    except OSError as error:
        kind = "fault" if error.errno in _MACHINE_ERRORS else "failed"
        text = json.dumps({kind: describe_os_error(error)})
    except MemoryError:
        text = '{"failed": "it takes too much memory"}'
    except Exception as error:  # noqa: BLE001 (whatever bytes make of the readers is the bytes' doing)
        text = json.dumps({"failed": f"{type(error).__name__}: {error}"[:200]})
    try:
        told.write_text(text, encoding="ascii")
    except OSError as error:
        if error.errno != errno.EFBIG:
            raise
        told.write_text('{"failed": "it holds too much"}', encoding="ascii")
    return 0


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main_apart({"pace": _measure}, sys.argv))
