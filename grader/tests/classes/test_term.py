"""A term from hand-ins to its book: three labs, thirty students, and a table that was computed by hand."""

import csv
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import jsonschema
import pytest

from grader.model import gradebook
from grader.model.gradebook import Entry, EntryStatus, Gradebook
from grader.tests.classes.test_batch import BOOK_SCHEMA
from grader.tests.planted import PlantedCourse, failing

DUE = {number: datetime(2026, 10, day, 22, tzinfo=UTC) for number, day in ((1, 1), (2, 15), (3, 29))}
STEMS = {1: "one", 2: "two", 3: "three"}
# Points of 100 -> the text of a file that earns them. Part `up` has 30 for correct, 15 for clean and 15 for efficient,
# and `down` has 40.
SOURCES = {100: "good", 85: "LOSES up clean", 60: "LOSES down correct", 40: "LOSES up correct", 0: "SYNTAX"}

COURSE = """\
title = "Parallel scans, autumn 2026"
drop_lowest = 1
[late]
percent_a_day = 10
most_percent = 50
grace_minutes = 15
allowance_days = 2
[[lab]]
number = 1
due = 2026-10-01T22:00:00Z
[[lab]]
number = 2
due = 2026-10-15T22:00:00Z
[[lab]]
number = 3
due = 2026-10-29T22:00:00Z
[[extension]]
student = "s09"
lab = 2
hours = 36
[[extension]]
student = "s10@example.org"
lab = 2
days = 1
hours = 12
[[extension]]
student = "Student 11"
days = 1
[[extension]]
student = "s24"
lab = 1
days = 5
"""

# Left, what each student hands in for the three labs: points that the file earns, and how long after the date it comes
# (nothing: a day before it). +1 is within the first day after it, an hour before that day ends; m and h are minutes and
# hours exactly. `40>100+1` is a hand-in and a later one, and - is none. Right, worked out by hand: the points of each
# lab after what being late costs, the late days that the allowance of 2 paid for, the lab that is dropped, and the
# total of the other two. Each begun day costs 10 % of the points, at most 50 %, unless the allowance pays for it.
TABLE = """
s01  100      100       100    | 100   100   100   0 0 0  1  200
s02  85       60        40     | 85    60    40    0 0 0  3  145
s03  100+1    100+1     100+1  | 100   100   90    1 1 0  3  200
s04  100+1    100+2     85     | 100   90    85    1 1 0  3  190
s05  60+3     100       100+1  | 54    100   90    2 0 0  1  190
s06  -        100       85     | 0     100   85    0 0 0  1  185
s07  60       85        85     | 100   85    85    0 0 0  2  185
s08  40       0         60     | 40    70    60    0 0 0  1  130
s09  85       100+36h   100+2  | 85    100   100   0 0 2  1  200
s10  85       100+47h   100+2  | 85    100   90    0 1 1  1  190
s11  100+1    100+1     100+1  | 100   100   100   0 0 0  1  200
s12  100+10m  85+15m    60+14m | 100   85    60    0 0 0  3  185
s13  100+7    100       100    | 50    100   100   2 0 0  1  200
s14  100+9    60+1      40+1   | 50    54    36    2 0 0  3  104
s15  85       60>100+1  85     | 85    100   85    0 1 0  1  185
s16  100      100>40+1  100    | 100   40    100   0 1 0  2  200
s17  -        -         -      | 0     0     0     0 0 0  1  0
s18  -        -         85+4   | 0     0     68    0 0 2  1  68
s19  0        100       100    | 0     100   100   0 0 0  1  200
s20  60       60        60     | 60    60    60    0 0 0  1  120
s21  40       85        100    | 40    85    100   0 0 0  1  185
s22  100+1    -         85+1   | 100   0     85    1 0 1  2  185
s23  85+3     85+1      85     | 76.5  76.5  85    2 0 0  1  161.5
s24  60+4     60+2      60+1   | 60    60    54    0 2 0  3  120
s25  100      100+2     100+2  | 100   100   80    0 2 0  3  200
s26  40       40        40     | 40    40    40    0 0 0  1  80
s27  100      -         -      | 100   0     0     0 0 0  2  100
s28  85+16m   85        85     | 85    85    85    1 0 0  1  170
s29  60+1     60+1      60+1   | 60    60    54    1 1 0  3  120
s30  100+2    85+1      100+1  | 100   76.5  90    2 0 0  2  190
"""
# s07 has down's 40 points of lab 1 by hand, and s08 has 70 points by hand for all of lab 2: see `overrides`.

