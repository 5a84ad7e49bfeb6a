"""The files of a term: the effect of each line on the book, and the messages for errors."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from grader.classes.term import Book, make_book, read_term
from grader.export.audience import Audience
from grader.export.term_pages import Facts, student_page
from grader.handin.discover import discover_labs
from grader.judge.settings import read_settings
from grader.model.errors import UsageError
from grader.model.gradebook import (
    Entry,
    EntryStatus,
    Form,
    Gradebook,
    LabColumn,
    LabGrade,
    PartColumn,
    Student,
    from_json,
    to_json,
    write_gradebook,
)
from grader.model.types import Status
from grader.tests.planted import PlantedCourse

ROSTER = "id,name,email,also\nada,Ada L,ada@example.org,4711\nbob,Bob M,,\ncarl,Carl N,,\n"
HEAD = "student,lab,part,points,reason,by\n"
DUE = "2026-11-01T22:00:00+00:00"


def grade(up: int | None = 60, down: int | None = 40, lab: int = 1) -> LabGrade:
    """A grade for one of the planted labs."""
    raw = None if up is None or down is None else up + down
    status = Status.GRADER_FAULT if raw is None else Status.PASSED if raw == 100 else Status.FAILED
    return LabGrade(lab, status, raw, 0, raw, 100, 0, 0, False, {"up": up, "down": down})


def entry(name: str, *labs: LabGrade, when: str | None = DUE, students: tuple[str, ...] = ()) -> Entry:
    """A hand-in of the student with this name, unless others are given."""
    who = tuple(Student(one, one, "") for one in students or (name,))
    results = f"submissions/{name}/results.json"
    return Entry(
        name=name,
        status=EntryStatus.GRADED,
        message="",
        students=who,
        form=Form.FOLDER,
        origin=name,
        submission_id="",
        submitted=when,
        marked_late=False,
        files=("one.cu",),
        ignored=(),
        content="",
        results=results,
        source=None,
        score=None,
        max_score=100,
        labs=labs or (grade(),),
    )


class Files:
    """A planted course with one batch, and the files of a term."""

    def __init__(self, planted: PlantedCourse, folder: Path) -> None:
        self.planted, self.folder = planted, folder
        self.write("roster.csv", ROSTER)
        self.term()
        self.course(f"[[lab]]\nnumber = 1\ndue = {DUE}\n[[lab]]\nnumber = 2\n")

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def course(self, text: str) -> None:
        self.planted.write("course.toml", text)

    def term(self, more: str = "", batches: str = '"lab1"') -> None:
        self.write("term.toml", f'roster = "roster.csv"\nbatches = [{batches}]\n{more}')

    def overrides(self, *lines: str, more: str = "") -> None:
        self.term(f'overrides = "overrides.csv"\n{more}')
        self.write("overrides.csv", HEAD + "".join(f"{line}\n" for line in lines))

    def batch(self, name: str, *entries: Entry, lab: int = 1, points: tuple[int, int] = (60, 40)) -> None:
        parts = (PartColumn("up", points[0]), PartColumn("down", points[1]))
        column = LabColumn(lab, "Lab", "one.cu", sum(points), None, parts)
        write_gradebook(self.folder / name, Gradebook(name, "", "cpu", 7, (column,), entries))

    def make(self) -> Book:
        labs = discover_labs(self.planted.course)
        settings = read_settings(self.planted.course, labs)
        return make_book(read_term(self.folder / "term.toml"), settings, settings.choose(labs), self.folder / "book")

    def entries(self) -> dict[str, Entry]:
        return {entry.name: entry for entry in self.make().gradebook.entries}

    def said(self) -> str:
        with pytest.raises(UsageError) as error:
            self.make()
        return str(error.value).replace(f"{self.folder}/", "")


@pytest.fixture
def files(planted: PlantedCourse, tmp_path: Path) -> Files:
    made = Files(planted, tmp_path)
    made.batch("lab1", entry("ada"), entry("bob", grade(up=0)))
    return made


# ---- the roster -----------------------------------------------------------------------------------------------------


def test_a_student_is_found_by_any_name_that_the_roster_has(files: Files) -> None:
    for name in ("ada", "4711", "ADA@example.org", "Ada L"):
        files.batch("lab1", entry("x", students=(name,)))
        assert files.entries()["ada"].score == 100, name
    assert [one.students[0].name for one in files.make().gradebook.entries] == ["Ada L", "Bob M", "Carl N"]


def test_a_name_that_two_students_share_finds_neither(files: Files) -> None:
    files.write("roster.csv", ROSTER.replace("Bob M", "Ada L"))
    files.batch("lab1", entry("x", students=("Ada L",)))
    assert "lab1: the hand-in x is of Ada L, who is not in roster.csv" in files.said()


def test_who_handed_in_nothing_is_in_the_book(files: Files) -> None:
    book = files.make()
    assert [(one.name, one.status, one.score) for one in book.gradebook.entries][2] == ("carl", EntryStatus.MISSING, 0)
    assert "1 handed in nothing: Carl N (carl)" in book.notes


def test_who_handed_in_nothing_for_a_lab_is_named(files: Files) -> None:
    files.batch("lab2", entry("ada", grade(lab=2)), lab=2)
    files.term(batches='"lab1", "lab2"')
    said = "lab 2: 1 more handed in nothing that can be graded: Bob M (bob)"
    assert said in files.make().notes
    files.overrides("bob,2,,70,spoken,me")
    files.term('overrides = "overrides.csv"', batches='"lab1", "lab2"')
    assert not [note for note in files.make().notes if note.startswith("lab 2")]


def test_a_spreadsheet_s_semicolons_and_mark_are_read(files: Files) -> None:
    files.write("roster.csv", "\ufeffName;ID\nAda L;ada\n\nBob M;bob\n;\n")
    assert sorted(files.entries()) == ["ada", "bob"]


@pytest.mark.parametrize(
    ("roster", "said"),
    [
        ("", "roster.csv is empty; its first line is id,name"),
        ("id\nada\n", "roster.csv:1: the columns are id; they must be id, name, and may have email, also"),
        ("id,name,colour\n", "they must be id, name"),
        ("id,name\nada,Ada\nada,Bob\n", "roster.csv:3: ada is also in roster.csv:2"),
        ("id,name,also\nada,Ada,x\nbob,Bob,y X\n", "roster.csv:3: x is also in roster.csv:2"),
        ("id,name\n,Ada\n", "roster.csv:2: a student has an id and a name"),
        ("id,name\nada,Ada,x\n", "roster.csv:2: 3 values, and the head has 2 columns"),
        ('id,name\nada,"Ada\n', "roster.csv:2: unexpected end of data"),
        ("id,name\n", "roster.csv: there is no student in it"),
    ],
)
def test_a_mistake_in_the_roster_is_named_by_its_line(files: Files, roster: str, said: str) -> None:
    files.write("roster.csv", roster)
    assert said in files.said()


def test_a_table_that_is_not_utf_8_says_so(files: Files) -> None:
    (files.folder / "roster.csv").write_bytes("id,name\nada,Zoë\n".encode("latin-1"))
    assert "roster.csv is not UTF-8" in files.said()


def test_every_mistake_is_reported_at_once(files: Files) -> None:
    files.course(
        f'[[lab]]\nnumber = 1\ndue = {DUE}\n\n[[extension]]\nstudent = "ada"\ndays = 1\n'
        '[[extension]]\nstudent = "eve"\nhours = 2\n'
    )
    files.overrides("dora,1,up,3,why,me", "ada,1,up,3,why,me")
    files.batch("lab1", entry("ada"), entry("fred"))
    said = files.said()
    assert "3 mistakes in its files" in said
    assert "course.toml:8: an extension for 'eve', who is not in roster.csv" in said
    assert "overrides.csv:2: 'dora' is not in roster.csv" in said
    assert "lab1: the hand-in fred is of fred, who is not in roster.csv" in said
    assert not (files.folder / "book").exists()


def test_those_who_are_no_students_are_left_out_by_name(files: Files) -> None:
    files.batch("lab1", entry("ada"), entry("Tutor"))
    files.term('ignore = ["tutor"]')
    assert sorted(files.entries()) == ["ada", "bob", "carl"]


# ---- points by hand -------------------------------------------------------------------------------------------------


def test_points_by_hand_take_the_place_of_a_part_s_or_a_lab_s(files: Files) -> None:
    files.overrides("bob,1,up,55,the suite was wrong,me", 'carl,1,,70,"spoken, not written",me')
    bob, carl = (files.entries()[name] for name in ("bob", "carl"))
    assert (bob.score, bob.labs[0].parts) == (95, {"up": 55, "down": 40})
    (given,) = bob.labs[0].by_hand
    assert (given.part, given.points, given.was, given.reason, given.by) == ("up", 55, 0, "the suite was wrong", "me")
    assert (carl.score, carl.status, carl.labs[0].by_hand[0].reason) == (70, EntryStatus.GRADED, "spoken, not written")


def test_points_by_hand_are_charged_for_being_late_like_others(files: Files) -> None:
    files.course(f"[late]\npercent_a_day = 10\n[[lab]]\nnumber = 1\ndue = {DUE}\n")
    files.batch("lab1", entry("bob", grade(up=0), when="2026-11-02T10:00:00+00:00"))
    files.overrides("bob,1,up,60,the suite was wrong,me")
    assert files.entries()["bob"].score == 90


def test_points_by_hand_settle_what_the_grader_could_not(files: Files) -> None:
    files.batch("lab1", entry("bob", grade(up=None)))
    assert files.entries()["bob"].status is EntryStatus.GRADER_FAULT
    files.overrides("bob,1,up,60,graded on another machine,me")
    assert (files.entries()["bob"].status, files.entries()["bob"].score) == (EntryStatus.GRADED, 100)


def test_points_by_hand_below_the_grader_s_are_pointed_out(files: Files) -> None:
    """The hand-in may have been graded again in the meantime and would now get more."""
    files.overrides("ada,1,up,50,the suite was wrong,me")
    assert "Ada L (ada): lab 1 up has 50 points by hand, and the grader gives 60" in files.make().notes


def test_written_work_is_not_known_before_a_person_has_judged_it(files: Files) -> None:
    work = '[[written]]\nlab = 1\nname = "why_two_barriers"\npoints = 10\n'
    files.overrides("ada,1,why_two_barriers,7,,me", more=work)
    book = files.make()
    ada, bob, carl = book.gradebook.entries
    assert (ada.score, ada.max_score, ada.labs[0].parts["why_two_barriers"]) == (107, 110, 7)
    assert (bob.score, bob.status) == (None, EntryStatus.WAITING)
    assert carl.score == 0, "who handed in nothing has nothing to be judged"
    assert "lab 1: 1 have no points for why_two_barriers yet: Bob M (bob)" in book.notes
    assert book.gradebook.labs[0].parts[-1] == PartColumn("why_two_barriers", 10)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("dora,1,up,3,why,me", "'dora' is not in roster.csv"),
        ("ada,2,up,3,why,me", "no batch has lab '2'; there are 1"),
        ("ada,1,sideways,3,why,me", "lab 1 has no part 'sideways'; its parts are up, down"),
        ("ada,1,up,61,why,me", "'61' is no whole number of points from 0 to 60"),
        ("ada,1,up,-1,why,me", "'-1' is no whole number of points from 0 to 60"),
        ("ada,1,,2.5,why,me", "'2.5' is no whole number of points from 0 to 100"),
        ("ada,1,up,3,,me", "points by hand have a reason"),
        ("ada,1,up,3,why,", "points by hand have a reason and the name of the person"),
        ("bob,1,down,4,why,me", "overrides.csv:2 sets the points of down already"),
        ("bob,1,,4,why,me", "overrides.csv:2 sets the points of down already"),
    ],
)
def test_a_mistake_in_the_overrides_is_named_by_its_line(files: Files, line: str, said: str) -> None:
    files.overrides("bob,1,down,3,why,me", line)
    assert f"overrides.csv:3: {said}" in files.said()


# ---- batches --------------------------------------------------------------------------------------------------------


def test_two_hand_ins_of_one_student_in_a_batch_are_a_question(files: Files) -> None:
    files.batch("lab1", entry("ada", when=None), entry("ada-2", grade(up=0), students=("4711",), when=None))
    said = files.said()
    assert "lab1: ada and ada-2 are both of ada, lab 1; which one counts?" in said
    later = entry("ada-2", grade(up=0), students=("4711",), when="2026-10-31T22:00:00+00:00")
    files.batch("lab1", later, entry("ada", when="2026-10-30T22:00:00+00:00"))
    ada = files.entries()["ada"]
    assert (ada.score, ada.labs[0].origin.hand_in) == (40, "ada-2")  # type: ignore[union-attr]


def test_the_later_of_twins_counts_when_another_batch_has_no_times(files: Files) -> None:
    """The batches keep their order, and within a batch the times decide."""
    earlier = entry("ada-2", grade(up=0), students=("4711",), when="2026-10-30T22:00:00+00:00")
    files.batch("old", entry("ada", grade(down=0), when=None))
    files.batch("lab1", entry("ada", when="2026-10-31T22:00:00+00:00"), earlier)
    for batches, hand_in, score in (('"old", "lab1"', "ada", 100), ('"lab1", "old"', "ada", 60)):
        files.term(batches=batches)
        (lab,) = files.entries()["ada"].labs
        assert (lab.score, lab.origin and lab.origin.hand_in) == (score, hand_in), batches


def test_the_book_has_the_number_that_the_service_gave_each_student(files: Files) -> None:
    group = replace(entry("group", students=("4711", "bob")), form=Form.CANVAS)
    files.batch("lab1", group)
    origins = [files.entries()[name].labs[0].origin for name in ("ada", "bob")]
    assert [(one.form, one.student) for one in origins if one] == [(Form.CANVAS, "4711"), (Form.CANVAS, "bob")]
    assert from_json(to_json(files.make().gradebook)) == files.make().gradebook


def test_the_later_batch_counts_where_no_time_is_known_and_that_is_said(files: Files) -> None:
    files.batch("lab1", entry("ada", when=None))
    files.batch("again", entry("ada", grade(down=0), when=None))
    files.term(batches='"lab1", "again"')
    assert files.entries()["ada"].score == 60
    assert "lab 1 has a date, and of 2 hand-ins no time is known: they count as in time" in files.make().notes


def test_each_of_a_group_has_late_days_of_their_own(files: Files) -> None:
    files.course(
        "[late]\npercent_a_day = 10\nallowance_days = 1\n"
        f"[[lab]]\nnumber = 1\ndue = {DUE}\n[[lab]]\nnumber = 2\ndue = 2026-11-08T22:00:00Z\n"
    )
    files.batch("lab1", entry("ada", when="2026-11-02T20:00:00Z"))
    group = entry("group", grade(lab=2), students=("ada", "bob"), when="2026-11-09T20:00:00Z")
    files.batch("lab2", group, lab=2)
    files.term(batches='"lab1", "lab2"')
    book = files.entries()
    assert [book[name].labs[1].score for name in ("ada", "bob")] == [90, 100]


def test_an_extension_of_one_is_for_the_whole_group(files: Files) -> None:
    files.course(
        f"[late]\npercent_a_day = 10\n[[lab]]\nnumber = 1\ndue = {DUE}\n"
        '[[extension]]\nstudent = "ADA@example.org"\nhours = 30\n'
    )
    files.batch("lab1", entry("group", students=("4711", "bob"), when="2026-11-03T03:00:00Z"))
    assert [one.labs[0].score for one in files.make().gradebook.entries] == [100, 100, 0]


def test_a_batch_that_was_graded_for_other_points_is_refused(files: Files) -> None:
    files.batch("lab1", entry("ada"), points=(50, 40))
    assert "lab1: lab 1 was graded for other parts or points than now" in files.said()


def test_a_lab_that_waits_has_no_total(files: Files) -> None:
    waits = replace(grade(), status=None, raw=None, score=None, parts={})
    files.batch("lab1", entry("ada", waits))
    assert (files.entries()["ada"].status, files.entries()["ada"].score) == (EntryStatus.WAITING, None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('batches = ["lab1"]', "a term has a roster"),
        ('roster = "roster.csv"', "batches names each batch once"),
        ('roster = "roster.csv"\nbatches = ["lab1", "lab1"]', "batches names each batch once"),
        ('roster = "roster.csv"\nbatches = ["lab9"]', "there is no lab9/gradebook.json"),
        ('roster = "students.csv"\nbatches = ["lab1"]', "cannot read students.csv"),
        ('roster = "roster.csv"\nbatches = ["lab1"]\ncounts = "first"', "it is last or best"),
        ('roster = "roster.csv"\nbatches = ["lab1"]\ngrades = 3', "unknown entry 'grades'"),
        (
            'roster = "roster.csv"\nbatches = ["lab1"]\n[[written]]\nlab = 1',
            "written work has a lab, a name and points",
        ),
        (
            'roster = "roster.csv"\nbatches = ["lab1"]\n[[written]]\nlab = 2\nname = "essay"\npoints = 5',
            "written work essay is of lab 2, and no batch has that lab",
        ),
        (
            'roster = "roster.csv"\nbatches = ["lab1"]\n[[written]]\nlab = 1\nname = "up"\npoints = 5',
            "lab 1 has a part up already",
        ),
    ],
)
def test_a_mistake_in_term_toml_is_named(files: Files, text: str, said: str) -> None:
    files.write("term.toml", text)
    assert said in files.said()


def test_the_order_of_the_dates_is_that_in_which_late_days_are_used(files: Files) -> None:
    """Lab 2 is due before lab 1."""
    files.course(
        "[late]\npercent_a_day = 10\nallowance_days = 1\n"
        "[[lab]]\nnumber = 1\ndue = 2026-11-08T22:00:00Z\n[[lab]]\nnumber = 2\ndue = 2026-11-01T22:00:00Z\n"
    )
    late = datetime(2026, 11, 9, 20, tzinfo=UTC).isoformat()
    files.batch("lab1", entry("ada", when=late))
    files.batch("lab2", entry("ada", grade(lab=2), when="2026-11-02T20:00:00Z"), lab=2)
    files.term(batches='"lab1", "lab2"')
    assert [lab.score for lab in files.entries()["ada"].labs] == [90, 100]


def test_a_page_has_all_times_in_the_zone_of_the_due_date(tmp_path: Path) -> None:
    """So a person sees which came first."""
    column = LabColumn(1, "Lab", "one.cu", 100, "2026-11-01T23:59:00+01:00", (PartColumn("up", 60),))
    late = entry("ada", replace(grade(), submitted="2026-11-01T23:22:00+00:00"))
    book = Gradebook("term", "", "cpu", None, (column,), (late,))
    page = student_page(tmp_path, book, late, Audience.STUDENT, Facts(0, "", "term.toml"))
    assert "2026-11-01 23:59:00 UTC+01:00" in page
    assert "2026-11-02 00:22:00 UTC+01:00" in page
