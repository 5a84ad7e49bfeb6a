"""The command line of a class: `python3 -m grader class FOLDER`."""

import argparse
import contextlib
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TextIO, TypeVar

from rich.console import Console

from grader.classes.batch import Batch, BatchProgress
from grader.classes.executor import Executor, LocalExecutor
from grader.classes.late import unused_extensions
from grader.classes.progress_batch import LiveBatchProgress, PlainBatchProgress
from grader.classes.report_batch import print_batch, print_changes
from grader.export.report_terminal import clean
from grader.judge.grade import Options
from grader.model import gradebook
from grader.model.gradebook import EntryStatus, Gradebook
from grader.model.layout import Course
from grader.model.types import BUBBLEWRAP
from grader.walls.machine import jobs_at_once

EPILOG = """\
FOLDER holds one folder, zip or tar file for each student, or is an unpacked download of Gradescope, Canvas or Moodle.
The gradebook is build/class/NAME/gradebook.json and .csv. What was stopped goes on with the same command, and what has
not changed is not graded again. Exit status: 0 all is graded, 2 wrong usage, 3 a fault of the grader remains,
130 stopped."""

P = TypeVar("P")

EXIT_GRADED, EXIT_FAULT, EXIT_STOPPED = 0, 3, 130


def default_at_once() -> int:
    """The number of tasks at a time: one more than there are processors, because a task sometimes waits for the
    disk."""
    return jobs_at_once(more=1)


def grade_class(course: Course, arguments: argparse.Namespace) -> int:
    """Runs the command and returns the exit status."""
    options = Options(
        submission=[],
        labs=[number for numbers in arguments.lab for number in numbers],
        seed=arguments.seed,
        device=arguments.device,
        public_only=arguments.public_only,
        sandbox=not arguments.no_sandbox,
        name=arguments.name,
        timeout=arguments.timeout,
        jobs=jobs_at_once(),
    )
    console = console_of(sys.stdout)
    shown: contextlib.AbstractContextManager[BatchProgress] = progress_on_stderr(PlainBatchProgress, LiveBatchProgress)
    with shown as progress:
        batch = Batch(course, Path.cwd() / arguments.folder, options, arguments.again, progress)
        before = _book(batch.folder)
        executor = _executor(arguments, batch)
        try:
            result = batch.run(executor, threading.Event())
        except KeyboardInterrupt:
            result = None
    if result is None:
        _say_stopped(batch.folder)
        return EXIT_STOPPED
    print_batch(console, result.gradebook, course.relative(result.folder), result.graded, result.known)
    for note in unused_extensions(batch.settings, result.gradebook):
        print(f"note: {clean(note)}")
    if result.sandbox.used and result.sandbox.note != BUBBLEWRAP:
        print(f"note: {result.sandbox.note}")
    if arguments.again and before is not None:
        print_changes(console, before, result.gradebook)
    faults = any(entry.status is EntryStatus.GRADER_FAULT for entry in result.gradebook.entries)
    return EXIT_FAULT if faults else EXIT_GRADED


def _executor(arguments: argparse.Namespace, batch: Batch) -> Executor:
    if arguments.executor == "local":
        return LocalExecutor(arguments.jobs)
    from grader.classes.slurm import SlurmExecutor  # noqa: PLC0415 (submitit takes a while to load)

    return SlurmExecutor(batch.settings.cluster, batch.folder / "slurm")


def _book(folder: Path) -> Gradebook | None:
    try:
        return gradebook.from_json((folder / gradebook.JSON_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _say_stopped(folder: Path) -> None:
    book = _book(folder)
    entries = book.entries if book is not None else ()
    done = sum(entry.status is not EntryStatus.WAITING for entry in entries)
    print(
        f"grader: stopped; {done} of {len(entries)} hand-ins are graded and kept. The same command continues from here",
        file=sys.stderr,
    )


def progress_on_stderr(
    plain: Callable[[Console], P], live: Callable[[Console], contextlib.AbstractContextManager[P]]
) -> contextlib.AbstractContextManager[P]:
    """Chooses the live display on a terminal, and lines elsewhere."""
    console = console_of(sys.stderr)
    return live(console) if console.is_terminal else contextlib.nullcontext(plain(console))


def console_of(stream: TextIO) -> Console:
    """A console that prints text unchanged. With COLUMNS=0 it does not break lines."""
    width = 1000 if os.environ.get("COLUMNS") == "0" else None
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False)
