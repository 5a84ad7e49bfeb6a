"""The real course, with the real compiler, suites and sandbox, on labs 1 and 2.

Most hand-ins here do one bad thing in scan_quadratic, the first part of lab 2, and are right in the last two parts,
which are worth 20 points. So a score of 20 shows that everything after the bad thing was still judged.
"""

import shutil
from pathlib import Path

import pytest

from grader.model.types import Status
from grader.release.stubs import generate_stubs
from grader.tests.real import COURSE, Graded, grade
from grader.walls.sandbox import Sandbox

pytestmark = pytest.mark.slow

SUBMISSIONS = Path(__file__).parent / "submissions"
RIGHT_PARTS = ("inclusive_to_exclusive", "exclusive_to_inclusive")


def grade_planted(capsys: pytest.CaptureFixture[str], sandbox: Sandbox, name: str, *options: str) -> Graded:
    assert sandbox is not None
    graded = grade(capsys, str(SUBMISSIONS / name), f"test-{name}", "--lab", "2", "--seed", "7", *options)
    assert graded.results.sandbox.used
    return graded


def line_of(name: str, mark: str = "/* fault") -> str:
    """File and line of the planted fault, such as `naive_scan.cu:12`."""
    lines = (SUBMISSIONS / name / "naive_scan.cu").read_text().splitlines()
    return f"naive_scan.cu:{next(number for number, line in enumerate(lines, start=1) if mark in line)}"


def assert_the_rest_was_judged(graded: Graded) -> None:
    assert [graded.part(name).status for name in RIGHT_PARTS] == [Status.PASSED, Status.PASSED]
    assert [graded.part(name).score for name in RIGHT_PARTS] == [10, 10]
    assert graded.part("scan_in_place").status is Status.MISSING
    assert graded.messages("scan_in_place")[0].startswith("missing: naive_scan.cu does not define scan_in_place")


@pytest.mark.parametrize("lab", ["1", "2"])
def test_the_reference_scores_everything(capsys: pytest.CaptureFixture[str], lab: str) -> None:
    graded = grade(capsys, "reference", "test-reference", "--lab", lab)
    assert graded.lab.status is Status.PASSED, graded.output
    assert (graded.status, graded.results.score, graded.results.max_score) == (0, 100, 100)
    assert graded.lab.suites[0] == "public"
    assert all(aspect.tests for part in graded.lab.parts for aspect in part.aspects)


def test_untouched_stubs_score_nothing(capsys: pytest.CaptureFixture[str], sandbox: Sandbox, tmp_path: Path) -> None:
    assert sandbox is not None
    for name, stub in generate_stubs(COURSE).items():
        (tmp_path / name).write_text(stub)
    graded = grade(capsys, str(tmp_path), "test-stubs", "--lab", "1,2", "--public-only")
    assert [(lab.status, lab.score) for lab in graded.results.labs] == [(Status.FAILED, 0), (Status.FAILED, 0)]
    parts = [part for lab in graded.results.labs for part in lab.parts]
    assert {part.aspects[0].status for part in parts} == {Status.FAILED}


def test_one_part_done_scores_that_part(capsys: pytest.CaptureFixture[str], sandbox: Sandbox) -> None:
    graded = grade_planted(capsys, sandbox, "one_part_done")
    assert graded.status == 1
    assert graded.lab.score == 10
    assert graded.part("inclusive_to_exclusive").score == graded.part("inclusive_to_exclusive").max_score == 10


def test_a_syntax_error(capsys: pytest.CaptureFixture[str], sandbox: Sandbox) -> None:
    graded = grade_planted(capsys, sandbox, "does_not_compile")
    assert (graded.status, graded.lab.status, graded.lab.score) == (1, Status.DOES_NOT_COMPILE, 0)
    assert graded.lab.message.startswith(f"{line_of('does_not_compile')}: error: expected")
    assert graded.lab.suites == ()


def test_an_empty_file(capsys: pytest.CaptureFixture[str], sandbox: Sandbox) -> None:
    graded = grade_planted(capsys, sandbox, "empty")
    assert (graded.status, graded.lab.status, graded.lab.score) == (1, Status.FAILED, 0)
    assert {part.status for part in graded.lab.parts} == {Status.MISSING}
    assert graded.messages("scan_global")[0].startswith("missing: naive_scan.cu does not define scan_global")


def test_other_parameters_than_the_contract_s(capsys: pytest.CaptureFixture[str], sandbox: Sandbox) -> None:
    graded = grade_planted(capsys, sandbox, "other_parameters", "--public-only")
    line = line_of("other_parameters").rpartition(":")[2]
    assert graded.part("scan_quadratic").status is Status.MISSING
    assert graded.messages("scan_quadratic")[0].splitlines()[:4] == [
        "missing: naive_scan.cu does not define scan_quadratic(const elem_t *, elem_t *, size_t)",
        "    in: scan_quadratic on interval, 1 element",
        f"    line {line} defines scan_quadratic(const elem_t *in, elem_t *out, int n), which is another function",
        "    try: the contract's parameters, in that order and of those types, outside of any namespace",
    ]
    assert_the_rest_was_judged(graded)


