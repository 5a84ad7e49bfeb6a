"""The result of grading a class, as plain data, which exporters read. SCHEMA.md documents it.

A Gradebook has entries, and an Entry has a LabGrade for each lab. An entry is one hand-in; its tests and messages are
in its own results.json. Nothing here depends on when, where or in how many runs the batch was graded: the same
hand-ins, course, set-up and seed give the same file. A score of None is unknown (a fault of the grader, or still
waiting), which is not the same as 0.
"""

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.model.older_python import StrEnum
from grader.model.results import write_atomically
from grader.model.typed import from_table, to_table
from grader.model.types import IgnoredFile, Status

GRADEBOOK_VERSION = 1

JSON_NAME, CSV_NAME = "gradebook.json", "gradebook.csv"

OVERRIDES = ("student", "lab", "part", "points", "reason", "by")  # the columns of overrides.csv
# Placeholders of the last three columns in a line to copy; a file that still has them is refused
TO_FILL_IN = ("POINTS", "REASON", "NAME")

_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet reads a cell that begins with one of these as a formula


class EntryStatus(StrEnum):
    """The status of one hand-in."""

    GRADED = "graded"
    UNUSABLE = "unusable"  # nothing in it could be graded: empty, misnamed, a broken archive; 0 points
    GRADER_FAULT = "grader fault"  # grading at least one of its labs failed twice; no score
    WAITING = "waiting"  # the batch was stopped before its turn, or points by hand are not given yet; no score
    MISSING = "missing"  # in a term's book: a student of the roster who handed in nothing; 0 points


class Form(StrEnum):
    """The form in which a hand-in was found in the batch's folder."""

    FOLDER = "folder"
    ARCHIVE = "archive"
    FILE = "file"
    GRADESCOPE = "gradescope"
    CANVAS = "canvas"
    MOODLE = "moodle"
    CLASSROOM50 = "classroom50"
    ROSTER = "roster"  # in a term's book: the entry is a student, and each lab names the hand-in that counts


@dataclass(frozen=True, slots=True)
class Student:
    """A student who handed in, with the data of the download. A group has several."""

    id: str  # Gradescope: sid, or else the e-mail address; Canvas: user id; Moodle: participant number; else the name
    name: str
    email: str  # empty when the download does not give it


@dataclass(frozen=True, slots=True)
class PartColumn:
    """One part of a lab, as this class is graded on it."""

    name: str
    max_score: int


@dataclass(frozen=True, slots=True)
class LabColumn:
    """One lab of the gradebook."""

    number: int
    title: str
    source: str  # naive_scan.cu
    max_score: int
    due: str | None  # ISO 8601 with time zone; None without a date
    parts: tuple[PartColumn, ...]


@dataclass(frozen=True, slots=True)
class ByHand:
    """Points that a person gave: instead of the grader's points, or for something that no test judges."""

    part: str  # empty for the whole lab
    points: int
    was: int | None  # the grader's points; None when there are none
    reason: str
    by: str  # the person who gave them


@dataclass(frozen=True, slots=True)
class Origin:
    """The hand-in from which a term's book took the points of a lab. Paths are relative to the book's folder."""

    batch: str
    hand_in: str  # its name in that batch
    results: str | None
    others: tuple[str, ...]  # hand-ins of the same lab that do not count: batch/name
    form: Form | None = None  # form of the hand-in; None in a book of an earlier grader
    student: str = ""  # the student's id in that batch, such as the number that a service has for the student


@dataclass(frozen=True, slots=True)
class LabGrade:
    """The grade of one hand-in in one lab."""

    number: int
    status: Status | None  # status from results.json; None while it waits
    raw: int | None  # points from results.json, with points by hand included
    penalty: float  # points taken off for being late, 0 to raw
    score: float | None  # raw minus the penalty
    max_score: int
    days_late: int  # days after the due date, each begun day counted, with extensions taken into account
    late_days_used: int  # late days taken from the student's allowance
    dropped: bool  # True when it is one of the lowest labs, which do not count in the total
    parts: dict[str, int | None]  # points of each part
    submitted: str | None = None  # ISO 8601 with time zone, when it is known
    by_hand: tuple[ByHand, ...] = ()
    origin: Origin | None = None  # only in a term's book, when there is a hand-in


@dataclass(frozen=True, slots=True)
class Entry:
    """One hand-in."""

    name: str  # name of its folder in submissions/: unique, and safe in paths
    status: EntryStatus
    message: str  # the reason why it is not graded, or a remark; else empty
    students: tuple[Student, ...]  # never empty
    form: Form
    origin: str  # where it was found, relative to the batch's folder
    submission_id: str  # Gradescope's number for it; else empty
    submitted: str | None  # ISO 8601 with time zone, when it is known
    marked_late: bool  # True when the download marks it as late (Canvas)
    files: tuple[str, ...]  # the labs' files that were taken
    ignored: tuple[IgnoredFile, ...]
    content: str  # SHA-256 of the files that were taken; empty when there are none
    results: str | None  # its results.json, relative to the gradebook's folder
    source: str | None  # the folder of its files, relative to the gradebook's folder
    score: float | None  # points of the labs that count
    max_score: int
    labs: tuple[LabGrade, ...]  # in the order of the gradebook's labs


