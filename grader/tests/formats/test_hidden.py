"""Hidden things stay hidden: no export for a student contains a hidden test's input."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.export import FORMATS, OfOne
from grader.export.audience import Audience, for_student
from grader.export.category import category
from grader.export.choices import VISIBILITIES
from grader.export.graded import load
from grader.model.types import Failure, Outcome, Results, Status, SuiteKind
from grader.tests import exported, real
from grader.tests.exported import CALL, CANARIES, CANARY_N, HIDDEN_FAILURES, outcome
from grader.tests.formats import CHOICES

ONE = {name: of for name, of in FORMATS.items() if isinstance(of, OfOne)}


def students_forms(results: Results, folder: Path) -> Iterator[tuple[str, str]]:
    """Yields every format in the form that a student may get."""
    graded = load(results, folder / "src", Audience.STUDENT)
    for name, of in ONE.items():
        for visibility in VISIBILITIES if name == "gradescope" else ("",):
            yield f"{name} {visibility}", of.write(graded, replace(CHOICES, visibility=visibility))


@pytest.mark.parametrize("results", [exported.results(), exported.faulty()], ids=["graded", "grader fault"])
def test_nothing_of_a_hidden_test_is_in_a_students_form(results: Results, tmp_path: Path) -> None:
    """The path of the graded folder must not appear either, because it is the instructor's."""
    exported.write_graded(tmp_path, results)
    for name, text in students_forms(results, tmp_path):
        found = [canary for canary in CANARIES if canary in text]
        assert not found, f"{name}: {found}"


@pytest.mark.parametrize("name", ONE)
def test_an_instructors_form_has_it(name: str, tmp_path: Path) -> None:
    """Shows that the test above can fail: the same formats show hidden tests to readers who may see them."""
    exported.write_graded(tmp_path, exported.results())
    text = ONE[name].write(load(exported.results(), tmp_path / "src", Audience.INSTRUCTOR), CHOICES)
    assert str(CANARY_N) in text


def test_a_students_form_of_a_students_form_is_the_same() -> None:
    once = for_student(exported.results())
    hidden = [t for lab in once.labs for p in lab.parts for a in p.aspects for t in a.tests if t.suite == "hidden"]
    assert len(hidden) == len(HIDDEN_FAILURES) + 2
    assert all(
        test.message.startswith(("fails", "crashes", "does not come back")) and test.seconds is None for test in hidden
    )
    assert once.score == exported.results().score


def called(kind: str = "mismatch", **call: Any) -> Outcome:
    """A failed hidden test whose call differs in this way from an ordinary one."""
    return outcome(
        "x", Failure(kind, said=("slot 3",), call=replace(CALL, n=1100) if call == {} else replace(CALL, **call))
    )


NO_MULTIPLE = "the length is no multiple of the tile"
SHORT = "the input is shorter than a warp"


@pytest.mark.parametrize(
    ("test", "said"),
    [
        (called(n=1100), f"fails where {NO_MULTIPLE}"),
        (called(n=1024), "fails where the length is a multiple of the tile"),
        (called(n=192, tile=64), "fails where the length is a multiple of the tile, and the tile has an unusual size"),
        (called(n=512), "fails where the length is a power of two, and within a tile"),
        (called(n=510), "fails where the length is no power of two, and within a tile"),
        (called(n=0), f"fails where {SHORT}"),
        (called(n=4294967296), "fails where the length is past 2^31"),
        (called(n=None, shape="37x64"), "fails where the sides of the image are not all multiples of a warp"),
        (called(n=None, shape="64x96"), "fails where the sides of the image are multiples of a warp"),
        (called(n=None, shape="1x900"), "fails where a side of the image is shorter than a warp"),
        (called(n=1100, input="extreme"), f"fails where {NO_MULTIPLE}, and the values are extreme"),
        (
            called(n=3, in_place=1, shift=3),
            f"fails where {SHORT}, and the call is in place, and arrays begin off a 256-byte boundary",
        ),
        (called(n=3, order="random"), f"fails where {SHORT}, and blocks and threads run in another order"),
        (called("race"), f"fails where {NO_MULTIPLE}: race"),
        (called("over the bound", n=3), f"fails where {SHORT}: a meter over its bound"),
        (called("crashed", n=3), f"crashes where {SHORT}"),
        (called("timed out", n=3), f"does not come back in time where {SHORT}"),
        (called("missing", n=3), "fails: the function is not defined"),
        (called("not judged", n=3), f"fails where {SHORT}: not judged while the result is wrong"),
        (called(n=3, history=True), "fails where calls before it matter"),
        (outcome("x", Failure("mismatch", said=("slot 3",))), "fails"),
        (outcome("x"), ""),
    ],
)
def test_a_category_says_what_kind_of_call_fails(test: Outcome, said: str) -> None:
    assert category(test) == said


