"""Gradescope's autograder: the contents of its zip, and what it does with a submission in /autograder's layout."""

import json
import os
import shutil
import subprocess
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from grader.front.autograder import GRADESCOPE_SECONDS, suite_seconds
from grader.tests.formats.test_gradescope import GRADESCOPE
from grader.tests.planted import CALL, REPLAY, PlantedCourse, failing, stated
from grader.walls.sandbox import Sandbox

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
METADATA = HERE / "submission_metadata.json"
OPTIONS = {"labs": [1], "visibility": "after_due_date", "hidden_tests": "category", "leaderboard": False}
SECRET = "launch_the_whole_thing"


def zipped(planted: PlantedCourse, target: Path, *options: str) -> zipfile.ZipFile:
    assert planted.run("autograder", str(target), *options) == 0
    return zipfile.ZipFile(target)


def test_the_zip_has_the_hidden_suites_and_no_solution(planted: PlantedCourse, tmp_path: Path) -> None:
    planted.write("reference/hidden_suite.h", "/* shared */")
    planted.write("reference/trials/one/wrong/up.trials", SECRET)
    planted.write("reference/trials/hostile/c.trials", SECRET)
    planted.write("grader/setup", "#!/bin/sh\n").chmod(0o755)
    with zipped(planted, tmp_path / "a.zip", "--lab", "2") as archive:
        names = set(archive.namelist())
        content = {name: archive.read(name) for name in names}
        modes = {info.filename: info.external_attr >> 16 & 0o777 for info in archive.infolist()}
    assert {"setup.sh", "run_autograder", "autograder.json"} <= names
    assert {name for name in names if "/reference/" in name} == {
        "course/reference/check_one_hidden.c",
        "course/reference/check_two_hidden.c",
        "course/reference/hidden_suite.h",
    }
    assert not [name for name in names if "tests" in name]
    assert not [name for name, text in content.items() if SECRET.encode() in text]
    assert [modes[name] for name in ("setup.sh", "run_autograder", "course/grader/setup")] == [0o755] * 3
    assert json.loads(content["autograder.json"]) == OPTIONS | {"labs": [2]}
    assert b"2 processors and 4 GB" in content["SETTINGS.txt"]


def test_the_zip_knows_which_parts_count_and_no_student(planted: PlantedCourse, tmp_path: Path) -> None:
    extension = '[[extension]]\nstudent = "CANARY"\ndays = 3\n'
    planted.write("course.toml", f'[[lab]]\nnumber = 1\nleave_out = ["down"]\n{extension}')
    with zipped(planted, tmp_path / "a.zip") as archive:
        settings = archive.read("course/course.toml").decode()
    assert 'leave_out = ["down"]' in settings
    assert "CANARY" not in settings


def test_the_zip_keeps_what_the_course_shows_of_hidden_tests(planted: PlantedCourse, tmp_path: Path) -> None:
    planted.write("course.toml", 'hidden_tests = "nothing"\n')
    with zipped(planted, tmp_path / "a.zip", "--leaderboard") as archive:
        options = json.loads(archive.read("autograder.json"))
    assert options == OPTIONS | {"labs": [], "hidden_tests": "nothing", "leaderboard": True}


def test_the_same_tree_gives_the_same_zip(planted: PlantedCourse, tmp_path: Path) -> None:
    for name in ("a.zip", "b.zip"):
        zipped(planted, tmp_path / name).close()
        os.utime(planted.root / "Makefile", (1, 1))
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


