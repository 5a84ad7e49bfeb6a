"""When a suite misbehaves, that is a fault of the grader and never 0 points for a student."""

import json
import signal
import subprocess
import time
from typing import Any

import pytest

from grader.export.category import category
from grader.judge.records import Records
from grader.model.types import Results, Status, SuiteKind
from grader.model.words import tally
from grader.tests.planted import ALL_PASS, PlantedCourse, Row, failing, found, meter, proof, race, stream
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


FIRST = json.loads(ALL_PASS[0].plan) | {"record": "passed", "seconds": 1.0}
FAILS = stream(failing("up", "clean", "x"))
END = '{"record": "end"'
BROKEN = "".join(row.records for row in ALL_PASS[:2])[:-80]
PLAN = "".join(row.plan for row in ALL_PASS)


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ("", "its records end after 0 of 0 tests"),
        (stream(ALL_PASS).partition(END)[0], "its records end after 4 of 4 tests"),
        (PLAN, "its records end after 0 of 4 tests"),
        (
            PLAN + "".join(row.records for row in ALL_PASS[:2])[:-80],
            "its records end after 1 of 4 tests, in the test up clean it_works",
        ),
        (stream(ALL_PASS) * 2, "it comes after the end"),
        ("[]\n", "a record is cut off or malformed"),
        ('{"record": "maybe"}\n', "no kind of record: 'maybe'"),
        (stream([Row("up", "pretty")]), "no aspect: 'pretty'"),
        (stream([*ALL_PASS, ALL_PASS[0]]), "it is planned twice, or too late"),
        (ALL_PASS[0].plan + ALL_PASS[0].records + ALL_PASS[1].plan, "it is planned twice, or too late"),
        (ALL_PASS[0].plan + ALL_PASS[0].records * 2, "it has ended before"),
        (ALL_PASS[0].plan + ALL_PASS[1].records, "KeyError"),
        (ALL_PASS[0].plan + json.dumps(FIRST) + "\n", "it is not the test that is running"),
        (ALL_PASS[0].plan + stream(ALL_PASS[1:]), "1 of 4 tests have no outcome, such as up correct it_works"),
        (stream(ALL_PASS).replace('"passed": 4', '"passed": 5'), "its numbers are not those of the tests"),
        (stream(ALL_PASS).replace("0.25", '"soon"'), "'soon' is no float"),
        (stream(ALL_PASS, meter("up", "combines", -(1 << 63), 1, size="1", formula="n")), "is no int"),
        (stream(ALL_PASS, proof("up", "x", "").replace('"x"', "3")), "TypeError"),
        (FAILS.replace('"mismatch"', '"bad luck"'), "no kind of failure: 'bad luck'"),
        (FAILS.replace('"said"', '"sad"'), "unexpected keyword argument 'sad'"),
    ],
)
def test_records_that_cannot_be_trusted(planted: PlantedCourse, records: str, said: str) -> None:
    planted.suite("one", records=records, status=int('"record": "failed"' in records))
    assert said in fault_of(planted)


def test_old_records_do_not_stand_in_for_new_ones(planted: PlantedCourse) -> None:
    assert planted.grade("--lab", "1")[0] == 0
    planted.suite("one", records="")
    assert "its records end after 0 of 0 tests" in fault_of(planted)


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ({"status": 1}, "reported no failure, but its exit status is 1"),
        ({"rows": failing("up", "clean", "x"), "status": 0}, "reported a failure, but its exit status is 0"),
        ({"rows": failing("up", "clean", "x"), "status": 7}, "could not run (exit status 7)"),
    ],
)
def test_status_and_records_must_agree(planted: PlantedCourse, plan: dict[str, Any], said: str) -> None:
    planted.suite("one", **plan)
    assert said in fault_of(planted)


def test_the_records_of_a_failed_test() -> None:
    records, seen = (
        Records(SuiteKind.HIDDEN, lambda now: counts.append((now.total, now.done, now.failed))),
        found(race()),
    )
    counts: list[tuple[int, int, int]] = []
    for line in stream(failing("up", "clean", seen)).splitlines():
        records.take(line)
    assert records.fault == ""
    assert counts == [(4, 1, 0), (4, 2, 1), (4, 3, 1), (4, 4, 1)]
    outcome = records.outcomes[1]
    assert (outcome.suite, outcome.status, outcome.seconds) == (SuiteKind.HIDDEN, Status.FAILED, 0.25)
    assert outcome.failure == seen
    assert outcome.message.startswith("one.cu:5  up: race on shared buffer[17]\n    thread 18 reads it at line 5, ")


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
    assert int(told["--records"]) > 2
    assert told["--enough"] == "3"
    assert "--lost" not in told


def test_what_the_public_suite_decided_the_hidden_one_is_told(planted: PlantedCourse) -> None:
    """Tests of that aspect are not run. They do not count as failures, and the points are those of the failure
    alone."""
    left_out = "the points that it could decide are lost"
    planted.suite("one", failing("up", "correct", "slot 3 holds 1, expected 2"))
    planted.suite("one_hidden", failing("up", "correct", left_out, "not run"))
    _status, results = planted.grade("--lab", "1")
    assert planted.argv_of("one_hidden")["--lost"] == "up:correct"
    lab = results.labs[0]
    assert lab.score == 40
    tests = lab.parts[0].aspects[0].tests
    assert [(test.suite, test.failed) for test in tests if test.status is not Status.PASSED] == [
        (SuiteKind.PUBLIC, True),
        (SuiteKind.HIDDEN, False),
    ]
    assert tests[-1].message == f"not run: {left_out}"
    assert tally(tests) == f"1 of {len(tests)} tests failed, 1 was not run"
    assert category(tests[-1]) == "not run"


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
