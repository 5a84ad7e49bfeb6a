"""A class from start to end, with planted suites: in parallel, continued, from stored verdicts, and never stopped by a
single hand-in."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import jsonschema
import pytest

from grader.model import gradebook
from grader.model.gradebook import Entry, EntryStatus, Gradebook
from grader.model.results import from_json
from grader.model.typed import schema_of
from grader.model.types import SCHEMA_VERSION, IgnoredFile, Results, Status
from grader.tests.classes.test_archive import encrypted, zipped
from grader.tests.planted import PlantedCourse, failing
from grader.walls.look import Source

HERE = Path(__file__).parents[1]
BOOK_SCHEMA = schema_of(Gradebook, gradebook.GRADEBOOK_VERSION)


# The student and the lab of each extension. The first name differs from the student's in case, and the second one is no
# student's. The third extension is for a lab that the batch does not have.
EXTENSIONS = (("ADA", 1), ("eve", 1), ("fred", 2))


class Class:
    """A planted course and a folder of hand-ins."""

    def __init__(self, planted: PlantedCourse, folder: Path) -> None:
        self.planted, self.folder = planted, folder
        folder.mkdir()

    def hand_in(self, student: str, one: str = "good", two: str = "good") -> Path:
        folder = self.folder / student
        folder.mkdir(exist_ok=True)
        for stem, text in (("one", one), ("two", two)):
            if text:
                (folder / f"{stem}.cu").write_text(f"/* {text} */\n")
        return folder

    def grade(self, *options: str) -> int:
        return self.planted.run("class", str(self.folder), "--no-sandbox", *options)

    @property
    def place(self) -> Path:
        return self.planted.root / "build" / "class" / self.folder.name

    @property
    def book(self) -> Gradebook:
        return gradebook.from_json((self.place / "gradebook.json").read_text(encoding="utf-8"))

    def entry(self, name: str) -> Entry:
        return next(entry for entry in self.book.entries if entry.name == name)

    @property
    def runs(self) -> int:
        """The number of suite runs, counted by the planted suites."""
        path = self.planted.root / "runs"
        return len(path.read_text().splitlines()) if path.exists() else 0


@pytest.fixture
def group(planted: PlantedCourse, tmp_path: Path) -> Class:
    for stem in ("one", "one_hidden", "two", "two_hidden"):
        planted.suite(stem, count=str(planted.root / "runs"))
    return Class(planted, tmp_path / "lab")


def test_each_hand_in_has_its_results_and_its_line(group: Class, capsys: pytest.CaptureFixture[str]) -> None:
    group.planted.suite("two", failing("up", "clean", "two.cu:3  up: race"))
    group.hand_in("ada")
    group.hand_in("bob", one="SYNTAX", two="")
    zipped(group.folder / "carl.zip", {"carl/one.cu": "mine", "carl/two.cu": "mine"})
    assert group.grade("--seed", "7") == 0
    book = group.book
    jsonschema.validate(json.loads(gradebook.to_json(book)), BOOK_SCHEMA)
    assert [(entry.name, entry.status, entry.score) for entry in book.entries] == [
        ("ada", EntryStatus.GRADED, 185),
        ("bob", EntryStatus.GRADED, 0),
        ("carl", EntryStatus.GRADED, 185),
    ]
    assert [lab.status for lab in group.entry("bob").labs] == [Status.DOES_NOT_COMPILE, Status.MISSING]
    assert group.entry("ada").labs[1].parts == {"up": 45, "down": 40}
    for entry in book.entries:
        text = (group.place / str(entry.results)).read_text()
        jsonschema.validate(json.loads(text), schema_of(Results, SCHEMA_VERSION))
        assert from_json(text).seed == book.seed == 7
    assert (group.place / str(group.entry("carl").source) / "one.cu").read_text() == "mine"
    said = capsys.readouterr()
    assert "3 graded" in said.out
    assert "[3/3] " in said.err


def test_two_hand_ins_of_one_student_are_asked_about(group: Class, capsys: pytest.CaptureFixture[str]) -> None:
    """Both are graded, and a person must decide which one counts."""
    group.hand_in("ada")
    group.hand_in("bob")
    zipped(group.folder / "Ada.zip", {"one.cu": "later"})
    assert group.grade() == 0
    said = capsys.readouterr().out
    assert "ada has 2 hand-ins, Ada.zip and ada: which one counts?" in said
    assert "bob has" not in said
    assert "another hand-in of the same student: ada" in group.entry("Ada").message


def test_what_cannot_be_graded_is_a_result(group: Class) -> None:
    group.hand_in("ada")
    group.hand_in("empty", "", "")
    (group.hand_in("misnamed", "", "") / "lab1.cu").write_text("")
    encrypted(group.folder / "locked.zip")
    (group.folder / "broken.zip").write_text("PK")
    (group.folder / "link").symlink_to("/etc")
    assert group.grade() == 0
    assert {entry.name: entry.status for entry in group.book.entries if entry.name != "ada"} == dict.fromkeys(
        ("empty", "misnamed", "locked", "broken", "link"), EntryStatus.UNUSABLE
    )
    assert {entry.score for entry in group.book.entries} == {200, 0}
    said = {entry.name: entry.message for entry in group.book.entries}
    assert "an empty folder" in said["empty"]
    assert "lab1.cu: not the name of a lab's file" in said["misnamed"]
    assert "is encrypted" in said["locked"]
    assert "a symbolic link" in said["link"]
    assert all((group.place / str(entry.results)).exists() for entry in group.book.entries)


def test_an_extension_that_no_hand_in_has_is_pointed_out(group: Class, capsys: pytest.CaptureFixture[str]) -> None:
    group.hand_in("ada", two="")
    lines = [f'[[extension]]\nstudent = "{name}"\nlab = {lab}\ndays = 1\n' for name, lab in EXTENSIONS]
    group.planted.write("course.toml", "".join(lines))
    assert group.grade("--lab", "1") == 0
    notes = [line for line in capsys.readouterr().out.splitlines() if line.startswith("note: course.toml")]
    assert notes == ["note: course.toml:5: no hand-in of this batch is of 'eve', who has an extension"]


def test_nothing_is_graded_twice(group: Class, capsys: pytest.CaptureFixture[str]) -> None:
    group.hand_in("ada")
    group.hand_in("bob")  # the same files
    assert group.grade() == 0
    assert group.runs == 4  # two labs, with a public and a hidden suite each
    first = (group.place / "gradebook.json").read_bytes()
    results = (group.place / "submissions" / "bob" / "results.json").read_bytes()
    assert group.grade() == 0
    assert group.runs == 4
    assert (group.place / "gradebook.json").read_bytes() == first
    assert (group.place / "submissions" / "bob" / "results.json").read_bytes() == results
    assert "0 labs' files were graded now, 2 were known" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "runs"),
    [
        ("another file", 2),
        ("another suite", 4),
        ("the lab's points", 4),
        ("a header for all", 4),
        ("another seed", 4),
        ("another student", 0),
        ("a handout", 0),
    ],
)
def test_what_changed_is_graded_again(group: Class, change: str, runs: int) -> None:
    group.hand_in("ada")
    group.hand_in("bob", two="other")
    assert group.grade() == 0
    before = group.runs
    options: tuple[str, ...] = ()
    if change == "another file":
        group.hand_in("ada", one="mended")
    elif change == "another suite":
        group.planted.write("reference/check_two_hidden.c", "/* mended */\n")
    elif change == "the lab's points":
        group.planted.write("course.toml", "[[lab]]\nnumber = 2\npoints.up = { correct = 31 }\n[[lab]]\nnumber = 1\n")
    elif change == "a header for all":
        group.planted.write("labs/include/monoid.h", "/* mended */\n")
        runs = 6
    elif change == "another seed":
        options, runs = ("--seed", "99"), 6
    elif change == "another student":
        group.hand_in("carl")
    else:
        group.planted.write("handouts/one.md", "mended\n")
    assert group.grade(*options) == 0
    assert group.runs - before == runs


def test_a_regrade_takes_the_recorded_seed_and_says_what_changed(
    group: Class, capsys: pytest.CaptureFixture[str]
) -> None:
    group.hand_in("ada")
    assert group.grade("--seed", "7") == 0
    group.planted.suite("one", failing("up", "clean", "one.cu:3  up: race"), count=str(group.planted.root / "runs"))
    assert group.grade() == 0
    assert group.entry("ada").score == 200  # planted suites are not part of the key; the sources of real ones are
    assert group.grade("--again") == 0
    assert (group.book.seed, group.entry("ada").score, group.runs) == (7, 185, 8)
    said = capsys.readouterr().out
    assert "ada: 200 -> 185" in said
    assert "1 of 1 scores changed" in said
    assert group.grade() == 0
    assert group.runs == 8


def test_a_regrade_needs_a_grading(group: Class, capsys: pytest.CaptureFixture[str]) -> None:
    group.hand_in("ada")
    assert group.grade("--again") == 2
    assert "no seed is recorded" in capsys.readouterr().err


def test_a_fault_is_tried_once_more_and_is_nobody_s_zero(group: Class, capsys: pytest.CaptureFixture[str]) -> None:
    group.planted.suite("two", status=2, count=str(group.planted.root / "runs"))
    group.hand_in("ada")
    group.hand_in("bob", two="")
    assert group.grade() == 3
    ada = group.entry("ada")
    assert (ada.status, ada.score, [lab.raw for lab in ada.labs]) == (EntryStatus.GRADER_FAULT, None, [100, None])
    assert (group.entry("bob").status, group.entry("bob").score) == (EntryStatus.GRADED, 100)
    assert "lab 2: the grader failed twice" in capsys.readouterr().out
    assert group.runs == 2 + 2  # after a fault in the public suite, the hidden one of that lab does not run
    group.planted.suite("two")
    assert group.grade() == 0  # a fault is not stored
    assert group.entry("ada").score == 200


def test_a_mistake_in_the_grader_costs_one_hand_in(group: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    group.hand_in("ada")
    group.hand_in("bob", one="other")

    def broken(file: Path, stop: threading.Event) -> Source:
        if "other" in file.read_text():
            raise ZeroDivisionError("planted")
        return Source([], plain=True)

    monkeypatch.setattr("grader.judge.build.look_at_source", broken)
    assert group.grade() == 3
    assert {entry.name: entry.status for entry in group.book.entries} == {
        "ada": EntryStatus.GRADED,
        "bob": EntryStatus.GRADER_FAULT,
    }
    text = (group.place / "submissions" / "bob" / "results.json").read_text()
    assert "ZeroDivisionError: planted" in from_json(text).labs[0].message


def started(group: Class, *options: str) -> "subprocess.Popen[bytes]":
    # When these tests run in the background, SIGINT may be ignored, and children would inherit that.
    program = (
        "import signal, sys, pathlib, grader.front.cli as cli; "
        "signal.signal(signal.SIGINT, signal.default_int_handler); "
        "sys.exit(cli.main(sys.argv[2:], pathlib.Path(sys.argv[1])))"
    )
    argv = [sys.executable, "-c", program, str(group.planted.root), "class", str(group.folder), "--no-sandbox"]
    environment = {**os.environ, "PYTHONPATH": str(HERE.parents[1])}
    return subprocess.Popen([*argv, *options], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_what_was_stopped_goes_on(group: Class, how: signal.Signals) -> None:
    """The suites of the first hand-in end at once, and those of the third never end."""
    for i, student in enumerate("abc"):
        group.hand_in(student, one=f"{i}", two="")
    sleeper = group.planted.root / "sleep"
    group.planted.suite("one", count=str(group.planted.root / "runs"), sleep_after=[4, str(sleeper)])
    group.planted.suite("one_hidden", count=str(group.planted.root / "runs"))
    sleeper.write_text("")
    child = started(group, "--seed", "7", "--jobs", "1")
    deadline = time.monotonic() + 30
    while group.runs < 5 and time.monotonic() < deadline:
        time.sleep(0.02)
    child.send_signal(how)
    assert child.wait(timeout=120) == (130 if how != signal.SIGKILL else -9)
    assert child.stderr is not None
    said = child.stderr.read().decode()
    child.stderr.close()
    assert group.runs == 5
    if how != signal.SIGKILL:
        assert "2 of 3 hand-ins are graded and kept" in said
        assert [entry.status for entry in group.book.entries] == ["graded", "graded", "waiting"]
        assert group.book.entries[2].score is None
    sleeper.unlink()
    assert group.grade("--seed", "7") == 0
    assert group.runs == 7  # only the third one's two suites
    assert [entry.score for entry in group.book.entries] == [100, 100, 100]
    stopped = (group.place / "gradebook.json").read_bytes()
    assert not list((group.planted.root / "build" / "grade").glob("class-*"))
    assert not list((group.planted.root / "build" / "cpu").glob("grade-class-*"))
    assert group.grade("--name", "whole", "--seed", "7") == 0
    whole = (group.place.parent / "whole" / "gradebook.json").read_bytes()
    assert whole == stopped.replace(b'"batch": "lab"', b'"batch": "whole"')


def test_two_calls_on_one_batch(group: Class, capsys: pytest.CaptureFixture[str]) -> None:
    group.hand_in("ada")
    group.planted.suite("one", sleep=20)
    child = started(group)
    while not list((group.planted.root / "build" / "grade").glob("class-*")):
        time.sleep(0.02)
    assert group.grade() == 2
    assert "lab is being graded by another process" in capsys.readouterr().err
    child.terminate()
    child.communicate(timeout=120)


def test_a_result_that_was_cut_off_is_made_again(group: Class) -> None:
    group.hand_in("ada", two="")
    assert group.grade() == 0
    (kept,) = (group.planted.root / "build" / "class" / ".cache").glob("*/*.gz")
    kept.write_bytes(kept.read_bytes()[:40])
    assert group.grade() == 0
    assert group.runs == 4


@pytest.mark.parametrize("state", ["{", '{"version": 2}', '{"version": 1, "seed": "x", "round": 1}'])
def test_a_state_that_cannot_be_used(group: Class, state: str, capsys: pytest.CaptureFixture[str]) -> None:
    group.hand_in("ada")
    group.place.mkdir(parents=True)
    (group.place / "batch.json").write_text(state)
    assert group.grade() == 2
    assert "batch.json" in capsys.readouterr().err


def test_only_one_lab(group: Class) -> None:
    group.hand_in("ada")
    assert group.grade("--lab", "2") == 0
    assert [column.number for column in group.book.labs] == [2]
    assert group.entry("ada").files == ("two.cu",)
    assert group.entry("ada").ignored == (IgnoredFile("one.cu", "the file of another lab"),)
