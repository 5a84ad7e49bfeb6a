"""When a suite misbehaves, that is a fault of the grader and never 0 points for a student."""

import signal
import subprocess
import time
from pathlib import Path

import pytest

from grader.export.category import category
from grader.model.types import NOT_RUN, Results, Status, SuiteKind
from grader.model.words import tally
from grader.tests.planted import ALL_PASS, PlantedCourse, Row, failing, report
from grader.walls.sandbox import Sandbox


def fault_of(planted: PlantedCourse, *options: str) -> str:
    """Grades lab 1, asserts that the result is a fault of the grader, and returns its message."""
    status, results = planted.grade("--lab", "1", *options)
    assert status == 3
    assert_unjudged(results)
    return results.labs[0].message


def assert_unjudged(results: Results) -> None:
    lab = results.labs[0]
    assert lab.status is Status.GRADER_FAULT
    assert (lab.score, results.score, lab.max_score) == (None, None, 100)
    assert {aspect.earned for part in lab.parts for aspect in part.aspects} == {None}


def test_a_fault_in_one_lab_leaves_the_other_its_score(planted: PlantedCourse) -> None:
    planted.suite("one", status=2, print="check_one: cannot open runner")
    status, results = planted.grade()
    assert status == 3
    assert (results.labs[0].score, results.labs[1].score, results.score) == (None, 100, None)
    assert "build/bin/check_one could not run (exit status 2)" in results.labs[0].message
    assert "cannot open runner" in results.labs[0].message


@pytest.mark.parametrize("suite", ["one", "one_hidden"])
def test_a_suite_that_is_killed(planted: PlantedCourse, suite: str) -> None:
    planted.suite(suite, signal=int(signal.SIGSEGV))
    assert f"build/bin/check_{suite} was killed by signal 11" in fault_of(planted)


def test_a_suite_that_is_not_there(planted: PlantedCourse) -> None:
    (planted.root / "build/bin/check_one").unlink()
    assert "build/bin/check_one cannot be run: No such file or directory" in fault_of(planted)


def test_a_hidden_suite_that_was_not_built(planted: PlantedCourse) -> None:
    (planted.root / "build/bin/check_one_hidden").unlink()
    assert "build/bin/check_one_hidden cannot be run" in fault_of(planted)


def test_a_suite_that_does_not_end(planted: PlantedCourse) -> None:
    planted.suite("one", sleep=60)
    began = time.monotonic()
    assert "did not end within 1 s" in fault_of(planted, "--timeout", "1")
    assert time.monotonic() - began < 20


def test_what_a_suite_started_is_ended_with_it(planted: PlantedCourse) -> None:
    planted.suite("one", sleep=60, child=True)
    fault_of(planted, "--timeout", "1")
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert "sleep 61.7" not in listed.splitlines()


@pytest.mark.parametrize(
    ("xml", "said"),
    [
        (None, "it wrote no report"),
        ("", "cut off or malformed"),
        (report(ALL_PASS)[:400], "cut off or malformed"),
        ("<testsuites/>", "not one of Check's"),
        (report([Row("up correct", "")]), None),
        (report([Row("up", "pretty")]), "its TCase is named 'up pretty'"),
        (report([Row("up", "correct", result="maybe")]), "its result is 'maybe'"),
        (report(ALL_PASS).replace("0.250000", "soon"), "its duration is not a number"),
        (report(ALL_PASS).replace("<id>it_works</id>", "", 1), "a test has no <id>"),
    ],
)
def test_a_report_that_cannot_be_trusted(planted: PlantedCourse, xml: str | None, said: str | None) -> None:
    planted.suite("one", xml=xml)
    if said is None:  # the name of the TCase still has two words; only its white space is unusual
        assert "announced 4 tests and reported 1" in fault_of(planted)
    else:
        assert said in fault_of(planted)


def test_an_old_report_does_not_stand_in_for_a_new_one(planted: PlantedCourse) -> None:
    assert planted.grade("--lab", "1")[0] == 0
    planted.suite("one", xml=None)
    assert "it wrote no report" in fault_of(planted)


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ({"total": 9}, "announced 9 tests and reported 4"),
        ({"status": 1}, "reported no failure, but its exit status is 1"),
        ({"rows": failing("up", "clean", "x"), "status": 0}, "reported a failure, but its exit status is 0"),
        ({"rows": failing("up", "clean", "x"), "status": 7}, "could not run (exit status 7)"),
    ],
)
def test_status_and_report_must_agree(planted: PlantedCourse, plan: dict[str, object], said: str) -> None:
    rows = plan.pop("rows", ALL_PASS)
    assert isinstance(rows, list | tuple)
    planted.suite("one", rows, **plan)
    assert said in fault_of(planted)