def test_a_write_past_the_end(capsys: pytest.CaptureFixture[str], sandbox: Sandbox) -> None:
    graded = grade_planted(capsys, sandbox, "out_of_bounds")
    assert (graded.status, graded.lab.score) == (1, 20)
    assert graded.part("scan_quadratic").status is Status.FAILED
    assert f"{line_of('out_of_bounds')}  scan_quadratic_kernel:" in graded.messages("scan_quadratic")[0]
    assert graded.messages("scan_quadratic")[0].splitlines()[-1].startswith("replay: make run LAB=2 PART=scan_quad")
    tests = [test for aspect in graded.part("scan_quadratic").aspects for test in aspect.tests if test.failure]
    [first, *_] = [finding for test in tests if test.failure for finding in test.failure.findings]
    assert first.kind == "out of bounds"
    assert first.title == f"write out of bounds: {first.variable}"
    assert_the_rest_was_judged(graded)


@pytest.mark.parametrize("name", ["kernel_never_ends", "host_never_returns"])
def test_code_that_never_ends(capsys: pytest.CaptureFixture[str], sandbox: Sandbox, name: str) -> None:
    graded = grade_planted(capsys, sandbox, name, "--public-only")
    assert (graded.status, graded.lab.score) == (1, 20)
    assert graded.part("scan_quadratic").status is Status.TIMED_OUT
    message = graded.messages("scan_quadratic")[0]
    assert "\ntimed out: " in message
    assert line_of(name) in message
    assert_the_rest_was_judged(graded)


def test_a_kernel_that_waits_for_nobody(capsys: pytest.CaptureFixture[str], sandbox: Sandbox) -> None:
    graded = grade_planted(capsys, sandbox, "kernel_waits_for_nobody")
    assert (graded.status, graded.lab.score) == (1, 20)
    assert graded.part("scan_quadratic").status is Status.FAILED
    where = line_of("kernel_waits_for_nobody")
    assert f"{where}  scan_quadratic_kernel: deadlock" in graded.messages("scan_quadratic")[0]
    assert_the_rest_was_judged(graded)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("exits", "crashed: the submission ended the process (exit status 0)"),
        ("crashes", f"{line_of('crashes')}  scan_quadratic: segmentation fault"),
    ],
)
def test_code_that_ends_the_process(capsys: pytest.CaptureFixture[str], sandbox: Sandbox, name: str, said: str) -> None:
    graded = grade_planted(capsys, sandbox, name)
    assert (graded.status, graded.lab.score) == (1, 20)
    assert graded.part("scan_quadratic").status is Status.CRASHED
    assert said in graded.messages("scan_quadratic")[0]
    assert_the_rest_was_judged(graded)


def test_a_flood_of_output_costs_nothing_else(capsys: pytest.CaptureFixture[str], sandbox: Sandbox) -> None:
    graded = grade_planted(capsys, sandbox, "prints_a_flood", "--public-only")
    assert (graded.status, graded.lab.score) == (1, 35)
    assert graded.part("scan_quadratic").status is Status.PASSED
    assert_the_rest_was_judged(graded)
    assert "thank you" not in graded.output


def test_findings_cannot_be_wiped_out(capsys: pytest.CaptureFixture[str], sandbox: Sandbox) -> None:
    graded = grade_planted(capsys, sandbox, "wipes_its_findings")
    assert (graded.lab.status, graded.lab.score) == (Status.DOES_NOT_COMPILE, 0)
    assert "simt_begin_run is a name of the CPU device" in graded.lab.message


def test_a_library_that_ends_the_process_when_loaded(capsys: pytest.CaptureFixture[str], sandbox: Sandbox) -> None:
    graded = grade_planted(capsys, sandbox, "exits_when_loaded")
    assert (graded.status, graded.lab.status, graded.lab.score) == (1, Status.FAILED, 0)
    assert {part.status for part in graded.lab.parts} == {Status.CRASHED}


def test_the_reference_cannot_be_included(capsys: pytest.CaptureFixture[str], sandbox: Sandbox) -> None:
    graded = grade_planted(capsys, sandbox, "takes_the_reference")
    assert (graded.lab.status, graded.lab.score) == (Status.DOES_NOT_COMPILE, 0)
    assert graded.lab.message.startswith(f"{line_of('takes_the_reference')}:10: error: ../../../reference/")
    assert graded.lab.message.count("../../../reference/") == 1
    # The path is right: the file exists, seen from the folder of the translated source.
    assert (COURSE.build / "cpu" / "../../reference/naive_scan.cu").exists()


@pytest.fixture(scope="module", autouse=True)
def _no_leftovers() -> None:
    """Removes results of an earlier run, so that they are not read instead of new ones."""
    for path in (COURSE.build / "grade").glob("test-*"):
        shutil.rmtree(path)
