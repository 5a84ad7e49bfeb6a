"""Functions shared by the exporters for learning management systems: the selection of labs and students, and the text
for a student."""

import csv
import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from grader.export.choices import Choices
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


def numbered(book: Gradebook, form: Form, choices: Choices) -> Iterator[tuple[Entry, Student]]:
    """All students, each with the number that the service has for them as the id. A term's book has the number with the
    hand-in that counts. Students without such a hand-in are left out, and a note names them."""
    without: list[str] = []
    found = 0
    for entry, student in students(book):
        if entry.form is not Form.ROSTER:
            yield entry, student
            continue
        origins = [entry.labs[i].origin for i, _ in chosen(book, choices.labs)]
        numbers = sorted({one.student for one in origins if one is not None and one.form is form})
        if len(numbers) > 1:
            raise UsageError(
                f"{clean(student.name)} has several numbers of {form}: {clean(', '.join(numbers))}\n"
                "    try: --lab N, for the assignment of that lab"
            )
        if numbers:
            found += 1
            yield entry, replace(student, id=numbers[0])
        else:
            without.append(clean(student.name))
    if without and not found:
        raise UsageError(
            f"no hand-in that counts was downloaded from {form}: its numbers of the students are not known"
        )
    if without:
        more = f" and {len(without) - 10} more" if len(without) > 10 else ""
        choices.note(f"{len(without)} students have no hand-in from {form}: {', '.join(without[:10])}{more}")


def narrowed(entry: Entry, book: Gradebook, labs: Sequence[int]) -> Entry:
    """The entry with these labs only, and their points as the total. Without `labs` it is unchanged."""
    if not labs:
        return entry
    grades = tuple(entry.labs[i] for i, _ in chosen(book, labs))
    scores = [of.score for of in grades if of.score is not None]
    score = sum(scores) if len(scores) == len(grades) else None
    return replace(entry, labs=grades, score=score, max_score=sum(of.max_score for of in grades))


def grade(entry: Entry, book: Gradebook, labs: Sequence[int]) -> tuple[str, int]:
    """The points for one cell, and the maximum. Without `labs` it is the total, which leaves dropped labs out; else the
    sum of these labs. The points are empty when they are unknown."""
    of = narrowed(entry, book, labs)
    return number(of.score), of.max_score


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