@pytest.mark.parametrize(
    ("failures", "said"),
    [
        ("", "test it_works failed, and its record is missing"),
        (Row("up", "correct", message="x").record, "test it_works failed, and its record is of another test"),
        (Row("up", "clean", message="x").record * 2, "records of failures that its report does not have"),
        (Row("up", "clean", message="x").record[:-9], "a record of a failure is cut off or malformed"),
        (Row("up", "clean", message="x", kind="bad luck").record, "no kind of failure: 'bad luck'"),
    ],
)
def test_report_and_records_must_agree(planted: PlantedCourse, failures: str, said: str) -> None:
    planted.suite("one", failing("up", "clean", "x"), failures=failures)
    assert said in fault_of(planted)


def test_a_test_that_broke_off_inside_the_suite(planted: PlantedCourse) -> None:
    rows = [*ALL_PASS[1:], Row("up", "correct", "crashes", "Received signal 11", result="error")]
    planted.suite("one", rows)
    assert "public test crashes: Received signal 11" in fault_of(planted)


@pytest.mark.parametrize(
    "message",
    [
        "the harness itself failed: out of descriptors",
        "cannot start a runner: Cannot allocate memory",
        "the harness itself failed: the runner did not start (exit status 1): bwrap: No permissions\nreplay: make run",
    ],
)
def test_trouble_of_the_harness_is_no_failure_of_the_submission(planted: PlantedCourse, message: str) -> None:
    planted.suite("one", failing("up", "correct", message, "harness fault"))
    assert message.splitlines()[-1] in fault_of(planted)


def test_what_a_submission_prints_is_no_trouble_of_the_harness(planted: PlantedCourse) -> None:
    printed = "crashed: the submission ended the process (exit status 1)\nit printed:\n    bwrap: x\nreplay: make run"
    planted.suite("one", failing("up", "correct", printed, "crashed"))
    _status, results = planted.grade("--lab", "1")
    assert results.labs[0].parts[0].aspects[0].status is Status.CRASHED


def test_a_part_that_the_lab_does_not_list(planted: PlantedCourse) -> None:
    planted.suite("one", [*ALL_PASS, Row("sideways", "correct")])
    assert "the suite tests part 'sideways', which 1-one/lab.toml does not list" in fault_of(planted)


def test_points_without_a_test(planted: PlantedCourse) -> None:
    planted.suite("one", ALL_PASS[1:])
    planted.suite("one_hidden", ALL_PASS[1:])
    assert "no test of the suites that ran is for up correct, which is worth 30 points" in fault_of(planted)


def test_trusted_code_that_does_not_build_is_a_fault(
    planted: PlantedCourse, capsys: pytest.CaptureFixture[str]
) -> None:
    planted.write("broken-suites", "")
    assert planted.run("grade") == 3
    said = capsys.readouterr().err
    assert "make suites failed, so nothing can be graded" in said
    assert "suite.c:7: error: planted" in said
    assert not (planted.root / "build/grade/student/results.json").exists()


def test_what_a_suite_is_told(planted: PlantedCourse, sandbox: Sandbox) -> None:
    planted.grade("--lab", "1", "--seed", "77")
    told = planted.argv_of("one_hidden")
    assert told["--submission"] == "build/cpu/grade-student"
    assert told["--runner"] == "build/cpu/runner"
    assert told["--seed"] == "77"
    assert told["--device"] == "cpu"
    assert told["--lab-file"] == "student/one.cu"
    before, bwrap, _after = told["--sandbox"].partition(sandbox.bwrap)
    assert bwrap
    assert ("enter_cgroup" in before) == (sandbox.cgroups is not None)
    assert told["--sandbox"].endswith(" --")
    assert Path(told["--xml"]).name == "one.hidden.xml"
    assert told["--enough"] == "3"
    assert "--lost" not in told


def test_what_the_public_suite_decided_the_hidden_one_is_told(planted: PlantedCourse) -> None:
    """Tests of that aspect are not run. They do not count as failures, and the points are those of the failure
    alone."""
    left_out = "not run: the points that it could decide are lost"
    planted.suite("one", failing("up", "correct", "slot 3 holds 1, expected 2"))
    planted.suite("one_hidden", failing("up", "correct", left_out, NOT_RUN))
    _status, results = planted.grade("--lab", "1")
    assert planted.argv_of("one_hidden")["--lost"] == "up:correct"
    lab = results.labs[0]
    assert lab.score == 40
    tests = lab.parts[0].aspects[0].tests
    assert [(test.suite, test.failed) for test in tests if test.status is not Status.PASSED] == [
        (SuiteKind.PUBLIC, True),
        (SuiteKind.HIDDEN, False),
    ]
    assert tally(tests) == f"1 of {len(tests)} tests failed, 1 was not run"
    assert category(tests[-1]) == NOT_RUN


def test_make_around_the_grader_does_not_reach_the_make_below(
    planted: PlantedCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAKEFLAGS", "-n -- LAB=2")
    monkeypatch.setenv("LAB", "2")
    assert planted.grade("--lab", "1")[0] == 0


def test_output_is_kept_within_bounds(planted: PlantedCourse) -> None:
    planted.suite("one", print="flood " * 500_000)
    assert planted.grade("--lab", "1")[0] == 0
    log = planted.root / "build/grade/student/log/one.public.log"
    assert log.stat().st_size < 300_000
    assert "bytes cut" in log.read_text()
