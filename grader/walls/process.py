"""Runs one child process with a limit on its output, on its time, and on the processor time of all its processes."""

import contextlib
import math
import os
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

HEAD_BYTES = 192 << 10  # bytes kept from the start of the output
TAIL_BYTES = 64 << 10  # bytes kept from its end
LINE_BYTES = 1 << 20  # limit for one record
POLL_SECONDS = 0.1
CPU_POLL_SECONDS = 0.5
GRACE_SECONDS = 0.5  # for output that grandchildren still hold open

_PASSED_ON = ("PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_PATH", "CUDA_VISIBLE_DEVICES")


class Stopped(Exception):
    """The user asked to stop."""


@dataclass(frozen=True, slots=True)
class Completed:
    """The result of a child process."""

    status: int  # as in subprocess: negative for a signal
    output: str  # stdout and stderr in the order in which they came; a long output loses its middle
    seconds: float
    timed_out: bool
    used_up: bool = False  # it and its descendants exceeded the limit of processor time


def clean_environment() -> dict[str, str]:
    """The variables that a child needs, without those of the surrounding make or shell."""
    kept = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return {"LC_ALL": "C.UTF-8", **kept}


def run_process(
    argv: Sequence[str],
    *,
    cwd: Path,
    timeout: float,
    stop: threading.Event,
    environment: Mapping[str, str] | None = None,
    records: Callable[[str], None] | None = None,
    cpu: float = math.inf,
) -> Completed:
    """Runs argv in a process group of its own, which is killed at the time limit, when `stop` is set, when argv and its
    descendants have used `cpu` seconds of processor time, and at the end of argv. With `records`, `--records FD` is
    appended and each line written to FD is passed to `records`. OSError when it cannot be started; Stopped when `stop`
    was set."""
    if stop.is_set():
        raise Stopped
    reader = writer = -1
    arguments = list(argv)
    if records is not None:
        reader, writer = os.pipe()
        arguments += ["--records", str(writer)]
    started = time.monotonic()
    try:
        child = subprocess.Popen(
            arguments,
            cwd=cwd,
            env=dict(clean_environment() if environment is None else environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=() if writer < 0 else (writer,),
            start_new_session=True,
        )
    except OSError:
        if reader >= 0:
            os.close(reader)
        raise
    finally:
        if writer >= 0:
            os.close(writer)

    # When memory runs out, the kernel is to kill this child before the grader. The child may have ended already.
    with contextlib.suppress(OSError):
        Path(f"/proc/{child.pid}/oom_score_adj").write_text("1000")
    assert child.stdout is not None
    output = _Output()
    lines = _Lines(records)
    sinks: dict[int, Callable[[bytes], None]] = {child.stdout.fileno(): output.take}
    if reader >= 0:
        sinks[reader] = lines.take
    try:
        met = _drain(child, sinks, started + timeout, cpu, stop)
    finally:
        _kill_group(child)
        child.stdout.close()
        if reader >= 0:
            os.close(reader)
    if stop.is_set():
        raise Stopped
    seconds = time.monotonic() - started
    return Completed(child.returncode, output.text(), seconds, met is _Limit.TIME, met is _Limit.CPU)


class _Limit(Enum):
    NONE, TIME, CPU = range(3)


def _drain(
    child: subprocess.Popen[bytes],
    sinks: dict[int, Callable[[bytes], None]],
    deadline: float,
    cpu: float,
    stop: threading.Event,
) -> _Limit:
    """Passes output to the sinks until the child has ended. Returns the limit that was met first."""
    ended: float | None = None
    asked = time.monotonic()
    with selectors.DefaultSelector() as selector:
        for handle in sinks:
            selector.register(handle, selectors.EVENT_READ)
        while selector.get_map() or ended is None:
            for key, _events in selector.select(POLL_SECONDS):
                data = os.read(key.fd, 1 << 16)
                if data:
                    sinks[key.fd](data)
                else:
                    selector.unregister(key.fd)
            if not selector.get_map() and ended is None:
                time.sleep(POLL_SECONDS / 10)
            now = time.monotonic()
            if ended is None and _has_ended(child):
                ended = now
            if ended is not None and now > ended + GRACE_SECONDS:
                return _Limit.NONE
            if stop.is_set():
                return _Limit.NONE
            if ended is None and now > deadline:
                return _Limit.TIME
            if ended is None and cpu < math.inf and now > asked + CPU_POLL_SECONDS:
                asked = now
                if _cpu_seconds(child.pid) > cpu:
                    return _Limit.CPU
    return _Limit.NONE


def _cpu_seconds(process: int) -> float:
    """The processor time of a process, of its descendants, and of those that have ended and were waited for."""
    ticks, left = 0, [str(process)]
    while left:
        number = left.pop()
        with contextlib.suppress(OSError):  # it has just ended
            left += Path(f"/proc/{number}/task/{number}/children").read_text().split()
            of_process = Path(f"/proc/{number}/stat").read_bytes().rpartition(b")")[2].split()
            ticks += sum(map(int, of_process[11:15]))  # user, system, and both of ended children
    return ticks / os.sysconf("SC_CLK_TCK")


def _has_ended(child: subprocess.Popen[bytes]) -> bool:
    """Checks without reaping, so the number of the child remains the number of its group until the group is killed."""
    return os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _kill_group(child: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):  # all processes of the group had ended
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


class _Output:
    """Keeps the first HEAD_BYTES and the last TAIL_BYTES of a stream."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._tail = bytearray()
        self._cut = 0

    def take(self, data: bytes) -> None:
        room = HEAD_BYTES - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        excess = len(self._tail) - TAIL_BYTES
        if excess > 0:
            del self._tail[:excess]
            self._cut += excess

    def text(self) -> str:
        middle = f"\n... {self._cut} bytes cut ...\n" if self._cut else ""
        return self._head.decode(errors="replace") + middle + self._tail.decode(errors="replace")


class _Lines:
    """Splits a stream into lines."""

    def __init__(self, sink: Callable[[str], None] | None) -> None:
        self._sink = sink
        self._rest = b""

    def take(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        self._rest = self._rest[:LINE_BYTES]
        if self._sink is not None:
            for line in lines:
                self._sink(line[:LINE_BYTES].decode(errors="replace"))
