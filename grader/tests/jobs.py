"""Harmful jobs for test_apart.py. Each is called in a separate process."""

import os
import signal
import sys
import threading
from collections.abc import Callable

from grader.walls.apart import JobLimits, main_apart, run_apart


def _spin() -> None:
    while True:
        pass


def _sum(*numbers: int) -> int:
    return sum(numbers)


def _eat() -> None:
    _kept = [bytes(1 << 20) for _mib in range(1 << 20)]


def _recurse() -> None:
    _recurse()


def _end_by(number: int) -> None:
    if number == signal.SIGXCPU:
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _say(size: int) -> str:
    return "x" * size


def _spin_in_another() -> None:
    run_apart("grader.tests.jobs", "spin", [], JobLimits(memory=256 << 20, cpu=60), threading.Event())


if __name__ == "__main__":
    jobs: dict[str, Callable[..., object]] = {
        **{"spin": _spin, "sum": _sum, "eat": _eat},
        **{"spin in another": _spin_in_another},
        **{"recurse": _recurse, "end by": _end_by, "say": _say},
    }
    sys.exit(main_apart(jobs, sys.argv))
