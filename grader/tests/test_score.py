"""Points: which tests earn which points."""

import pytest

from grader.judge.grade import require_gpu
from grader.model.errors import UsageError
from grader.model.types import Meter, Status, SuiteKind
from grader.tests.planted import ALL_PASS, REPLAY, PlantedCourse, Row, failing, meter, proof


def earned(planted: PlantedCourse) -> dict[str, int | None]:
    """The points of lab one by part and aspect."""
    _status, results = planted.grade("--lab", "1")
    return {f"{part.name} {a.name}": a.earned for part in results.labs[0].parts for a in part.aspects}


FULL = {"up correct": 30, "up clean": 15, "up efficient": 15, "down correct": 40}


def test_full_score_when_every_test_passes(planted: PlantedCourse) -> None:
    status, results = planted.grade()
    assert status == 0
    assert (results.score, results.max_score) == (200, 200)
    assert [lab.status for lab in results.labs] == [Status.PASSED, Status.PASSED]


@pytest.mark.parametrize("suite", ["one", "one_hidden"])
@pytest.mark.parametrize("aspect", ["clean", "efficient"])
def test_a_failure_costs_its_own_aspect_only(planted: PlantedCourse, suite: str, aspect: str) -> None:
    planted.suite(suite, failing("up", aspect, "one.cu:3  up: race"))
    assert earned(planted) == FULL | {f"up {aspect}": 0}


@pytest.mark.parametrize("suite", ["one", "one_hidden"])
def test_clean_and_efficient_need_correct(planted: PlantedCourse, suite: str) -> None:
    planted.suite(suite, failing("up", "correct", "slot 3 holds 1, expected 2"))
    status, results = planted.grade("--lab", "1")
    assert status == 1
    assert results.score == 40
    part = results.labs[0].parts[0]
    assert [aspect.earned for aspect in part.aspects] == [0, 0, 0]
    assert [aspect.withheld for aspect in part.aspects] == [False, True, True]
    assert part.status is Status.FAILED


def test_one_of_many_tests_is_enough_to_lose_an_aspect(planted: PlantedCourse) -> None:
    rows = [*ALL_PASS, *(Row("down", "correct", f"length_{n}", "wrong" if n == 5 else "") for n in range(9))]
    planted.suite("one", rows)
    assert earned(planted) == FULL | {"down correct": 0}


def test_an_aspect_without_points_is_shown_but_earns_nothing(planted: PlantedCourse) -> None:
    planted.suite("one", [*ALL_PASS, Row("down", "clean", "no_races", "a race")])
    status, results = planted.grade("--lab", "1")
    down = results.labs[0].parts[1]
    assert [(aspect.name, aspect.points, aspect.earned) for aspect in down.aspects] == [
        ("correct", 40, 40),
        ("clean", 0, 0),
    ]
    assert (status, results.score) == (0, 100)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("timed out", Status.TIMED_OUT),
        ("crashed", Status.CRASHED),
        ("missing", Status.MISSING),
        ("mismatch", Status.FAILED),
    ],
)
def test_the_kind_tells_the_status_and_words_do_not(planted: PlantedCourse, kind: str, expected: Status) -> None:
    message = f"timed out: crashed: missing: the harness itself failed: what a submission may say\n{REPLAY}"
    planted.suite("one", failing("up", "correct", message, kind))
    _status, results = planted.grade("--lab", "1")
    test = results.labs[0].parts[0].aspects[0].first_failure
    assert test is not None
    assert test.status is expected
    assert test.message == message


def test_public_only_leaves_the_hidden_suites_out(planted: PlantedCourse) -> None:
    planted.suite("one_hidden", failing("up", "correct", "wrong"))
    status, results = planted.grade("--lab", "1", "--public-only")
    assert (status, results.score) == (0, 100)
    assert results.labs[0].suites == ("public",)
    assert planted.grade("--lab", "1")[1].score == 40