@dataclass(frozen=True, slots=True)
class Gradebook:
    """One batch, or a whole term: the merged batches of a class."""

    batch: str  # its name
    course: str  # title from course.toml; else empty
    device: str
    seed: int | None  # None in a term's book: each batch has its own
    labs: tuple[LabColumn, ...]
    entries: tuple[Entry, ...]  # sorted by name


def several_hand_ins(gradebook: Gradebook) -> dict[str, list[str]]:
    """Finds students with more than one hand-in: student id -> the files or folders handed in. A person must decide
    which of them counts."""
    by_id: dict[str, list[str]] = {}
    for entry in gradebook.entries:
        for key in sorted({student.id.casefold() for student in entry.students}):
            by_id.setdefault(key, []).append(entry.origin or entry.name)
    return {key: names for key, names in by_id.items() if len(names) > 1}


def to_json(gradebook: Gradebook) -> str:
    """The text of the whole file."""
    return json.dumps({"schema": GRADEBOOK_VERSION, **to_table(gradebook)}, indent=1, ensure_ascii=False) + "\n"


def from_json(text: str) -> Gradebook:
    """Reads the model back. ValueError when the text has another schema version or was not written by this grader.
    Fields that a gradebook of an earlier grader lacks get their defaults."""
    try:
        table = json.loads(text)
        if table.pop("schema") != GRADEBOOK_VERSION:
            raise ValueError(f"not a gradebook.json of schema {GRADEBOOK_VERSION}, which this grader reads")
        gradebook = from_table(Gradebook, table)
        columns = [lab.number for lab in gradebook.labs]
        for entry in gradebook.entries:
            if not entry.students or [lab.number for lab in entry.labs] != columns:
                raise ValueError(f"not a gradebook.json: {entry.name!r} has no student, or other labs")
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a gradebook.json: {error!r}") from error
    return gradebook


def to_csv(gradebook: Gradebook) -> str:
    """One line for each student: identity, status, total, and the score of each lab. A lab has further columns for late
    days, late days paid by the allowance, points by hand and dropped labs, each only if some entry has a value for it.
    A name that looks like a formula stays text in a spreadsheet."""
    grades = [lab for entry in gradebook.entries for lab in entry.labs]
    extra = [column for column in _EXTRA if any(column.says(lab) for lab in grades)]
    columns = ["id", "name", "email", "hand-in", "submitted", "status", "score", "max score"]
    for lab in gradebook.labs:
        columns += [f"lab {lab.number}", *(f"lab {lab.number} {column.name}" for column in extra)]
    stream = io.StringIO()
    rows = csv.writer(stream, lineterminator="\n")
    rows.writerow([*columns, "message"])
    rows.writerows(row for entry in gradebook.entries for row in _rows(entry, extra))
    return stream.getvalue()


@dataclass(frozen=True, slots=True)
class _Column:
    """An additional column of each lab, present when at least one grade in the book has a value for it."""

    name: str
    says: Callable[[LabGrade], object]
    text: Callable[[LabGrade], str]


def hand_text(lab: LabGrade) -> str:
    """The points that were given by hand, with the person and the reason; empty when there are none."""
    given = ((f"{one.part or 'lab'} {one.points} by {one.by}", one.reason) for one in lab.by_hand)
    return "; ".join(": ".join(filter(None, words)) for words in given)


_EXTRA = (
    _Column("days late", lambda lab: lab.days_late, lambda lab: str(lab.days_late)),
    _Column("late days used", lambda lab: lab.late_days_used, lambda lab: str(lab.late_days_used)),
    _Column("dropped", lambda lab: lab.dropped, lambda lab: "dropped" if lab.dropped else ""),
    _Column("by hand", lambda lab: lab.by_hand, lambda lab: cell(hand_text(lab))),
)


def _rows(entry: Entry, extra: Sequence[_Column]) -> Iterator[list[str]]:
    grades: list[str] = []
    for lab in entry.labs:
        grades += [number(lab.score), *(column.text(lab) for column in extra)]
    for student in entry.students:
        who = [cell(text) for text in (student.id, student.name, student.email, entry.name)]
        total = [entry.submitted or "", str(entry.status), number(entry.score), str(entry.max_score)]
        yield [*who, *total, *grades, cell("; ".join(map(str.strip, entry.message.splitlines())))]


def cell(text: str) -> str:
    """The text as a cell that a spreadsheet shows and does not evaluate."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def number(score: float | None) -> str:
    """The score as text, such as 12 or 12.5; empty when it is unknown."""
    return "" if score is None else f"{score:.2f}".rstrip("0").rstrip(".")


def write_gradebook(folder: Path, gradebook: Gradebook) -> None:
    """Writes gradebook.json and gradebook.csv; each is replaced as a whole. GraderFault when that fails."""
    write_atomically(folder / JSON_NAME, to_json(gradebook).encode())
    write_atomically(folder / CSV_NAME, to_csv(gradebook).encode())
