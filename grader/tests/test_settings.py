"""course.toml: its effects and the messages for errors in it; late days, penalties and dropped labs."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from grader.classes.late import Graded, grade_labs
from grader.handin.discover import Lab, Part, discover_labs
from grader.judge.settings import Cluster, Extension, LateRules, Settings, class_labs, read_settings
from grader.model.errors import UsageError
from grader.model.gradebook import Student
from grader.model.layout import Course
from grader.model.types import AspectResult, LabResult, PartResult, Status
from grader.release.stubs import LEFT_OUT, mark_left_out
from grader.tests.planted import PlantedCourse, failing

NOTEBOOK = Path(__file__).parents[2] / "handouts" / "scan-labs.ipynb"
DUE = datetime(2026, 11, 1, 22, 0, tzinfo=UTC)
ADA = (Student("u1", "Ada", "ada@example.org"),)


def settings_of(planted: PlantedCourse, text: str) -> Settings:
    planted.write("course.toml", text)
    return read_settings(planted.course, discover_labs(planted.course))


def test_without_the_file_everything_counts(planted: PlantedCourse) -> None:
    assert class_labs(planted.course) == discover_labs(planted.course)
    assert read_settings(planted.course, discover_labs(planted.course)) == Settings()


def test_labs_parts_and_points(planted: PlantedCourse) -> None:
    settings_of(planted, '[[lab]]\nnumber = 2\nleave_out = ["down"]\npoints.up = { correct = 50, clean = 0 }\n')
    (lab,) = class_labs(planted.course)
    assert (lab.number, lab.max_score, lab.left_out) == (2, 65, ("down",))
    assert lab.parts[0].points == {"correct": 50, "clean": 0, "efficient": 15}


def test_a_part_that_is_left_out_is_not_judged(planted: PlantedCourse) -> None:
    """The suites test it nevertheless."""
    settings_of(planted, '[[lab]]\nnumber = 1\nleave_out = ["down"]\n')
    planted.suite("one", failing("down", "correct", "wrong"))
    status, results = planted.grade()
    assert (status, results.score, results.max_score) == (0, 60, 60)
    assert [part.name for lab in results.labs for part in lab.parts] == ["up"]


def test_dates_have_a_zone(planted: PlantedCourse) -> None:
    lab = "[[lab]]\nnumber = 1\ndue = 2026-11-01T23:00:00"
    assert settings_of(planted, f'time_zone = "Europe/Berlin"\n{lab}\n').due[1] == DUE
    assert settings_of(planted, f"{lab}+01:00\n").due[1] == DUE
    with pytest.raises(UsageError, match="due has no time zone"):
        settings_of(planted, lab)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("labs = 1", "the file has an unknown entry 'labs'"),
        ("title = 3", "title must be a text in quotes"),
        ("x", "is not valid TOML"),
        ("[lab]\nnumber = 1", "lab is a list of tables"),
        ("[[lab]]\nnumber = 9", "there is no lab 9; the labs are 1, 2"),
        ("[[lab]]\nnumber = 1\n[[lab]]\nnumber = 1", "a lab is listed twice"),
        ("[[lab]]\nnumber = 1\nleave_out = ['sideways']", "lab 1 has no part 'sideways'; its parts are up, down"),
        ("[[lab]]\nnumber = 1\nleave_out = 'up'", "leave_out is a list of parts' names"),
        ("[[lab]]\nnumber = 1\nleave_out = ['up', 'down']", "no part is left"),
        ("[[lab]]\nnumber = 1\ndue = 2026-11-01", "due is a date with its time"),
        ("[[lab]]\nnumber = 1\npoints.up = 3", "points.up is a table"),
        ("[[lab]]\nnumber = 1\npoints.up = { speed = 3 }", "points.up has an unknown entry 'speed'"),
        ("[[lab]]\nnumber = 1\npoints.down = { clean = 3 }", "down has no clean tests"),
        ("[[lab]]\nnumber = 1\npoints.up = { correct = 0 }", "leave the part out instead"),
        ("[late]\npercent_a_day = 101", "percent_a_day must be a number from 0 to 100"),
        ("[late]\nallowance_days = -1", "allowance_days must be a whole number from 0 up"),
        ("[late]\nlast_day = true", "last_day must be a whole number"),
        ("late = 3", "late is a table"),
        ("[[extension]]\ndays = 2", "an extension names its student"),
        ("[[extension]]\nstudent = 'ada'", "extension of ada: give it days or hours"),
        ("[[extension]]\nstudent = 'ada'\nhours = -3", "hours must be a whole number from 0 up"),
        ("hidden_tests = 'all'", "it is one of category, message, nothing"),
        ("time_zone = 'Moon'", "is no zone such as"),
        ("[slurm]\ncpus = 0", "cpus must be 1 or more"),
        ("[slurm]\npartition = 'a b'", "is not the name of a partition"),
    ],
)
def test_a_mistake_is_named(planted: PlantedCourse, text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as error:
        settings_of(planted, text)
    assert "course.toml" in str(error.value)


# ---- late days ----------------------------------------------------------------------------------------------------


def lab(number: int) -> Lab:
    return Lab(
        number, "", f"lab{number}.cu", (Part("up", "", {"correct": 100, "clean": 0, "efficient": 0}),), Path("x")
    )


def result(number: int, score: int | None, status: Status = Status.FAILED) -> LabResult:
    aspect = AspectResult("correct", 100, score, status, ())
    return LabResult(number, "", f"lab{number}.cu", status, "", (), (PartResult("up", "", (aspect,)),))


def graded(rules: LateRules, days: float, *scores: int | None, drop: int = 0, **more: object) -> Graded:
    numbers = range(1, len(scores) + 1)
    settings = Settings(due=dict.fromkeys(numbers, DUE), late=rules, drop_lowest=drop, **more)  # type: ignore[arg-type]
    results = {number: result(number, score) for number, score in zip(numbers, scores, strict=True)}
    return grade_labs(settings, [lab(number) for number in numbers], results, ADA, DUE + timedelta(days=days))


@pytest.mark.parametrize(
    ("days", "late", "score"), [(-1, 0, 80), (0, 0, 80), (0.001, 1, 72), (1, 1, 72), (2.5, 3, 56), (30, 30, 40)]
)
def test_a_penalty_for_each_begun_day_up_to_a_bound(days: float, late: int, score: float) -> None:
    whole = graded(LateRules(percent_a_day=10, most_percent=50), days, 80)
    assert (whole.labs[0].days_late, whole.score, whole.labs[0].penalty) == (late, score, 80 - score)


def test_grace_is_no_late_day() -> None:
    rules = LateRules(percent_a_day=10, grace_minutes=30)
    assert graded(rules, 29 / 1440, 80).score == 80
    assert graded(rules, 31 / 1440, 80).labs[0].days_late == 1


def test_an_allowance_is_used_up_lab_by_lab() -> None:
    whole = graded(LateRules(percent_a_day=10, allowance_days=3), 2, 80, 80)
    assert [(one.late_days_used, one.penalty) for one in whole.labs] == [(2, 0), (1, 8)]


def test_after_the_last_day_nothing_counts() -> None:
    rules = LateRules(percent_a_day=1, last_day=2, allowance_days=9)
    assert [graded(rules, days, 80).score for days in (2, 3)] == [80, 0]


@pytest.mark.parametrize("name", ["u1", "Ada", "ada@example.org", "U1", "ADA@Example.org"])
def test_an_extension_moves_the_date_of_its_student(name: str) -> None:
    rules = LateRules(percent_a_day=10)
    assert graded(rules, 3, 80, extensions=(Extension(name, 1, 2),)).labs[0].days_late == 1
    assert graded(rules, 3, 80, extensions=(Extension(name, None, 3),)).score == 80
    assert graded(rules, 3, 80, extensions=(Extension(name, 2, 9), Extension("bob", 1, 9))).labs[0].days_late == 3


def test_an_extension_may_be_in_hours(planted: PlantedCourse) -> None:
    text = '[[extension]]\nstudent = "bob"\ndays = 9\n\n[[extension]]\nstudent = "ada"\nlab = 1\ndays = 1\nhours = 12\n'
    settings = settings_of(planted, text)
    assert settings.extension({"ada"}, 1) == timedelta(hours=36)
    assert [one.line for one in settings.extensions] == [1, 5]
    rules = LateRules(percent_a_day=10)
    for hours, late in ((36, 0), (36.5, 1), (60, 1), (60.5, 2)):
        whole = graded(rules, hours / 24, 80, extensions=(Extension("Ada", 1, hours=36),))
        assert whole.labs[0].days_late == late, hours


def test_the_lowest_labs_are_dropped_but_never_all() -> None:
    whole = graded(LateRules(), 0, 80, 20, 50, drop=1)
    assert ([one.dropped for one in whole.labs], whole.score, whole.max_score) == ([False, True, False], 130, 200)
    assert graded(LateRules(), 0, 80, drop=3).score == 80


def test_what_is_not_known_is_neither_dropped_nor_zero() -> None:
    whole = graded(LateRules(percent_a_day=10), 1, 80, None, drop=1)
    assert (whole.score, [one.dropped for one in whole.labs]) == (None, [False, False])
    assert whole.labs[1].penalty == 0


def test_a_lab_that_was_not_handed_in_uses_no_late_day() -> None:
    settings = Settings(due={1: DUE}, late=LateRules(allowance_days=2))
    late = DUE + timedelta(days=1)
    whole = grade_labs(settings, [lab(1)], {1: result(1, 0, Status.MISSING)}, ADA, late)
    assert (whole.labs[0].late_days_used, whole.labs[0].days_late, whole.score) == (0, 0, 0)


# ---- from stub to release -------------------------------------------------------------------------------------------


def test_a_stub_says_which_part_nobody_writes() -> None:
    stub = "/* up: half. */\nvoid up(void)\n{\n}\n\nvoid down(const int *x)\n{\n    up(x);\n}\n"
    marked = mark_left_out(stub, ["down"])
    assert marked == stub.replace("void down", f"{LEFT_OUT}\nvoid down")
    assert mark_left_out(stub, ["sideways"]) == stub


def test_students_get_what_counts_and_no_extension(planted: PlantedCourse, tmp_path: Path) -> None:
    planted.write(
        "reference/one.cu", "void up(void)\n{\n/* solution */\n    up_and_up_and_up_and_up();\n/* end solution */\n}\n"
    )
    planted.write("handouts/README.md", "- [One](1-one.md)\n- [Two](2-two.md)\n")
    planted.write("handouts/1-one.md", "")
    planted.write("handouts/2-two.md", "")
    planted.write("handouts/scan-labs.ipynb", NOTEBOOK.read_text(encoding="utf-8"))
    settings = settings_of(
        planted,
        'title = "A \\"b\\""\naddress = "file:///a"\n'
        '[[lab]]\nnumber = 1\nleave_out = ["up"]\ndue = 2026-11-01T23:00:00+01:00\n'
        'points.down = { correct = 50 }\n[late]\npercent_a_day = 10\n[[extension]]\nstudent = "ada"\ndays = 3\n'
        '[slurm]\npartition = "labs"\n',
    )
    target = tmp_path / "released"
    assert planted.run("release", str(target)) == 0
    assert sorted(str(path.relative_to(target)) for path in target.rglob("*") if path.is_file())[1:] == [
        "Makefile",
        "course.toml",
        "handouts/1-one.md",
        "handouts/README.md",
        "handouts/scan-labs.ipynb",
        "labs/1-one/lab.toml",
        "simt/include/compiler",
        "student/one.cu",
    ]
    assert (target / "handouts" / "README.md").read_text() == "- [One](1-one.md)\n"
    assert (target / "student" / "one.cu").read_text().startswith(f"{LEFT_OUT}\nvoid up(void)\n")
    first = json.loads((target / "handouts/scan-labs.ipynb").read_text(encoding="utf-8"))["cells"][1]["source"]
    assert 'ADDRESS = "file:///a"\n' in first
    public = read_settings(Course(target), discover_labs(Course(target)))
    assert public == replace(settings, extensions=(), cluster=Cluster())


def test_what_make_test_leaves_out(planted: PlantedCourse, capsys: pytest.CaptureFixture[str]) -> None:
    settings_of(planted, '[[lab]]\nnumber = 1\nleave_out = ["up"]\n[[lab]]\nnumber = 2\n')
    assert planted.run("left-out", "one") == 0
    assert capsys.readouterr().out == "--leave-out up\n"
    assert planted.run("left-out", "two") == 0
    assert capsys.readouterr().out == ""
    assert planted.grade("--lab", "1")[0] == 0
    assert planted.argv_of("one")["--leave-out"] == "up"
