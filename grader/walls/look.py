"""Runs grader/walls/inspection.py in a separate process, to inspect a hand-in's source and compiled code."""

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
    """The result of inspecting a file as it was handed in."""

    refusals: list[str]  # in the form of compiler errors; empty when there are none
    plain: bool  # True for most files: no inspection after the preprocessor is needed


def look_at_source(file: Path, stop: threading.Event) -> Source:
    """Inspects the file as it was handed in. Raises GraderFault or Stopped."""
    try:
        return Source(*run_apart(MODULE, "source", [str(file)], SOURCE_LIMITS, stop))
    except Refused as refused:
        return Source([f"{file.name}: error: the file {refused}"], True)


def look_at_preprocessed(course: Course, folder: Path, file: Path, stop: threading.Event) -> list[str]:
    """The refusals of what the preprocessor made from `file` in the folder. Raises GraderFault or Stopped."""
    return _look("preprocessed", course, folder, file, stop)


def look_at_built(course: Course, folder: Path, file: Path, stop: threading.Event) -> list[str]:
    """The refusals of what a build made from `file` in the folder. Raises GraderFault when the outputs are missing, or
    Stopped."""
    return _look("built", course, folder, file, stop)


def _look(job: str, course: Course, folder: Path, file: Path, stop: threading.Event) -> list[str]:
    arguments = [str(course.root), str(folder), str(file)]
    try:
        return list(run_apart(MODULE, job, arguments, BUILT_LIMITS, stop))
    except Refused as refused:
        return [f"{file.name}: error: the file {refused}"]
