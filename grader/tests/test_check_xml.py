"""Reading the files that Check itself writes."""

import shutil
import subprocess
from pathlib import Path

import pytest

from grader.judge.check_xml import read_report
from grader.model.types import Outcome, Status, SuiteKind
from grader.tests.planted import Row, found, race, report

PROGRAM = r"""
#include <check.h>
START_TEST(scan_is_exclusive) { ck_assert_int_eq(1, 1); } END_TEST
START_TEST(race_is_reported) {
    ck_abort_msg("what a person at the terminal reads: <tile>[1] & \"x\" \x01\x1b[31m \xff \xe2\x8a\x95");
} END_TEST
START_TEST(never_returns) { ck_abort_msg("timed out: scan did not come back within 10 s"); } END_TEST
START_TEST(every_length) { ck_assert_int_eq(_i, 0); } END_TEST
int main(void)
{
    Suite *suite = suite_create("check_naive_scan");
    TCase *correct = tcase_create("scan correct"), *clean = tcase_create("scan clean");
    suite_add_tcase(suite, correct);
    suite_add_tcase(suite, clean);
    tcase_add_test(correct, scan_is_exclusive);
    tcase_add_test(correct, never_returns);
    tcase_add_loop_test(correct, every_length, 0, 2);
    tcase_add_test(clean, race_is_reported);
    SRunner *runner = srunner_create(suite);
    srunner_set_xml(runner, "out.xml");
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_SILENT);
    return 0;
}
"""


@pytest.fixture(scope="module")
def real_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("gcc") is None or shutil.which("pkg-config") is None:
        pytest.skip("gcc and pkg-config are needed to make a Check program")
    folder = tmp_path_factory.mktemp("check")
    (folder / "suite.c").write_text(PROGRAM)
    asked = subprocess.run(["pkg-config", "--cflags", "--libs", "check"], capture_output=True, text=True, check=False)
    if asked.returncode != 0:
        pytest.skip("the library check is not installed")
    subprocess.run(["gcc", "suite.c", "-o", "suite", *asked.stdout.split()], cwd=folder, check=True)
    subprocess.run(["./suite"], cwd=folder, check=True)
    return folder / "out.xml"


def read(path: Path, *failed: Row) -> tuple[Outcome, ...]:
    """Reads the report, with records of these failed tests."""
    failures = path.with_suffix(".failures")
    failures.write_text("".join(row.record for row in failed))
    return read_report(path, failures, SuiteKind.HIDDEN)


HANGS = Row("scan", "correct", "never_returns", "it does not come back", kind="timed out")
LOOPS = Row("scan", "correct", "every_length", "slot 1 holds 2, expected 3")
RACES = Row("scan", "clean", "race_is_reported", found(race(31, 29)))


def test_a_report_of_check(real_report: Path) -> None:
    rows = [(o.id, o.part, o.aspect, o.status) for o in read(real_report, HANGS, LOOPS, RACES)]
    assert rows == [
        ("scan_is_exclusive", "scan", "correct", Status.PASSED),
        ("never_returns", "scan", "correct", Status.TIMED_OUT),
        ("every_length[0]", "scan", "correct", Status.PASSED),
        ("every_length[1]", "scan", "correct", Status.FAILED),
        ("race_is_reported", "scan", "clean", Status.FAILED),
    ]


def test_a_failure_is_what_the_record_says(real_report: Path) -> None:
    last = read(real_report, HANGS, LOOPS, RACES)[-1]
    assert last.suite is SuiteKind.HIDDEN
    assert last.failure == RACES.message
    assert last.message.startswith("one.cu:31  up: race on shared buffer[17]\n    thread 18 reads it at line 29, ")


def test_seconds_are_those_that_check_measured(real_report: Path, tmp_path: Path) -> None:
    first = read(real_report, HANGS, LOOPS, RACES)[0]
    assert first.seconds is not None
    assert 0 <= first.seconds < 1
    unmeasured = tmp_path / "out.xml"  # Check writes this for a failed test that ran in its own process
    row = Row("up", "clean", message="x")
    unmeasured.write_text(report([row]))
    assert read(unmeasured, row)[0].seconds is None


def test_characters_that_xml_has_no_way_to_hold(tmp_path: Path) -> None:
    path = tmp_path / "out.xml"
    path.write_bytes(
        b'<testsuites xmlns="http://check.sourceforge.net/ns"><suite><test result="error"><id>t</id>'
        b"<iteration>0</iteration><duration>-1</duration><description>up clean</description>"
        b"<message>a\x01b&#x1;c&#27;d\xffe&#x1F600;</message></test></suite></testsuites>"
    )
    (outcome,) = read(path)
    assert outcome.message == "a?b?c?d\N{REPLACEMENT CHARACTER}e\N{GRINNING FACE}"
