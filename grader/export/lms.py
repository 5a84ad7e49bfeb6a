"""Functions shared by the exporters for learning management systems: the selection of labs and students, and the text
for a student."""

import csv
import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence

from grader.export.report_terminal import clean
from grader.export.text import late_words, points
from grader.model.errors import UsageError
from grader.model.gradebook import Entry, Form, Gradebook, Student, hand_text, number, several_hand_ins

_DATE = (1980, 1, 1, 0, 0, 0)  # time of all files, so that the same class gives the same zip file


def chosen(book: Gradebook, labs: Sequence[int]) -> list[tuple[int, int]]:
    """Index and number of the selected labs. UsageError when the gradebook lacks one of them."""
    numbers = [lab.number for lab in book.labs]
    for lab in labs:
        if lab not in numbers:
            raise UsageError(f"the gradebook has no lab {lab}; it has {', '.join(map(str, numbers))}")
    return [(i, n) for i, n in enumerate(numbers) if not labs or n in labs]


def students(book: Gradebook) -> Iterator[tuple[Entry, Student]]:
    """All students with their hand-ins; the members of a group are listed one by one. UsageError when a student has
    several hand-ins: the service has one grade of an assignment for each student, and the file could not say which
    hand-in it belongs to."""
    several = "".join(f"\n    {student}: {' and '.join(names)}" for student, names in several_hand_ins(book).items())
    if several:
        raise UsageError(
            f"which hand-in counts? Of these students there are several:{several}\n"
            "    try: leave one of each in the folder and grade again, or take the book of make term, which has one"
        )
    return ((entry, student) for entry in book.entries for student in entry.students)


def grade(entry: Entry, book: Gradebook, labs: Sequence[int]) -> tuple[str, int]:
    """The points for one cell, and the maximum. Without `labs` it is the total, which leaves dropped labs out; else the
    sum of these labs. The points are empty when they are unknown."""
    if not labs:
        return number(entry.score), entry.max_score
    places = chosen(book, labs)
    scores = [entry.labs[i].score for i, _ in places]
    known = [score for score in scores if score is not None]
    return number(sum(known)) if len(known) == len(scores) else "", sum(book.labs[i].max_score for i, _ in places)


def lines(entry: Entry, book: Gradebook, labs: Sequence[int]) -> list[str]:
    """A line for each lab with its lateness, a line for points by hand, and then the grader's message about the
    hand-in. In a term's book that message quotes all batches with their folders, which is for the instructor, so it is
    left out."""
    told: list[str] = []
    for i, n in chosen(book, labs):
        late = late_words(entry.labs[i])
        of = entry.labs[i]
        told.append(f"Lab {n}: {points(of.score)} of {of.max_score}{f' ({late})' if late else ''}")
        if of.by_hand:
            told.append(clean(f"by hand: {hand_text(of)}"))
    said = "" if entry.form is Form.ROSTER else entry.message
    return told + [clean(line.strip()) for line in said.splitlines() if line.strip()]


def to_csv(rows: Sequence[Sequence[str]], delimiter: str = ",", end: str = "\r\n") -> str:
    """The rows as one text."""
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter, lineterminator=end).writerows(rows)
    return stream.getvalue()


def to_zip(files: Mapping[str, str | bytes]) -> bytes:
    """A zip file with these files (name -> content)."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _DATE), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
