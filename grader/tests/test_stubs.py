"""Stubs: removing regions, detecting differences, and keeping a student's work."""

import pytest

from grader.model.errors import UsageError
from grader.release.regions import split_regions
from grader.release.stubs import check_stubs, make_stub, write_stubs
from grader.tests.planted import PlantedCourse

REFERENCE = """\
#include "one.h"

/* One block. */
__global__ void kernel(int *out)
{
    /* TODO: store 1. */
    /* solution */
    __shared__ int tile[TILE];

    out[0] = 1;
    /* end solution */
}

/* solution */
static int helper(void)
{
    return 1;
}
/* end solution */

int one(void)
{
    /* solution */
    int result = 2;
    /* end solution */

    /* TODO: return 2. */

\t/* solution */
    if (result)
        return result;
\t/* end solution */
    return 0;
}
"""

STUB = """\
#include "one.h"

/* One block. */
__global__ void kernel(int *out)
{
    /* TODO: store 1. */
}

int one(void)
{
    /* TODO: return 2. */

    return 0;
}
"""


def stub_of(text: str) -> str:
    return make_stub(split_regions(text, "one.cu"))


def test_a_stub_is_the_reference_without_its_regions() -> None:
    assert stub_of(REFERENCE) == STUB


def test_blank_lines_away_from_a_cut_stay() -> None:
    assert stub_of("a\n\n\nb {\n\n}\n/* solution */\nx\n/* end solution */\nc\n") == "a\n\n\nb {\n\n}\nc\n"


def test_a_blank_line_before_the_end_of_a_block_goes_with_the_cut() -> None:
    assert stub_of("f {\n    a;\n\n    /* solution */\n    x;\n    /* end solution */\n}\n") == "f {\n    a;\n}\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a\n/* solution */\nb\n", "one.cu:2: the solution region that begins here has no /* end solution */"),
        ("a\n/* end solution */\n", "one.cu:2: /* end solution */ without a /* solution */ before it"),
        (
            "/* solution */\na\n/* solution */\n/* end solution */\n/* end solution */\n",
            "one.cu:3: a solution region inside that of line 1; end it first",
        ),
        ("x(); /* solution */\n/* end solution */\n", "one.cu:1: a solution mark must be alone on its line"),
        ("void one(void);\n", "one.cu: no /* solution */ region: its stub would give the whole solution away"),
    ],
)
def test_marks_that_do_not_fit(text: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        stub_of(text)
    assert str(caught.value) == said


def test_a_wrong_region_is_told_with_its_file(planted: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    path = planted.write("reference/one.cu", "/* solution */\n")
    assert planted.run("stubs", "--check") == 2
    assert f"{path}:1: the solution region" in capsys.readouterr().err


@pytest.fixture
def fresh(planted: PlantedCourse) -> PlantedCourse:
    """A course whose stubs have just been made."""
    for path in planted.course.student.iterdir():
        path.unlink()
    planted.course.student.rmdir()
    written, kept = write_stubs(planted.course, force=False)
    assert [path.name for path in written] == ["one.cu", "two.cu"]
    assert kept == []
    return planted


def test_fresh_stubs_do_not_differ(fresh: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_stubs(fresh.course) == ""
    assert fresh.run("stubs", "--check") == 0
    assert fresh.run("stubs") == 0
    assert capsys.readouterr().out == ""  # nothing was written again


def test_drift_is_shown_as_a_diff(fresh: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    path = fresh.root / "reference/one.cu"
    path.write_text(path.read_text().replace("TODO: add.", "TODO: add up."))
    assert fresh.run("stubs", "--check") == 1
    said = capsys.readouterr()
    assert "-    /* TODO: add. */\n+    /* TODO: add up. */" in said.out
    assert "launch_the_whole_thing" not in said.out
    assert "try: make stubs" in said.err
    assert (fresh.root / "student/one.cu").read_text() == "void one(void)\n{\n    /* TODO: add. */\n}\n"


@pytest.mark.parametrize("trouble", ["gone", "too many"])
def test_drift_in_which_files_there_are(fresh: PlantedCourse, trouble: str) -> None:
    if trouble == "gone":
        (fresh.root / "student/one.cu").unlink()
        assert "+    /* TODO: add. */" in check_stubs(fresh.course)
    else:
        fresh.write("student/ten.cu", "")
        assert "ten.cu: has no file of that name in reference/" in check_stubs(fresh.course)


def test_an_untouched_stub_follows_the_reference(fresh: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    path = fresh.root / "reference/one.cu"
    path.write_text(path.read_text().replace("TODO: add.", "TODO: add up."))
    assert fresh.run("stubs") == 0
    assert capsys.readouterr().out == "wrote student/one.cu\n"
    assert check_stubs(fresh.course) == ""


def test_an_edited_file_is_kept_until_forced(fresh: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    mine = fresh.write("student/one.cu", "my work\n")
    (fresh.root / "student/two.cu").unlink()
    assert fresh.run("stubs") == 1
    said = capsys.readouterr()
    assert said.out == "wrote student/two.cu\n"
    assert "kept  student/one.cu: it was edited; --force overwrites it" in said.err
    assert mine.read_text() == "my work\n"
    assert fresh.run("stubs", "--force") == 0
    assert check_stubs(fresh.course) == ""


def test_a_file_of_unknown_origin_counts_as_edited(fresh: PlantedCourse) -> None:
    (fresh.root / "student/.stubs.sha256").unlink()
    fresh.write("student/one.cu", "mine\n")
    assert [path.name for path in write_stubs(fresh.course, force=False)[1]] == ["one.cu"]


def test_without_a_reference_there_is_nothing_to_make(planted: PlantedCourse) -> None:
    for path in planted.course.reference.glob("*.cu"):
        path.unlink()
    with pytest.raises(UsageError, match=r"there is no .*reference/\*\.cu to make stubs from"):
        check_stubs(planted.course)