def test_a_tree_without_hidden_suites_grades_the_public_ones(planted: PlantedCourse) -> None:
    (planted.root / "reference/check_one_hidden.c").unlink()
    assert planted.grade("--lab", "1")[1].labs[0].suites == ("public",)


def test_on_a_gpu_only_correct_counts(
    planted: PlantedCourse, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.judge.grade.require_gpu", lambda: None)
    planted.write("build/cuda/runner", "a runner")
    for suite in ("one", "one_hidden"):
        planted.suite(suite, [row for row in ALL_PASS if row.aspect == "correct"])
    status, results = planted.grade("--lab", "1", "--device", "cuda")
    assert (status, results.score, results.max_score) == (0, 70, 70)
    assert [aspect.name for part in results.labs[0].parts for aspect in part.aspects] == ["correct", "correct"]
    assert "a GPU judges correct only" in capsys.readouterr().out
    planted.write("student/one.cu", "SYNTAX")
    assert planted.grade("--lab", "1", "--device", "cuda")[1].max_score == 70


def test_no_gpu_is_told_before_anything_is_graded(planted: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        require_gpu()
    except UsageError:
        assert planted.run("grade", "student", "--device", "cuda") == 2
        said = capsys.readouterr().err
        assert "this machine has no GPU that can be used" in said
        assert "building" not in said
        assert planted.run("need-gpu") == 2
        assert capsys.readouterr().err == said
    else:
        pytest.skip("there is a GPU")


CHECKED = "checked at every n from 1 to 512", "n = 1 to 512, in place too"


def proofs_of(planted: PlantedCourse) -> list[tuple[str, str]]:
    """The proofs of the parts of lab one."""
    _status, results = planted.grade("--lab", "1")
    return [(part.proof, part.proof_lengths) for part in results.labs[0].parts]


def test_what_the_public_suite_has_checked_is_in_the_results(planted: PlantedCourse) -> None:
    planted.suite("one", more=proof("up", *CHECKED))
    assert proofs_of(planted) == [CHECKED, ("", "")]


def test_a_hidden_failure_takes_it_back(planted: PlantedCourse) -> None:
    planted.suite("one", more=proof("up", *CHECKED))
    planted.suite("one_hidden", failing("up", "clean", "one.cu:3  up: race"))
    assert proofs_of(planted) == [("not proved: a test failed", ""), ("", "")]


def test_a_failure_leaves_the_reason_why_a_part_is_only_tested(planted: PlantedCourse) -> None:
    words = "only tested: it computes with floats"
    planted.suite("one", failing("up", "clean", "one.cu:3  up: race"), more=proof("up", words, ""))
    assert proofs_of(planted) == [(words, ""), ("", "")]


def test_a_failure_leaves_the_premise_that_fails(planted: PlantedCourse) -> None:
    words = "not proved: race on shared buffer[0], at one.cu:3, in the call with n = 2"
    planted.suite("one", failing("up", "clean", "one.cu:3  up: race"), more=proof("up", words, ""))
    assert proofs_of(planted) == [(words, ""), ("", "")]


def test_a_bound_that_is_missed_leaves_the_proof(planted: PlantedCourse) -> None:
    planted.suite("one", failing("up", "efficient", "combines: 9 counted"), more=proof("up", *CHECKED))
    assert proofs_of(planted) == [CHECKED, ("", "")]


def test_what_the_suites_counted_is_in_the_results(planted: PlantedCourse) -> None:
    """Counts of the hidden suite are kept apart."""
    planted.suite("one", more=meter("up", "combines", 33, 32, size="33", formula="n - 1"))
    planted.suite("one_hidden", more=meter("up", "combines", 9, 32, size="3x11", formula="n - 1"))
    _status, results = planted.grade("--lab", "1")
    assert [part.meters for part in results.labs[0].parts] == [
        (
            Meter("combines", SuiteKind.PUBLIC, 33, 32, "33", "n - 1"),
            Meter("combines", SuiteKind.HIDDEN, 9, 32, "3x11", "n - 1"),
        ),
        (),
    ]
    assert [meter.passed for meter in results.labs[0].parts[0].meters] == [False, True]
