"""Harmful jobs for test_apart.py. Each is called in a separate process."""

import os
import signal
import sys
from collections.abc import Callable

from grader.walls.apart import main_apart


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


if __name__ == "__main__":
    jobs: dict[str, Callable[..., object]] = {
        **{"spin": _spin, "sum": _sum, "eat": _eat},
        **{"recurse": _recurse, "end by": _end_by, "say": _say},
    }
    sys.exit(main_apart(jobs, sys.argv))
