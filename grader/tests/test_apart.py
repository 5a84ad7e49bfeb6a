"""Work in a separate process: its result, and every way in which it can fail, are under the caller's control."""

import signal
import tempfile
import threading
import time
from pathlib import Path

import pytest

from grader.model.errors import GraderFault, Refused
from grader.walls.apart import JobLimits, run_apart
from grader.walls.process import Stopped

MODULE = "grader.tests.jobs"
LIMITS = JobLimits(memory=256 << 20, cpu=5)


def done(job: str, *arguments: int, limits: JobLimits = LIMITS) -> object:
    return run_apart(MODULE, job, list(arguments), limits, threading.Event())


def test_a_job_returns() -> None:
    assert done("sum", 20, 22) == 42


@pytest.mark.parametrize(
    ("job", "arguments", "why"),
    [
        ("eat", (), "it takes too much memory"),
        ("recurse", (), "RecursionError"),
        ("sum", (1, None), "TypeError"),
        ("end by", (signal.SIGSEGV,), "signal 11"),
        ("end by", (signal.SIGABRT,), "signal 6"),
        ("say", (300 << 20,), "too much"),
    ],
)
def test_whatever_fails_there_refuses_what_was_handed_in(job: str, arguments: tuple[int, ...], why: str) -> None:
    limits = JobLimits(memory=2 << 30, cpu=20) if job == "say" else LIMITS
    with pytest.raises(Refused, match=why):
        done(job, *arguments, limits=limits)


def test_a_job_without_end_is_refused_by_its_cpu_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.walls.apart.PACE_FACTOR", 1)
    with pytest.raises(Refused, match="takes more than 1 s of CPU time"):
        done("spin", limits=JobLimits(memory=256 << 20, cpu=1))


def test_a_slow_machine_gives_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit of the second try depends on what a fixed piece of work takes."""
    monkeypatch.setattr("grader.walls.apart._pace", lambda _stop: 0.15)
    with pytest.raises(Refused, match="takes more than 3 s of CPU time"):
        done("spin", limits=JobLimits(memory=256 << 20, cpu=1))


def test_a_kill_from_outside_is_nobody_s_zero() -> None:
    with pytest.raises(GraderFault, match="was killed"):
        done("end by", signal.SIGKILL)


def test_a_job_is_stopped_at_once() -> None:
    stop = threading.Event()
    threading.Timer(0.5, stop.set).start()
    started = time.monotonic()
    with pytest.raises(Stopped):
        run_apart(MODULE, "spin", [], JobLimits(memory=256 << 20, cpu=60), stop)
    assert time.monotonic() - started < 30  # it does not wait for the job's own limit


def test_a_stopped_job_takes_its_own_job_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    stop = threading.Event()

    def stop_when_both_run() -> None:
        while len(_running(tmp_path)) < 2:
            time.sleep(0.05)
        stop.set()

    threading.Thread(target=stop_when_both_run).start()
    with pytest.raises(Stopped):
        run_apart(MODULE, "spin in another", [], JobLimits(memory=512 << 20, cpu=60), stop)
    assert not list(tmp_path.iterdir())
    deadline = time.monotonic() + 20
    while _running(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _running(tmp_path)


def _running(folder: Path) -> list[str]:
    """The command lines of the processes whose arguments are in the folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().decode(errors="replace")
        except OSError:  # it has ended
            continue
        if f"{folder}/" in command:
            found.append(command)
    return found
