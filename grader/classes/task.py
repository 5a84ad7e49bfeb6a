"""The unit of work for a class: one lab's file, graded once for all students who handed it in.

A task contains everything that its grading needs, so that a process on another machine with the same file system can do
it. Its result is stored as a whole under the task's key, so finished work is never lost and never repeated.
"""

import gzip
import json
import shutil
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path

from grader.handin.discover import Lab
from grader.handin.submission import Staged, Submission
from grader.judge.build import Builder
from grader.judge.grade import Grading, Options, judge_lab
from grader.judge.records import TestsSeen
from grader.judge.score import untested_lab
from grader.model.errors import GraderFault, UsageError, describe_os_error
from grader.model.layout import Course
from grader.model.results import write_atomically
from grader.model.typed import from_table, to_table
from grader.model.types import LabResult, Status, SuiteKind
from grader.walls.process import Stopped
from grader.walls.room import wait_for_room, with_room
from grader.walls.sandbox import Sandbox, find_sandbox

TRIES = 2  # a fault of the grader may have been the machine's, so a task is tried again; the second fault stays
LONG_FAULT = 300  # seconds: after a fault that took longer, only the next call tries again, so that the class goes on


@dataclass(frozen=True, slots=True)
class Task:
    """One lab's file to grade."""

    batch: str  # the batch that it belongs to
    key: str  # covers everything that the verdict depends on (grader/classes/fingerprint.py)
    label: str  # shows the first hand-in that has the file
    lab: Lab
    source: Path  # the file, on the grader's own disk
    options: Options
    seed: int


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a task."""

    lab: LabResult
    started: str  # ISO 8601, UTC
    seconds: float

    @property
    def faulty(self) -> bool:
        """True for a result that must not be stored, so that the next call tries again."""
        return self.lab.status is Status.GRADER_FAULT


def work_prefix(batch: str) -> str:
    """The prefix of the names of folders in which a batch's tasks work, and which a killed task leaves behind."""
    return f"class-{batch}-"


def cache_path(course: Course, key: str) -> Path:
    """The file that stores a task's result."""
    return course.build / "class" / ".cache" / key[:2] / f"{key}.json.gz"


def read_done(course: Course, key: str) -> Done | None:
    """The stored result, or None when there is none that can be used."""
    try:
        return from_table(Done, json.loads(gzip.decompress(cache_path(course, key).read_bytes())))
    except FileNotFoundError:
        return None
    except (OSError, EOFError, ValueError, KeyError, TypeError):  # truncated by a full disk, or from another version
        return None


def write_done(course: Course, key: str, done: Done) -> None:
    """Stores a result. GraderFault when it cannot be written."""
    write_atomically(cache_path(course, key), gzip.compress(json.dumps(to_table(done)).encode(), 6, mtime=0))


def run_task(course: Course, task: Task, report: Callable[[str], None], stop: threading.Event) -> Done:
    """Grades a file, once more after a fault, and stores the result. It never fails because of a hand-in. Raises
    Stopped when `stop` was set."""
    done = _try(course, task, report, stop)
    for _again in range(TRIES - 1):
        if not done.faulty or done.seconds > LONG_FAULT:
            break
        wait_for_room(course.build, stop, report)
        report("once more, after a fault of the grader")
        done = _try(course, task, report, stop)
    if not done.faulty:
        with_room(lambda: write_done(course, task.key, done), course.build, stop, report)
    return done


def _try(course: Course, task: Task, report: Callable[[str], None], stop: threading.Event) -> Done:
    started, clock = datetime.now(timezone.utc), time.monotonic()
    try:
        result = _grade(course, task, report, stop)
    except (GraderFault, UsageError) as fault:
        result = untested_lab(task.lab, Status.GRADER_FAULT, str(fault))
    except (Stopped, KeyboardInterrupt):
        raise
    except Exception:  # noqa: BLE001 (a mistake in the grader costs one hand-in, not the night)
        said = traceback.format_exc(limit=-4)
        result = untested_lab(task.lab, Status.GRADER_FAULT, f"the grader failed:\n{said}")
    if stop.is_set():
        raise Stopped
    return Done(result, started.isoformat(timespec="seconds"), round(time.monotonic() - clock, 3))


def _grade(course: Course, task: Task, report: Callable[[str], None], stop: threading.Event) -> LabResult:
    name = f"{work_prefix(task.batch)}{task.key[:16]}"
    workplace = course.workplace(name)
    submission = Submission("hand-in", name, workplace / "src", None)
    kept = False
    try:
        _stage(task, workplace / "src")
        builder = Builder(course, task.options.device, workplace / "log", 1, stop)
        with ThreadPoolExecutor(max_workers=task.options.jobs) as pool:
            grading = Grading(
                course=course,
                options=task.options,
                submission=submission,
                staged=Staged(workplace / "src", (task.lab.source,), ()),
                builder=builder,
                sandbox=_sandbox(task.options),
                seed=task.seed,
                progress=_OneLine(report),
                stop=stop,
                pool=pool,
            )
            result = judge_lab(grading, task.lab)
        kept = result.status is Status.GRADER_FAULT
        return result
    except GraderFault:
        kept = True
        raise
    finally:
        shutil.rmtree(course.built(task.options.device, submission.who), ignore_errors=True)
        if not kept:  # after a fault the logs are kept for the search for its reason
            shutil.rmtree(workplace, ignore_errors=True)


def _stage(task: Task, folder: Path) -> None:
    try:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        shutil.copyfile(task.source, folder / task.lab.source)
    except OSError as error:
        raise GraderFault(f"cannot write {folder}: {describe_os_error(error)}") from error


_found: list[Sandbox | str] = []  # the search is done once for each process


def _sandbox(options: Options) -> Sandbox | None:
    if not options.sandbox:
        return None
    if not _found:
        _found.append(find_sandbox())
    found = _found[0]
    if not isinstance(found, Sandbox):
        raise GraderFault(f"there is no sandbox on this machine: {found}")
    return found


class _OneLine:
    """Reports a grading's progress in one line."""

    def __init__(self, report: Callable[[str], None]) -> None:
        self._report = report
        self._seen: dict[SuiteKind, TestsSeen] = {}

    def say(self, text: str) -> None:
        self._report(text)

    def begin(self, labs: tuple[Lab, ...]) -> None:
        pass

    def state(self, lab: Lab, text: str) -> None:
        if not self._seen:
            self._report(text)

    def tests(self, lab: Lab, kind: SuiteKind, seen: TestsSeen) -> None:
        self._seen = self._seen | {kind: seen}
        every = self._seen.values()
        self._report(f"{sum(one.done for one in every)} tests, {sum(one.failed for one in every)} failed")

    def finish(self, lab: Lab, result: LabResult) -> None:
        pass


def for_tasks(options: Options) -> Options:
    """The options for a task, whose builds and suites run one after the other."""
    return replace(options, submission=[], labs=[], name=None, jobs=1)
