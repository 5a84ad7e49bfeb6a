"""Makes the pages of a term's book: one for the class, and two for each student, of which one is for the instructor and
one is given to the student."""

import csv
import io
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from grader.export.audience import Audience
from grader.export.choices import Choices
from grader.export.graded import Class
from grader.export.html_class import html as html_class
from grader.export.page import render
from grader.model.gradebook import OVERRIDES, TO_FILL_IN, ByHand, Entry, Gradebook, LabColumn, LabGrade
from grader.model.results import write_atomically

PAGE = "term.html"
FOLDERS = {Audience.STUDENT: "reports", Audience.INSTRUCTOR: "instructor"}  # the same as for a batch


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts for the pages that are not in the book. Paths are written as a person in the course's folder would type
    them."""

    allowance: int  # late days of each student
    overrides: str  # the file of points by hand; empty when term.toml does not name one yet
    term: str  # path of term.toml, quoted for a shell


@dataclass(frozen=True, slots=True)
class _Lab:
    """A lab of one student."""

    column: LabColumn
    grade: LabGrade
    report: str  # address of the hand-in's report; empty when there is none
    # Points that may be given by hand: the part or the lab, the maximum, and the line for overrides.csv
    overrides: list[tuple[str, int, str]]

    @property
    def due(self) -> str:
        return _moment(self.column.due, self.column.due)

    @property
    def submitted(self) -> str:
        """The time in the zone of the due date, so that the two can be compared."""
        return _moment(self.grade.submitted, self.column.due)

    @property
    def whole(self) -> ByHand | None:
        """The points of the whole lab, if they were given by hand."""
        return next((one for one in self.grade.by_hand if not one.part), None)

    @property
    def of_parts(self) -> dict[str, ByHand]:
        return {one.part: one for one in self.grade.by_hand if one.part}


def _moment(text: str | None, zone_of: str | None) -> str:
    """A time such as 2026-11-01 23:59:00 UTC+01:00. Empty when there is none."""
    if text is None:
        return ""
    moment = datetime.fromisoformat(text)
    if zone_of is not None:
        moment = moment.astimezone(datetime.fromisoformat(zone_of).tzinfo)
    return f"{moment:%Y-%m-%d %H:%M:%S} {moment.tzname()}"


def write_pages(folder: Path, book: Gradebook, facts: Facts) -> None:
    """Writes the pages, each as a whole, and removes pages of students who are no longer in the book. GraderFault when
    that is not possible."""
    for audience, name in FOLDERS.items():
        target = folder / name
        for entry in book.entries:
            page = student_page(folder, book, entry, audience, facts)
            write_atomically(target / f"{entry.name}.html", page.encode())
        names = {f"{entry.name}.html" for entry in book.entries}
        for path in target.glob("*.html"):
            if path.name not in names:
                path.unlink()
    page = html_class(Class(book, folder), Choices(reports=FOLDERS[Audience.INSTRUCTOR]))
    write_atomically(folder / PAGE, page.encode())


def student_page(folder: Path, book: Gradebook, entry: Entry, audience: Audience, facts: Facts) -> str:
    """The page with a student's result in each lab and the reasons. `folder` is the book's."""
    target, instructor = folder / FOLDERS[audience], audience is Audience.INSTRUCTOR
    labs = [
        _Lab(column, grade, _report(folder, target, grade) if instructor else "", list(_lines(entry, column, grade)))
        for column, grade in zip(book.labs, entry.labs, strict=True)
    ]
    return render(
        "student.html.j2",
        book=book,
        entry=entry,
        student=entry.students[0],
        labs=labs,
        used=sum(grade.late_days_used for grade in entry.labs),
        for_instructor=instructor,
        facts=facts,
        head=",".join(OVERRIDES),
    )


def _lines(entry: Entry, column: LabColumn, grade: LabGrade) -> Iterator[tuple[str, int, str]]:
    """Lines of overrides.csv to be completed, for the whole lab and for each part. Points that were already given by
    hand are changed in their own line, so they have none here."""
    given = {one.part for one in grade.by_hand}
    parts = [(part.name, part.max_score) for part in column.parts if part.name not in given]
    wholes = [] if given else [("", column.max_score)]
    for part, most in [] if "" in given else [*parts, *wholes]:
        stream = io.StringIO()
        csv.writer(stream, lineterminator="").writerow([entry.students[0].id, column.number, part, *TO_FILL_IN])
        yield part or "the whole lab", most, stream.getvalue()


def _report(folder: Path, target: Path, grade: LabGrade) -> str:
    """Address of the instructor's report of the hand-in that counts, if make report has written one."""
    if grade.origin is None or grade.origin.results is None:
        return ""
    batch = (folder / grade.origin.results).parent.parent.parent
    path = batch / "report" / FOLDERS[Audience.INSTRUCTOR] / f"{grade.origin.hand_in}.html"
    return os.path.relpath(path, target) if path.is_file() else ""