OVERRIDES = """\
student,lab,part,points,reason,by
s07,1,down,40,"The suite read past the end, not the hand-in",B. Moe
s08@example.org,2,,70,One missing semicolon: graded after it was put in,B. Moe
"""


def came(lab: int, offset: str) -> datetime:
    """The time of a hand-in, from its offset in TABLE."""
    if not offset:
        return DUE[lab] - timedelta(days=1)
    if offset[-1] in "mh":
        return DUE[lab] + timedelta(**{"minutes" if offset[-1] == "m" else "hours": int(offset[:-1])})
    return DUE[lab] + timedelta(days=int(offset), hours=-1)


class Term:
    """A planted course of three labs, and the files of a term."""

    def __init__(self, planted: PlantedCourse, folder: Path) -> None:
        self.planted, self.folder = planted, folder
        planted.lab(3, "three")
        planted.write("course.toml", COURSE)
        self.times: dict[str, list[str]] = {}
        students = [row.split()[0] for row in TABLE.split("\n") if row]
        roster = [f"{one},Student {one[1:]},{one}@example.org,{'stranger' if one == 's21' else ''}" for one in students]
        self.write("roster.csv", "\n".join(["id,name,email,also", *roster, ""]))
        self.write("overrides.csv", OVERRIDES)
        self.settle()

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def settle(self, batches: str = "lab1 lab2 lab2-again lab3", more: str = "") -> None:
        """Writes term.toml."""
        places = ", ".join(f'"course/build/class/{batch}"' for batch in batches.split())
        self.write("term.toml", f'roster = "roster.csv"\noverrides = "overrides.csv"\nbatches = [{places}]\n{more}\n')

    def hand_in(self, batch: str, lab: int, student: str, cell: str) -> None:
        """Makes a hand-in from a cell of TABLE."""
        points, _, offset = cell.partition("+")
        self.write(f"{batch}/{student}/{STEMS[lab]}.cu", f"/* {SOURCES[int(points)]} */\n")
        self.times.setdefault(batch, []).append(f"{student},{came(lab, offset).isoformat()}\n")
        self.write(f"{batch}/submitted.csv", "student,submitted\n" + "".join(self.times[batch]))

    def everybody(self) -> None:
        """Makes all hand-ins of TABLE; s21 hands in lab 3 under another name."""
        for row in filter(None, TABLE.split("\n")):
            student, *cells = row.partition("|")[0].split()
            for lab, cell in enumerate(cells, start=1):
                first, _, again = cell.partition(">")
                if first != "-":
                    self.hand_in(f"lab{lab}", lab, "stranger" if (student, lab) == ("s21", 3) else student, first)
                if again:
                    self.hand_in(f"lab{lab}-again", lab, student, again)

    def grade(self, batch: str, *options: str) -> None:
        lab = re.sub(r"\D", "", batch)
        argv = ("class", str(self.folder / batch), "--no-sandbox", "--lab", lab, *options)
        assert self.planted.run(*argv) == 0

    def make(self) -> int:
        """Runs the command under test."""
        return self.planted.run("term", str(self.folder / "term.toml"))

    @property
    def place(self) -> Path:
        return self.planted.root / "build" / "term" / "term"

    @property
    def book(self) -> Gradebook:
        text = (self.place / "gradebook.json").read_text(encoding="utf-8")
        jsonschema.validate(json.loads(text), BOOK_SCHEMA)
        return gradebook.from_json(text)

    def entry(self, student: str) -> Entry:
        return next(entry for entry in self.book.entries if entry.name == student)


@pytest.fixture
def term(planted: PlantedCourse, tmp_path: Path) -> Term:
    return Term(planted, tmp_path)


def worked_out(entry: Entry) -> list[str]:
    """An entry in the form of the right side of TABLE."""
    dropped = [str(lab.number) for lab in entry.labs if lab.dropped]
    scores = [gradebook.number(lab.score) for lab in entry.labs]
    return [*scores, *(str(lab.late_days_used) for lab in entry.labs), *dropped, gradebook.number(entry.score)]


