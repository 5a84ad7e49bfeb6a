"""Hidden things stay hidden: no form of any exporter that a student gets has a hidden test's input in it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.export import FORMATS, Choices, OfOne
from grader.export.annotate import own_words
from grader.export.audience import Audience, for_student
from grader.export.category import category
from grader.export.graded import load
from grader.export.gradescope import VISIBILITIES
from grader.model import Outcome, Results, Status, SuiteKind
from grader.results import from_json
from grader.tests import exported, real
from grader.tests.exported import CANARIES, CANARY_N, HIDDEN_MESSAGES, outcome

ONE = {name: of for name, of in FORMATS.items() if isinstance(of, OfOne)}


def students_forms(results: Results, folder: Path) -> Iterator[tuple[str, str]]:
    """Every format, as a student may get it."""
    graded = load(results, folder / "src", Audience.STUDENT)
    for name, of in ONE.items():
        for visibility in VISIBILITIES if name == "gradescope" else ("",):
            yield f"{name} {visibility}", of.write(graded, Choices(visibility=visibility))


@pytest.mark.parametrize("results", [exported.results(), exported.faulty()], ids=["graded", "grader fault"])
def test_nothing_of_a_hidden_test_is_in_a_students_form(results: Results, tmp_path: Path) -> None:
    """The folder that was graded is the instructor's, too."""
    exported.write_graded(tmp_path, results)
    for name, text in students_forms(results, tmp_path):
        found = [canary for canary in CANARIES if canary in text]
        assert not found, f"{name}: {found}"


@pytest.mark.parametrize("name", ONE)
def test_an_instructors_form_has_it(name: str, tmp_path: Path) -> None:
    """The test above can fail: the same formats do show hidden tests to those who may see them."""
    exported.write_graded(tmp_path, exported.results())
    text = ONE[name].write(load(exported.results(), tmp_path / "src", Audience.INSTRUCTOR), Choices())
    assert str(CANARY_N) in text


def test_a_students_form_of_a_students_form_is_the_same() -> None:
    once = for_student(exported.results())
    hidden = [t for lab in once.labs for p in lab.parts for a in p.aspects for t in a.tests if t.suite == "hidden"]
    assert len(hidden) == len(HIDDEN_MESSAGES) + 2
    assert all(test.message.startswith(("fails", "crashes")) and test.seconds is None for test in hidden)
    assert once.score == exported.results().score


def called(words: str, message: str = "slot 3 holds 4, expected 5", status: Status = Status.FAILED) -> Outcome:
    return outcome(
        "x", status, f"{message}\nreplay: make run LAB=2 PART=scan MONOID=sum {words} SEED=7", SuiteKind.HIDDEN
    )


NO_MULTIPLE = "the length is no multiple of the tile"
SHORT = "the input is shorter than a warp"


@pytest.mark.parametrize(
    ("test", "said"),
    [
        (called("N=1100"), f"fails where {NO_MULTIPLE}"),
        (called("N=1024"), "fails where the length is a multiple of the tile"),
        (called("N=192 TILE=64"), "fails where the length is a multiple of the tile, and the tile has an unusual size"),
        (called("N=512"), "fails where the length is a power of two, and within a tile"),
        (called("N=510"), "fails where the length is no power of two, and within a tile"),
        (called("N=0"), f"fails where {SHORT}"),
        (called("N=4294967296"), "fails where the length is past 2^31"),
        (called("SHAPE=37x64"), "fails where the sides of the image are not all multiples of a warp"),
        (called("SHAPE=64x96"), "fails where the sides of the image are multiples of a warp"),
        (called("SHAPE=1x900"), "fails where a side of the image is shorter than a warp"),
        (called("N=1100 INPUT=extreme"), f"fails where {NO_MULTIPLE}, and the values are extreme"),
        (called("IN_PLACE=1 SHIFT=3"), "fails where the call is in place, and arrays begin off a 256-byte boundary"),
        (called("ORDER=random"), "fails where blocks and threads run in another order"),
        (called("N=1100", "a.cu:3  f: race on x[1]"), f"fails where {NO_MULTIPLE}: race"),
        (called("N=1100", "a.cu:3  f: an odd thing"), f"fails where {NO_MULTIPLE}: another finding"),
        (called("N=3", "barriers: 9 counted, at most 3 allowed"), f"fails where {SHORT}: a meter over its bound"),
        (called("N=3", "crashed: signal 11", Status.CRASHED), f"crashes where {SHORT}"),
        (called("N=3", "timed out: 10 s", Status.TIMED_OUT), f"does not come back in time where {SHORT}"),
        (called("N=3", "missing: x", Status.MISSING), "fails: the function is not defined"),
        (called("N=3", "not judged while x"), f"fails where {SHORT}: not judged while the result is wrong"),
        (outcome("x", Status.FAILED, "slot\nreplay: make test LAB=2 PART=scan"), "fails where calls before it matter"),
        (outcome("x", Status.FAILED, "slot 3"), "fails"),
        (outcome("x"), ""),
    ],
)
def test_a_category_says_what_kind_of_call_fails(test: Outcome, said: str) -> None:
    assert category(test) == said


