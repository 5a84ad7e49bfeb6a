"""Grades hand-ins that try to stop the grader (hostile.py), each on its own, and all in one class with honest ones:
`make check-hostile [HOSTILE_OPTIONS="--only quotes"]`.

Each must be graded, or refused for a reason of its own, within 60 s of processor time and 2 minutes. Ctrl-C must be
answered within a second, and the honest hand-ins must get all their points. It takes half an hour.
"""

import argparse
import contextlib
import ctypes
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.tests.hostile import HOSTILE, write
from grader.walls.cgroup import ENTER, end, find_cgroups, make_group

ROOT = Path(__file__).parents[2]
CPU_SECONDS, SECONDS, ANSWER_SECONDS = 60, 120, 1.0
INTERRUPTS = 4
EXIT_STOPPED = 130
_PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True, slots=True)
class Run:
    """The result of one call of the grader."""

    status: int
    cpu: float  # processor seconds of all its processes
    seconds: float
    answered: float  # seconds from Ctrl-C to the end; 0 when there was no Ctrl-C


def grade(folder: Path, name: str, interrupt_after: float = 0) -> Run:
    """Grades a class."""
    started, asked = time.monotonic(), 0.0
    argv = [sys.executable, "-m", "grader", "class", str(folder), "--lab", "2", "--name", name, "--jobs", "2"]
    with _counted() as (enter, cpu):
        grader = subprocess.Popen([*enter, *argv], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        status: int | None = None
        while status is None:
            if interrupt_after and not asked and time.monotonic() > started + interrupt_after:
                asked = time.monotonic()
                grader.send_signal(signal.SIGINT)
            number, ended = os.waitpid(-1, os.WNOHANG)
            if number == grader.pid:
                status = grader.returncode = os.waitstatus_to_exitcode(ended)
            elif number == 0:
                time.sleep(0.01)
        seconds = time.monotonic() - started
        answered = time.monotonic() - asked if asked else 0.0
        _reap()
        return Run(status, cpu(), seconds, answered)


@contextlib.contextmanager
def _counted() -> Iterator[tuple[list[str], Callable[[], float]]]:
    """Yields the words to put in front of a command, and a function that returns the processor time of the command and
    all its descendants. A control group counts this time. If none can be made, the sum lacks the time of processes that
    the kernel killed when their PID namespace ended, because no process waited for them."""
    found = find_cgroups()
    made = None if isinstance(found, str) else make_group(found.parent)
    if isinstance(found, str) or made is None:
        used = _children_cpu()
        yield [], lambda: _children_cpu() - used
        return
    path, lock = made
    # The grader makes its groups next to its own one, because only a group without processes can pass controllers on.
    own = path / "grader"
    try:
        own.mkdir()
        with contextlib.suppress(OSError):
            (path / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in found.controllers))
        yield [str(ENTER), str(own)], lambda: _group_cpu(path)
    finally:
        for group in [*path.glob("*/"), path]:
            end(group)
        os.close(lock)


def _group_cpu(group: Path) -> float:
    used = dict(line.split() for line in (group / "cpu.stat").read_text(encoding="ascii").splitlines())
    return int(used["usage_usec"]) / 1e6


def _reap() -> None:
    while True:
        try:
            if os.waitpid(-1, 0)[0] == 0:
                return
        except ChildProcessError:
            return


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def entries(name: str) -> dict[str, dict[str, Any]]:
    """The entries of the class's gradebook, by name of the hand-in."""
    book = json.loads((ROOT / "build" / "class" / name / "gradebook.json").read_text(encoding="utf-8"))
    return {entry["name"]: entry for entry in book["entries"]}


def one_by_one(names: list[str], work: Path) -> int:
    """Grades each on its own. Returns how many took too long or failed for a reason that was not their own."""
    wrong = 0
    for name in names:
        folder, batch = work / "one" / name, f"hostile-{name}"
        write(name, folder / name)
        run = grade(folder, batch)
        entry = next(iter(entries(batch).values()))
        good = run.status == 0 and run.cpu < CPU_SECONDS and run.seconds < SECONDS
        wrong += not good
        said = f"{entry['status']}, {entry['score']} points" if run.status == 0 else f"exit status {run.status}"
        print(f"{'ok' if good else 'NOT OK':7}{name:32}{run.cpu:6.1f} s CPU {run.seconds:6.1f} s  {said}", flush=True)
        shutil.rmtree(ROOT / "build" / "class" / batch, ignore_errors=True)
        shutil.rmtree(folder)
    return wrong


def together(names: list[str], work: Path) -> int:
    """Grades all of them in one class, with honest hand-ins, and interrupts it again and again."""
    folder, wrong = work / "class", 0
    shutil.rmtree(ROOT / "build" / "class" / "hostile", ignore_errors=True)
    ordered = ["honest_a", *names[: len(names) // 2], "honest_b", *names[len(names) // 2 :], "honest_c"]
    for number, name in enumerate(ordered):
        write(name, folder / f"{number:02}_{name}")
    chance = random.Random(1)
    for _interrupt in range(INTERRUPTS):
        run = grade(folder, "hostile", chance.uniform(1, 20))
        good = run.status == EXIT_STOPPED and run.answered < ANSWER_SECONDS
        wrong += not good and run.answered > 0
        print(f"{'ok' if good else 'NOT OK':7}Ctrl-C: exit status {run.status} after {run.answered:.2f} s", flush=True)
    run = grade(folder, "hostile")
    book = entries("hostile")
    full = [entry["score"] for entry in book.values() if "honest" in entry["name"]]
    good = run.status == 0 and full == [100.0] * 3 and len(book) == len(ordered)
    print(f"{'ok' if good else 'NOT OK':7}{len(book)} of {len(ordered)} hand-ins; the honest ones have {full}")
    return wrong + (not good)


def main() -> int:
    parser = argparse.ArgumentParser(description="Grades hand-ins that try to stop the grader.")
    parser.add_argument("--only", action="append", choices=sorted(HOSTILE), default=[], help="these; again for more")
    parser.add_argument("--as-class", action="store_true", help="as a class only, and not each on its own")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores SIGINT
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    names = options.only or list(HOSTILE)
    with tempfile.TemporaryDirectory(prefix="hostile.") as work:
        wrong = 0 if options.as_class else one_by_one(names, Path(work))
        wrong += together(names, Path(work))
    print(f"check-hostile: {len(names)} hand-ins, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
