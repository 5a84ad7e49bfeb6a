"""gradebook.json and gradebook.csv: the schema, writing and reading back, and the cells in a spreadsheet."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from grader.model.gradebook import (
    GRADEBOOK_VERSION,
    Entry,
    EntryStatus,
    Form,
    Gradebook,
    LabColumn,
    LabGrade,
    PartColumn,
    Student,
    from_json,
    number,
    to_csv,
    to_json,
    write_gradebook,
)
from grader.model.typed import schema_of
from grader.model.types import IgnoredFile, Status

SCHEMA = schema_of(Gradebook, GRADEBOOK_VERSION)

COLUMN = LabColumn(1, "One", "one.cu", 100, "2026-11-01T23:59:00+01:00", (PartColumn("up", 60), PartColumn("down", 40)))
LATE = LabGrade(1, Status.FAILED, 60, 12.5, 47.5, 100, 2, 1, False, {"up": 60, "down": 0})
WAITS = LabGrade(1, None, None, 0, None, 100, 0, 0, False, {})
ADA = Student("u1", "Ada Ω", "ada@example.org")
GRADED = Entry(
    name="ada",
    status=EntryStatus.GRADED,
    message="",
    students=(ADA, Student("u2", '=HYPERLINK("x")', "")),
    form=Form.GRADESCOPE,
    origin="submission_7",
    submission_id="7",
    submitted="2026-11-03T10:00:00+01:00",
    marked_late=False,
    files=("one.cu",),
    ignored=(IgnoredFile("notes.txt", "not the name of a lab's file"),),
    content="0" * 64,
    results="submissions/ada/results.json",
    source="submissions/ada/src",
    score=47.5,
    max_score=100,
    labs=(LATE,),
)
WAITING = replace(
    GRADED, name="bob", status=EntryStatus.WAITING, students=(Student("b", "Bob", ""),), score=None, labs=(WAITS,)
)
BOOK = Gradebook("lab1", "Scans", "cpu", 7, (COLUMN,), (GRADED, WAITING))


def test_it_keeps_to_its_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(json.loads(to_json(BOOK)), SCHEMA)


def test_the_schema_sees_a_score_that_is_no_number() -> None:
    table = json.loads(to_json(BOOK))
    table["entries"][0]["score"] = "47.5"
    with pytest.raises(jsonschema.ValidationError, match="is not valid under any"):
        jsonschema.validate(table, SCHEMA)


def test_it_reads_back_as_the_same_model() -> None:
    assert from_json(to_json(BOOK)) == BOOK


@pytest.mark.parametrize("text", ["{}", "[]", "{", '{"schema": 2}', '{"schema": 1, "labs": 3, "entries": []}'])
def test_what_is_no_gradebook_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a gradebook|Expecting"):
        from_json(text)


def test_the_table_has_a_line_for_each_student_and_no_formula() -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(BOOK))))
    assert [row["id"] for row in rows] == ["u1", "u2", "b"]
    assert rows[1]["name"] == '\'=HYPERLINK("x")'
    assert [(row["score"], row["lab 1"], row["lab 1 days late"]) for row in rows] == [("47.5", "47.5", "2")] * 2 + [
        ("", "", "0")
    ]
    assert rows[2]["status"] == "waiting"


def test_the_table_has_the_whole_message_in_one_cell() -> None:
    """Its first line alone would be: nothing in it can be graded."""
    unusable = replace(WAITING, message="nothing in it can be graded\n    lab1.cu: not the name of a lab's file")
    (row,) = csv.DictReader(io.StringIO(to_csv(replace(BOOK, entries=(unusable,)))))
    assert row["message"] == "nothing in it can be graded; lab1.cu: not the name of a lab's file"


@pytest.mark.parametrize(
    ("score", "text"), [(None, ""), (0, "0"), (12.5, "12.5"), (800.0, "800"), (1234567.25, "1234567.25")]
)
def test_a_score_as_text(score: float | None, text: str) -> None:
    assert number(score) == text


def test_both_files_are_put_in_place(tmp_path: Path) -> None:
    write_gradebook(tmp_path / "new", BOOK)
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["gradebook.csv", "gradebook.json"]