def test_what_a_submission_prints_is_no_category() -> None:
    """It may print its input, in the form of a replay line or of a finding."""
    printed = (
        "slot 3 holds 4\nit printed:\n    replay: make run N=4096\n    a.cu:3  f: race on x\nreplay: make run N=1100"
    )
    assert category(outcome("x", Status.FAILED, printed)) == "fails where the length is no multiple of the tile"


@pytest.mark.slow
def test_it_holds_of_a_whole_real_lab(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Neither the name of a hidden test that fails, nor its call, nor a number that only hidden tests name, is in a
    student's form."""
    hand_in = real.COURSE.root / "grader/tests/submissions/out_of_bounds"
    graded = real.grade(capsys, str(hand_in), "test-export-hidden", "--lab", "2")
    (tmp_path / "src").symlink_to(hand_in)
    secret, public = _split(graded.results)
    assert len(secret) > 30
    words = _secrets(secret, public)
    assert len(words) > 30
    for name, text in students_forms(graded.results, tmp_path):
        tokens = set(re.findall(r"\w+", text))
        found = [word for word in words if word in (tokens if word.isdecimal() else text)]
        assert not found, f"{name}: {found[:5]}"
    shown = ONE["html"].write(load(graded.results, tmp_path / "src", Audience.INSTRUCTOR), Choices())
    assert sum(word in shown for word in words) > len(words) / 2  # the page has names without underscores


def _split(results: Results) -> tuple[list[Outcome], list[Outcome]]:
    tests = [t for lab in results.labs for p in lab.parts for a in p.aspects for t in a.tests]
    failed = [t for t in tests if t.suite is SuiteKind.HIDDEN and t.status is not Status.PASSED]
    return failed, [t for t in tests if t.suite is SuiteKind.PUBLIC]


def _secrets(secret: list[Outcome], public: list[Outcome]) -> list[str]:
    """Names, calls, and numbers of three digits and more that no public test names."""
    told = "\n".join(test.message for test in public)
    known = set(re.findall(r"\w+", told))
    numbers = {n for t in secret for n in re.findall(r"(?<!\w)\d{3,}(?!\w)", t.message)} - known
    calls = {line for t in secret for line in own_words(t.message).splitlines() if line.startswith("    in: ")}
    names = {t.id for t in secret} | {t.id.replace("_", " ") for t in secret}
    css = {str(n) for n in range(100, 1000)}  # weights, widths: numbers of the page itself
    return sorted(names | {c.strip() for c in calls if c not in told} | (numbers - css))


def test_files_of_before_there_were_meters_can_be_exported(tmp_path: Path) -> None:
    old = exported.write_graded(tmp_path, exported.results()).read_text(encoding="utf-8")
    old = re.sub(r'"meters": \[[^\]]*\],\n\s*', "", old)
    assert '"meters"' not in old
    assert dict(students_forms(from_json(old), tmp_path))


@pytest.mark.parametrize("hidden", ["nothing", "message"])
def test_an_instructor_may_tell_less_or_more(tmp_path: Path, hidden: str) -> None:
    """course.toml's hidden_tests."""
    exported.write_graded(tmp_path, exported.results())
    graded = load(exported.results(), tmp_path / "src", Audience.STUDENT, hidden)
    for name, of in ONE.items():
        text = of.write(graded, Choices())
        assert "no multiple of the tile" not in text, name
        if name not in ("problems", "classroom"):  # which tell a part's first failure, a public one
            assert (str(CANARY_N) in text) == (hidden == "message"), name
