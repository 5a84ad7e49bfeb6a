"""A storm: `make check-storm [STORM_OPTIONS="--size 6 --busy 1 --full 10"]`.

Several graders, each in its own PID namespace and all in one tree of control groups, grade the same class. Meanwhile
busy loops use every processor, random runners are killed, and the disk is full for some time. Afterwards each gradebook
must equal that of a calm grading, except for rows with a fault of the grader, and one more call must make it equal to
the byte. So no student loses a point.

The graders write to a small file system in memory, which is mounted over build/ for them alone and disappears with
them. Without root, which these file systems and the namespaces need, they are left out, and the first lines of the
output say so.
"""

import argparse
import contextlib
import ctypes
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

from grader.front.cli import EXIT_FAULT
from grader.handin.discover import choose_labs, discover_labs
from grader.model.gradebook import Entry, EntryStatus
from grader.model.results import from_json
from grader.tests.whole_class.compare import COURSE, Tally, book_path, check_same, read_book
from grader.tests.whole_class.hand_ins import make_class, write_mixed

CALM = "storm-calm"
MIB = 1 << 20
PATIENCE = 4 * 3600  # time limit for all graders in seconds, only for a storm that never ends
_CLONE_NEWNS = 0x20000
_libc = ctypes.CDLL(None, use_errno=True)
_MNT_DETACH = 2
_MS_REC_PRIVATE = 0x4000 | 0x40000


@dataclass(frozen=True, slots=True)
class Plan:
    """The settings of the command line, and the places."""

    place: Path
    folder: Path  # folder of the class
    lab: int
    jobs: int
    seed: int
    fresh: int  # makes the keys of this call's verdicts differ from those of earlier calls

    def command(self, name: str, number: int) -> list[str]:
        """The command that grades the class. Graders with different numbers share no verdicts, because their time
        limits differ."""
        return [
            *(sys.executable, "-m", "grader", "class", str(self.folder), "--name", name, "--seed", str(self.seed)),
            *("--timeout", f"{1800 + self.fresh + number / 100:g}", "--jobs", str(self.jobs)),
            *("--lab", str(self.lab)),
        ]


@dataclass
class Weather:
    """The troubles that the graders get."""

    chance: random.Random
    every: float  # mean time between two kills, in seconds
    room: Path | None  # where the small file system is mounted
    full: float  # seconds for which the disk is full
    over: threading.Event = field(default_factory=threading.Event)
    # Set when the disk has been full and has space again
    disk: threading.Event = field(default_factory=threading.Event)
    killed: int = 0

    def kill(self) -> None:
        """Kills random runners, one after the other."""
        while not self.over.wait(self.chance.expovariate(1 / self.every)):
            if found := sorted(runners()):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self.chance.choice(found), signal.SIGKILL)
                    self.killed += 1

    def fill(self, logs: Sequence[Path], rows: int) -> None:
        """Fills the disk when the graders have done this many rows together, and keeps it full."""
        assert self.room is not None
        while sum(map(_rows, logs)) < rows:
            if self.over.wait(0.2):
                return
        until = time.monotonic() + self.full
        ballast = self.room / "ballast"
        with ballast.open("ab", buffering=0) as stream:
            while time.monotonic() < until and not self.over.is_set():
                with contextlib.suppress(OSError):
                    while stream.write(bytes(1 << 16)):
                        pass
                self.over.wait(0.02)  # graders remove files, which makes space again
        ballast.unlink()
        self.disk.set()


def runners() -> Iterator[int]:
    """Process numbers of this storm's runners and of the processes around them."""
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):  # it has just ended
            words = (entry / "cmdline").read_bytes() if entry.name.isdigit() else b""
            if b"build/cpu/runner\0--socket" in words and b"/grade-class-storm-" in words:
                yield int(entry.name)


def _rows(log: Path) -> int:
    """The number of hand-ins that a grader has finished."""
    with contextlib.suppress(OSError):
        return sum(line.startswith(b"[") for line in log.read_bytes().splitlines())
    return 0


def wrong_rows(calm: Mapping[str, Entry], book: Mapping[str, Entry]) -> list[str]:
    """Rows of a gradebook that neither equal those of a calm one nor have a fault of the grader: missing rows, and rows
    with different points, messages or files."""
    wrong = [f"{name} is missing" for name in sorted(calm.keys() - book.keys())]
    for name, entry in sorted(book.items()):
        if entry.status not in (EntryStatus.GRADER_FAULT, EntryStatus.WAITING) and entry != calm.get(name):
            was = calm[name].score if name in calm else None
            wrong.append(f"{name}: {entry.status}, {entry.score} points, in calm weather {was}: {entry.message}")
    return wrong


