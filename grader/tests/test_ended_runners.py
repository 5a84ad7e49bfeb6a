"""Runners that are killed from outside are tried again alone. If that fails too it is a fault of the grader, and never
0 points for a student."""

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.front.cli import EXIT_POINTS_LOST
from grader.model.types import Status
from grader.tests.real import COURSE, grade

pytestmark = pytest.mark.slow

EXIT_GRADER_FAULT = 3
WORK = str(Path(__file__).parent / "submissions" / "one_part_done")
POINTS = 10  # points of the finished part


def _runners(name: str) -> Iterator[int]:
    """The process numbers of this grading's runners."""
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):  # it has just ended
            words = (entry / "cmdline").read_bytes().split(b"\0") if entry.name.isdigit() else []
            if words and words[0].endswith(b"build/cpu/runner") and f"/grade-{name}/".encode() in words[-2]:
                yield int(entry.name)


@contextlib.contextmanager
def _ended(name: str, times: int) -> Iterator[list[int]]:
    """Kills the first `times` runners of the grading and yields a list of their numbers."""
    killed: list[int] = []
    over = threading.Event()

    def watch() -> None:
        while not over.is_set() and len(killed) < times:
            for number in _runners(name):
                if number not in killed and len(killed) < times:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(number, signal.SIGKILL)
                        killed.append(number)
            over.wait(0.001)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield killed
    finally:
        over.set()
        thread.join()


def test_a_runner_that_is_killed_once_costs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with _ended("test-ended-once", 1) as killed:
        graded = grade(capsys, WORK, "test-ended-once", "--lab", "2", "--public-only")
    assert len(killed) == 1
    assert (graded.status, graded.lab.score) == (EXIT_POINTS_LOST, POINTS), graded.output


def test_runners_that_are_killed_each_time_are_the_grader_s_fault(capsys: pytest.CaptureFixture[str]) -> None:
    with _ended("test-ended-always", 1 << 20) as killed:
        graded = grade(capsys, WORK, "test-ended-always", "--lab", "2", "--public-only")
    assert len(killed) > 1
    assert (graded.status, graded.lab.status) == (EXIT_GRADER_FAULT, Status.GRADER_FAULT), graded.output
    assert graded.lab.score is None
    assert "something outside ended the process twice" in graded.output, graded.output
    assert not COURSE.built("cpu", "grade-test-ended-always").exists()
