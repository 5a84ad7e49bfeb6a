"""Canvas's gradebook: these tests read the CSV file as lib/gradebook_importer.rb of instructure/canvas-lms does."""

import csv
import io
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from grader.export import Choices
from grader.export.graded import Class
from grader.model.errors import UsageError
from grader.model.gradebook import Form
from grader.tests.formats import a_class, downloaded, nameless, of_class


@dataclass(frozen=True)
class Imported:
    """What Canvas reads from the file: the grades, by the column and value by which it finds the student."""

    assignments: list[str]
    points: list[str]
    grades: dict[tuple[str, str], list[str]]  # for example ("ID", "1002") -> grades


def imported(text: str) -> Imported:
    """Reads the file as Canvas does. Fails when Canvas would call the heading invalid."""
    rows = list(csv.reader(io.StringIO(text)))
    head = rows[0]
    assert len(head) > 3 and "Student" in head[0] and "ID" in head[1], "no columns of a student"
    assert (head[2], head[3]) == ("SIS User ID", "SIS Login ID")
    assert "Section" in head[4], "the last column before the assignments is the section"
    assert "Points Possible" in rows[1][0]
    grades: dict[tuple[str, str], list[str]] = {}
    for row in rows[2:]:
        key = next(((head[i], row[i]) for i in (1, 2, 3, 0) if row[i]), None)
        assert key is not None and key not in grades, "a row of nobody, or a student twice"
        grades[key] = row[5:]
    return Imported(head[5:], rows[1][5:], grades)


def valid(made: str | bytes) -> None:
    assert isinstance(made, str)
    assert len({len(row) for row in csv.reader(io.StringIO(made))}) == 1, "rows differ in length"
    imported(made)


def table(klass: Class, choices: Choices) -> str:
    made = of_class("canvas", klass, choices)
    assert isinstance(made, str)
    return made


def test_canvas_finds_every_student_and_assignment(klass: Class) -> None:
    made = imported(table(downloaded(klass, Form.CANVAS), Choices(columns=((2, "Lab 2 (4711)"),))))
    assert made.assignments == ["Lab 2 (4711)", "Lab 3: Lab number 3", "Lab 4: Lab number 4"]
    assert made.points == ["100", "100", "100"]
    assert len(made.grades) == len(klass.gradebook.entries)
    assert made.grades["ID", "1001"] == ["", "0", "0"]  # a fault of the grader leaves the cell unchanged


def test_an_id_of_another_service_is_no_number_of_canvas(klass: Class) -> None:
    """Canvas looks for its own numbers first, so a university's number would find another person."""
    made = imported(table(downloaded(klass, Form.GRADESCOPE), Choices()))
    assert {column for column, _ in made.grades} == {"SIS User ID"}


def test_a_name_that_a_spreadsheet_would_work_out_is_only_text(klass: Class) -> None:
    first = list(csv.reader(io.StringIO(table(klass, Choices()))))[2]
    assert first[0].startswith("'=HYPERLINK")
    assert not set("\x1b\x07\u202e") & set(first[0])


def test_who_is_anonymous_is_left_out_and_that_is_said(tmp_path: Path) -> None:
    klass = nameless(downloaded(a_class(tmp_path, 4), Form.CANVAS), 1)
    said: list[str] = []
    made = imported(table(klass, Choices(note=said.append)))
    assert len(made.grades) == len(klass.gradebook.entries) - 1
    assert said == ["1 anonymous hand-ins are left out: Canvas takes theirs one by one; try: canvas-anonymous"]


def test_of_a_student_with_two_hand_ins_somebody_says_which_one_counts(klass: Class) -> None:
    """Of two rows for one student, Canvas would use the later one."""
    book = klass.gradebook
    again = replace(book.entries[2], name="a-second-one")
    with pytest.raises(UsageError, match=r"(?s)which hand-in counts.*1002: hand-in-002 and a-second-one"):
        table(replace(klass, gradebook=replace(book, entries=(*book.entries, again))), Choices())


def test_the_import_as_read_here_refuses_what_canvas_refuses() -> None:
    for wrong in ("Name,ID,SIS User ID,SIS Login ID,Section,Lab\n", "Student,ID,Section,Lab\nPoints Possible,,,100\n"):
        with pytest.raises(AssertionError):
            imported(wrong)
