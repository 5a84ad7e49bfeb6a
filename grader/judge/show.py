"""`make test`, `make run`, `make prove` and `make trace` for a hand-in. It is built and run behind the walls of a
grading."""

import shutil
import sys
import threading
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from grader.handin.discover import choose_labs
from grader.handin.submission import resolve_submission, stage
from grader.judge.build import Builder
from grader.judge.grade import decide_sandbox, hold_lock
from grader.judge.settings import class_labs
from grader.judge.shown import show_suite
from grader.judge.suites import SuitePlan
from grader.model.errors import UsageError
from grader.model.layout import Course
from grader.model.types import SuiteKind
from grader.walls.machine import jobs_at_once
from grader.walls.sandbox import RUNNER_LIMITS

_DEVICE = "cpu"
_SECONDS = 3600  # limit of processor time for the runner of one lab


@dataclass(frozen=True, slots=True)
class Asked:
    """The settings from the command line."""

    submission: list[str]
    labs: list[int]  # numbers of labs
    seed: int
    suite: tuple[str, ...]  # options for the suite, as in labs/support/suite/suite_main.c
    sandbox: bool
    trace: "Trace | None" = None


@dataclass(frozen=True, slots=True)
class Trace:
    """A call that is recorded."""

    record: Path  # file for the record; the source is copied to hand-in/ in the same folder
    build: str  # monoid, or monoid.tile


def show(course: Course, asked: Asked, cwd: Path) -> bool:
    """Runs the public suites of these labs, of all that the submission has. Returns False when a test fails or a lab
    does not compile; the suite prints the reasons."""
    labs = class_labs(course)
    submission = resolve_submission(course, asked.submission, None, cwd)
    sandbox, _info = decide_sandbox(submission, asked.sandbox)
    stop = threading.Event()
    with hold_lock(course.workplace(submission.name) / "lock", submission.name):
        staged = stage(course, submission, labs)
        chosen = [lab for lab in choose_labs(labs, asked.labs) if lab.source in staged.files]
        if not chosen:
            wanted = ", ".join(lab.source for lab in choose_labs(labs, asked.labs))
            raise UsageError(f"nothing to test in {submission.name}: it has no {wanted}")
        builder = Builder(course, _DEVICE, course.workplace(submission.name) / "log", jobs_at_once(), stop)
        with hold_lock(course.build / "grade" / ".trusted.lock", None):
            builder.build_trusted()
        good = True
        for lab in chosen:
            built = builder.build_lab(submission, staged.source, lab, sandbox)
            if not built.compiles:
                print(built.errors, file=sys.stderr)
                if asked.trace:
                    raise UsageError(f"there is nothing to trace: {lab.source} does not compile")
                good = False
                continue
            if asked.trace:
                builder.build_trace(submission, staged.source, lab, sandbox, asked.trace.build)
                _begin_record(asked.trace.record, staged.source / lab.source)
            record = asked.trace.record if asked.trace else None
            plan = SuitePlan(
                course, submission, lab, SuiteKind.PUBLIC, _DEVICE, asked.seed, sandbox, _SECONDS, record=record
            )
            with sandbox.group(RUNNER_LIMITS[_DEVICE], course) if sandbox else nullcontext([]) as group:
                good = show_suite(plan.command_line(group, shown=asked.suite), course.root) == 0 and good
        return good


def _begin_record(record: Path, source: Path) -> None:
    """Makes an empty file for the record, and copies the source to where the program that draws the trace finds it."""
    record.parent.mkdir(parents=True, exist_ok=True)
    record.unlink(missing_ok=True)
    record.touch()
    copied = record.parent / "hand-in"
    copied.mkdir(exist_ok=True)
    shutil.copy(source, copied / source.name)
