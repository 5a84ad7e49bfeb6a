"""Comments for Canvas, as update_grades of its API reads them (app/controllers/submissions_api_controller.rb)."""

import json
from pathlib import Path

import pytest

from grader.export import Choices
from grader.export.graded import Class
from grader.model.errors import UsageError
from grader.model.gradebook import Form
from grader.tests import exported
from grader.tests.formats import downloaded, of_class, term_of


def valid(made: str | bytes) -> None:
    data = json.loads(made)
    assert list(data) == ["grade_data"]
    for student, table in data["grade_data"].items():
        assert student.isdecimal(), "no number of a student"
        assert set(table) <= {"posted_grade", "text_comment", "group_comment", "excuse"}, "a field that Canvas has not"
        assert table["text_comment"], "an empty comment"


def test_a_comment_says_the_points_and_what_was_lost_and_nothing_hidden(klass: Class) -> None:
    made = of_class("canvas-comments", downloaded(klass, Form.CANVAS))
    valid(made)
    words = json.loads(made)["grade_data"]["1002"]["text_comment"]
    assert words.startswith("Lab 2: 50 of 100 (2 days late)\n")
    assert "scan_in_place: 0 of 40" in words
    assert "race on shared buffer[17]" in words
    assert not [canary for canary in exported.CANARIES if canary in str(made)]


def test_one_lab_is_the_comment_of_its_assignment(klass: Class) -> None:
    made = of_class("canvas-comments", downloaded(klass, Form.CANVAS), Choices(labs=(3,)))
    words = json.loads(made)["grade_data"]["1002"]["text_comment"]
    assert "Lab 3" in words and "Lab 2" not in words


def test_a_term_s_book_has_the_numbers_of_the_hand_ins_that_count(tmp_path: Path) -> None:
    said: list[str] = []
    made = of_class("canvas-comments", term_of(tmp_path, 8, Form.CANVAS), Choices(labs=(2,), note=said.append))
    valid(made)
    data = json.loads(made)["grade_data"]
    assert sorted(data) == [str(5000 + i) for i in range(6)]
    words = data["5005"]["text_comment"]
    assert words.startswith(
        "Lab 2: 40 of 100 (2 days late)\nby hand: scan_quadratic 30 by B. Moe: One missing semicolon"
    )
    assert "race on shared buffer[17]" in words
    assert said == ["2 students have no hand-in from canvas: Student 006, Student 007"]


def test_a_term_s_book_with_hand_ins_from_elsewhere_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no hand-in that counts was downloaded from canvas"):
        of_class("canvas-comments", term_of(tmp_path, 4, Form.FOLDER))


def test_hand_ins_from_elsewhere_have_no_number_of_canvas(klass: Class, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="was not downloaded from canvas"):
        of_class("canvas-comments", klass)
