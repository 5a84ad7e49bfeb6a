"""The class that the documents show, graded for real."""

import re
from pathlib import Path

import pytest

from grader import cli, gradebook
from grader.discover import discover_labs
from grader.gradebook import EntryStatus
from grader.sandbox import Sandbox
from grader.settings import read_settings
from grader.tests.planted import PlantedCourse
from grader.tests.real import COURSE

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parent / "class"


def test_the_example_class(sandbox: Sandbox) -> None:
    assert sandbox is not None
    assert cli.main(["class", str(FOLDER), "--lab", "2", "--seed", "7", "--name", "test-class"]) == 0
    path = COURSE.build / "class" / "test-class" / gradebook.JSON_NAME
    book = gradebook.from_json(path.read_text(encoding="utf-8"))
    assert [(entry.students[0].name, entry.status, entry.score) for entry in book.entries] == [
        ("Bob Moe", EntryStatus.GRADED, 10),
        ("ada", EntryStatus.GRADED, 0),
        ("carl", EntryStatus.UNUSABLE, 0),
    ]
    assert book.entries[0].message == "naive_scan.cu is taken from 'lab/Naive-Scan (1).cu'"


def test_the_course_toml_of_the_page_is_one(planted: PlantedCourse) -> None:
    """As the real labs have it."""
    page = (COURSE.root / "grader" / "CLASS.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    planted.write("course.toml", text)
    settings = read_settings(planted.course, discover_labs(COURSE))
    assert settings.choose(discover_labs(COURSE))[0].max_score == 85
    assert settings.extension({"ada@example.org"}, 2) == 3
