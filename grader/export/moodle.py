"""Moodle: the grading worksheet of one assignment (mod/assign/feedback/offline/importgradeslib.php), and the zip file
of feedback files (mod/assign/feedback/file/importziplib.php).

The headings of a worksheet are in the site's language, so it is best to fill in a worksheet that was downloaded: all
cells except those of grade and comment stay unchanged. An unknown grade leaves its row unchanged.
"""

import csv
import html
import io
import re

from grader.export.audience import Audience
from grader.export.choices import Choices
from grader.export.graded import Class
from grader.export.html_report import html as page
from grader.export.lms import chosen, grade, lines, narrowed, numbered, students, to_csv, to_zip
from grader.export.report_terminal import clean
from grader.model.errors import UsageError
from grader.model.gradebook import Entry, Form, Student, cell

MADE = (
    *("Identifier", "Full name", "Email address", "Status", "Grade", "Maximum grade"),
    *("Last modified (grade)", "Feedback comments"),
)
_Place = tuple[Entry, Student]


def moodle(klass: Class, choices: Choices) -> str:
    """Fills in the worksheet. Without one, it makes a worksheet like that of an English Moodle. There Moodle finds a
    student by its own number; a number from elsewhere could be that of another person."""
    return _filled(klass, choices) if choices.worksheet else _made(klass, choices)


def _made(klass: Class, choices: Choices) -> str:
    rows = [list(MADE)]
    for entry, student in students(klass.gradebook):
        points, most = grade(entry, klass.gradebook, choices.labs)
        who = f"Participant {student.id}"
        named = [cell(clean(student.name)), cell(clean(student.email))]
        rows.append([who, *named, "", points, str(most), "-", _comment(klass, entry, choices)])
    return to_csv(rows)


def _filled(klass: Class, choices: Choices) -> str:
    mark = "\ufeff" if choices.worksheet.startswith("\ufeff") else ""
    text = choices.worksheet.removeprefix("\ufeff")
    head = text.partition("\n")[0]
    delimiter = max(",;\t", key=head.count)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error as error:
        raise UsageError(f"the worksheet is no CSV file: {error}") from error
    places = [_column(rows[0] if rows else [], name) for name in choices.headings]
    whose = _Index(klass)
    met: set[str] = set()
    for row in rows[1:]:
        found = whose.of_row([word for i, word in enumerate(row) if i != places[0]])
        if found is None or len(row) <= max(places):
            continue
        entry, student = found
        met.add(student.id)
        points, _most = grade(entry, klass.gradebook, choices.labs)
        if points:
            row[places[0]], row[places[1]] = points, _comment(klass, entry, choices)
    missed = sorted(s.name for _entry, s in students(klass.gradebook) if s.id not in met)
    if missed:
        choices.note(f"the worksheet has no row of {len(missed)} students: {', '.join(map(clean, missed[:10]))}")
    return mark + to_csv(rows, delimiter, "\r\n" if head.endswith("\r") else "\n")


def _column(head: list[str], name: str) -> int:
    if name not in head:
        raise UsageError(
            f"the worksheet has no column {name!r}; it has {', '.join(head) or 'none'}\n"
            "    try: --grade-column and --comment-column, with the headings of your language"
        )
    return head.index(name)


def _comment(klass: Class, entry: Entry, choices: Choices) -> str:
    """The comment as HTML, which is how Moodle stores it."""
    return "<br>".join(html.escape(line) for line in lines(entry, klass.gradebook, choices.labs))


class _Index:
    """Finds the student of a row: by Moodle's number if the hand-ins came from Moodle, else by a cell with the address
    or the name."""

    def __init__(self, klass: Class) -> None:
        self._numbers: dict[str, _Place] = {}
        self._names: dict[str, list[_Place]] = {}
        for entry, student in students(klass.gradebook):
            if entry.form is Form.MOODLE:
                self._numbers[student.id] = entry, student
                continue
            for name in {student.email, student.name} - {""}:
                self._names.setdefault(name.casefold(), []).append((entry, student))

    def of_row(self, row: list[str]) -> _Place | None:
        """The student of this row. The first cell contains the number, after a word in the site's language."""
        identifier = re.search(r"[0-9]+$", row[0]) if row else None
        if identifier is not None and identifier[0] in self._numbers:
            return self._numbers[identifier[0]]
        places = (place for word in row for place in self._names.get(word.casefold(), ()))
        found = {place[1].id: place for place in places}
        if len(found) > 1:
            raise UsageError(f"a row of the worksheet names several students: {', '.join(map(clean, sorted(found)))}")
        return next(iter(found.values()), None)


def feedback(klass: Class, choices: Choices) -> bytes:
    """The zip file: the page of each student, with a file name by which Moodle finds the student. The numbers in these
    names are those of one assignment, so of a term's book it takes one lab."""
    book = klass.gradebook
    if len(chosen(book, choices.labs)) > 1 and any(entry.form is Form.ROSTER for entry in book.entries):
        raise UsageError(
            "Moodle's numbers of students are those of one assignment\n    try: --lab N, for one lab of the term"
        )
    files: dict[str, str | bytes] = {}
    for entry, student in numbered(book, Form.MOODLE, choices):
        graded = klass.load(narrowed(entry, book, choices.labs), Audience.STUDENT)
        if graded is None:
            choices.note(f"there is no page for {clean(student.name)}: {entry.status}")
            continue
        name = re.sub(r"[^\w .-]|_", " ", student.name).lstrip(" .") or "student"
        files[f"{name}_{student.id}_assignfeedback_file_report.html"] = page(graded)
    return to_zip(files)