def test_a_students_tree_makes_none(planted: PlantedCourse, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(planted.root / "reference")
    assert planted.run("autograder", str(tmp_path / "a.zip")) == 2
    assert "there is no reference/check_one_hidden.c: an autograder needs it" in capsys.readouterr().err
    assert list(tmp_path.glob("*.zip")) == []


def layout(tmp_path: Path, **files: str) -> Path:
    """A folder like /autograder, with these files in its submission; __ in a name becomes a slash."""
    top = tmp_path / "autograder"
    for name, content in files.items():
        path = top / "submission" / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    (top / "submission").mkdir(parents=True, exist_ok=True)
    shutil.copy(METADATA, top)
    (top / "autograder.json").write_text(json.dumps(OPTIONS))
    return top


def graded(planted: PlantedCourse, top: Path) -> tuple[int, dict[str, Any]]:
    """The exit status and Gradescope's results.json."""
    status = planted.run("autograde", str(top), "--options", str(top / "autograder.json"))
    table = json.loads((top / "results" / "results.json").read_text(encoding="utf-8"))
    jsonschema.validate(table, GRADESCOPE)
    return status, table


@pytest.mark.usefixtures("sandbox")
def test_a_submission_is_found_graded_and_told_in_two_ways(
    planted: PlantedCourse, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Students get the category; instructors get the message on stdout. A file with a wrong name in a subfolder is
    found."""
    message = stated(f"slot 5 holds CANARY\n{REPLAY.replace('N=33', 'N=1100')}", call=replace(CALL, n=1100))
    planted.suite("one_hidden", failing("down", "correct", message))
    status, table = graded(planted, layout(tmp_path, **{"mine__one (1).cu": "void one(void) {}"}))
    assert status == 0
    assert sum(row.get("score", 0) for row in table["tests"]) == 60
    told = next(row for row in table["tests"] if row["name"] == "down: correct, with hidden tests")
    assert "fails where the length is no multiple of the tile" in told["output"]
    assert "CANARY" not in json.dumps(table)
    assert "one.cu is taken from 'mine/one (1).cu'" in table["output"]
    said = capsys.readouterr().out
    assert "slot 5 holds CANARY" in said
    assert "note: the assignment" not in said  # both give 100 points


@pytest.mark.usefixtures("sandbox")
@pytest.mark.parametrize(
    ("hidden_tests", "shown"), [("category", (True, False)), ("nothing", (False, False)), ("message", (True, True))]
)
def test_what_a_student_reads_of_a_hidden_test_is_what_the_zip_says(
    planted: PlantedCourse, tmp_path: Path, hidden_tests: str, shown: tuple[bool, bool]
) -> None:
    """A student sees the category, or nothing, or the message, which also says where the test fails."""
    message = stated(f"slot 5 holds CANARY\n{REPLAY.replace('N=33', 'N=1100')}", call=replace(CALL, n=1100))
    planted.suite("one_hidden", failing("down", "correct", message))
    top = layout(tmp_path, **{"one.cu": "void one(void) {}"})
    (top / "autograder.json").write_text(json.dumps(OPTIONS | {"hidden_tests": hidden_tests, "leaderboard": True}))
    status, table = graded(planted, top)
    text = json.dumps(table)
    assert status == 0
    assert ("fails where the length" in text or "CANARY" in text, "CANARY" in text) == shown
    assert isinstance(table["leaderboard"], list)


@pytest.mark.usefixtures("sandbox")
def test_an_empty_submission_is_a_zero_that_says_why(planted: PlantedCourse, tmp_path: Path) -> None:
    status, table = graded(planted, layout(tmp_path, **{"essay.txt": "words"}))
    assert (status, table["score"]) == (0, 0)
    assert "nothing in it can be graded" in table["output"]


@pytest.mark.usefixtures("sandbox")
def test_a_fault_is_no_score(planted: PlantedCourse, tmp_path: Path) -> None:
    planted.suite("one", status=2)
    status, table = graded(planted, layout(tmp_path, **{"one.cu": "void one(void) {}"}))
    assert status == 3
    assert not {"score", "tests"} & set(table)


@pytest.mark.usefixtures("sandbox")
def test_a_build_that_fails_is_no_score(planted: PlantedCourse, tmp_path: Path) -> None:
    planted.write("broken-suites", "")
    status, table = graded(planted, layout(tmp_path, **{"one.cu": "void one(void) {}"}))
    assert (status, set(table)) == (3, {"output", "output_format"})
    assert "not your fault" in table["output"]


def test_metadata_that_cannot_be_read_stops_nothing(
    planted: PlantedCourse, tmp_path: Path, sandbox: Sandbox, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sandbox.bwrap
    top = layout(tmp_path, **{"one.cu": "void one(void) {}"})
    (top / "submission_metadata.json").write_text('{"users": [')
    assert graded(planted, top)[0] == 0
    assert "note: submission_metadata.json cannot be read" in capsys.readouterr().out


def test_an_assignment_of_other_points_is_told(
    planted: PlantedCourse, tmp_path: Path, sandbox: Sandbox, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sandbox.bwrap
    top = layout(tmp_path, **{"one.cu": "void one(void) {}"})
    metadata = json.loads(METADATA.read_text(encoding="utf-8"))
    metadata["assignment"]["total_points"] = "20.0"
    (top / "submission_metadata.json").write_text(json.dumps(metadata))
    assert graded(planted, top)[0] == 0
    assert "note: the assignment is worth 20.0 points at Gradescope, and 100 here" in capsys.readouterr().out


def borrow(course: Path) -> Path:
    """Copies what all labs share from this tree's build/ for another tree. The flags of the build contain the tree's
    folder. When they differ, make would build everything again, and if both trees shared a build/, it would do so for
    each of them."""
    theirs, ours = course / "build", ROOT / "build"
    for name in ("bin", "generated", "pch", "simt", "suites", "support", "cpu/parts"):
        shutil.copytree(ours / name, theirs / name, ignore=shutil.ignore_patterns("simtcc"))
    for name in (".setup", "libsimt.a", "libsuite.a", "cpu/runner", "cpu/stock_cpu.o"):
        shutil.copy2(ours / name, theirs / name)
    (theirs / "venv").symlink_to(ours / "venv")
    flags = theirs / "flags"
    flags.write_text((ours / "flags").read_text(encoding="utf-8").replace(str(ROOT), str(course), 1), encoding="utf-8")
    os.utime(flags, (0, 0))
    return theirs


@pytest.mark.slow
@pytest.mark.usefixtures("sandbox")
def test_the_unpacked_zip_grades_a_real_submission(tmp_path: Path) -> None:
    """Unpacks the zip of the real course as Gradescope does and runs its own run_autograder. The build that setup.sh
    would make is borrowed from this tree."""
    top = layout(tmp_path, naive_scan__placeholder="")
    shutil.rmtree(top / "submission")
    shutil.copytree(HERE / "submissions" / "one_part_done", top / "submission")
    zip_path = tmp_path / "autograder.zip"
    command = [str(ROOT / "build/venv/bin/python3"), "-m", "grader", "autograder", str(zip_path), "--lab", "2"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    subprocess.run(["python3", "-m", "zipfile", "-e", str(zip_path), str(top / "source")], check=True)
    with zipfile.ZipFile(zip_path) as archive:
        for info in archive.infolist():  # with modes and dates, as unzip leaves them
            path = top / "source" / info.filename
            path.chmod(info.external_attr >> 16)
            os.utime(path, (0, 0))
    built = borrow(top / "source" / "course")
    shutil.copy2(top / "source" / "run_autograder", top)
    environment = {**os.environ, "AUTOGRADER": str(top)}
    done = subprocess.run([str(top / "run_autograder")], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    table = json.loads((top / "results" / "results.json").read_text(encoding="utf-8"))
    jsonschema.validate(table, GRADESCOPE)
    assert sum(row.get("score", 0) for row in table["tests"]) == 10
    runner = Path("cpu/runner")
    assert (built / runner).stat().st_mtime_ns == (ROOT / "build" / runner).stat().st_mtime_ns, "nothing is built anew"


@pytest.mark.parametrize("jobs", [1, 2, 3, 8])
@pytest.mark.parametrize("labs", [1, 2, 5, 8])
def test_all_suites_end_before_gradescope_ends_the_container(labs: int, jobs: int) -> None:
    """A lab's suites run one after the other, and those of `jobs` labs at once."""
    turns = -(-labs // jobs)
    assert 2 * turns * suite_seconds(labs, jobs) < GRADESCOPE_SECONDS - 60
    assert suite_seconds(labs, jobs) > 20  # the longest suite of the reference takes a tenth
