"""The class in the documents, graded for real."""

import contextlib
import re
import shutil
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest

from grader.handin.discover import discover_labs
from grader.judge.settings import read_settings
from grader.model import gradebook
from grader.model.gradebook import EntryStatus
from grader.tests.planted import PlantedCourse
from grader.tests.real import COURSE
from grader.walls.sandbox import Sandbox

pytestmark = pytest.mark.slow


def make(*words: str) -> str:
    """The output of a command that the documents show, which must succeed."""
    done = subprocess.run(["make", *words], cwd=COURSE.root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def graded(sandbox: Sandbox) -> Path:
    """The folder of the graded class."""
    assert sandbox is not None
    make("grade", "SUBMISSIONS=grader/tests/class", "LAB=2")
    return COURSE.build / "class" / "class"


def test_the_example_class(graded: Path) -> None:
    path = graded / gradebook.JSON_NAME
    book = gradebook.from_json(path.read_text(encoding="utf-8"))
    assert [(entry.students[0].name, entry.status, entry.score) for entry in book.entries] == [
        ("Bob Moe", EntryStatus.GRADED, 10),
        ("ada", EntryStatus.GRADED, 0),
        ("carl", EntryStatus.UNUSABLE, 0),
    ]
    assert book.entries[0].message == "naive_scan.cu is taken from 'lab/Naive-Scan (1).cu'"


@pytest.mark.usefixtures("graded")
def test_the_example_term() -> None:
    said = make("term", "FROM=grader/tests/term/term.toml")
    assert "1 handed in nothing: Dora Poe (dora)" in " ".join(said.split())
    path = COURSE.build / "term" / "term" / gradebook.JSON_NAME
    book = gradebook.from_json(path.read_text(encoding="utf-8"))
    assert [(entry.name, entry.status, entry.score) for entry in book.entries] == [
        ("ada", EntryStatus.GRADED, 20),
        ("bob", EntryStatus.GRADED, 17),
        ("carl", EntryStatus.MISSING, 0),
        ("dora", EntryStatus.MISSING, 0),
    ]
    assert "One missing semicolon" in (path.parent / "reports" / "ada.html").read_text(encoding="utf-8")


def test_the_course_toml_of_the_page_is_one(planted: PlantedCourse) -> None:
    """The labs of the page are those of the real course."""
    page = (COURSE.root / "grader" / "CLASS.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    planted.write("course.toml", text)
    settings = read_settings(planted.course, discover_labs(COURSE))
    assert settings.choose(discover_labs(COURSE))[0].max_score == 85
    assert settings.extension({"ada@example.org"}, 2) == timedelta(days=3, hours=12)


def suites_of(batch: str) -> list[str]:
    """The command lines of suites that are running for a batch."""
    found: list[str] = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            words = path.read_bytes().decode(errors="replace").split("\0")
            if words[0].startswith("build/bin/check_") and any(f"class-{batch}-" in word for word in words):
                found.append(" ".join(words))
    return found


def test_suites_end_with_the_grader_that_started_them(sandbox: Sandbox, tmp_path: Path) -> None:
    """The grader is killed by a signal that no program can catch."""
    assert sandbox is not None
    (tmp_path / "ada").mkdir()
    shutil.copy(COURSE.reference / "naive_scan.cu", tmp_path / "ada")
    argv = [sys.executable, "-m", "grader", "class", str(tmp_path), "--lab", "2", "--name", "test-killed"]
    child = subprocess.Popen([*argv, "--seed", "random"], cwd=COURSE.root, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while not suites_of("test-killed") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert suites_of("test-killed")
    child.kill()
    child.wait()
    deadline = time.monotonic() + 5
    while suites_of("test-killed") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert suites_of("test-killed") == []
