"""The tests of grader/export's formats, each in a module named after its format. The module's function `valid` fails
for output that the format's reader would refuse. The checks of all formats call it by the format's name, and fail for a
format that has none."""

import importlib
from dataclasses import replace
from pathlib import Path

from grader.export import FORMATS, Choices, OfClass, OfOne
from grader.export.audience import Audience
from grader.export.graded import Class, Graded, load, read_input
from grader.model.gradebook import Form, Gradebook, Student
from grader.model.types import Results
from grader.tests import exported

RUNNER = {
    "CLASSROOM": "scans",
    "ASSIGNMENT": "lab-2",
    "ASSIGNMENT_TYPE": "individual",
    "OWNER": "ada",
    "SUBMISSION_TAG": "submit/2026-11-01T12-00-00Z-a1b2c3d",
    "COMMIT_URL": "https://example.org/commit/a1b2c3d",
    "RELEASE_URL": "https://example.org/releases/a1b2c3d",
}
CHOICES = Choices(environment=RUNNER)


def valid(name: str, made: str | bytes) -> None:
    """Fails when the reader of this format would refuse the output, or when the format has no test."""
    importlib.import_module(f"grader.tests.formats.test_{name.replace('-', '_')}").valid(made)


def graded(folder: Path, results: Results, audience: Audience = Audience.STUDENT) -> Graded:
    """A grading with the files that were graded."""
    return load(results, exported.write_graded(folder, results).parent / "src", audience)


def of_one(name: str, of: Graded, choices: Choices = CHOICES) -> str:
    """Exports one grading in this format."""
    exporter = FORMATS[name]
    assert isinstance(exporter, OfOne)
    return exporter.write(of, choices)


def of_class(name: str, klass: Class, choices: Choices = CHOICES) -> str | bytes:
    """Exports a class in this format."""
    exporter = FORMATS[name]
    assert isinstance(exporter, OfClass)
    return exporter.make(klass, choices)


def a_class(folder: Path, hand_ins: int) -> Class:
    """A class of this size: the second hand-in has a fault, the last but one is unusable, and the last one waits."""
    book = read_input(exported.write_class(folder, hand_ins))
    assert isinstance(book, Gradebook)
    return Class(book, folder)


def downloaded(klass: Class, form: Form) -> Class:
    """The same class, as if its hand-ins had been downloaded from this service."""
    entries = tuple(replace(entry, form=form) for entry in klass.gradebook.entries)
    return replace(klass, gradebook=replace(klass.gradebook, entries=entries))


def term_of(folder: Path, hand_ins: int, form: Form) -> Class:
    """The book of a term whose hand-ins were downloaded from this service: the i-th student has the number 5000 + i."""
    book = exported.term_book(folder, hand_ins, form)
    (folder / "term").mkdir()
    return Class(book, folder / "term")


def nameless(klass: Class, count: int) -> Class:
    """The same class, in which the first hand-ins came from an anonymous assignment of Canvas."""
    entries = tuple(
        replace(entry, students=(Student(f"anon_{chr(ord('a') + i)}7Kf2", f"anon_{chr(ord('a') + i)}7Kf2", ""),))
        if i < count
        else entry
        for i, entry in enumerate(klass.gradebook.entries)
    )
    return replace(klass, gradebook=replace(klass.gradebook, entries=entries))