def test_a_term_is_right_by_a_table_worked_out_by_hand(term: Term, capsys: pytest.CaptureFixture[str]) -> None:
    term.everybody()
    term.hand_in("lab3", 3, "zed", "100")  # this student is not in the roster
    term.planted.suite("one", failing("up", "efficient", "planted: every hand-in loses 15 points"))
    for batch in ("lab1", "lab2", "lab2-again", "lab3"):
        term.grade(batch)

    # An unknown id must be resolved before there is a book.
    assert term.make() == 2
    said = capsys.readouterr().err
    assert "makes no book: 1 mistake in its files" in said
    assert "course/build/class/lab3: the hand-in zed is of zed, who is not in" in said
    assert not term.place.exists()
    term.settle(more='ignore = ["zed"]')
    assert term.make() == 0
    assert "1 handed in nothing: Student 17 (s17)" in capsys.readouterr().out

    # The suite of lab 1 had an error, so lab 1 is graded again. Points by hand do not change.
    assert term.entry("s01").labs[0].score == 85
    assert term.entry("s07").labs[0].score == 85
    term.planted.suite("one")
    term.grade("lab1", "--again")
    assert term.make() == 0
    rows = [row.partition("|") for row in TABLE.split("\n") if row]
    expected = {left.split()[0]: right.split() for left, _, right in rows}
    assert len(expected) == 30
    assert {entry.name: worked_out(entry) for entry in term.book.entries} == expected
    assert term.entry("s17").status is EntryStatus.MISSING
    assert [entry.name for entry in term.book.entries if entry.labs[0].by_hand] == ["s07"]
    assert term.entry("s15").labs[1].origin.others == ("course/build/class/lab2/s15",)  # type: ignore[union-attr]

    # The same files give the same book, to the byte.
    files = {path: path.read_bytes() for path in term.place.rglob("*") if path.is_file()}
    assert len(files) == 2 + 1 + 2 * 30
    assert term.make() == 0
    assert {path: path.read_bytes() for path in term.place.rglob("*") if path.is_file()} == files

    with open(term.place / "gradebook.csv", encoding="utf-8", newline="") as stream:
        table = {row["id"]: row for row in csv.DictReader(stream)}
    assert (table["s04"]["lab 2"], table["s04"]["lab 2 days late"], table["s04"]["lab 2 late days used"]) == (
        "90",
        "2",
        "1",
    )
    assert table["s07"]["lab 1 by hand"] == "down 40 by B. Moe: The suite read past the end, not the hand-in"
    for folder in ("reports", "instructor"):
        page = (term.place / folder / "s07.html").read_text(encoding="utf-8")
        assert "B. Moe: The suite read past the end, not the hand-in" in page
        assert "(the grader: 0)" in page

    # If the best hand-in counts, s16 keeps the first one of lab 2, and its late day.
    term.settle(more='ignore = ["zed"]\ncounts = "best"')
    assert term.make() == 0
    assert worked_out(term.entry("s16")) == ["100", "100", "100", "0", "0", "0", "1", "200"]
    assert worked_out(term.entry("s15")) == expected["s15"]


def test_a_line_of_the_student_s_page_is_all_that_an_override_needs(
    term: Term, capsys: pytest.CaptureFixture[str]
) -> None:
    """The line is copied, completed and added to the file that the page names."""
    term.hand_in("lab1", 1, "s19", "0")
    term.grade("lab1")
    term.settle("lab1")
    term.write("overrides.csv", OVERRIDES.splitlines()[0] + "\n")
    assert term.make() == 0
    page = (term.place / "instructor" / "s19.html").read_text(encoding="utf-8").replace("<wbr>", "")
    assert f"<code>{term.folder}/overrides.csv</code>" in page
    assert f"<code>make term FROM={term.folder}/term.toml</code>" in page
    assert "s19,1,up,POINTS,REASON,NAME" in page and "s19,1,,POINTS,REASON,NAME" in page
    assert "POINTS" not in (term.place / "reports" / "s19.html").read_text(encoding="utf-8")

    file = term.folder / "overrides.csv"
    head, line = file.read_text(), "s19,1,up,POINTS,REASON,NAME"
    for filled_in, status in ((line, 2), (line.replace("POINTS", "55"), 2), ("s19,1,up,55,it was late at night,me", 0)):
        file.write_text(f"{head}{filled_in}\n")
        assert term.make() == status, filled_in
    assert "overrides.csv:2: POINTS, REASON, NAME of a copied line are to be filled in" in capsys.readouterr().err
    assert term.entry("s19").labs[0].score == 55
    page = (term.place / "instructor" / "s19.html").read_text(encoding="utf-8").replace("<wbr>", "")
    assert "s19,1,up,POINTS" not in page and "s19,1,down,POINTS" in page and "s19,1,,POINTS" not in page
