"""Building a submission: who is to blame for a failure, and how it is reported."""

import resource
import shutil
import subprocess
from pathlib import Path

import pytest

from grader.judge.build import EMPTY_FACTOR, ERROR_LENGTH, Bounds, compile_errors, cpu_seconds
from grader.model.types import Status
from grader.tests.planted import PlantedCourse
from grader.tests.real import COURSE
from grader.walls.sandbox import Sandbox

GXX = """\
In file included from build/grade/ada/src/naive_scan.cu:3:
build/grade/ada/src/naive_scan.cu: In function 'void scan(int)':
build/grade/ada/src/naive_scan.cu:31:5: error: expected ';' before '}' token
   31 |     }
      |     ^
build/grade/ada/src/naive_scan.cu:31:5: error: expected ';' before '}' token
labs/support/lab.h:7: error: something else
build/grade/ada/src/naive_scan.cu:40: error: third
build/grade/ada/src/naive_scan.cu:41: error: fourth
make: *** [labs/module.mk:80: build/cpu/grade-ada/naive_scan.sum.so] Error 1
"""


def test_the_first_errors_name_the_file_as_its_author_does() -> None:
    assert compile_errors(GXX, "naive_scan.cu").splitlines() == [
        "naive_scan.cu:31:5: error: expected ';' before '}' token",
        "labs/support/lab.h:7: error: something else",
        "naive_scan.cu:40: error: third",
        "... and 1 more errors",
    ]


@pytest.mark.parametrize(
    ("output", "line"),
    [
        ('build/grade/a/src/x.cu(12): error: identifier "foo" is undefined\n', 'x.cu:12: error: identifier "foo"'),
        ("build/grade/a/src/x.cu:1:10: fatal error: y.h: No such file\n", "x.cu:1:10: fatal error: y.h"),
        ("/usr/bin/ld: /tmp/x.o: multiple definition of `main'\n", "/usr/bin/ld: /tmp/x.o: multiple definition"),
        ("g++: fatal error: Killed signal terminated program cc1plus\n", "g++: fatal error: Killed"),
        ("ptxas error   : Entry function uses too much shared data\n", "ptxas error   : Entry function"),
        ("make: *** No rule to make target 'x.cu'.  Stop.\n", ""),
        ("sh: 1: g++: not found\n", ""),
        ("x.cu:3:1: warning: unused\n", ""),
        ("", ""),
    ],
)
def test_what_is_an_error_of_the_source(output: str, line: str) -> None:
    errors = compile_errors(output, "x.cu")
    assert errors.startswith(line)
    assert bool(errors) == bool(line)


def test_an_error_is_the_same_whatever_the_grading_is_called() -> None:
    folder = "build/grade/class-whole-ada-1b20/src/"
    output = f"{folder}x.cu:5:10: error: {folder}x.cu: No such file or directory\n"
    assert compile_errors(output, "x.cu", folder) == "x.cu:5:10: error: x.cu: No such file or directory"


def test_how_much_memory_a_compiler_had_is_no_part_of_its_error() -> None:
    output = "cc1plus: out of memory allocating 6931413264 bytes after a total of 12820480 bytes\n"
    assert compile_errors(output, "x.cu") == "cc1plus: out of memory"


def test_an_error_of_any_length_is_cut() -> None:
    assert len(compile_errors(f"x.cu:1:2: error: #error {'x' * 100_000}\n", "x.cu")) == ERROR_LENGTH


