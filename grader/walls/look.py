"""Has a hand-in's source and compiled code looked through, by grader/walls/inspection.py in a process of its own."""

import threading
from dataclasses import dataclass
from pathlib import Path

from grader.model.errors import Refused
from grader.model.layout import Course
from grader.walls.apart import JobLimits, run_apart

MODULE = "grader.walls.inspection"
SOURCE_LIMITS = JobLimits(memory=1 << 30, cpu=10)
BUILT_LIMITS = JobLimits(memory=2 << 30, cpu=20)


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it was handed in."""

    refusals: list[str]  # as a compiler would print errors; empty when nothing is wrong
    plain: bool  # it need not be looked at after the preprocessor, and most need not


def look_at_source(file: Path, stop: threading.Event) -> Source:
    """Of the file as it was handed in. GraderFault; Stopped."""
    try:
        return Source(*run_apart(MODULE, "source", [str(file)], SOURCE_LIMITS, stop))
    except Refused as refused:
        return Source([f"{file.name}: error: the file {refused}"], True)


def look_at_built(course: Course, folder: Path, file: Path, stop: threading.Event) -> list[str]:
    """Refusals of what a build made of `file` in the folder. GraderFault when what it makes is not there; Stopped."""
    arguments = [str(course.root), str(folder), str(file)]
    try:
        return list(run_apart(MODULE, "built", arguments, BUILT_LIMITS, stop))
    except Refused as refused:
        return [f"{file.name}: error: the file {refused}"]
