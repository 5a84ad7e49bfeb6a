"""Moodle's worksheet: these tests read it as mod/assign/feedback/offline/importgradeslib.php of moodle/moodle does."""

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest

from grader.export import Choices
from grader.export.graded import Class
from grader.model.errors import UsageError
from grader.model.gradebook import ByHand, Form
from grader.tests.formats import a_class, downloaded, of_class

ENGLISH = ("Identifier", "Grade", "Last modified (grade)", "Feedback comments")
GERMAN = ("ID", "Bewertung", "Zuletzt geändert (Bewertung)", "Feedback als Kommentar")


def imported(text: str, headings: tuple[str, ...], delimiter: str = ",") -> dict[str, tuple[str, str]]:
    """Participant's number -> grade and comment. Fails when Moodle would not recognise the file as a worksheet, which
    needs three columns, named in the site's language."""
    head, *rows = csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=delimiter)
    assert set(headings[:3]) <= set(head), "a column is missing"
    at = [head.index(name) for name in headings]
    assert at[3] > 0
    word = headings[0] and "Participant" if headings is ENGLISH else "Teilnehmer/in"
    return {row[at[0]].removeprefix(word): (row[at[1]], row[at[3]]) for row in rows}


def valid(made: str | bytes) -> None:
    assert isinstance(made, str)
    assert len({len(row) for row in csv.reader(io.StringIO(made))}) == 1, "rows differ in length"
    imported(made, ENGLISH)


def worksheet(*rows: str) -> str:
    """A worksheet as a German Moodle writes it: with a byte order mark, semicolons and further columns."""
    head = "ID;Vollständiger Name;E-Mail-Adresse;Status;Bewertung;Bestwertung;Zuletzt geändert (Bewertung);" + GERMAN[3]
    return "\ufeff" + "".join(f"{row}\r\n" for row in (head, *rows))


def row(number: int, name: str = "N. N.", mail: str = "n@example.edu") -> str:
    return f"Teilnehmer/in{number};{name};{mail};Abgegeben;;100,00;Montag, 3. November 2026, 09:15;"


def filled(klass: Class, sheet: str, *labs: int) -> tuple[str, list[str]]:
    said: list[str] = []
    choices = Choices(labs=labs, worksheet=sheet, headings=(GERMAN[1], GERMAN[3]), note=said.append)
    made = of_class("moodle", klass, choices)
    assert isinstance(made, str)
    return made, said


def test_the_worksheet_that_is_made_is_one_to_an_english_moodle(klass: Class) -> None:
    made = of_class("moodle", downloaded(klass, Form.MOODLE))
    assert isinstance(made, str)
    found = imported(made, ENGLISH)
    assert found[" 1000"][0] == "20"
    assert found[" 1001"][0] == ""  # a fault of the grader
    assert found[" 1002"][1].startswith("Lab 2: 50 of 100 (2 days late)<br>Lab 3:")
    assert len(found) == len(klass.gradebook.entries)


@pytest.mark.parametrize("form", [Form.GRADESCOPE, Form.ROSTER, Form.FOLDER])
def test_no_worksheet_is_made_of_numbers_that_are_not_moodle_s(klass: Class, form: Form) -> None:
    """Moodle would read a university's number as its own, which can be that of another person."""
    with pytest.raises(UsageError, match=r"hand-in-000 was not downloaded from moodle.*\n    try: --worksheet"):
        of_class("moodle", downloaded(klass, form))


def test_a_downloaded_worksheet_is_filled_in_and_keeps_all_other_cells(tmp_path: Path) -> None:
    klass = downloaded(a_class(tmp_path, 4), Form.MOODLE)
    sheet = worksheet(row(1000), row(1001), row(1002), row(1003), row(77))
    made, said = filled(klass, sheet, 2)
    assert said == []
    found = imported(made, GERMAN, ";")
    assert found["1000"][0] == "20" and found["1000"][1].startswith("Lab 2: 20 of 100")
    assert found["1001"] == found["77"] == ("", "")  # one is unknown, and the other is not in this batch
    before, after = (list(csv.reader(io.StringIO(text), delimiter=";")) for text in (sheet, made))
    assert [[*line[:4], *line[5:7]] for line in before] == [[*line[:4], *line[5:7]] for line in after]
    assert made.startswith("\ufeff") and made.count("\r\n") == made.count("\n")


def test_a_student_of_another_service_is_found_by_the_address(tmp_path: Path) -> None:
    klass = downloaded(a_class(tmp_path, 4), Form.GRADESCOPE)
    made, said = filled(klass, worksheet(row(5, mail="s0@example.edu"), row(1000)), 2)
    assert imported(made, GERMAN, ";") | {"5": ("", "")} == {"5": ("", ""), "1000": ("", "")}
    assert imported(made, GERMAN, ";")["5"][0] == "20"
    assert said == ["the worksheet has no row of 3 students: Student 001, Student 002, Student 003"]


def test_a_row_of_two_students_is_an_error(tmp_path: Path) -> None:
    klass = downloaded(a_class(tmp_path, 4), Form.GRADESCOPE)
    with pytest.raises(UsageError, match="a row of the worksheet names several students: 1001, 1002"):
        filled(klass, worksheet(row(5, name="Student 001", mail="s2@example.edu")))


def test_a_heading_that_is_not_there_is_named_with_those_that_are(klass: Class) -> None:
    with pytest.raises(UsageError, match="no column 'Grade'; it has ID, Vollständiger Name"):
        of_class("moodle", klass, Choices(worksheet=worksheet()))


def test_markup_in_a_message_is_text(tmp_path: Path) -> None:
    klass = downloaded(a_class(tmp_path, 4), Form.MOODLE)
    first, *others = klass.gradebook.entries
    entries = (replace(first, message="<script>alert(1)</script>"), *others)
    made = of_class("moodle", replace(klass, gradebook=replace(klass.gradebook, entries=entries)))
    assert isinstance(made, str)
    comments = [comment for _grade, comment in imported(made, ENGLISH).values()]
    assert "&lt;script&gt;" in comments[0]
    assert not [comment for comment in comments if "<script" in comment]


def test_a_comment_has_the_points_by_hand_and_nothing_that_is_the_instructor_s(tmp_path: Path) -> None:
    """A term's book quotes all batches with their folders, which is for the instructor only."""
    termed = downloaded(a_class(tmp_path, 4), Form.ROSTER)
    first, *others = termed.gradebook.entries
    given = ByHand("scan_quadratic", 30, 10, "the suite was wrong", "B. Moe")
    first = replace(
        first, message="../week-2: ada: said", labs=(replace(first.labs[0], by_hand=(given,)), *first.labs[1:])
    )
    termed = replace(termed, gradebook=replace(termed.gradebook, entries=(first, *others)))
    made, _said = filled(termed, worksheet(row(7, mail="s0@example.edu")))
    words = imported(made, GERMAN, ";")["7"][1]
    assert "<br>by hand: scan_quadratic 30 by B. Moe: the suite was wrong<br>" in words
    assert "week-2" not in words
