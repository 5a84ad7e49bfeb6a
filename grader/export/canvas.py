"""Canvas: the CSV file that its gradebook imports (canvas-lms, lib/gradebook_importer.rb), and comments for its API
(app/controllers/submissions_api_controller.rb, bulk_update). If an assignment is anonymous, neither can name a student:
grades and comments then go to the API one by one (update_anonymous in the same file).

An unknown grade (a fault of the grader, or still waiting) is an empty cell, which changes nothing in Canvas. A name
that looks like a formula stays text in a spreadsheet.
"""

import json

from grader.export.audience import Audience
from grader.export.choices import Choices
from grader.export.graded import Class
from grader.export.lms import chosen, grade, lines, numbered, students, to_csv, to_zip
from grader.export.report_terminal import clean
from grader.export.text import lab_words, part_words, points
from grader.model.gradebook import Entry, Form, Student, cell, number

ANONYMOUS = "anon_"  # beginning of the name that Canvas uses for a student in an anonymous assignment


def canvas(klass: Class, choices: Choices) -> str:
    """The CSV file. `choices.columns` maps a lab to the name of an existing assignment as Canvas exports it, such as
    `Lab 2 (4711)`. Without it, Canvas makes a new assignment."""
    book = klass.gradebook
    labs = chosen(book, choices.labs)
    columns = dict(choices.columns)
    names = [columns.get(n, f"Lab {n}: {book.labs[i].title}") for i, n in labs]
    rows = [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *names],
        ["Points Possible", "", "", "", "", *(str(book.labs[i].max_score) for i, _ in labs)],
    ]
    nameless = 0
    for entry, student in students(book):
        if _is_anonymous(student):
            nameless += 1
            continue
        rows.append([*_who(entry, student), "", *(number(entry.labs[i].score) for i, _ in labs)])
    _note_nameless(nameless, choices)
    return to_csv(rows)


def _note_nameless(count: int, choices: Choices) -> None:
    if count:
        choices.note(f"{count} anonymous hand-ins are left out: Canvas takes theirs one by one; try: canvas-anonymous")


def _is_anonymous(student: Student) -> bool:
    return student.id.startswith(ANONYMOUS)


def _who(entry: Entry, student: Student) -> list[str]:
    """Name, ID, SIS User ID and SIS Login ID. Only a download from Canvas has Canvas's ids; another number in the
    column ID would name another person."""
    own = entry.form is Form.CANVAS
    ids = (student.id, "") if own else ("", student.id)
    return [cell(clean(text)) for text in (student.name, *ids, student.email)]


def comments(klass: Class, choices: Choices) -> str:
    """A comment for each student, as JSON for update_grades of one assignment: points, lateness, and what was lost."""
    data: dict[str, dict[str, str]] = {}
    nameless = 0
    for entry, student in numbered(klass.gradebook, Form.CANVAS, choices):
        if _is_anonymous(student):
            nameless += 1
            continue
        data[student.id] = {"text_comment": _comment(klass, entry, choices)}
    _note_nameless(nameless, choices)
    return _json({"grade_data": data})


def anonymous(klass: Class, choices: Choices) -> bytes:
    """A zip file with the grade and the comment of each student of an anonymous assignment, as JSON for
    update_anonymous. Each file has the name that Canvas gives to the submission."""
    files: dict[str, str | bytes] = {}
    named = 0
    for entry, student in students(klass.gradebook):
        if not _is_anonymous(student):
            named += 1
            continue
        table = {"comment": {"text_comment": _comment(klass, entry, choices)}}
        score, _most = grade(entry, klass.gradebook, choices.labs)
        if score:
            table["submission"] = {"posted_grade": score}
        files[f"{student.id.removeprefix(ANONYMOUS)}.json"] = _json(table)
    if named:
        choices.note(f"{named} hand-ins with names are left out; try: canvas and canvas-comments")
    return to_zip(files)


def _json(table: object) -> str:
    return json.dumps(table, indent=1, ensure_ascii=False) + "\n"


def _comment(klass: Class, entry: Entry, choices: Choices) -> str:
    said = lines(entry, klass.gradebook, choices.labs)
    graded = klass.load(entry, Audience.STUDENT)
    for lab in graded.results.labs if graded is not None else ():
        if choices.labs and lab.number not in choices.labs:
            continue
        said += [f"\nLab {lab.number}: {lab.title}", *filter(None, [lab_words(lab)])]
        for part in lab.parts:
            said.append(f"{part.name}: {points(part.score)} of {part.max_score}")
            said += [f"    {line}" for line in part_words(part).splitlines()]
    return "\n".join(said)