def test_a_lab_that_does_not_compile(planted: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    planted.write("student/one.cu", "void one(void)\n{\n    SYNTAX\n}\n")
    status, results = planted.grade()
    assert status == 1
    lab = results.labs[0]
    assert (lab.status, lab.score, lab.max_score, lab.suites) == (Status.DOES_NOT_COMPILE, 0, 100, ())
    assert lab.message == "one.cu:3:5: error: expected ';' before '}' token"
    assert [part.status for part in lab.parts] == [Status.DOES_NOT_COMPILE] * 2
    assert results.labs[1].score == 100
    assert "  does not compile\n      one.cu:3:5: error: expected ';'" in capsys.readouterr().out


def test_a_compiler_that_compiles_nothing_is_a_fault(planted: PlantedCourse) -> None:
    planted.write("simt/include/no-compiler", "")
    status, results = planted.grade("--lab", "1")
    assert (status, results.score) == (3, None)
    assert "nothing compiles here, an empty one.cu neither" in results.labs[0].message
    assert "g++: No such file or directory" in results.labs[0].message


def test_a_compiler_that_fails_on_a_submission_is_the_submission_s(planted: PlantedCourse) -> None:
    planted.write("student/one.cu", "STRANGE\n")
    status, results = planted.grade("--lab", "1")
    assert (status, results.score) == (1, 0)
    assert results.labs[0].status is Status.DOES_NOT_COMPILE
    assert results.labs[0].message.startswith("one.cu: the compiler failed without naming a line:\n    make: stopped")
    assert not list(planted.root.glob("build/cpu/*empty*"))


@pytest.mark.parametrize(
    ("trouble", "why"),
    [
        ("LARGE", "its compiled code takes more than 64 MiB: make its arrays smaller"),
        ("HUNGRY", "it takes more than 2048 MiB of memory to compile: make it simpler"),
    ],
)
def test_a_limit_of_a_compiler_is_named(planted: PlantedCourse, trouble: str, why: str) -> None:
    planted.write("ada/one.cu", f"{trouble}\n")
    status, results = planted.grade("--lab", "1", "--no-sandbox", of=str(planted.root / "ada"))
    assert (status, results.labs[0].status) == (1, Status.DOES_NOT_COMPILE)
    assert results.labs[0].message == f"one.cu: {why}"


@pytest.mark.parametrize("trouble", ["SPIN", "HANG"])
def test_a_limit_of_time_that_is_met_once_costs_nothing(
    planted: PlantedCourse, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    monkeypatch.setattr("grader.judge.build.HAND_IN", {"cpu": Bounds(2, 10)})
    planted.write("ada/one.cu", f"{trouble}\n")
    status, results = planted.grade("--lab", "1", "--no-sandbox", of=str(planted.root / "ada"))
    assert (status, results.score) == (0, 100)


@pytest.mark.parametrize(
    ("trouble", "why"),
    [
        ("SPIN", "it takes more than 10 s of CPU time to compile: make it simpler"),
        ("HANG", "the compiler did not finish within"),
    ],
)
def test_a_limit_of_time_that_is_met_alone_refuses_the_hand_in(
    planted: PlantedCourse, monkeypatch: pytest.MonkeyPatch, trouble: str, why: str
) -> None:
    """An empty file, which is compiled in between, takes a small part of the time."""
    monkeypatch.setattr("grader.judge.build.HAND_IN", {"cpu": Bounds(2, 10)})
    planted.write("ada/one.cu", f"{trouble} ALWAYS\n")
    status, results = planted.grade("--lab", "1", "--no-sandbox", of=str(planted.root / "ada"))
    assert (status, results.labs[0].status) == (1, Status.DOES_NOT_COMPILE)
    assert results.labs[0].message.startswith(f"one.cu: {why}")


def test_a_second_try_has_twenty_times_what_the_reference_takes(tmp_path: Path) -> None:
    """This is checked for the labs that need the most and the least time in a single compiler process."""
    log, compiler, empty = tmp_path / "log", tmp_path / "compiler", tmp_path / "empty"
    compiler.write_text(f'#!/bin/sh\ng++ "$@"; status=$?; times >>{log}; exit $status\n')
    compiler.chmod(0o755)
    empty.mkdir()
    (empty / "applications.cu").write_text("")

    def build(source: str) -> float:
        """CPU seconds of all processes."""
        log.write_text("")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            made = ["make", "build-lab", "LAB=8", "WHO=grade-cost", f"SRC={source}", "FLAGS=", f"CXX={compiler}"]
            subprocess.run(made, cwd=COURSE.root, check=True, capture_output=True)
        finally:
            shutil.rmtree(COURSE.built("cpu", "grade-cost"), ignore_errors=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    of_an_empty_file = build(str(empty))
    build("reference")
    longest = max(cpu_seconds(line) for line in log.read_text().splitlines()[1::2])
    assert longest > 0
    assert EMPTY_FACTOR * of_an_empty_file > 20 * longest


def test_a_full_disk_is_a_fault(planted: PlantedCourse, monkeypatch: pytest.MonkeyPatch) -> None:
    planted.write("student/one.cu", "SYNTAX\n")
    monkeypatch.setattr("grader.walls.room.ROOM_BYTES", 1 << 62)
    status, results = planted.grade("--lab", "1")
    assert (status, results.labs[0].status) == (3, Status.GRADER_FAULT)
    assert results.labs[0].message.endswith("is full: free some space and grade again")


def test_a_disk_is_not_full_because_a_source_says_so(planted: PlantedCourse) -> None:
    planted.write("student/one.cu", "DISKFULL\n")
    status, results = planted.grade("--lab", "1")
    assert (status, results.labs[0].status) == (1, Status.DOES_NOT_COMPILE)


@pytest.mark.parametrize(
    "secret",
    [
        *("reference/one.cu", "student/one.cu", ".git/config", "build/cpu/reference/one.sum.so", "/etc/passwd"),
        *("build/cpu/grade-bob/one.cpp", "build/grade/bob/src/one.cu", "labs/support/tests/check_call.c"),
        *("labs/1-one/check_one.c", "simt/tests/findings/races/race.cu", "grader/judge/grade.py"),
    ],
)
def test_the_compiler_cannot_read_what_the_author_must_not_see(
    planted: PlantedCourse, sandbox: Sandbox, secret: str
) -> None:
    assert sandbox is not None
    if not secret.startswith("/") and not (planted.root / secret).exists():
        planted.write(secret, "secret")
    hand_in = planted.root.parent / "ada"
    hand_in.mkdir()
    (hand_in / "one.cu").write_text(f"// INCLUDE {secret}\n")

    _status, results = planted.grade("--lab", "1", of=str(hand_in))
    assert results.labs[0].status is Status.DOES_NOT_COMPILE
    assert results.labs[0].message == "one.cu:1: fatal error: cannot open"

    _status, results = planted.grade("--lab", "1", "--no-sandbox", of=str(hand_in))
    assert results.labs[0].score == 100  # so the walls made the difference


def test_a_hidden_suite_is_empty_to_the_compiler(planted: PlantedCourse, sandbox: Sandbox) -> None:
    assert sandbox is not None
    planted.write("student/one.cu", "INCLUDE build/bin/check_one_hidden\n")
    stolen = planted.root / "build/cpu/grade-student/stolen"
    planted.grade("--lab", "1")
    assert stolen.read_text() == ""
    planted.grade("--lab", "1", "--no-sandbox")
    assert stolen.read_text() != ""


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc")
def test_a_gpu_s_hand_in_is_linked_with_the_stock_functions_behind_the_walls(sandbox: Sandbox) -> None:
    who = "grade-test-stock"
    source, built = COURSE.workplace("test-stock") / "src", COURSE.built("cuda", who)
    parts = ["build/cuda/parts/stock.o", "build/cuda/parts/compaction.sum.o"]
    subprocess.run(["make", "DEVICE=cuda", *parts], cwd=COURSE.root, check=True, capture_output=True)
    try:
        for folder in (source, built):
            folder.mkdir(parents=True, exist_ok=True)
        (source / "compaction.cu").write_text('#include "compaction.h"\n')
        goal = [f"build/cuda/{who}/compaction.sum.so", f"WHO={who}", f"SRC={COURSE.relative(source)}"]
        prefix = sandbox.build_prefix(COURSE, "cuda", who, source, 600)
        command = [*prefix, "make", "DEVICE=cuda", "LAB=4", "FLAGS=", *goal]
        made = subprocess.run(command, cwd=COURSE.root, capture_output=True, text=True, check=False)
        assert made.returncode == 0, made.stderr
    finally:
        shutil.rmtree(source.parent, ignore_errors=True)
        shutil.rmtree(built, ignore_errors=True)
