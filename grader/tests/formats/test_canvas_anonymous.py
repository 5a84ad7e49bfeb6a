"""Grades and comments of anonymous hand-ins, as update_anonymous of Canvas's API reads them
(app/controllers/submissions_api_controller.rb of instructure/canvas-lms)."""

import io
import json
import zipfile
from typing import Any

import pytest

from grader.export import Choices
from grader.export.graded import Class
from grader.model.gradebook import Form
from grader.tests import exported
from grader.tests.formats import downloaded, nameless, of_class

# The fields that are used here, of all that it reads
KNOWN = {"comment": {"text_comment"}, "submission": {"posted_grade"}}


def imported(data: bytes) -> dict[str, dict[str, Any]]:
    """What is sent, by the anonymous id of a submission. Fails for content that Canvas would silently ignore."""
    found: dict[str, dict[str, Any]] = {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            stem, dot, suffix = name.partition(".")
            assert stem.isalnum() and (dot, suffix) == (".", "json"), "no id of a submission"
            assert stem not in found, "a submission twice"
            table = json.loads(archive.read(name))
            for field, values in table.items():
                assert values and set(values) <= KNOWN[field] and all(isinstance(v, str) for v in values.values())
            assert table["comment"]["text_comment"], "an empty comment"
            found[stem] = table
    return found


def valid(made: str | bytes) -> None:
    assert isinstance(made, bytes)
    imported(made)


def sent(klass: Class, choices: Choices) -> dict[str, dict[str, Any]]:
    made = of_class("canvas-anonymous", klass, choices)
    assert isinstance(made, bytes)
    return imported(made)


def test_each_anonymous_hand_in_has_its_grade_and_its_comment(klass: Class) -> None:
    made = sent(nameless(downloaded(klass, Form.CANVAS), 3), Choices(labs=(2,), note=lambda _: None))
    assert list(made) == ["a7Kf2", "b7Kf2", "c7Kf2"]
    assert made["c7Kf2"]["submission"] == {"posted_grade": "50"}
    words = made["c7Kf2"]["comment"]["text_comment"]
    assert words.startswith("Lab 2: 50 of 100 (2 days late)\n")
    assert "race on shared buffer[17]" in words
    assert not [canary for canary in exported.CANARIES if canary in str(made)]


def test_a_grade_that_is_not_known_is_not_sent(klass: Class) -> None:
    """The grader could not judge the second hand-in."""
    made = sent(nameless(downloaded(klass, Form.CANVAS), 2), Choices(labs=(2,), note=lambda _: None))
    assert "submission" not in made["b7Kf2"]


def test_who_has_a_name_is_left_out_and_that_is_said(klass: Class) -> None:
    said: list[str] = []
    count = len(klass.gradebook.entries)
    assert len(sent(nameless(downloaded(klass, Form.CANVAS), 2), Choices(note=said.append))) == 2
    assert said == [f"{count - 2} hand-ins with names are left out; try: canvas and canvas-comments"]


@pytest.mark.parametrize("name", ["a/7Kf2.json", "a7Kf2.txt", "a 7.json"])
def test_the_import_as_read_here_refuses_what_is_no_submission(name: str) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(name, json.dumps({"comment": {"text_comment": "good"}}))
    with pytest.raises(AssertionError):
        imported(packed.getvalue())
