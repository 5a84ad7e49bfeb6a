"""Grades for a learning management system: the CSV files that Canvas and Moodle import.

A grade that is not known (a fault of the grader, or still waiting) is an empty cell, which both leave as it was. A name
that a spreadsheet would work out is only text.
"""

import csv
import io
from collections.abc import Iterable, Sequence

from grader.export.report_terminal import clean
from grader.model.errors import UsageError
from grader.model.gradebook import Entry, Gradebook, Student, cell, number


def canvas(book: Gradebook, labs: Sequence[int] = (), columns: dict[int, str] | None = None) -> str:
    """Canvas's gradebook import. `columns` gives a lab the name of an assignment that is there, as Canvas exports it:
    `Lab 2 (4711)`. Without one, Canvas makes a new assignment."""
    chosen = _chosen(book, labs)
    names = [(columns or {}).get(n, f"Lab {n}: {book.labs[i].title}") for i, n in chosen]
    points = [str(book.labs[i].max_score) for i, _ in chosen]
    rows = [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *names],
        ["Points Possible", "", "", "", "", *points],
    ]
    for entry, student in _students(book):
        grades = [number(entry.labs[i].score) for i, _ in chosen]
        rows.append([cell(clean(student.name)), cell(clean(student.id)), "", cell(clean(student.email)), "", *grades])
    return _csv(rows)


def moodle(book: Gradebook, labs: Sequence[int] = ()) -> str:
    """Moodle's offline grading worksheet of one assignment: the labs' points together, or those of the labs that are
    asked for."""
    chosen = _chosen(book, labs)
    most = sum(book.labs[i].max_score for i, _ in chosen)
    rows = [["Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade", "Feedback comments"]]
    for entry, student in _students(book):
        known = [score for i, _ in chosen if (score := entry.labs[i].score) is not None]
        if not labs:  # what is dropped and taken off counts too
            grade, most = number(entry.score), entry.max_score
        else:
            grade = number(sum(known)) if len(known) == len(chosen) else ""
        identifier = f"Participant {student.id}" if student.id.isdecimal() else cell(clean(student.id))
        status = "Submitted for grading" if entry.submitted is None else f"Submitted {entry.submitted}"
        comment = cell(clean(entry.message.partition("\n")[0]))
        rows.append(
            [identifier, cell(clean(student.name)), cell(clean(student.email)), status, grade, str(most), comment]
        )
    return _csv(rows)


def _chosen(book: Gradebook, labs: Sequence[int]) -> list[tuple[int, int]]:
    """Index and number of the labs that are meant. UsageError when the gradebook has not all of them."""
    numbers = [lab.number for lab in book.labs]
    for lab in labs:
        if lab not in numbers:
            raise UsageError(f"the gradebook has no lab {lab}; it has {', '.join(map(str, numbers))}")
    return [(i, n) for i, n in enumerate(numbers) if not labs or n in labs]


def _students(book: Gradebook) -> Iterable[tuple[Entry, Student]]:
    return ((entry, student) for entry in book.entries for student in entry.students)


def _csv(rows: list[list[str]]) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\r\n").writerows(rows)
    return stream.getvalue()
