"""What the exporters for learning management systems share: which labs and students, and what a student is told."""

import csv
import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence

from grader.export.report_terminal import clean
from grader.export.text import late_words, points
from grader.model.errors import UsageError
from grader.model.gradebook import Entry, Form, Gradebook, Student, hand_text, number, several_hand_ins

_DATE = (1980, 1, 1, 0, 0, 0)  # of all files: the same class gives the same zip file


def chosen(book: Gradebook, labs: Sequence[int]) -> list[tuple[int, int]]:
    """Index and number of the labs that are asked for. UsageError when the gradebook has not all of them."""
    numbers = [lab.number for lab in book.labs]
    for lab in labs:
        if lab not in numbers:
            raise UsageError(f"the gradebook has no lab {lab}; it has {', '.join(map(str, numbers))}")
    return [(i, n) for i, n in enumerate(numbers) if not labs or n in labs]


def students(book: Gradebook) -> Iterator[tuple[Entry, Student]]:
    """All students with their hand-ins; those of a group one by one. UsageError when a student has several hand-ins:
    the service has one grade of an assignment for each student, and no file can say which hand-in it is of."""
    several = "".join(f"\n    {student}: {' and '.join(names)}" for student, names in several_hand_ins(book).items())
    if several:
        raise UsageError(
            f"which hand-in counts? Of these students there are several:{several}\n"
            "    try: leave one of each in the folder and grade again, or take the book of make term, which has one"
        )
    return ((entry, student) for entry in book.entries for student in entry.students)


def grade(entry: Entry, book: Gradebook, labs: Sequence[int]) -> tuple[str, int]:
    """The points of one cell, and how many there are: of all labs the total, in which what is dropped does not count,
    or the sum of those that are asked for. Empty where it is not known."""
    if not labs:
        return number(entry.score), entry.max_score
    places = chosen(book, labs)
    scores = [entry.labs[i].score for i, _ in places]
    known = [score for score in scores if score is not None]
    return number(sum(known)) if len(known) == len(scores) else "", sum(book.labs[i].max_score for i, _ in places)


def lines(entry: Entry, book: Gradebook, labs: Sequence[int]) -> list[str]:
    """A line for each lab, with its lateness, and one for points by hand; then what the grader says of the hand-in. A
    term's book quotes what it said of all batches, with their folders, for the instructor only."""
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
    """These files, by name, as one zip file."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, _DATE), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
