"""`make progress`: what it shows of results that other commands have left."""

import json
import os

import pytest

from grader.export.overview import look
from grader.model.layout import Course
from grader.tests.planted import ALL_PASS, PlantedCourse, failing

NOW = 1_000_000_000


def tally(planted: PlantedCourse, lab: str, *lines: str) -> None:
    """What the public suite leaves; the student's file was written before."""
    planted.write(f"build/progress/{lab}.tests", "".join(line.replace(" ", "\t") + "\n" for line in lines))
    os.utime(planted.root / "student" / f"{lab}.cu", (NOW, NOW))


def shown(planted: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert planted.run("progress") == 0
    return capsys.readouterr().out


def test_nothing_was_tested(planted: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(planted, capsys) == (
        "Lab 1  Lab one: 2 parts, none tested\n"
        "Lab 2  Lab two: 2 parts, none tested\n"
        "\n"
        "0 of 4 parts pass. Next: up of lab 1\n"
        "    make test LAB=1 PART=up\n"
        "As a page: build/progress/index.html\n"
    )


def test_the_last_tests_of_a_part_count_and_proofs_stay(
    planted: PlantedCourse, capsys: pytest.CaptureFixture[str]
) -> None:
    tally(
        planted,
        "two",
        *(f"{NOW + 5} up test 3 4 none", f"{NOW + 6} up test 7 0 none", f"{NOW + 7} up prove 2 0 holds"),
        *(f"{NOW + 8} down test 5 2 fails", "a line that is cut"),
    )
    said = shown(planted, capsys)
    assert "Lab 2  Lab two: 1 of 2 parts pass, 1 proved\n" in said
    assert "  up                       passed                         proved\n" in said
    assert "  down                     2 of 7 tests fail              not proved\n" in said
    assert "1 of 4 parts pass. Next: down of lab 2\n    make test LAB=2 PART=down\n" in said  # the lab that is begun
    page = (planted.root / "build/progress/index.html").read_text()
    assert "<h1>1 of 4 parts pass</h1>" in page
    assert "<td>2 of 7 tests fail</td>" in page


def test_a_file_that_was_changed_is_to_be_tested_again(
    planted: PlantedCourse, capsys: pytest.CaptureFixture[str]
) -> None:
    tally(planted, "one", f"{NOW + 5} up test 3 0 none", f"{NOW + 5} down test 3 0 none")
    os.utime(planted.root / "student/one.cu", (NOW + 60, NOW + 60))
    said = shown(planted, capsys)
    assert "  up                       passed, changed since\n" in said
    assert "Next: up of lab 1\n" in said


def test_a_lab_that_was_tested_is_begun(planted: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    """Its parts are listed, also those without a test, and it comes first, though no part of it passes."""
    tally(planted, "two", f"{NOW + 5} down test 0 3 none")
    said = shown(planted, capsys)
    assert (
        "Lab 1  Lab one: 2 parts, none tested\n"
        "Lab 2  Lab two: 0 of 2 parts pass\n"
        "  up                       not tested\n"
        "  down                     3 of 3 tests fail\n"
    ) in said
    assert "Next: up of lab 2\n" in said


def test_points_and_times(planted: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    planted.suite("one", failing("up", "clean", "a race"))
    planted.suite("two", ALL_PASS)
    planted.run("grade")
    measured = {"who": "student", "right": True, "milliseconds": 1.5}
    rows = [measured | {"part": "up", "n": n} for n in (1 << 20, 1 << 24)] + [measured | {"who": "CUB", "part": ""}]
    rows[1]["milliseconds"] = 2.25
    rows[2]["n"] = 5
    planted.write("build/bench/bench.json", json.dumps(rows))
    said = shown(planted, capsys)
    assert "  up                       points lost                                     45/60 2.250 ms\n" in said
    assert "  down                     passed                                          40/40\n" in said
    assert look(Course(planted.root)).passed == 3


def test_files_that_cannot_be_read_count_as_no_results(
    planted: PlantedCourse, capsys: pytest.CaptureFixture[str]
) -> None:
    planted.write("build/bench/bench.json", "{")
    planted.write("build/grade/student/results.json", "[]")
    planted.write("build/progress/one.tests", "x\ty\n\0\n")
    assert "0 of 4 parts pass" in shown(planted, capsys)


def test_all_passes(planted: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    for lab in ("one", "two"):
        tally(planted, lab, f"{NOW + 5} up test 3 0 none", f"{NOW + 5} down test 3 0 none")
    assert "4 of 4 parts pass. Next: all parts pass; the points are with hidden tests\n    make grade\n" in shown(
        planted, capsys
    )
