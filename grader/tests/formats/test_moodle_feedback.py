"""Moodle's feedback files: these tests split names as mod/assign/feedback/file/importziplib.php of moodle/moodle
does."""

import io
import zipfile
from pathlib import Path

import pytest

from grader.export import Choices
from grader.export.graded import Class
from grader.model.errors import UsageError
from grader.model.gradebook import Form
from grader.tests import exported
from grader.tests.formats import downloaded, of_class, term_of


def imported(data: bytes) -> dict[str, str]:
    """Participant's number -> feedback file. Fails for a file that Moodle would silently ignore."""
    found: dict[str, str] = {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            assert not name.startswith((".", "~")), "a hidden file"
            assert "/" not in name
            _person, number, kind, plugin, file = name.split("_", 4)
            assert number.isdecimal() and (kind, plugin, file) == ("assignfeedback", "file", "report.html")
            assert number not in found, "a student twice"
            found[number] = archive.read(name).decode()
    return found


def valid(made: str | bytes) -> None:
    assert isinstance(made, bytes)
    imported(made)


def test_every_student_that_was_graded_has_a_page_with_nothing_hidden(klass: Class) -> None:
    made = of_class("moodle-feedback", downloaded(klass, Form.MOODLE))
    assert isinstance(made, bytes)
    pages = imported(made)
    graded = [entry for entry in klass.gradebook.entries if entry.results is not None]
    assert list(pages) == [entry.students[0].id for entry in graded]
    assert "<h1>Student 002</h1>" in pages["1002"]
    assert not [number for number, page in pages.items() for canary in exported.CANARIES if canary in page]
    assert made == of_class("moodle-feedback", downloaded(klass, Form.MOODLE))


def test_a_page_of_a_term_s_book_has_the_points_by_hand_and_the_source(tmp_path: Path) -> None:
    made = of_class("moodle-feedback", term_of(tmp_path, 8, Form.MOODLE), Choices(labs=(2,), note=lambda _: None))
    valid(made)
    assert isinstance(made, bytes)
    pages = imported(made)
    assert list(pages) == [str(5000 + i) for i in range(6)]
    assert "<strong>Points by hand:</strong> scan_quadratic 30 by B. Moe: One missing semicolon" in pages["5005"]
    assert "2 days late: 40 of 100" in pages["5005"]
    assert "__global__" in pages["5005"] and "Lab 3:" not in pages["5005"]


def test_the_numbers_of_a_term_s_book_are_those_of_one_assignment(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="try: --lab N"):
        of_class("moodle-feedback", term_of(tmp_path, 4, Form.MOODLE))


def test_hand_ins_from_elsewhere_have_no_number_of_moodle(klass: Class) -> None:
    with pytest.raises(UsageError, match="was not downloaded from moodle"):
        of_class("moodle-feedback", klass)


@pytest.mark.parametrize("name", [".x_1_assignfeedback_file_report.html", "x_y_1_assignfeedback_file_report.html"])
def test_the_import_as_read_here_refuses_what_moodle_passes_over(name: str) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(name, "page")
    with pytest.raises(AssertionError):
        imported(packed.getvalue())