def test_a_masked_test_has_no_data() -> None:
    """A masked test has only its words: no call, no finding, and no output."""
    once = for_student(exported.results())
    hidden = [t for lab in once.labs for p in lab.parts for a in p.aspects for t in a.tests if t.suite == "hidden"]
    assert {test.failure for test in hidden} == {None, Failure("not judged")}


@pytest.mark.slow
def test_it_holds_of_a_whole_real_lab(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A student's export contains neither the name of a failed hidden test, nor its call, nor a number that only hidden
    tests have."""
    monkeypatch.setattr("grader.judge.grade.ENOUGH", 0)  # runs all tests, although public ones fail
    monkeypatch.setattr("grader.judge.grade._lost", lambda _: ())
    hand_in = real.COURSE.root / "grader/tests/submissions/out_of_bounds"
    graded = real.grade(capsys, str(hand_in), "export-hidden", "--lab", "2")
    (tmp_path / "src").symlink_to(hand_in)
    secret, public = _split(graded.results)
    assert len(secret) > 30
    words = _secrets(secret, public)
    assert len(words) > 30
    for name, text in students_forms(graded.results, tmp_path):
        tokens = set(re.findall(r"\w+", text))
        found = [word for word in words if word in (tokens if word.isdecimal() else text)]
        assert not found, f"{name}: {found[:5]}"
    shown = ONE["html"].write(load(graded.results, tmp_path / "src", Audience.INSTRUCTOR), CHOICES)
    assert sum(word in shown for word in words) > len(words) / 2  # the page writes names without underscores


def _split(results: Results) -> tuple[list[Outcome], list[Outcome]]:
    tests = [t for lab in results.labs for p in lab.parts for a in p.aspects for t in a.tests]
    failed = [t for t in tests if t.suite is SuiteKind.HIDDEN and t.status is not Status.PASSED]
    return failed, [t for t in tests if t.suite is SuiteKind.PUBLIC]


def _secrets(secret: list[Outcome], public: list[Outcome]) -> list[str]:
    """Names, calls, and numbers of three or more digits that no public test contains."""
    told = "\n".join(test.message for test in public)
    known = set(re.findall(r"\w+", told))
    numbers = {n for t in secret for n in re.findall(r"(?<!\w)\d{3,}(?!\w)", t.message)} - known
    calls = {f"    in: {t.failure.call.words}" for t in secret if t.failure is not None and t.failure.call is not None}
    names = {t.id for t in secret} | {t.id.replace("_", " ") for t in secret}
    css = {str(n) for n in range(100, 1000)}  # weights and widths: numbers of the page itself
    return sorted(names | {c.strip() for c in calls if c not in told} | (numbers - css))


@pytest.mark.parametrize("hidden", ["nothing", "message"])
def test_an_instructor_may_tell_less_or_more(tmp_path: Path, hidden: str) -> None:
    """The setting is course.toml's hidden_tests."""
    exported.write_graded(tmp_path, exported.results())
    graded = load(exported.results(), tmp_path / "src", Audience.STUDENT, hidden)
    for name, of in ONE.items():
        text = of.write(graded, CHOICES)
        assert "no multiple of the tile" not in text, name
        if not of.first_only:  # in other formats, the first failure of a part is a public one
            assert (str(CANARY_N) in text) == (hidden == "message"), name