def entries(name: str) -> dict[str, Entry]:
    """The rows of a gradebook, by hand-in."""
    return {entry.name: entry for entry in read_book(name).entries}


@contextlib.contextmanager
def busy(loops: int) -> Iterator[None]:
    """Runs this many busy loops during the block."""
    started = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _loop in range(loops)]
    try:
        yield
    finally:
        for loop in started:
            loop.kill()
            loop.wait()


def _graded(
    command: Sequence[str], environment: Mapping[str, str], log: BinaryIO
) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(command, check=False, cwd=COURSE.root, env=environment, stdout=log, stderr=log)


def calm_grading(tally: Tally, plan: Plan, environment: Mapping[str, str]) -> None:
    log = plan.place / f"{CALM}.log"
    with log.open("wb") as stream:
        done = _graded(plan.command(CALM, 0), environment, stream)
    rows = entries(CALM)
    good = done.returncode == 0 and all(entry.status is not EntryStatus.GRADER_FAULT for entry in rows.values())
    tally.check(good, f"calm: {len(rows)} hand-ins are graded without a fault", log.read_text()[-2000:])


def storm(plan: Plan, names: Sequence[str], weather: Weather, environment: Mapping[str, str], apart: bool) -> list[int]:
    """Runs all graders at the same time and returns their exit statuses."""
    around = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"] if apart else []
    logs = [plan.place / f"{name}.log" for name in names]
    graders: list[subprocess.Popen[bytes]] = []
    rows = max(1, len(names) * sum(1 for _entry in plan.folder.iterdir()) // 4)
    threads = [threading.Thread(target=weather.kill)]
    if weather.room is not None and weather.full > 0:
        threads.append(threading.Thread(target=weather.fill, args=(logs, rows)))
    try:
        for number, (name, log) in enumerate(zip(names, logs, strict=True), start=1):
            with log.open("wb") as stream:
                command = [*around, *plan.command(name, number)]
                graders.append(
                    subprocess.Popen(command, cwd=COURSE.root, env=environment, stdout=stream, stderr=stream)
                )
        for thread in threads:
            thread.start()
        until = time.monotonic() + PATIENCE
        return [grader.wait(max(1, until - time.monotonic())) for grader in graders]
    finally:
        for grader in graders:
            grader.kill()
        weather.over.set()
        for thread in threads:
            if thread.is_alive():
                thread.join()


def after_the_storm(tally: Tally, plan: Plan, name: str, status: int) -> None:
    """Checks what one grader has written, and what its next call, in calm, writes."""
    calm, log = entries(CALM), plan.place / f"{name}.log"
    there = book_path(name).exists()
    tally.check(there, f"{name}: there is a gradebook (exit status {status})", log.read_text()[-2000:])
    book = entries(name) if there else {}
    faults = [entry for entry in book.values() if entry.status is EntryStatus.GRADER_FAULT]
    waiting = sum(entry.status is EntryStatus.WAITING for entry in book.values())
    wanted = EXIT_FAULT if faults else 0
    tally.check(status == wanted and waiting == 0, f"{name}: it came to its end", f"{waiting} rows wait; {status}")
    tally.check(
        not (wrong := wrong_rows(calm, book)),
        f"{name}: the rows of a calm grading but for {len(faults)} of {len(book)}, which are the grader's fault",
        "\n".join(wrong),
    )
    for entry in faults:
        results = from_json((book_path(name).parent / (entry.results or "")).read_text(encoding="utf-8"))
        print(f"    {entry.name}: {results.labs[0].message}")


def one_more(tally: Tally, plan: Plan, name: str, number: int, environment: Mapping[str, str]) -> None:
    log = plan.place / f"{name}.more.log"
    with log.open("wb") as stream:
        done = _graded(plan.command(name, number), environment, stream)
    tally.check(done.returncode == 0, f"{name}: one more call grades what is left", log.read_text()[-2000:])
    check_same(tally, name, CALM, f"{name}, one call after the storm")


# ---- what only root can do --------------------------------------------------------------------------------------


def _call(what: str, result: int) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def lay_over_build(room: Path, size: int) -> None:
    """Makes this process and its children write to a file system of `size` bytes, mounted at `room`, instead of build/.
    No other process sees it. OSError when that is not allowed."""
    _call("unshare", _libc.unshare(_CLONE_NEWNS))
    _call("mount", _libc.mount(b"none", b"/", None, _MS_REC_PRIVATE, None))
    _call("mount tmpfs", _libc.mount(b"tmpfs", os.fsencode(room), b"tmpfs", 0, f"size={size}".encode()))
    for name in ("upper", "work", "tmp"):
        (room / name).mkdir()
    options = f"lowerdir={COURSE.build},upperdir={room}/upper,workdir={room}/work"
    _call("mount overlay", _libc.mount(b"overlay", os.fsencode(COURSE.build), b"overlay", 0, options.encode()))


def has_pid_namespaces() -> bool:
    command = ["unshare", "--pid", "--fork", "--mount-proc", "true"]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


def main() -> int:
    """Runs the storm. The exit status is 0 when everything holds."""
    options = _options()
    with tempfile.TemporaryDirectory(prefix="storm.") as folder:
        place = Path(folder)
        room: Path | None = place / "room"
        environment = dict(os.environ)
        try:
            (place / "room").mkdir()
            lay_over_build(place / "room", options.room * MIB)
            environment["TMPDIR"] = str(place / "room" / "tmp")
        except OSError as error:
            print(f"left out: the full disk, because the machine refuses to {error.strerror}", flush=True)
            room = None
        if not (apart := has_pid_namespaces()):
            print("left out: PID namespaces, because unshare --pid is refused; all graders are in one", flush=True)
        try:
            return _weathered(options, place, room, environment, apart)
        finally:
            for mounted in (COURSE.build, room) if room is not None else ():
                _libc.umount2(os.fsencode(mounted), _MNT_DETACH)


def _weathered(
    options: argparse.Namespace, place: Path, room: Path | None, environment: Mapping[str, str], apart: bool
) -> int:
    lab = choose_labs(discover_labs(COURSE), [options.lab])[0]
    # Only one in eight is for this lab, and some hand-ins are empty.
    every = make_class(COURSE, 16 * options.size, False, options.seed)
    ours = [one for one in every if set(one.files) <= {lab.source}][: options.size]
    write_mixed(place / "class", [replace(one, number=number) for number, one in enumerate(ours)])
    plan = Plan(place, place / "class", options.lab, options.jobs, options.seed, os.getpid() % 1000)
    names = [f"storm-{number}" for number in range(1, options.graders + 1)]
    for name in (CALM, *names):
        shutil.rmtree(COURSE.build / "class" / name, ignore_errors=True)
    tally, weather = Tally(), Weather(random.Random(options.seed), options.every, room, options.full)
    began = time.monotonic()
    calm_grading(tally, plan, environment)
    print(f"calm: {time.monotonic() - began:.0f} s", flush=True)
    began = time.monotonic()
    with busy(options.busy):
        statuses = storm(plan, names, weather, environment, apart)
    print(f"storm: {time.monotonic() - began:.0f} s, {weather.killed} runners killed", flush=True)
    tally.check(weather.killed > 0, "runners were killed")
    if room is not None and options.full > 0:
        tally.check(weather.disk.is_set(), f"the disk was full for {options.full:g} s, and then was not")
    for name, status in zip(names, statuses, strict=True):
        after_the_storm(tally, plan, name, status)
    for number, name in enumerate(names, start=1):
        one_more(tally, plan, name, number, environment)
    if tally.failed:
        kept = Path(tempfile.mkdtemp(prefix="storm-kept."))
        for name in (CALM, *names):
            shutil.copytree(COURSE.build / "class" / name, kept / name, ignore_dangling_symlinks=True)
        for log in place.glob("*.log"):
            shutil.copy(log, kept)
        print(f"kept: {kept}")
    print(f"check-storm: {tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="storm", description="Grades a class in bad weather.")
    parser.add_argument("--size", type=int, default=40, metavar="N", help="hand-ins (default: %(default)s)")
    parser.add_argument("--lab", type=int, default=2, help="of all of them (default: %(default)s)")
    parser.add_argument("--graders", type=int, default=3, metavar="N", help="(default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="of each grader (default: %(default)s)")
    parser.add_argument("--busy", type=int, default=4, metavar="N", help="busy loops (default: %(default)s)")
    parser.add_argument(
        "--every", type=float, default=5, metavar="S", help="kills one in S seconds (default: %(default)g)"
    )
    parser.add_argument("--full", type=float, default=60, metavar="S", help="the disk is full (default: %(default)g)")
    parser.add_argument("--room", type=int, default=512, metavar="MIB", help="of the disk (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the class, the grading and the weather")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
